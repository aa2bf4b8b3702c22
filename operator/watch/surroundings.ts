import { isOfKind, type ChildKind, type LiveObject, type Manifest, type Observed } from '../../lib/composition';
import type { Informer } from './informers';
import { rivalsAmong } from '../reconcile/rivals';

/** Objects of a kind that are looked at and not made, such as pods. */
export interface Related {
  readonly kind: ChildKind;
  /** Those that tell something about a resource. */
  of(resource: Manifest): readonly Manifest[];
}

/** What the caches have around a resource: its children, what has a name that it wants, and what it looks at. */
export class Surroundings {
  readonly #children: ReadonlyMap<ChildKind, Informer>;
  readonly #related: readonly Related[];

  constructor(children: ReadonlyMap<ChildKind, Informer>, related: readonly Related[]) {
    this.#children = children;
    this.#related = related;
  }

  /** What a plan has to know: the children, and whatever else has a name that is wanted. */
  liveFor(resource: Manifest, wanted: readonly Manifest[]): readonly LiveObject[] {
    const found = new Set<Manifest>();
    for (const informer of this.#children.values()) {
      for (const child of informer.ownedBy(resource.metadata.uid ?? '')) found.add(child);
    }
    for (const manifest of wanted) {
      const informer = this.#informerOf(manifest);
      const there = informer?.get(manifest.metadata.namespace, manifest.metadata.name);
      if (there !== undefined) found.add(there);
    }
    return [...found].filter(hasUid);
  }

  /** Children and related objects, as compositions read them; where two have a name, the child is the one. */
  observedOf(resource: Manifest): Observed {
    const owned = (kind: ChildKind): readonly Manifest[] =>
      this.#informerOf(kind)?.ownedBy(resource.metadata.uid ?? '') ?? [];
    const others = (kind: ChildKind): readonly Manifest[] =>
      this.#related.filter((each) => isOfKind(kind, each.kind)).flatMap((each) => each.of(resource));
    return {
      list: (kind: ChildKind) => [...owned(kind), ...others(kind)].toSorted(byName),
      get: (kind: ChildKind, name: string) =>
        [...owned(kind), ...others(kind)].find(({ metadata }) => metadata.name === name),
    };
  }

  /** The related autoscalers that the resource does not control. */
  rivalsOf(resource: Manifest): readonly Manifest[] {
    const related = this.#related.flatMap((each) => each.of(resource));
    return rivalsAmong(related, resource.metadata.uid);
  }

  /** The cache of a child kind. */
  cacheOf(kind: ChildKind): Informer {
    const informer = this.#children.get(kind);
    if (informer === undefined) throw new Error(`${kind.kind} is not among the kinds of the composition's children`);
    return informer;
  }

  #informerOf(object: Pick<ChildKind, 'apiVersion' | 'kind'>): Informer | undefined {
    return [...this.#children].find(([kind]) => isOfKind(object, kind))?.[1];
  }
}

function hasUid(object: Manifest): object is LiveObject {
  return object.metadata.uid !== undefined;
}

function byName(a: Manifest, b: Manifest): number {
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
