import { type ChildKind, type Manifest, type Observation, type ObjectStore } from '../../lib/composition';
import type { Informer } from './informers';
import { keyOfObject } from './keys';
import type { ObservationIndex } from './observation-index';

/** The caches of one controller, as a view of the cluster reads them. */
export class CachedObjects implements ObjectStore {
  readonly #children: ReadonlyMap<ChildKind, Informer>;
  readonly #observed: ReadonlyMap<Observation, ObservationIndex>;

  constructor(children: ReadonlyMap<ChildKind, Informer>, observed: ReadonlyMap<Observation, ObservationIndex>) {
    this.#children = children;
    this.#observed = observed;
  }

  controlledBy(kind: ChildKind, uid: string): readonly Manifest[] {
    return this.cacheOf(kind).ownedBy(uid);
  }

  get(kind: ChildKind, namespace: string | undefined, name: string): Manifest | undefined {
    return this.cacheOf(kind).get(namespace, name);
  }

  observedFor(observation: Observation, resource: Manifest): readonly Manifest[] {
    return this.#observed.get(observation)?.of(keyOfObject(resource)) ?? [];
  }

  /** The cache of a child kind. */
  cacheOf(kind: ChildKind): Informer {
    const informer = this.#children.get(kind);
    if (informer === undefined) throw new Error(`${kind.kind} is not among the kinds of the composition's children`);
    return informer;
  }
}
