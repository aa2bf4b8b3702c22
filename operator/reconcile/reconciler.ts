import {
  asResource,
  ClusterView,
  conclude,
  controllerOf,
  isOfKind,
  ownerOf,
  plan,
  sooner,
  synthesize,
  SynthesisError,
  waitsForChild,
  type ChildKind,
  type Composition,
  type Conclusion,
  type Manifest,
  type Next,
  type Outcome,
  type Owner,
  type Resource,
  type ResourceView,
  type Step,
  type SyncOutcome,
} from '../../lib/composition';
import { seesGeneration } from '../../lib/composition/conditions';
import type { Clock } from '../clock';
import type { KubeClient } from '../cluster/kube';
import type { EventRecorder } from '../report/events';
import type { Logger } from '../report/log';
import { publicText } from '../report/public-text';
import { Reporter, type ReportMemory } from '../report/reporter';
import { statusTells, StatusWriter, type StatusMemory } from '../report/status-writer';
import type { CachedObjects } from '../watch/cached-objects';
import type { Informer } from '../watch/informers';
import { keyOf, keyOfObject } from '../watch/keys';
import { Applier, type StepResult } from '../write/applier';
import { Finalizers, type ExternalMemory } from './finalizers';
import { looksGone, readStored } from './presence';

/** What a reconciler works with. */
export interface ReconcilerOptions {
  readonly composition: Composition;
  readonly resourceKind: ChildKind;
  readonly client: KubeClient;
  readonly resources: Informer;
  readonly objects: CachedObjects;
  readonly events: EventRecorder;
  readonly log: Logger;
  readonly clock: Clock;
}

/** What is remembered of a resource in this process; losing it costs nothing but a repeated log line. */
interface Memory extends StatusMemory, ExternalMemory, ReportMemory {
  readonly uid: string;
  /** Whether it is known to have had a child. */
  made: boolean;
  /** Tries in a row that ended with something that should pass by itself: of the children, and of the status. */
  tries: number;
  statusTries: number;
}

const SETTLED: Next = { look: 'onChange' };

/**
 * Brings the cluster to what one resource says: deletion first, then validation, synthesis, plan, apply, prune, status.
 *
 * Guarantees: reads only the caches, except where a write met something unexpected and before a child is made again; a
 * resource that fails never touches another; the same state of the world leads to no write at all; nothing is made for a
 * resource that was gone before its child was; what is remembered of a resource goes with its uid.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly #view: ClusterView;
  readonly #reporter: Reporter;
  readonly #applier: Applier;
  readonly #status: StatusWriter;
  readonly #finalizers: Finalizers;
  readonly #memories = new Map<string, Memory>();

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    const { client, clock, composition, objects } = options;
    this.#view = new ClusterView(composition, objects);
    this.#reporter = new Reporter(options);
    this.#applier = new Applier({ client, clock, cacheOf: (kind) => objects.cacheOf(kind) });
    this.#status = new StatusWriter(options);
    this.#finalizers = new Finalizers(options);
  }

  /** One reconcile. Throws where the API server could not be reached, and for faults of the program. */
  async reconcile(namespace: string | undefined, name: string, signal: AbortSignal): Promise<Next> {
    const live = this.#options.resources.get(namespace, name);
    const key = keyOf(namespace, name);
    if (live === undefined) {
      this.#memories.delete(key);
      return SETTLED;
    }
    const memory = this.#memoryOf(key, live);
    if (live.metadata.deletionTimestamp !== undefined) return this.#finalize(live, memory, signal);

    const { composition } = this.#options;
    const synthesis = this.#synthesize(live, this.#view.of(live));
    if ('outcome' in synthesis) return this.#conclude(live, memory, [synthesis.outcome], signal);

    this.#reporter.warned(live, memory, synthesis.warnings, seesGeneration(live));
    const held = await this.#finalizers.add(live, signal);
    if (held === undefined) return this.#conclude(live, memory, [{ state: 'stale' }], signal);
    const resource = asResource(held);
    const owner = ownerOf(composition, resource);
    let results: readonly StepResult[];
    do {
      const view = this.#view.of(resource);
      const steps = plan(synthesis, view, owner);
      memory.made ||= view.children.length > 0;
      // One plan after the other: what was done changes the next.
      // oxlint-disable-next-line no-await-in-loop
      const instead = await this.#unlessThere(resource, memory, steps, signal);
      if (instead !== undefined) return instead;
      // oxlint-disable-next-line no-await-in-loop
      results = await this.#carryOut(steps, resource, owner, signal);
    } while (mayGoOn(results));
    const external = await this.#finalizers.ensure(synthesis.resource, resource, memory, signal);
    const outcomes = [...results.map(({ outcome }) => outcome), external].filter((outcome) => outcome !== undefined);
    return this.#conclude(resource, memory, outcomes, signal);
  }

  /** Reports an error of the program itself in the resource's status; best effort. */
  async reportFault(namespace: string | undefined, name: string, error: Error, signal: AbortSignal): Promise<void> {
    const live = this.#options.resources.get(namespace, name);
    if (live === undefined) return;
    const message = publicText(error.message, [live]);
    const memory = this.#memoryOf(keyOf(namespace, name), live);
    await this.#conclude(live, memory, [{ state: 'refused', reason: 'InternalError', message }], signal);
  }

  #synthesize(
    live: Manifest,
    { observed }: ResourceView,
  ): Extract<ReturnType<typeof synthesize>, { valid: true }> | { readonly outcome: Outcome } {
    try {
      const synthesis = synthesize(this.#options.composition, live, observed);
      if (synthesis.valid) return synthesis;
      const errors = synthesis.errors.map((error) => ({ ...error, message: publicText(error.message, [live]) }));
      return { outcome: { state: 'invalid', errors } };
    } catch (error) {
      if (!(error instanceof SynthesisError)) throw error;
      // The same resource leads to the same fault; a change of it or of a child brings the next try.
      const message = publicText(error.message, [live]);
      return { outcome: { state: 'refused', reason: 'SynthesisFailed', message, final: true } };
    }
  }

  /**
   * What comes of a resource instead of these steps where it is no longer there, or that cannot be said; undefined where
   * they may be done.
   */
  async #unlessThere(
    resource: Manifest & Resource,
    memory: Memory,
    steps: readonly Step[],
    signal: AbortSignal,
  ): Promise<Next | undefined> {
    const { client, resourceKind, resources } = this.#options;
    if (!looksGone(steps, resource, memory.made)) return undefined;
    const answer = await readStored(client, resourceKind, resource, signal);
    if ('outcome' in answer) return this.#conclude(resource, memory, [answer.outcome], signal);
    if (answer.stored === undefined) {
      // One that has its name now comes by the watch, if it is ours to look after.
      resources.remove(resource);
      this.#memories.delete(keyOfObject(resource));
      return SETTLED;
    }
    const isDeleted = answer.stored.metadata.deletionTimestamp !== undefined;
    return isDeleted ? this.#finalize(answer.stored, memory, signal) : undefined;
  }

  /** Lets a resource go that is being deleted, once what has to go before it is gone. */
  async #finalize(live: Manifest, memory: Memory, signal: AbortSignal): Promise<Next> {
    const removed = await this.#finalizers.removeExternal(live, memory, signal);
    if (removed.state !== 'applied') return this.#conclude(live, memory, [removed], signal);
    if (this.#finalizers.keepsChildren(live)) {
      const left = await this.#deleteChildren(live, signal);
      if (left.length > 0) return this.#conclude(live, memory, left, signal);
    }
    // Children that are left go by garbage collection.
    const released = await this.#finalizers.release(live, signal);
    return released.state === 'applied' ? SETTLED : this.#conclude(live, memory, [released], signal);
  }

  /** Deletes the children in order. Returns what keeps the resource; nothing once all are gone. */
  async #deleteChildren(live: Manifest, signal: AbortSignal): Promise<readonly Outcome[]> {
    const owner = ownerOf(this.#options.composition, asResource(live));
    let results: readonly StepResult[];
    do {
      const steps = plan({ manifests: [] }, this.#view.of(live), owner);
      // oxlint-disable-next-line no-await-in-loop -- what was done changes the next plan
      results = await this.#carryOut(steps, live, owner, signal);
    } while (mayGoOn(results));
    const failed = results.flatMap(({ outcome }) =>
      outcome === undefined || outcome.state === 'applied' ? [] : [outcome],
    );
    const names = this.#view.of(live).children.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    if (failed.length > 0 || names.length === 0) return failed;
    const message = `Waits until ${names.join(', ')} is gone`;
    return [{ state: 'waiting', reason: 'DeletingChildren', message, for: 'change' }];
  }

  async #carryOut(
    steps: readonly Step[],
    resource: Manifest,
    owner: Owner,
    signal: AbortSignal,
  ): Promise<readonly StepResult[]> {
    const results = await this.#applier.carryOut(steps, owner, signal);
    this.#reporter.applied(resource, results);
    return results;
  }

  /** Writes the status for what was done and what was not, reports it, and says what comes next. */
  async #conclude(live: Manifest, memory: Memory, outcomes: readonly Outcome[], signal: AbortSignal): Promise<Next> {
    const { sync, report, next, tries } = conclude(outcomes, memory.tries);
    memory.tries = tries;
    if (sync === undefined) return next;
    const known = report !== undefined && statusTells(live['status'], report.reason);
    const status = await this.#writeStatus(asResource(live), memory, brief(sync), signal);
    if (sync.state === 'applied' && status.report === undefined) this.#reporter.recovered(memory);
    this.#report(live, memory, report, known);
    return sooner(next, status.next);
  }

  async #writeStatus(
    resource: Manifest & Resource,
    memory: Memory,
    sync: SyncOutcome,
    signal: AbortSignal,
  ): Promise<Conclusion> {
    const { observed } = this.#view.of(resource);
    const outcome = await this.#status.write(resource, observed, sync, memory, signal);
    const conclusion = conclude([outcome], memory.statusTries);
    memory.statusTries = conclusion.tries;
    this.#report(resource, memory, conclusion.report, false);
    return conclusion;
  }

  #report(live: Manifest, memory: Memory, report: Conclusion['report'], known: boolean): void {
    if (report === undefined) return;
    this.#reporter.failed(live, memory, { ...report, message: publicText(report.message, []) }, known);
  }

  #memoryOf(key: string, live: Manifest): Memory {
    const { uid = '' } = live.metadata;
    const present = this.#memories.get(key);
    if (present?.uid === uid) return present;
    const memory: Memory = { uid, made: false, tries: 0, statusTries: 0, removals: 0 };
    this.#memories.set(key, memory);
    return memory;
  }
}

/** Whether something was done that another step may have waited for: of our own writes nobody hears. */
function mayGoOn(results: readonly StepResult[]): boolean {
  return results.some(({ done }) => done) && results.some(({ step }) => waitsForChild(step));
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

/** Short enough for a status. */
function brief(sync: SyncOutcome): SyncOutcome {
  return 'message' in sync ? { ...sync, message: publicText(sync.message, []) } : sync;
}
