import type { ChildKind, LiveObject, Manifest, Owner, PlanStep } from '../../lib/composition';
import { controllerOf, differences, isOfKind } from '../../lib/composition';
import { describeObject } from '../../lib/composition/manifest';
import { obstacleTo, type Obstacle } from '../../lib/composition/plan';
import { ApiError, isStatus } from '../cluster/api-error';
import type { Clock } from '../clock';
import type { KubeClient } from '../cluster/kube';
import { DriftGuard, type Hold } from './drift';
import { failureOf, isGone, type StepFailure } from './failures';
import type { Informer } from '../watch/informers';
import { portRepairs } from './port-collision';
import {
  FIELD_MANAGER,
  HANDOVER_MANAGER,
  handoverManifest,
  inScalingOrder,
  isScaler,
  handoverOf,
  scales,
} from '../reconcile/scaling';

export { FIELD_MANAGER, type StepFailure };

/** Why an object is not applied that is not ours. */
export const NAME_TAKEN = 'NameTaken';
/** The manager that takes away ports which collide with ours. */
const REPAIR_MANAGER = 'inferno-repair';
const REPAIR_TRIES = 5;

/** What became of a plan. */
export interface Applied {
  readonly created: readonly Manifest[];
  readonly updated: readonly Manifest[];
  readonly deleted: readonly LiveObject[];
  readonly failures: readonly StepFailure[];
}

/** Where an applier reads and writes. */
export interface ApplierOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** The cache of a child kind; takes the answers to our writes ahead of the watch. */
  readonly cacheOf: (kind: ChildKind) => Informer;
}

type Write = Extract<PlanStep, { action: 'create' | 'update' }>;

/**
 * Carries out plans.
 *
 * Guarantees:
 * - an object is made only where none has its name, and changed only where it is the one with the known uid
 * - a failing step does not keep others from being done, but nothing is pruned after one
 * - an autoscaler that is no longer wanted is deleted before its target gets a number of replicas, and a number that an
 *   autoscaler takes over is never lost on the way
 * - what the API server or somebody else undoes is not applied in a loop
 */
export class Applier {
  readonly #options: ApplierOptions;
  readonly #drift = new DriftGuard();

  constructor(options: ApplierOptions) {
    this.#options = options;
  }

  /** Does what the plan says. Throws what is not the API server's word on one object: lost connections, lost leadership. */
  async carryOut(steps: readonly PlanStep[], owner: Owner, signal: AbortSignal): Promise<Applied> {
    const created: Manifest[] = [];
    const updated: Manifest[] = [];
    const deleted: LiveObject[] = [];
    const failures: StepFailure[] = [];
    const obstinate: LiveObject[] = [];
    for (const step of inScalingOrder(steps)) {
      signal.throwIfAborted();
      switch (step.action) {
        case 'unchanged':
          break;
        case 'create':
        case 'update': {
          // An autoscaler that could not be deleted still decides.
          if (obstinate.some((scaler) => scales(scaler, step.manifest))) break;
          // One after the other: order is part of the plan.
          // oxlint-disable-next-line no-await-in-loop
          const failure = await this.#write(step, steps, owner, signal);
          if (failure !== undefined) failures.push(failure);
          if (failure === undefined || failure.done === true) {
            (step.action === 'create' ? created : updated).push(step.manifest);
          }
          break;
        }
        case 'delete': {
          if (failures.some(({ sort }) => sort !== 'altered') && !isScaler(step.live)) break;
          // oxlint-disable-next-line no-await-in-loop
          const failure = await this.#delete(step.live, owner, signal);
          if (failure === undefined) deleted.push(step.live);
          else {
            failures.push(failure);
            if (isScaler(step.live)) obstinate.push(step.live);
          }
          break;
        }
        case 'wait':
        case 'conflict':
          failures.push(obstacleFailure(step));
          break;
      }
    }
    return { created, updated, deleted, failures };
  }

  async #write(
    step: Write,
    steps: readonly PlanStep[],
    owner: Owner,
    signal: AbortSignal,
  ): Promise<WriteFailure | undefined> {
    if (step.action === 'update') {
      const hold = this.#drift.hold(step, this.#options.clock.monotonic());
      if (hold !== undefined) return held(step.manifest, hold);
    }
    try {
      return await this.#apply(step, steps, owner, signal);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (step.action === 'create' && error.status === 409) {
        return this.#afterCreateConflict(step.manifest, owner, signal, error);
      }
      if (step.action !== 'update') return failureOf(step.manifest, error);
      if (isGone(error)) return passing(step.manifest, 'was replaced meanwhile');
      return (await this.#repairPorts(step, owner, signal)) ?? failureOf(step.manifest, error);
    }
  }

  /**
   * Takes away ports that collide with ours, after which the next apply goes through. It is done in the name of a manager
   * of its own, whose ownership is given up at once: it would keep ports alive that are later no longer wanted.
   */
  async #repairPorts(
    step: Extract<Write, { action: 'update' }>,
    owner: Owner,
    signal: AbortSignal,
  ): Promise<WriteFailure | undefined> {
    const { client, cacheOf } = this.#options;
    const repairs = portRepairs(step.manifest, step.live);
    if (repairs.length === 0) return undefined;
    const kind = kindOf(step.manifest, owner);
    const { namespace, name, resourceVersion } = step.live.metadata;
    const patch = (operations: readonly object[]): Promise<Manifest> =>
      client.patch(kind, namespace, name, operations, signal, REPAIR_MANAGER);
    try {
      let live = await patch([
        { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
        ...repairs.map(({ path, value }) => ({ op: 'replace', path, value })),
      ]);
      for (let tries = 0, index = repairerIndex(live); index >= 0 && tries < REPAIR_TRIES; tries++) {
        const path = `/metadata/managedFields/${index}`;
        live = await patch([
          { op: 'test', path: `${path}/manager`, value: REPAIR_MANAGER },
          { op: 'remove', path },
        ]).catch((error: unknown) => {
          // Another writer moved the entry meanwhile.
          if (error instanceof ApiError && !error.transient) return client.get(kind, namespace, name, signal);
          throw error;
        });
        index = repairerIndex(live);
      }
      cacheOf(kind).put(live);
    } catch (error) {
      // A failed test: the object changed meanwhile, and is looked at anew.
      if (!(error instanceof ApiError)) throw error;
      if (error.status !== 409 && error.status !== 422) return failureOf(step.manifest, error);
    }
    return passing(step.manifest, 'has ports that collide with ours, which are taken away');
  }

  async #apply(
    step: Write,
    steps: readonly PlanStep[],
    owner: Owner,
    signal: AbortSignal,
  ): Promise<WriteFailure | undefined> {
    const { client, clock } = this.#options;
    const kind = kindOf(step.manifest, owner);
    if (step.action === 'update') {
      const replicas = handoverOf(step.manifest, step.live, steps);
      if (replicas !== undefined) {
        const handover = handoverManifest(step.live, replicas);
        await client.apply(kind, handover, { uid: step.uid }, { fieldManager: HANDOVER_MANAGER, signal });
      }
    }
    const target = step.action === 'create' ? ({ create: true } as const) : { uid: step.uid };
    const answer = await client.apply(kind, step.manifest, target, { fieldManager: FIELD_MANAGER, signal });
    this.#options.cacheOf(kind).put(answer);
    if (!hasUid(answer)) return undefined;
    const drifted = step.action === 'update' && step.reason === 'Drifted';
    const hold = this.#drift.applied(step.manifest, answer, drifted, clock.monotonic());
    return hold === undefined ? undefined : { ...held(step.manifest, hold), done: true };
  }

  /** The name is taken, though the cache did not know: by ourselves a moment ago, or by somebody else. */
  async #afterCreateConflict(
    manifest: Manifest,
    owner: Owner,
    signal: AbortSignal,
    conflict: ApiError,
  ): Promise<WriteFailure | undefined> {
    const { client, cacheOf } = this.#options;
    const { namespace, name } = manifest.metadata;
    const kind = kindOf(manifest, owner);
    try {
      const live = await client.get(kind, namespace, name, signal);
      if (!hasUid(live)) return passing(manifest, 'has no uid');
      const obstacle = obstacleTo(manifest, live, [], owner);
      if (obstacle !== undefined) return obstacleFailure(obstacle);
      if (controllerOf(live) !== undefined) {
        cacheOf(kind).put(live);
        return passing(manifest, 'is ours already');
      }
      const changes = differences(manifest, live);
      const adoption = {
        action: 'update',
        manifest,
        live,
        uid: live.metadata.uid,
        reason: 'Adopted',
        changes,
      } as const;
      return await this.#apply(adoption, [], owner, signal);
    } catch (error) {
      // Nothing is there: what conflicted was something beside the object, such as the count of a quota.
      if (isStatus(error, 404)) return failureOf(manifest, conflict);
      if (error instanceof ApiError) return failureOf(manifest, error);
      throw error;
    }
  }

  async #delete(live: LiveObject, owner: Owner, signal: AbortSignal): Promise<StepFailure | undefined> {
    const kind = kindOf(live, owner);
    const { namespace, name, uid } = live.metadata;
    try {
      await this.#options.client.delete(kind, namespace, name, uid, signal);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Gone, or another object by now: either way ours is no longer there.
      if (error.status !== 404 && error.status !== 409) return failureOf(live, error);
    }
    this.#drift.forget(uid);
    // With finalizers it lives on, marked as being deleted; the watch tells its end.
    if (live.metadata.finalizers === undefined || live.metadata.finalizers.length === 0) {
      this.#options.cacheOf(kind).remove(live);
    }
    return undefined;
  }
}

/** `done` says that the object was written all the same. */
type WriteFailure = StepFailure & { readonly done?: boolean };

function obstacleFailure(step: Obstacle): StepFailure {
  const { manifest: object, message } = step;
  if (step.action === 'wait') return { object, reason: 'WaitingForDeletion', message, sort: 'passing' };
  return { object, reason: step.reason === 'Foreign' ? NAME_TAKEN : 'ImmutableField', message, sort: 'refused' };
}

function held(object: Manifest, { reason, message, againMs }: Hold): StepFailure {
  return { object, reason, message, sort: 'altered', againMs };
}

function passing(object: Manifest, what: string): StepFailure {
  return { object, reason: 'SeenLate', message: `${describeObject(object)} ${what}`, sort: 'passing' };
}

function hasUid(object: Manifest): object is LiveObject {
  return object.metadata.uid !== undefined;
}

function kindOf(object: Manifest, owner: Owner): ChildKind {
  const kind = owner.children.find((child) => isOfKind(object, child));
  if (kind === undefined) throw new Error(`${describeObject(object)} is of no kind that ${owner.kind} declares`);
  return kind;
}

function repairerIndex(object: Manifest): number {
  const managers: unknown = object.metadata['managedFields'];
  if (!Array.isArray(managers)) return -1;
  return managers.findIndex((entry: { readonly manager?: unknown }) => entry.manager === REPAIR_MANAGER);
}
