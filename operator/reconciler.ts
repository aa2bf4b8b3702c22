import {
  controllerOf,
  isOfKind,
  ownerOf,
  plan,
  synthesize,
  SynthesisError,
  type ChildKind,
  type Composition,
  type LiveObject,
  type Manifest,
  type Observed,
  type Resource,
  type SyncOutcome,
} from '../lib/composition';
import { Applier, type Applied } from './applier';
import type { Clock } from './clock';
import type { KubeClient } from './cluster/kube';
import type { EventRecorder } from './events';
import type { StepFailure } from './failures';
import type { Informer } from './informers';
import type { Logger } from './log';
import { Outside, type OutsideMemory } from './outside';
import { publicText } from './public-text';
import { statusTells, StatusWriter, type StatusMemory } from './status-writer';

export { STATUS_MANAGER } from './status-writer';

/** How a reconcile ended. */
export type Outcome =
  /** Everything is as wanted, or the resource is gone. */
  | { readonly state: 'settled'; readonly againMs?: number }
  /** Nothing helps but a change of the resource. */
  | { readonly state: 'terminal' }
  /** Something was refused or is on its way; try again after the key's backoff. */
  | { readonly state: 'retry'; readonly reason: string };

type Look = Exclude<Outcome, { state: 'terminal' }>;

/** What a reconciler works with. */
export interface ReconcilerOptions {
  readonly composition: Composition;
  readonly resourceKind: ChildKind;
  readonly client: KubeClient;
  readonly resources: Informer;
  readonly children: ReadonlyMap<ChildKind, Informer>;
  /** Kinds that are looked at and not made, such as pods, with the resource that each object tells something about. */
  readonly related: readonly { readonly kind: ChildKind; readonly of: (resource: Manifest) => readonly Manifest[] }[];
  readonly events: EventRecorder;
  readonly log: Logger;
  readonly clock: Clock;
  readonly finalizer: string;
}

/** What should pass by itself is told only after so many tries, some seconds with the queue's backoff. */
const PATIENCE = 10;

/** What is remembered of a resource in this process; losing it costs nothing but a repeated log line. */
interface Memory extends StatusMemory, OutsideMemory {
  readonly uid: string;
  /** The failure that was told last, so that it is told once and not each time it is tried. */
  told?: string;
  /** Tries in a row that ended with something that should pass by itself. */
  waits: number;
}

/**
 * Brings the cluster to what one resource says: deletion first, then validation, synthesis, plan, apply, prune, status.
 *
 * Guarantees: reads the caches alone but where a write met something unexpected; a resource that fails never touches
 * another; the same state of the world leads to no write at all; what is remembered of a resource goes with its uid.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly #applier: Applier;
  readonly #status: StatusWriter;
  readonly #outside: Outside;
  readonly #memories = new Map<string, Memory>();

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    const { client, clock } = options;
    this.#applier = new Applier({ client, clock, cacheOf: (kind) => this.#cacheOf(kind) });
    this.#status = new StatusWriter(options);
    this.#outside = new Outside(options);
  }

  /** One reconcile. Throws where the API server could not be reached, and for faults of the program. */
  async reconcile(namespace: string | undefined, name: string, signal: AbortSignal): Promise<Outcome> {
    const live = this.#options.resources.get(namespace, name);
    const key = `${namespace ?? ''}/${name}`;
    if (live === undefined) {
      this.#memories.delete(key);
      return { state: 'settled' };
    }
    const memory = this.#memoryOf(key, live);
    if (live.metadata.deletionTimestamp !== undefined) return this.#finalize(live, memory, signal);

    const { composition } = this.#options;
    const observed = this.#observe(live);
    let synthesis: ReturnType<typeof synthesize>;
    try {
      synthesis = synthesize(composition, live, observed);
    } catch (error) {
      if (!(error instanceof SynthesisError)) throw error;
      // The same resource leads to the same fault; a change of it or of a child brings the next try.
      const failure = { reason: 'SynthesisFailed', message: publicText(error.message, [live]) };
      const outcome = await this.#fail(asResource(live), memory, { state: 'refused', ...failure }, failure, signal);
      return outcome ?? { state: 'terminal' };
    }
    if (!synthesis.valid) {
      const errors = synthesis.errors.map(({ path, message }) => ({ path, message: publicText(message, [live]) }));
      const message = publicText(errors.map((each) => `${each.path}: ${each.message}`).join('; '), []);
      const failure = { reason: 'InvalidSpec', message };
      const outcome = await this.#fail(asResource(live), memory, { state: 'invalid', errors }, failure, signal);
      return outcome ?? { state: 'terminal' };
    }

    const held = await this.#outside.hold(live, signal);
    if (held === undefined) return { state: 'retry', reason: 'Stale' };
    const resource = asResource(held);
    const owner = ownerOf(composition, resource);
    const steps = plan(synthesis.manifests, this.#live(synthesis.manifests, resource), owner);
    const applied = await this.#applier.carryOut(steps, owner, signal);
    this.#log(resource, applied);
    const outside = await this.#outside.ensure(synthesis.resource, resource, memory, signal);
    const failures = [...applied.failures, ...(outside === undefined ? [] : [outside])];
    return this.#conclude(resource, memory, failures, signal);
  }

  /** Tells of an error of the program itself in the resource's status; best effort. */
  async reportFault(namespace: string | undefined, name: string, error: Error, signal: AbortSignal): Promise<void> {
    const live = this.#options.resources.get(namespace, name);
    if (live === undefined) return;
    const failure = { reason: 'InternalError', message: publicText(error.message, [live]) };
    const memory = this.#memoryOf(`${namespace ?? ''}/${name}`, live);
    await this.#fail(asResource(live), memory, { state: 'refused', ...failure }, failure, signal);
  }

  /** Writes the status for what was done and what was not, and says what comes next. */
  async #conclude(
    resource: Manifest & Resource,
    memory: Memory,
    failures: readonly StepFailure[],
    signal: AbortSignal,
  ): Promise<Outcome> {
    const refused = failures.filter(({ sort }) => sort === 'refused');
    const passing = failures.filter(({ sort }) => sort === 'passing');
    const altered = failures.filter(({ sort }) => sort === 'altered');
    const silent = failures.find(({ sort }) => sort === 'silent');
    if (silent !== undefined) return { state: 'retry', reason: silent.reason };
    memory.waits = passing.length > 0 ? memory.waits + 1 : 0;

    const [worst = passing[0]] = refused;
    if (worst !== undefined) {
      if (refused.length === 0 && memory.waits < PATIENCE) return { state: 'retry', reason: worst.reason };
      const message = publicText([...refused, ...passing].map((each) => each.message).join('; '), []);
      const failure = { reason: worst.reason, message };
      const sync: SyncOutcome = { state: refused.length > 0 ? 'refused' : 'waiting', ...failure };
      await this.#fail(resource, memory, sync, failure, signal);
      return { state: 'retry', reason: worst.reason };
    }
    const [first] = altered;
    if (first !== undefined) {
      const failure = { reason: first.reason, message: publicText(altered.map((each) => each.message).join('; '), []) };
      const outcome = await this.#fail(resource, memory, { state: 'altered', ...failure }, failure, signal);
      if (outcome?.state === 'retry') return outcome;
      return settled([outcome?.againMs, ...altered.map(({ againMs }) => againMs)]);
    }
    delete memory.told;
    return (await this.#writeStatus(resource, memory, { state: 'applied' }, signal)) ?? { state: 'settled' };
  }

  async #finalize(live: Manifest, memory: Memory, signal: AbortSignal): Promise<Outcome> {
    // The children go by garbage collection.
    const outcome = await this.#outside.remove(live, memory, signal);
    switch (outcome.state) {
      case 'removed':
        return { state: 'settled' };
      case 'stale':
        return { state: 'retry', reason: 'Stale' };
      case 'failed': {
        const { reason, message, once } = outcome;
        const sync: SyncOutcome = { state: 'refused', reason, message };
        await this.#fail(asResource(live), memory, sync, { reason, message: once }, signal);
        return { state: 'retry', reason };
      }
    }
  }

  /** The children that are ours, and whatever has a name that we want. */
  #live(wanted: readonly Manifest[], resource: Manifest): readonly LiveObject[] {
    const found = new Set<Manifest>();
    for (const informer of this.#options.children.values()) {
      for (const child of informer.ownedBy(resource.metadata.uid ?? '')) found.add(child);
    }
    for (const manifest of wanted) {
      const kind = this.#options.composition.children.find((child) => isOfKind(manifest, child));
      const there =
        kind === undefined ? undefined : this.#cacheOf(kind).get(manifest.metadata.namespace, manifest.metadata.name);
      if (there !== undefined) found.add(there);
    }
    return [...found].filter(hasUid);
  }

  #observe(resource: Manifest): Observed {
    const { children, related } = this.#options;
    const uid = resource.metadata.uid;
    const list = (kind: ChildKind): readonly Manifest[] => {
      const relation = related.find((each) => isOfKind(kind, each.kind));
      if (relation !== undefined) return relation.of(resource);
      const informer = [...children].find(([child]) => isOfKind(kind, child))?.[1];
      return informer?.ownedBy(uid ?? '').toSorted(byName) ?? [];
    };
    return { list, get: (kind, name) => list(kind).find((object) => object.metadata.name === name) };
  }

  /** Writes the status of a failure and tells of it once. Returns what comes next where the status asks for another look. */
  async #fail(
    resource: Manifest & Resource,
    memory: Memory,
    sync: SyncOutcome,
    failure: { readonly reason: string; readonly message: string },
    signal: AbortSignal,
  ): Promise<Look | undefined> {
    const known = statusTells(resource['status'], failure.reason);
    const outcome = await this.#writeStatus(resource, memory, sync, signal);
    if (sync.state !== 'waiting') this.#tell(resource, memory, failure, sync.state === 'refused', known);
    return outcome;
  }

  async #writeStatus(
    resource: Manifest & Resource,
    memory: Memory,
    sync: SyncOutcome,
    signal: AbortSignal,
  ): Promise<Look | undefined> {
    const outcome = await this.#status.write(resource, this.#observe(resource), sync, memory, signal);
    switch (outcome.state) {
      case 'current':
        return undefined;
      case 'later':
        return { state: 'settled', againMs: outcome.againMs };
      case 'stale':
        return { state: 'retry', reason: 'Stale' };
      case 'refused': {
        const failure = { reason: 'StatusRefused', message: `The status is refused: ${outcome.message}` };
        this.#tell(resource, memory, failure, true, false);
        return { state: 'retry', reason: failure.reason };
      }
    }
  }

  /**
   * One log line and one event for each new failure.
   *
   * @param forOperators whether it is more than a fault in the user's resource
   * @param known whether the status said it already, so that a restart does not repeat the event
   */
  #tell(
    resource: Manifest,
    memory: Memory,
    { reason, message }: { readonly reason: string; readonly message: string },
    forOperators: boolean,
    known: boolean,
  ): void {
    const text = `${reason}: ${message}`;
    if (memory.told === text) return;
    memory.told = text;
    const { events, log } = this.#options;
    const { namespace, name } = resource.metadata;
    const line = 'Could not bring the cluster to what the resource says';
    if (forOperators) log.error(line, message, { namespace, name, reason });
    else log.info(line, { namespace, name, reason, error: message });
    if (!known) events.record(resource, { type: 'Warning', reason, action: 'Reconcile', message });
  }

  #log(resource: Manifest, applied: Applied): void {
    const names = (objects: readonly Manifest[]): readonly string[] =>
      objects.map((o) => `${o.kind}/${o.metadata.name}`);
    const { namespace, name } = resource.metadata;
    const { created, updated, deleted } = applied;
    if (created.length + updated.length + deleted.length === 0) return;
    this.#options.log.info('Applied children', {
      namespace,
      name,
      ...(created.length > 0 ? { created: names(created) } : {}),
      ...(updated.length > 0 ? { updated: names(updated) } : {}),
      ...(deleted.length > 0 ? { deleted: names(deleted) } : {}),
    });
  }

  #memoryOf(key: string, live: Manifest): Memory {
    const { uid = '' } = live.metadata;
    const present = this.#memories.get(key);
    if (present?.uid === uid) return present;
    const memory: Memory = { uid, waits: 0, removals: 0 };
    this.#memories.set(key, memory);
    return memory;
  }

  #cacheOf(kind: ChildKind): Informer {
    const informer = this.#options.children.get(kind);
    if (informer === undefined) throw new Error(`${kind.kind} is not among the kinds of the composition's children`);
    return informer;
  }
}

/** The resource that controls an object, if it is of this kind. */
export function resourceOf(
  object: Manifest,
  kind: ChildKind,
): { readonly namespace: string | undefined; readonly name: string } | undefined {
  const controller = controllerOf(object);
  return controller !== undefined && isOfKind(controller, kind)
    ? { namespace: object.metadata.namespace, name: controller.name }
    : undefined;
}

/** Settled until the first of these times, if there is any. */
function settled(times: readonly (number | undefined)[]): Outcome {
  const againMs = Math.min(...times.map((time) => time ?? Infinity));
  return againMs === Infinity ? { state: 'settled' } : { state: 'settled', againMs };
}

function asResource(object: Manifest): Resource & Manifest {
  return { ...object, spec: object['spec'] };
}

function hasUid(object: Manifest): object is LiveObject {
  return object.metadata.uid !== undefined;
}

function byName(a: Manifest, b: Manifest): number {
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
