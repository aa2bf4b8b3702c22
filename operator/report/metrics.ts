import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { ChildKind } from '../../lib/composition';
import { groupOf } from '../../lib/composition/manifest';
import type { RequestObserver } from '../cluster/transport';
import type { Informer } from '../watch/informers';
import type { QueueObserver, WorkQueue } from '../reconcile/queue';
import { ResourceMetrics, type ResourceSource } from './resource-metrics';

/** How a reconcile ended, in controller-runtime's words. */
export type ReconcileResult = 'success' | 'error' | 'requeue' | 'requeue_after';

/** What one controller reports. */
export interface ControllerMetrics {
  readonly queue: QueueObserver;
  reconciled(result: ReconcileResult, seconds: number): void;
  terminalError(): void;
  panicked(): void;
  working(workers: number): void;
  /** Ties the queue's own figures to the registry. */
  watchQueue(queue: WorkQueue, maxConcurrent: number): void;
  /** Ties the state of the controller's caches to the registry. */
  watchCaches(informers: readonly Informer[]): void;
  /** Shows the figures of each resource. */
  watchResources(source: Omit<ResourceSource, 'controller'>): void;
}

interface WatchedCaches {
  readonly controller: string;
  readonly informers: readonly Informer[];
}

interface WatchedQueue {
  readonly labels: { readonly name: string; readonly controller: string };
  readonly queue: WorkQueue;
}

/** Buckets that controller-runtime uses for reconcile times, in seconds. */
const RECONCILE_BUCKETS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.25, 1.5, 1.75,
  2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
/** Powers of ten from 10 ns to 1000 s, as client-go's work queue has them. */
const QUEUE_BUCKETS = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000];
const REQUEST_BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

/** The operator's metrics, named as a Go operator's are. */
export class Metrics {
  readonly registry = new Registry();
  readonly #resources = new ResourceMetrics();
  readonly #leader = this.#gauge('leader_election_master_status', 'Whether this process leads: 1 or 0.', ['name']);
  readonly #requests = this.#counter('rest_client_requests_total', 'Requests to the API server.', [
    'code',
    'method',
    'host',
  ]);
  readonly #requestSeconds = this.#histogram(
    'rest_client_request_duration_seconds',
    'Seconds until the API server began its answer.',
    ['verb', 'host'],
    REQUEST_BUCKETS,
  );
  readonly #total = this.#counter('controller_runtime_reconcile_total', 'Reconciles.', ['controller', 'result']);
  readonly #errors = this.#counter('controller_runtime_reconcile_errors_total', 'Reconciles that failed.', [
    'controller',
  ]);
  readonly #terminal = this.#counter(
    'controller_runtime_terminal_reconcile_errors_total',
    'Reconciles that failed and are not tried again before the resource changes.',
    ['controller'],
  );
  readonly #panics = this.#counter(
    'controller_runtime_reconcile_panics_total',
    'Reconciles that ended in an error of the program itself.',
    ['controller'],
  );
  readonly #seconds = this.#histogram(
    'controller_runtime_reconcile_time_seconds',
    'Seconds that a reconcile took.',
    ['controller'],
    RECONCILE_BUCKETS,
  );
  readonly #maxConcurrent = this.#gauge(
    'controller_runtime_max_concurrent_reconciles',
    'How many reconciles may run at once.',
    ['controller'],
  );
  readonly #active = this.#gauge('controller_runtime_active_workers', 'Reconciles that run now.', ['controller']);
  readonly #adds = this.#counter('workqueue_adds_total', 'Keys put in the queue.', ['name', 'controller']);
  readonly #retries = this.#counter('workqueue_retries_total', 'Keys put back after a failure.', [
    'name',
    'controller',
  ]);
  readonly #waited = this.#histogram(
    'workqueue_queue_duration_seconds',
    'Seconds that a key waited.',
    ['name', 'controller'],
    QUEUE_BUCKETS,
  );
  readonly #worked = this.#histogram(
    'workqueue_work_duration_seconds',
    'Seconds that the work on a key took.',
    ['name', 'controller'],
    QUEUE_BUCKETS,
  );

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.#perKind(
      'inferno_reflector_synced',
      'Whether the cache of a kind is filled: 1, or 0 while it starts or the kind is not in the cluster.',
      (informers) => (informers.every(({ state }) => state === 'synced') ? 1 : 0),
    );
    this.#perKind(
      'inferno_reflector_silent_seconds',
      'Seconds since the API server last said anything about a kind. It says something each minute.',
      (informers) => Math.max(...informers.map(({ silentSeconds }) => silentSeconds)),
    );
    this.#perKind('inferno_cache_objects', 'Objects of a kind that are kept in memory.', (informers) =>
      informers.reduce((sum, { size }) => sum + size, 0),
    );
  }

  /** All metrics as Prometheus text. */
  async text(): Promise<string> {
    return `${await this.registry.metrics()}\n${this.#resources.text()}`;
  }

  leading(name: string, leads: boolean): void {
    this.#leader.set({ name }, leads ? 1 : 0);
  }

  readonly requests: RequestObserver = {
    answered: (verb, host, code, seconds) => {
      this.#requests.inc({ code, method: verb, host });
      this.#requestSeconds.observe({ verb, host }, seconds);
    },
  };

  controller(name: string): ControllerMetrics {
    const labels = { controller: name };
    const queue = { name, controller: name };
    for (const result of ['success', 'error', 'requeue', 'requeue_after']) this.#total.inc({ ...labels, result }, 0);
    for (const counter of [this.#errors, this.#terminal, this.#panics]) counter.inc(labels, 0);
    return {
      queue: {
        added: () => this.#adds.inc(queue),
        retried: () => this.#retries.inc(queue),
        started: (seconds) => this.#waited.observe(queue, seconds),
        finished: (seconds) => this.#worked.observe(queue, seconds),
      },
      reconciled: (result, seconds) => {
        this.#total.inc({ ...labels, result });
        if (result === 'error') this.#errors.inc(labels);
        this.#seconds.observe(labels, seconds);
      },
      terminalError: () => this.#terminal.inc(labels),
      panicked: () => this.#panics.inc(labels),
      working: (workers) => this.#active.set(labels, workers),
      watchQueue: (watched, maxConcurrent) => {
        this.#maxConcurrent.set(labels, maxConcurrent);
        this.#onCollect(queue, watched);
      },
      watchCaches: (informers) => this.#caches.push({ controller: name, informers }),
      watchResources: (source) => this.#resources.watch({ ...source, controller: name }),
    };
  }

  readonly #queues: WatchedQueue[] = [];
  readonly #depth = this.#sampled('workqueue_depth', 'Keys that wait.', (queue) => queue.depth);
  readonly #unfinished = this.#sampled(
    'workqueue_unfinished_work_seconds',
    'Seconds of work in progress, summed over the keys.',
    (queue) => queue.inWork().reduce((sum, seconds) => sum + seconds, 0),
  );
  readonly #longest = this.#sampled(
    'workqueue_longest_running_processor_seconds',
    'Seconds that the longest work in progress has taken.',
    (queue) => Math.max(0, ...queue.inWork()),
  );

  readonly #caches: WatchedCaches[] = [];
  #onCollect(labels: { readonly name: string; readonly controller: string }, queue: WorkQueue): void {
    this.#queues.push({ labels, queue });
    for (const gauge of [this.#depth, this.#unfinished, this.#longest]) gauge.set(labels, 0);
  }

  #sampled(name: string, help: string, sample: (queue: WorkQueue) => number): Gauge<'name' | 'controller'> {
    const queues = (): readonly WatchedQueue[] => this.#queues;
    return new Gauge({
      name,
      help,
      labelNames: ['name', 'controller'],
      registers: [this.registry],
      collect() {
        for (const { labels, queue } of queues()) this.set(labels, sample(queue));
      },
    });
  }

  /** A gauge over the caches of each controller and kind; a kind may have several, with different selectors. */
  #perKind(name: string, help: string, sample: (informers: readonly Informer[]) => number): void {
    const caches = (): readonly WatchedCaches[] => this.#caches;
    const gauge = new Gauge<'controller' | 'kind'>({
      name,
      help,
      labelNames: ['controller', 'kind'],
      registers: [],
      collect() {
        for (const { controller, informers } of caches()) {
          for (const kind of new Set(informers.map((informer) => kindLabel(informer.kind)))) {
            this.set({ controller, kind }, sample(informers.filter((informer) => kindLabel(informer.kind) === kind)));
          }
        }
      },
    });
    this.registry.registerMetric(gauge);
  }

  #gauge<L extends string>(name: string, help: string, labelNames: L[]): Gauge<L> {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }

  #counter<L extends string>(name: string, help: string, labelNames: L[]): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  #histogram<L extends string>(name: string, help: string, labelNames: L[], buckets: number[]): Histogram<L> {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.registry] });
  }
}

/** As `kubectl` names a kind where names may clash: deployments.apps. */
function kindLabel(kind: ChildKind): string {
  const group = groupOf(kind.apiVersion);
  return group === '' ? kind.plural : `${kind.plural}.${group}`;
}
