import type { ChildKind, Composition, Manifest } from '../../lib/composition';
import {
  ClusterView,
  FIELD_MANAGER,
  MANAGED_BY,
  MANAGED_BY_LABEL,
  resourceKindOf,
  slimKeepingReplicas,
} from '../../lib/composition';
import { ApiError, ConnectionError, NotLeaderError } from '../cluster/api-error';
import type { Change } from '../watch/cache';
import type { Clock, Timer } from '../clock';
import type { KubeClient } from '../cluster/kube';
import type { EventRecorder } from '../report/events';
import { CachedObjects } from '../watch/cached-objects';
import { informerReport } from '../watch/informer-report';
import type { Informer, Informers } from '../watch/informers';
import { keyOf, keyOfObject, splitKey } from '../watch/keys';
import { errorText, nowAndThen, type Logger } from '../report/log';
import type { ControllerMetrics } from '../report/metrics';
import { WorkQueue, type Priority } from './queue';
import { Reconciler, resourceOf } from './reconciler';
import type { ReflectorState } from '../watch/reflector';
import { ObservationIndex } from '../watch/observation-index';

/** What a controller works with. */
export interface ControllerOptions {
  readonly composition: Composition;
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly events: EventRecorder;
  readonly metrics: ControllerMetrics;
  readonly log: Logger;
  readonly clock: Clock;
  /** Only resources with these labels. @default all */
  readonly selector?: string | undefined;
  /** Reconciles at once. */
  readonly maxConcurrent: number;
  /** Every resource is looked at again after about this time, though nothing was heard. */
  readonly resyncMs: number;
}

/** One for all controllers, so that they share caches. */
const slimChild = slimKeepingReplicas(FIELD_MANAGER);
/** The longest wait between two tries of a resource that is refused, so that it heals when the cause goes. */
const LONGEST_BACKOFF_MS = 120_000;

/**
 * One composition in one cluster: hears of its resources, their children and what else its status depends on, and
 * reconciles each resource that one of them belongs to.
 */
export class Controller {
  readonly name: string;
  readonly #options: ControllerOptions;
  readonly #queue: WorkQueue;
  readonly #resources: Informer;
  readonly #informers: readonly Informer[];
  readonly #reconciler: Reconciler;
  readonly #resourceKind: ChildKind;
  readonly #requestFailed: Logger['info'];
  /** Keys that came while a cache could not be trusted. */
  readonly #parked = new Set<string>();
  #active = 0;

  constructor(options: ControllerOptions) {
    const { composition, informers, metrics } = options;
    this.#options = options;
    this.#requestFailed = nowAndThen(options.log, options.clock);
    const { names } = composition.crd.spec;
    this.name = names.kind.toLowerCase();
    this.#resourceKind = resourceKindOf(composition);
    this.#queue = new WorkQueue({
      clock: options.clock,
      observer: metrics.queue,
      backoff: { initialMs: 5, maxMs: LONGEST_BACKOFF_MS, factor: 2, jitter: 0 },
    });
    metrics.watchQueue(this.#queue, options.maxConcurrent);

    this.#resources = informers.of({ kind: this.#resourceKind, labelSelector: options.selector });
    const children = new Map(
      composition.children.map((kind) => [
        kind,
        informers.of({ kind, labelSelector: `${MANAGED_BY_LABEL}=${MANAGED_BY}`, slim: slimChild }),
      ]),
    );
    this.#listen(this.#resources, (change, priority) => this.#onResource(change, priority));
    for (const informer of children.values())
      this.#listen(informer, (change, priority) => this.#onChild(change, priority));
    const observed = (composition.observes ?? []).map((observation) => {
      const { kind, labelSelector } = observation;
      const isCut = observation.slim !== undefined;
      const informer = informers.of({
        kind,
        labelSelector,
        ...(isCut ? { slim: (object: Manifest) => observation.slim?.(object) ?? object } : {}),
      });
      const index = new ObservationIndex((object) => observation.resourceName(object));
      this.#listen(informer, (change, priority) => {
        for (const key of index.take(change)) this.#enqueueObserved(key, priority);
      });
      return { observation, informer, index };
    });
    this.#informers = [this.#resources, ...children.values(), ...observed.map(({ informer }) => informer)];
    metrics.watchCaches(this.#informers);
    const objects = new CachedObjects(
      children,
      new Map(observed.map(({ observation, index }) => [observation, index])),
    );
    const view = new ClusterView(composition, objects);
    metrics.watchResources({
      gauges: composition.gauges ?? [],
      // Of a namespace whose caches are not filled it would say that nothing is ready.
      resources: () => this.#resources.all().filter(({ metadata }) => this.#knows(metadata.namespace)),
      observedOf: (resource) => view.of(resource).observed,
    });
    this.#reconciler = new Reconciler({
      composition,
      resourceKind: this.#resourceKind,
      client: options.client,
      resources: this.#resources,
      objects,
      events: options.events,
      log: options.log,
      clock: options.clock,
    });
  }

  /** The kinds that are not heard of yet, or not in the cluster. */
  missing(): readonly { readonly plural: string; readonly state: ReflectorState }[] {
    return this.#informers
      .filter(({ state }) => state !== 'synced')
      .map(({ kind, state }) => ({ plural: kind.plural, state }));
  }

  /** Seconds since the cache that waits longest heard or tried anything. */
  get idleSeconds(): number {
    return Math.max(...this.#informers.map(({ idleSeconds }) => idleSeconds));
  }

  get resources(): number {
    return this.#resources.size;
  }

  /** Seconds that the longest running reconcile has taken so far. */
  get longestSeconds(): number {
    return Math.max(0, ...this.#queue.inWork());
  }

  /**
   * Takes keys until `stop` is aborted, then lets running reconciles end; `kill` cuts their requests off. Never throws.
   */
  async run(stop: AbortSignal, kill: AbortSignal): Promise<void> {
    const close = (): void => this.#queue.close();
    if (stop.aborted) close();
    stop.addEventListener('abort', close, { once: true });
    const stopResync = this.#startResync();
    const { maxConcurrent } = this.#options;
    await Promise.all(Array.from({ length: maxConcurrent }, () => this.#work(kill)));
    stop.removeEventListener('abort', close);
    stopResync();
  }

  /** Puts every known resource in the queue, behind all that happens meanwhile. */
  enqueueAll(): void {
    for (const key of this.#parked) this.#queue.add(key, 'low');
    this.#parked.clear();
    for (const resource of this.#resources.all()) this.#queue.add(keyOfObject(resource), 'low');
  }

  async #work(kill: AbortSignal): Promise<void> {
    for (;;) {
      // A worker does one key after the other.
      // oxlint-disable-next-line no-await-in-loop
      const key = await this.#queue.take();
      if (key === undefined) return;
      this.#options.metrics.working(++this.#active);
      // oxlint-disable-next-line no-await-in-loop
      await this.#process(key, kill);
      this.#options.metrics.working(--this.#active);
      this.#queue.done(key);
      // Timers, above all the lease's, come before the next key.
      // oxlint-disable-next-line no-await-in-loop
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async #process(key: string, signal: AbortSignal): Promise<void> {
    const { clock, log, metrics } = this.#options;
    const started = clock.monotonic();
    const seconds = (): number => (clock.monotonic() - started) / 1000;
    const [namespace, name] = splitKey(key);
    // Before all caches are filled, children would be taken for missing. The last one that is takes the key up again.
    if (!this.#knows(namespace)) {
      this.#parked.add(key);
      return;
    }
    try {
      const next = await this.#reconciler.reconcile(namespace, name, signal);
      switch (next.look) {
        case 'onChange':
          this.#queue.forget(key);
          metrics.reconciled('success', seconds());
          break;
        case 'after':
          this.#queue.forget(key);
          this.#queue.addAfter(key, next.ms, 'low');
          metrics.reconciled('requeue_after', seconds());
          break;
        case 'never':
          this.#queue.forget(key);
          metrics.terminalError();
          metrics.reconciled('error', seconds());
          break;
        case 'backoff':
          this.#queue.addRateLimited(key);
          metrics.reconciled('error', seconds());
          log.debug('Not settled, will retry', { namespace, name, reason: next.reason });
          break;
      }
    } catch (error) {
      // The gate may be open again in a moment; where the leadership is over, the queue is closed.
      if (error instanceof NotLeaderError) this.#queue.addRateLimited(key);
      if (signal.aborted || error instanceof NotLeaderError) return;
      metrics.reconciled('error', seconds());
      this.#queue.addRateLimited(key, error instanceof ApiError ? error.retryAfterMs : 0);
      if (error instanceof ConnectionError || error instanceof ApiError) {
        this.#requestFailed('Request to the API server failed, will retry', {
          namespace,
          name,
          error: errorText(error),
        });
        return;
      }
      metrics.panicked();
      const fault = error instanceof Error ? error : new Error(String(error));
      log.error('Program fault in a reconcile', fault, { namespace, name, stack: fault.stack });
      await this.#reconciler.reportFault(namespace, name, fault, signal).catch((failed: unknown) => {
        log.info('Could not write status', { namespace, name, error: errorText(failed) });
      });
    }
  }

  #knows(namespace: string | undefined): boolean {
    return this.#informers.every((informer) => informer.stateIn(namespace) === 'synced');
  }

  #listen(informer: Informer, changed: (change: Change, priority: Priority) => void): void {
    const { clock, log } = this.#options;
    const report = informerReport(informer, log, clock);
    informer.listen({
      ...report,
      changed: (changes, initial) => {
        for (const change of changes) changed(change, initial ? 'low' : 'high');
      },
      state: (state) => {
        report.state(state);
        // Of several namespaces this one may be all that was waited for.
        this.enqueueAll();
      },
    });
  }

  #onResource({ before, after }: Change, priority: Priority): void {
    const object = after ?? before;
    if (object === undefined || !isWorthALook(before, after)) return;
    this.#queue.add(keyOfObject(object), priority);
  }

  #onChild({ before, after }: Change, priority: Priority): void {
    const owners = [before, after].map((object) =>
      object === undefined ? undefined : resourceOf(object, this.#resourceKind),
    );
    for (const owner of owners) if (owner !== undefined) this.#queue.add(keyOf(owner.namespace, owner.name), priority);
  }

  #enqueueObserved(key: string, priority: Priority): void {
    const [namespace, name] = splitKey(key);
    if (this.#resources.get(namespace, name) !== undefined) this.#queue.add(key, priority);
  }

  #startResync(): () => void {
    const { clock, resyncMs } = this.#options;
    const again = (): Timer =>
      clock.schedule(resyncMs * (0.9 + 0.2 * Math.random()), () => {
        this.enqueueAll();
        timer = again();
      });
    let timer = again();
    return () => timer.cancel();
  }
}

/** Our own status writes, and those of others, are not a reason to look again. */
function isWorthALook(before: Manifest | undefined, after: Manifest | undefined): boolean {
  if (before === undefined || after === undefined) return true;
  const [a, b] = [before.metadata, after.metadata];
  return (
    a.uid !== b.uid ||
    a.generation !== b.generation ||
    a.deletionTimestamp !== b.deletionTimestamp ||
    JSON.stringify([a.labels, a.annotations, a.finalizers]) !== JSON.stringify([b.labels, b.annotations, b.finalizers])
  );
}
