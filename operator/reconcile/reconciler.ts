import {
  controllerOf,
  isOfKind,
  ownerOf,
  plan,
  synthesize,
  SynthesisError,
  type ChildKind,
  type Composition,
  type Manifest,
  type PlanStep,
  type Resource,
  type SyncOutcome,
} from '../../lib/composition';
import { Applier } from '../write/applier';
import { controllerUid } from '../watch/cache';
import type { Clock } from '../clock';
import type { KubeClient } from '../cluster/kube';
import type { EventRecorder } from '../report/events';
import type { StepFailure } from '../write/failures';
import type { Informer } from '../watch/informers';
import { keyOf, keyOfObject } from '../watch/keys';
import type { Logger } from '../report/log';
import { Outside, type OutsideMemory } from './external';
import { looksGone, presenceOf } from './presence';
import { publicText } from '../report/public-text';
import { Reporter, type Failure, type ReportMemory } from '../report/reporter';
import { deferToRivals } from './rivals';
import { seesGeneration, statusTells, StatusWriter, type StatusMemory } from '../report/status-writer';
import { Surroundings, type Related } from '../watch/surroundings';

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
  /** Kinds that are looked at and not made, such as pods. */
  readonly related: readonly Related[];
  readonly events: EventRecorder;
  readonly log: Logger;
  readonly clock: Clock;
  readonly finalizer: string;
}

/** What should pass by itself is told only after so many tries, some seconds with the queue's backoff. */
const PATIENCE = 10;

/** What is remembered of a resource in this process; losing it costs nothing but a repeated log line. */
interface Memory extends StatusMemory, OutsideMemory, ReportMemory {
  readonly uid: string;
  /** Whether it is known to have had a child. */
  made: boolean;
  /** Tries in a row that ended with something that should pass by itself. */
  waits: number;
  /** Tries in a row in which the status was refused. */
  refusals: number;
}

/**
 * Brings the cluster to what one resource says: deletion first, then validation, synthesis, plan, apply, prune, status.
 *
 * Guarantees: reads the caches alone but where a write met something unexpected, and before a child is made again; a
 * resource that fails never touches another; the same state of the world leads to no write at all; nothing is made for a
 * resource that was gone before its child was; what is remembered of a resource goes with its uid.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly #surroundings: Surroundings;
  readonly #reporter: Reporter;
  readonly #applier: Applier;
  readonly #status: StatusWriter;
  readonly #outside: Outside;
  readonly #memories = new Map<string, Memory>();

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    const { client, clock } = options;
    this.#surroundings = new Surroundings(options.children, options.related);
    this.#reporter = new Reporter(options);
    this.#applier = new Applier({ client, clock, cacheOf: (kind) => this.#surroundings.cacheOf(kind) });
    this.#status = new StatusWriter(options);
    this.#outside = new Outside(options);
  }

  /** One reconcile. Throws where the API server could not be reached, and for faults of the program. */
  async reconcile(namespace: string | undefined, name: string, signal: AbortSignal): Promise<Outcome> {
    const live = this.#options.resources.get(namespace, name);
    const key = keyOf(namespace, name);
    if (live === undefined) {
      this.#memories.delete(key);
      return { state: 'settled' };
    }
    const memory = this.#memoryOf(key, live);
    if (live.metadata.deletionTimestamp !== undefined) return this.#finalize(live, memory, signal);

    const { composition } = this.#options;
    const observed = this.#surroundings.observedOf(live);
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

    this.#reporter.warned(live, memory, synthesis.warnings, seesGeneration(live));
    const held = await this.#outside.hold(live, signal);
    if (held === undefined) return { state: 'retry', reason: 'Stale' };
    const resource = asResource(held);
    const owner = ownerOf(composition, resource);
    const there = this.#surroundings.liveFor(resource, synthesis.manifests);
    const rivals = this.#surroundings.rivalsOf(resource);
    const { steps, contested } = deferToRivals(plan(synthesis.manifests, there, owner), rivals);
    memory.made ||= there.some((object) => controllerUid(object) === owner.uid);
    const instead = await this.#unlessThere(resource, memory, steps, signal);
    if (instead !== undefined) return instead;
    const applied = await this.#applier.carryOut(steps, owner, signal);
    this.#reporter.applied(resource, applied);
    const outside = await this.#outside.ensure(synthesis.resource, resource, memory, signal);
    const failures = [...applied.failures, ...contested, ...(outside === undefined ? [] : [outside])];
    return this.#conclude(resource, memory, failures, signal);
  }

  /** Tells of an error of the program itself in the resource's status; best effort. */
  async reportFault(namespace: string | undefined, name: string, error: Error, signal: AbortSignal): Promise<void> {
    const live = this.#options.resources.get(namespace, name);
    if (live === undefined) return;
    const failure = { reason: 'InternalError', message: publicText(error.message, [live]) };
    const memory = this.#memoryOf(keyOf(namespace, name), live);
    await this.#fail(asResource(live), memory, { state: 'refused', ...failure }, failure, signal);
  }

  /**
   * What comes of a resource instead of these steps where it is no longer there, or that cannot be told; undefined where
   * they may be done.
   */
  async #unlessThere(
    resource: Manifest & Resource,
    memory: Memory,
    steps: readonly PlanStep[],
    signal: AbortSignal,
  ): Promise<Outcome | undefined> {
    const { client, resourceKind, resources } = this.#options;
    if (!looksGone(steps, resource, memory.made)) return undefined;
    const presence = await presenceOf(client, resourceKind, resource, signal);
    switch (presence.state) {
      case 'there':
        return undefined;
      case 'gone':
        // One that has its name now comes by the watch, if it is ours to look after.
        resources.remove(resource);
        this.#memories.delete(keyOfObject(resource));
        return { state: 'settled' };
      case 'deleting':
        return this.#finalize(presence.resource, memory, signal);
      case 'unknown':
        return this.#conclude(resource, memory, [presence.failure], signal);
    }
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
    const unsure = passing.length > 0 || refused.some(({ early }) => early === true);
    memory.waits = unsure ? memory.waits + 1 : 0;

    const [worst = passing[0]] = refused;
    if (worst !== undefined) {
      if (refused.every(({ early }) => early === true) && memory.waits < PATIENCE)
        return { state: 'retry', reason: worst.reason };
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
    this.#reporter.recovered(memory);
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

  /** Writes the status of a failure and tells of it once. Returns what comes next where the status asks for another look. */
  async #fail(
    resource: Manifest & Resource,
    memory: Memory,
    sync: SyncOutcome,
    failure: Failure,
    signal: AbortSignal,
  ): Promise<Look | undefined> {
    const known = statusTells(resource['status'], failure.reason);
    const outcome = await this.#writeStatus(resource, memory, sync, signal);
    const forOperators = sync.state === 'refused';
    if (sync.state !== 'waiting') this.#reporter.failed(resource, memory, failure, { forOperators, known });
    return outcome;
  }

  async #writeStatus(
    resource: Manifest & Resource,
    memory: Memory,
    sync: SyncOutcome,
    signal: AbortSignal,
  ): Promise<Look | undefined> {
    const outcome = await this.#status.write(resource, this.#surroundings.observedOf(resource), sync, memory, signal);
    switch (outcome.state) {
      case 'current':
        memory.refusals = 0;
        return undefined;
      case 'later':
        return { state: 'settled', againMs: outcome.againMs };
      case 'stale':
        return { state: 'retry', reason: 'Stale' };
      case 'refused': {
        if (outcome.early && ++memory.refusals < PATIENCE) return { state: 'retry', reason: 'StatusRefused' };
        const failure = { reason: 'StatusRefused', message: `The status is refused: ${outcome.message}` };
        this.#reporter.failed(resource, memory, failure, { forOperators: true, known: false });
        return { state: 'retry', reason: failure.reason };
      }
    }
  }

  #memoryOf(key: string, live: Manifest): Memory {
    const { uid = '' } = live.metadata;
    const present = this.#memories.get(key);
    if (present?.uid === uid) return present;
    const memory: Memory = { uid, made: false, waits: 0, refusals: 0, removals: 0 };
    this.#memories.set(key, memory);
    return memory;
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
