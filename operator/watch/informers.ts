import type { ChildKind } from '../../lib/composition';
import type { Manifest } from '../../lib/composition/manifest';
import { Cache, type CacheReader, type Change } from './cache';
import type { Clock } from '../clock';
import type { KubeClient, Selection } from '../cluster/kube';
import { Reflector, type ReflectorListener, type ReflectorState } from './reflector';

/** Options that all informers of a process share. */
export interface InformersOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** The namespaces to look at; empty means all. */
  readonly namespaces: readonly string[];
  /** @default 75000 ms, see the reflector's */
  readonly idleMs?: number;
  /** @default 10 hours, see the reflector's */
  readonly relistMs?: number;
  /** @default 500, see the reflector's */
  readonly pageSize?: number;
}

/** Which objects of a kind to keep, and in which shape. */
export interface InformerRequest {
  readonly kind: ChildKind;
  readonly labelSelector?: string | undefined;
  /**
   * Cuts an object to what is needed of it, to save memory. Must keep its metadata's identity. Only those who name the
   * same function share a cache.
   */
  readonly slim?: (object: Manifest) => Manifest;
}

/**
 * The caches of a process: one for each kind and selection, shared by all who ask for the same, kept by one reflector
 * for each namespace in scope.
 */
export class Informers {
  readonly #options: InformersOptions;
  readonly #informers: { readonly request: InformerRequest; readonly informer: Informer }[] = [];

  constructor(options: InformersOptions) {
    this.#options = options;
  }

  /** The informer for a kind, selection and shape; a second request for the same shares it. Before {@link run} only. */
  of(request: InformerRequest): Informer {
    const present = this.#informers.find((each) => isSame(each.request, request));
    if (present !== undefined) return present.informer;
    const informer = new Informer(this.#options, request);
    this.#informers.push({ request, informer });
    return informer;
  }

  all(): readonly Informer[] {
    return this.#informers.map(({ informer }) => informer);
  }

  /** Runs all reflectors until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.all().map((informer) => informer.run(signal)));
  }
}

/** One kind's objects in the namespaces in scope, and those who want to hear of changes. */
export class Informer implements CacheReader {
  readonly kind: ChildKind;
  /** What it is narrowed to. */
  readonly labelSelector: string | undefined;
  /** By namespace; "" where one reflector covers all. */
  readonly #parts = new Map<string, { readonly cache: Cache; readonly reflector: Reflector }>();
  readonly #listeners: ReflectorListener[] = [];

  constructor(options: InformersOptions, request: InformerRequest) {
    this.kind = request.kind;
    this.labelSelector = request.labelSelector;
    const listener: ReflectorListener = {
      changed: (changes, initial) => this.#notify((each) => each.changed(changes, initial)),
      state: () => this.#notify((each) => each.state(this.state)),
      failed: (error, retryMs, failures) => this.#notify((each) => each.failed(error, retryMs, failures)),
    };
    const { namespaces, ...shared } = options;
    for (const namespace of namespaces.length === 0 ? [''] : namespaces) {
      const cache = new Cache(request.slim);
      const selection: Selection = {
        namespace: namespace === '' ? undefined : namespace,
        labelSelector: request.labelSelector,
      };
      const reflector = new Reflector({ ...shared, kind: this.kind, selection, cache, listener });
      this.#parts.set(namespace, { cache, reflector });
    }
  }

  /** The worst state of its reflectors. */
  get state(): ReflectorState {
    const states = [...this.#parts.values()].map(({ reflector }) => reflector.state);
    if (states.includes('absent')) return 'absent';
    return states.includes('starting') ? 'starting' : 'synced';
  }

  /** The state of what it knows of one namespace, also where there is trouble with another. */
  stateIn(namespace: string | undefined): ReflectorState {
    return this.#partOf(namespace)?.reflector.state ?? 'starting';
  }

  /** Seconds since the API server was last heard, of the reflector that waits longest. */
  get silentSeconds(): number {
    return Math.max(...[...this.#parts.values()].map(({ reflector }) => reflector.silentSeconds));
  }

  /** Seconds since one of its reflectors last heard or tried anything, of the one that waits longest. */
  get idleSeconds(): number {
    return Math.max(...[...this.#parts.values()].map(({ reflector }) => reflector.idleSeconds));
  }

  listen(listener: ReflectorListener): void {
    this.#listeners.push(listener);
  }

  get(namespace: string | undefined, name: string): Manifest | undefined {
    return this.#cacheOf(namespace)?.get(namespace, name);
  }

  ownedBy(uid: string): readonly Manifest[] {
    return this.#caches().flatMap((cache) => cache.ownedBy(uid));
  }

  all(): readonly Manifest[] {
    return this.#caches().flatMap((cache) => cache.all());
  }

  get size(): number {
    return this.#caches().reduce((sum, cache) => sum + cache.size, 0);
  }

  /** Takes the API server's answer to a write of ours, ahead of the watch. Nobody is notified: the writer knows. */
  put(object: Manifest): readonly Change[] {
    return this.#cacheOf(object.metadata.namespace)?.put(object) ?? [];
  }

  /** Takes word that an object is gone, ahead of the watch. */
  remove(object: Manifest): void {
    this.#cacheOf(object.metadata.namespace)?.remove(object);
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#parts.values()].map(({ reflector }) => reflector.run(signal)));
  }

  /** One listener's fault, which may be in a user's function, is reported to that listener and kept from the others. */
  #notify(what: (listener: ReflectorListener) => void): void {
    for (const listener of this.#listeners) {
      try {
        what(listener);
      } catch (error) {
        listener.failed(error, 0, 1);
      }
    }
  }

  #cacheOf(namespace: string | undefined): Cache | undefined {
    return this.#partOf(namespace)?.cache;
  }

  #partOf(namespace: string | undefined): { readonly cache: Cache; readonly reflector: Reflector } | undefined {
    return this.#parts.get('') ?? this.#parts.get(namespace ?? '');
  }

  #caches(): readonly Cache[] {
    return [...this.#parts.values()].map(({ cache }) => cache);
  }
}

function isSame(a: InformerRequest, b: InformerRequest): boolean {
  return (
    a.kind.apiVersion === b.kind.apiVersion &&
    a.kind.plural === b.kind.plural &&
    (a.labelSelector ?? '') === (b.labelSelector ?? '') &&
    a.slim === b.slim
  );
}
