import type { ChildKind } from '../../lib/composition';
import type { Manifest } from '../../lib/composition/manifest';
import { ApiError, ConnectionError, isStatus } from '../cluster/api-error';
import { backoffDelay, type BackoffOptions } from '../reconcile/backoff';
import { isNewer, type Cache, type Change } from './cache';
import { sleep, type Clock } from '../clock';
import type { KubeClient, Selection, WatchEvent } from '../cluster/kube';

/** Whether a reflector's cache can be trusted: it listed once, or the kind does not exist in the cluster (yet). */
export type ReflectorState = 'starting' | 'synced' | 'absent';

/** Hears what a reflector finds. */
export interface ReflectorListener {
  /** Objects that changed; `initial` while the first list or one after a lost watch is taken in. */
  changed(changes: readonly Change[], initial: boolean): void;
  /** The state changed. */
  state(state: ReflectorState): void;
  /** A list or watch failed and is tried again; `failures` counts those in a row. */
  failed(error: unknown, retryMs: number, failures: number): void;
}

/** Options of a {@link Reflector}. */
export interface ReflectorOptions {
  readonly kind: ChildKind;
  readonly selection: Selection;
  readonly client: KubeClient;
  readonly cache: Cache;
  readonly listener: ReflectorListener;
  readonly clock: Clock;
  /** Waits after failures. @default 800 ms, doubled up to 30 s, half of it random */
  readonly backoff?: BackoffOptions;
  /** A watch without a word for so long is given up. The API server sends a bookmark a minute. @default 75000 ms */
  readonly idleMs?: number;
  /**
   * After this time, when a watch ends, a list is asked for although nothing failed: what in between might have lost can't
   * be noticed in any other way. @default 10 hours, in milliseconds
   */
  readonly relistMs?: number;
  /** Objects in a page of a list. @default 500 */
  readonly pageSize?: number;
  /** From 0 up to 1. @default Math.random */
  readonly random?: () => number;
}

/** The API server sends a bookmark a minute: what is silent for longer is dead. */
export const DEFAULT_IDLE_MS = 75_000;
const DEFAULT_BACKOFF: BackoffOptions = { initialMs: 800, maxMs: 30_000, factor: 2, jitter: 0.5 };
const ABSENT_BACKOFF: BackoffOptions = { initialMs: 1000, maxMs: 5000, factor: 2, jitter: 0.5 };
/** A watch that lived so long ends a row of failures. */
const HEALTHY_MS = 10_000;

/** Where a reflector is: it has to list, or it may watch from a version. */
type Position = { readonly from: 'list' } | { readonly from: 'watch'; readonly resourceVersion: string };

interface Listed {
  readonly objects: readonly Manifest[];
  readonly resourceVersion: string;
}

/**
 * Whether a failure says nothing about the version from which we watch, so that the watch may go on from there. A version
 * that is too large is one from before the cluster was set back. Pure.
 */
export function leavesPosition(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof ApiError) || error.message.includes('Too large resource version')) return false;
  return error.transient || error.status === 401 || error.status === 403;
}

/** What the next step is after an event of a watch. Pure. */
export function afterEvent(event: WatchEvent): Position {
  if (event.type === 'ERROR') return { from: 'list' };
  const version = event.type === 'BOOKMARK' ? event.resourceVersion : event.object.metadata.resourceVersion;
  return version === undefined || version === '' ? { from: 'list' } : { from: 'watch', resourceVersion: version };
}

/**
 * Keeps a cache equal to what the API server has of one kind: lists in pages, watches with bookmarks, and begins again
 * where it must.
 *
 * Guarantees:
 * - Every difference between two states of the cluster is reported at least once, in the end; states in between may be
 *   missed.
 * - A failure never ends it; each reflector has its own backoff; a watch that is silently dead is noticed after `idleMs`.
 * - What the server could not do at the moment (a lost connection, 429, 5xx, refused credentials) costs no list: the
 *   watch goes on from where it was. A watch that fails again and again is not answered by list after list.
 * - A kind that the cluster does not have is asked for again and again, its cache empty meanwhile.
 * - A cluster that was set back to an earlier state is taken as it is.
 *
 * Caveat: {@link run} must be called once only.
 */
export class Reflector {
  readonly #options: ReflectorOptions;
  readonly #backoff: BackoffOptions;
  #state: ReflectorState = 'starting';
  #position: Position = { from: 'list' };
  /** The newest version that a list or a watch named, by which a cluster that was set back is known. */
  #lastVersion: string | undefined;
  #heardAt: number;
  #triedAt: number;
  #listedAt: number;

  constructor(options: ReflectorOptions) {
    this.#options = options;
    this.#backoff = options.backoff ?? DEFAULT_BACKOFF;
    this.#heardAt = options.clock.monotonic();
    this.#triedAt = this.#heardAt;
    this.#listedAt = this.#heardAt;
  }

  get kind(): ChildKind {
    return this.#options.kind;
  }

  get state(): ReflectorState {
    return this.#state;
  }

  /** Seconds since the API server last said anything about this kind. */
  get silentSeconds(): number {
    return (this.#options.clock.monotonic() - this.#heardAt) / 1000;
  }

  /** Seconds since it last heard or tried anything: much more than its longest wait means that it hangs. */
  get idleSeconds(): number {
    return (this.#options.clock.monotonic() - Math.max(this.#heardAt, this.#triedAt)) / 1000;
  }

  /** Runs until the signal is aborted; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    let failures = 0;
    while (!signal.aborted) {
      let healthy = false;
      let failure: unknown;
      this.#triedAt = clock.monotonic();
      if (this.#triedAt - this.#listedAt >= (this.#options.relistMs ?? 36_000_000)) this.#position = { from: 'list' };
      try {
        if (this.#position.from === 'list') {
          this.#position = { from: 'watch', resourceVersion: await this.#list(signal) };
        }
        const watching = clock.monotonic();
        try {
          await this.#watch(this.#position.resourceVersion, signal);
        } finally {
          healthy = clock.monotonic() - watching >= HEALTHY_MS;
        }
      } catch (error) {
        failure = error;
      }
      if (signal.aborted) return;
      if (healthy) failures = 0;
      if (failure !== undefined) this.#afterFailure(failure);
      // The server ends a watch every few minutes, which is not a failure; one that ends at once is not asked for in a loop.
      if (failure !== undefined || !healthy) await this.#pause(++failures, failure, signal);
    }
  }

  async #list(signal: AbortSignal): Promise<string> {
    const { cache, listener } = this.#options;
    const before = this.#lastVersion;
    let listed: Listed;
    try {
      listed = await this.#pages(this.#options.pageSize ?? 500, signal);
    } catch (error) {
      // The pages went out of date while we turned them: all at once can't.
      if (!isStatus(error, 410)) throw error;
      listed = await this.#pages(0, signal);
    }
    const { objects, resourceVersion } = listed;
    const setBack = before !== undefined && isNewer(before, resourceVersion);
    this.#lastVersion = resourceVersion;
    this.#listedAt = this.#options.clock.monotonic();
    const changes = cache.replace(objects, setBack ? undefined : resourceVersion);
    if (changes.length > 0) listener.changed(changes, true);
    this.#enter('synced');
    return resourceVersion;
  }

  async #pages(limit: number, signal: AbortSignal): Promise<Listed> {
    const { client, kind, selection } = this.#options;
    const objects: Manifest[] = [];
    for (let next: string | undefined; ;) {
      const page = await client.list(kind, selection, { limit, next, signal });
      this.#heard();
      for (const item of page.items) objects.push(item);
      next = page.next;
      if (next === undefined) return { objects, resourceVersion: page.resourceVersion };
    }
  }

  async #watch(resourceVersion: string, signal: AbortSignal): Promise<void> {
    const { client, kind, selection, cache, listener } = this.#options;
    const random = this.#options.random ?? Math.random;
    const events = client.watch(kind, selection, {
      resourceVersion,
      timeoutSeconds: Math.round(300 + 300 * random()),
      idleMs: this.#options.idleMs ?? DEFAULT_IDLE_MS,
      signal,
    });
    for await (const event of events) {
      this.#heard();
      if (event.type === 'ERROR') {
        // 410 means that the version is too old; any other error is met the same way, by listing.
        this.#position = { from: 'list' };
        if (event.code === 410) return;
        throw new ApiError(`watch of ${kind.plural}`, event.code, { message: event.message }, 0);
      }
      this.#position = afterEvent(event);
      if (this.#position.from === 'watch') this.#lastVersion = this.#position.resourceVersion;
      if (event.type === 'BOOKMARK') continue;
      const changes = event.type === 'DELETED' ? cache.remove(event.object) : cache.put(event.object);
      if (changes.length > 0) listener.changed(changes, false);
    }
  }

  #afterFailure(error: unknown): void {
    if (isStatus(error, 404)) {
      const changes = this.#options.cache.replace([]);
      if (changes.length > 0) this.#options.listener.changed(changes, true);
      this.#enter('absent');
    }
    if (!leavesPosition(error)) this.#position = { from: 'list' };
  }

  async #pause(failures: number, error: unknown, signal: AbortSignal): Promise<void> {
    const random = this.#options.random ?? Math.random;
    const backoff = this.#state === 'absent' ? ABSENT_BACKOFF : this.#backoff;
    const asked = error instanceof ApiError ? error.retryAfterMs : 0;
    const waitMs = Math.max(asked, backoffDelay(backoff, failures, random()));
    if (error !== undefined) this.#options.listener.failed(error, waitMs, failures);
    await sleep(this.#options.clock, waitMs, signal);
  }

  #heard(): void {
    this.#heardAt = this.#options.clock.monotonic();
  }

  #enter(state: ReflectorState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#options.listener.state(state);
  }
}
