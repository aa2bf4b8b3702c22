import { backoffDelay, type BackoffOptions } from './backoff';
import { systemClock, type Clock, type Timer } from '../clock';
import { TokenBucket } from './token-bucket';

/** `high` for what changed a moment ago, `low` for lists at start and for resyncs. */
export type Priority = 'high' | 'low';

/** What the queue reports to its metrics. */
export interface QueueObserver {
  added(): void;
  retried(): void;
  /** A key left the queue after so many seconds. */
  started(waitedSeconds: number): void;
  finished(workedSeconds: number): void;
}

/** Options of a {@link WorkQueue}. */
export interface WorkQueueOptions {
  /** Waits between tries of one key. @default 5 ms, doubled up to 1000 s, as in controller-runtime */
  readonly backoff?: BackoffOptions;
  /** Retries per second over all keys, and how many may come at once. @default 10 and 100, as in controller-runtime */
  readonly retries?: { readonly perSecond: number; readonly burst: number };
  readonly clock?: Clock;
  readonly observer?: QueueObserver;
}

interface Entry {
  readonly key: string;
  priority: Priority;
  readonly since: number;
}

interface Delayed {
  readonly at: number;
  readonly timer: Timer;
}

/** After this many keys of high priority in a row a waiting one of low priority gets its turn. */
const HIGH_RUN = 4;

/**
 * A queue of keys, as client-go's work queue has it.
 *
 * Guarantees:
 * - A key is handed to one worker at a time; added again meanwhile, it comes once more after {@link done}, however often
 *   it was added.
 * - A key waits in one place: adding it now overtakes a later time, a later time never delays an earlier one.
 * - A key of low priority waits behind those of high priority, but not for ever.
 *
 * Caveat: a worker that takes a key must call {@link done} for it, also after a failure.
 */
export class WorkQueue {
  readonly #backoff: BackoffOptions;
  readonly #bucket: TokenBucket;
  readonly #clock: Clock;
  readonly #observer: QueueObserver | undefined;
  readonly #ready: { readonly high: Map<string, Entry>; readonly low: Map<string, Entry> } = {
    high: new Map(),
    low: new Map(),
  };
  /** Keys in work, with the time they were taken. */
  readonly #processing = new Map<string, number>();
  /** Keys in work that were added again. */
  readonly #again = new Map<string, Entry>();
  readonly #delayed = new Map<string, Delayed>();
  readonly #failures = new Map<string, number>();
  readonly #takers: ((key: string | undefined) => void)[] = [];
  #highRun = 0;
  #closed = false;

  constructor(options: WorkQueueOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#backoff = options.backoff ?? { initialMs: 5, maxMs: 1_000_000, factor: 2, jitter: 0 };
    const retries = options.retries ?? { perSecond: 10, burst: 100 };
    this.#bucket = new TokenBucket(retries.perSecond, retries.burst, this.#clock);
    this.#observer = options.observer;
  }

  /** Keys that wait for a worker now; those with a later time do not count. */
  get depth(): number {
    return this.#ready.high.size + this.#ready.low.size;
  }

  /** Seconds that each key in work has been there. */
  inWork(): readonly number[] {
    const now = this.#clock.monotonic();
    return [...this.#processing.values()].map((since) => (now - since) / 1000);
  }

  /** Puts a key in the queue. One that waits already only gets the higher of both priorities. */
  add(key: string, priority: Priority = 'high'): void {
    if (this.#closed) return;
    this.#cancelDelayed(key);
    const entry: Entry = { key, priority, since: this.#clock.monotonic() };
    if (this.#processing.has(key)) {
      this.#merge(this.#again, entry);
      return;
    }
    const other = priority === 'high' ? this.#ready.low : this.#ready.high;
    const waiting = this.#ready[priority].get(key) ?? other.get(key);
    if (waiting === undefined) {
      this.#ready[priority].set(key, entry);
      this.#observer?.added();
      this.#handOut();
    } else if (priority === 'high' && waiting.priority === 'low') {
      this.#ready.low.delete(key);
      waiting.priority = 'high';
      this.#ready.high.set(key, waiting);
    }
  }

  /** Puts a key in the queue after a time, unless it comes sooner for another reason. */
  addAfter(key: string, delayMs: number, priority: Priority = 'high'): void {
    if (this.#closed) return;
    if (delayMs <= 0) {
      this.add(key, priority);
      return;
    }
    if (this.#ready.high.has(key) || this.#ready.low.has(key) || this.#again.has(key)) return;
    const at = this.#clock.monotonic() + delayMs;
    const present = this.#delayed.get(key);
    if (present !== undefined && present.at <= at) return;
    this.#cancelDelayed(key);
    const timer = this.#clock.schedule(delayMs, () => {
      this.#delayed.delete(key);
      this.add(key, priority);
    });
    this.#delayed.set(key, { at, timer });
  }

  /**
   * Puts a key in the queue after its backoff, longer with each call until {@link forget}, and not before `atLeastMs`.
   * Returns the wait in milliseconds.
   */
  addRateLimited(key: string, atLeastMs = 0): number {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    const backoffMs = backoffDelay(this.#backoff, failures, Math.random());
    const delayMs = Math.max(backoffMs, this.#bucket.reserve(), atLeastMs);
    this.#observer?.retried();
    this.addAfter(key, delayMs);
    return delayMs;
  }

  /** Ends a key's backoff: its next failure waits the shortest time again. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** How often a key failed since the last {@link forget}. */
  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /** The next key, as soon as there is one; undefined once the queue is closed. */
  take(): Promise<string | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#takers.push(resolve);
      this.#handOut();
    });
  }

  /** Says that the work on a key has ended, well or not. */
  done(key: string): void {
    const since = this.#processing.get(key);
    if (since === undefined) return;
    this.#processing.delete(key);
    this.#observer?.finished((this.#clock.monotonic() - since) / 1000);
    const again = this.#again.get(key);
    if (again !== undefined) {
      this.#again.delete(key);
      this.add(key, again.priority);
    }
  }

  /** Takes nothing more, wakes all workers, and drops what waits. */
  close(): void {
    this.#closed = true;
    for (const { timer } of this.#delayed.values()) timer.cancel();
    this.#delayed.clear();
    this.#ready.high.clear();
    this.#ready.low.clear();
    this.#again.clear();
    for (const taker of this.#takers.splice(0)) taker(undefined);
  }

  #handOut(): void {
    while (this.#takers.length > 0) {
      const entry = this.#next();
      if (entry === undefined) return;
      const now = this.#clock.monotonic();
      this.#processing.set(entry.key, now);
      this.#observer?.started((now - entry.since) / 1000);
      this.#takers.shift()?.(entry.key);
    }
  }

  #next(): Entry | undefined {
    const { high, low } = this.#ready;
    const fromLow = high.size === 0 || (low.size > 0 && this.#highRun >= HIGH_RUN);
    const source = fromLow ? low : high;
    const first = source.values().next();
    if (first.done === true) return undefined;
    source.delete(first.value.key);
    this.#highRun = fromLow ? 0 : this.#highRun + 1;
    return first.value;
  }

  #merge(into: Map<string, Entry>, entry: Entry): void {
    const present = into.get(entry.key);
    if (present === undefined) into.set(entry.key, entry);
    else if (entry.priority === 'high') present.priority = 'high';
  }

  #cancelDelayed(key: string): void {
    this.#delayed.get(key)?.timer.cancel();
    this.#delayed.delete(key);
  }
}
