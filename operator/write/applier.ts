import {
  alteredOutcome,
  controllerOf,
  describeObject,
  FIELD_MANAGER,
  HANDOVER_MANAGER,
  handoverManifest,
  handoverOf,
  isDependent,
  isLive,
  isOfKind,
  obstacleTo,
  outcomeOf,
  type ChildKind,
  type LiveObject,
  type Manifest,
  type Outcome,
  type Owner,
  type Step,
  type Write,
} from '../../lib/composition';
import type { Clock } from '../clock';
import { ApiError, isStatus } from '../cluster/api-error';
import type { KubeClient } from '../cluster/kube';
import type { Informer } from '../watch/informers';
import { DriftGuard } from './drift';
import { failureOf, isGone, momentary } from './failures';
import { portRepairs } from './port-collision';

/** The manager that takes away ports which collide with ours. */
const REPAIR_MANAGER = 'inferno-repair';
const REPAIR_TRIES = 5;

/** What became of a step; undefined for one that was not tried, as one that comes before it did not succeed. */
export interface StepResult {
  readonly step: Step;
  readonly outcome: Outcome | undefined;
  /** Whether the object was written or deleted. */
  readonly done: boolean;
}

/** Where an applier reads and writes. */
export interface ApplierOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** The cache of a child kind; takes the answers to our writes ahead of the watch. */
  readonly cacheOf: (kind: ChildKind) => Informer;
}

/**
 * Carries out plans.
 *
 * Guarantees:
 * - an object is made only where none has its name, and changed only where it is the one with the known uid
 * - a failing step does not keep others from being done, except those that name it in `after`
 * - a number of replicas that an autoscaler takes over is never lost on the way
 * - what the API server or somebody else undoes is not applied in a loop
 */
export class Applier {
  readonly #options: ApplierOptions;
  readonly #drift = new DriftGuard();

  constructor(options: ApplierOptions) {
    this.#options = options;
  }

  /** Does what the plan says. Throws what is not the API server's word on one object: lost connections, lost leadership. */
  async carryOut(steps: readonly Step[], owner: Owner, signal: AbortSignal): Promise<readonly StepResult[]> {
    const results: StepResult[] = [];
    const failed = new Set<Step>();
    for (const step of steps) {
      signal.throwIfAborted();
      // One after the other: order is part of the plan.
      const result = step.after?.some((other) => failed.has(other))
        ? { outcome: undefined, done: false }
        : // oxlint-disable-next-line no-await-in-loop
          await this.#do(step, owner, signal);
      const { outcome } = result;
      if (outcome?.state !== 'applied' && outcome?.state !== 'altered') failed.add(step);
      results.push({ step, ...result });
    }
    return results;
  }

  async #do(step: Step, owner: Owner, signal: AbortSignal): Promise<Omit<StepResult, 'step'>> {
    switch (step.action) {
      case 'create':
      case 'update':
        return this.#write(step, owner, signal);
      case 'delete': {
        const outcome = (await this.#delete(step.live, owner, signal)) ?? { state: 'applied' };
        return { outcome, done: outcome.state === 'applied' };
      }
      default:
        return { outcome: outcomeOf(step), done: false };
    }
  }

  async #write(step: Write, owner: Owner, signal: AbortSignal): Promise<Omit<StepResult, 'step'>> {
    const failed = (outcome: Outcome): Omit<StepResult, 'step'> => ({ outcome, done: false });
    if (step.action === 'update') {
      const postponed = this.#drift.postponed(step, this.#options.clock.monotonic());
      if (postponed !== undefined) return failed(postponed);
    }
    try {
      return { outcome: await this.#apply(step, owner, signal), done: true };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (step.action === 'create' && error.status === 409) {
        return this.#afterCreateConflict(step.manifest, owner, signal, error);
      }
      if (step.action !== 'update') return failed(failureOf(step.manifest, error));
      if (isGone(error)) return failed(seenLate(step.manifest, 'was replaced meanwhile'));
      return failed((await this.#repairPorts(step, owner, signal)) ?? failureOf(step.manifest, error));
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
  ): Promise<Outcome | undefined> {
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
    return seenLate(step.manifest, 'has ports that collide with ours, which are taken away');
  }

  async #apply(step: Write, owner: Owner, signal: AbortSignal): Promise<Outcome> {
    const { client, clock } = this.#options;
    const kind = kindOf(step.manifest, owner);
    if (step.action === 'update' && step.handover !== undefined) {
      const handover = handoverManifest(step.live, step.handover);
      await client.apply(kind, handover, { uid: step.uid }, { fieldManager: HANDOVER_MANAGER, signal });
    }
    const target = step.action === 'create' ? ({ create: true } as const) : { uid: step.uid };
    const answer = await client.apply(kind, step.manifest, target, { fieldManager: FIELD_MANAGER, signal });
    this.#options.cacheOf(kind).put(answer);
    const drifted = step.action === 'update' && step.reason === 'Drifted';
    const altered = isLive(answer) ? this.#drift.applied(step.manifest, answer, drifted, clock.monotonic()) : undefined;
    return altered ?? (step.action === 'update' ? alteredOutcome(step) : undefined) ?? { state: 'applied' };
  }

  /** The name is taken, though the cache did not know: by ourselves a moment ago, or by somebody else. */
  async #afterCreateConflict(
    manifest: Manifest,
    owner: Owner,
    signal: AbortSignal,
    conflict: ApiError,
  ): Promise<Omit<StepResult, 'step'>> {
    const { client, cacheOf } = this.#options;
    const { namespace, name } = manifest.metadata;
    const kind = kindOf(manifest, owner);
    const failed = (outcome: Outcome): Omit<StepResult, 'step'> => ({ outcome, done: false });
    try {
      const live = await client.get(kind, namespace, name, signal);
      if (!isLive(live)) return failed(seenLate(manifest, 'has no uid'));
      const obstacle = obstacleTo(manifest, live, [], owner);
      if (obstacle !== undefined) return { outcome: outcomeOf(obstacle), done: false };
      if (controllerOf(live) !== undefined) {
        cacheOf(kind).put(live);
        return failed(seenLate(manifest, 'is ours already'));
      }
      const { uid } = live.metadata;
      const handover = handoverOf(manifest, live);
      const handing = handover === undefined ? {} : { handover };
      const adoption = { action: 'update', manifest, live, uid, reason: 'Adopted', changes: [], ...handing } as const;
      return { outcome: await this.#apply(adoption, owner, signal), done: true };
    } catch (error) {
      // Nothing is there: what conflicted was something beside the object, such as the count of a quota.
      if (isStatus(error, 404)) return failed(failureOf(manifest, conflict));
      if (error instanceof ApiError) return failed(failureOf(manifest, error));
      throw error;
    }
  }

  async #delete(live: LiveObject, owner: Owner, signal: AbortSignal): Promise<Outcome | undefined> {
    const kind = kindOf(live, owner);
    const { namespace, name, uid, resourceVersion } = live.metadata;
    // What it depends on is only deleted once its pods are gone too.
    const propagationPolicy = isDependent(live) ? 'Foreground' : 'Background';
    let kept: Manifest | undefined;
    try {
      const options = { propagationPolicy, resourceVersion, signal } as const;
      kept = await this.#options.client.delete(kind, namespace, name, uid, options);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Gone, or another object by now: either way ours is no longer there.
      if (error.status !== 404 && !isGone(error)) {
        // Another version may have been let go meanwhile, to outlive its owner.
        return error.status === 409 ? seenLate(live, 'changed before it was to be deleted') : failureOf(live, error);
      }
    }
    this.#drift.forget(uid);
    if (kept === undefined) this.#options.cacheOf(kind).remove(live);
    else this.#options.cacheOf(kind).put(kept);
    return undefined;
  }
}

function seenLate(object: Manifest, what: string): Outcome {
  return momentary('SeenLate', `${describeObject(object)} ${what}`);
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
