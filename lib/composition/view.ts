import type { Composition, Observation, Observed } from './composition';
import { isOfKind, type ChildKind } from './kinds';
import { isLive, type LiveObject, type Manifest } from './manifest';
import { controllerOf } from './ownership';

/** Where objects of a cluster are looked up: the caches of an operator, or lists that a command has read. */
export interface ObjectStore {
  /** The objects of a child kind that the resource with this uid controls. */
  controlledBy(kind: ChildKind, uid: string): readonly Manifest[];
  /** The object of a child kind and name, no matter who made it. */
  get(kind: ChildKind, namespace: string | undefined, name: string): Manifest | undefined;
  /** What an observation finds for a resource. */
  observedFor(observation: Observation, resource: Manifest): readonly Manifest[];
}

/** A cluster as seen from one resource, for {@link plan} and for a composition. Reads its store when it is asked. */
export interface ResourceView {
  /** The resource's children, in the order of its composition's kinds. */
  readonly children: readonly LiveObject[];
  /** What is observed for it and is not its child, such as pods, or autoscalers of others. */
  readonly others: readonly Manifest[];
  /** Children and observed objects, as compositions read them; where two have a name, the child is the one. */
  readonly observed: Observed;
  /** The live object of a manifest's kind and name, no matter who made it. */
  find(manifest: Manifest): LiveObject | undefined;
}

/** What is known of a cluster around the resources of one composition. */
export class ClusterView {
  readonly #composition: Pick<Composition, 'children' | 'observes'>;
  readonly #store: ObjectStore;

  constructor(composition: Pick<Composition, 'children' | 'observes'>, store: ObjectStore) {
    this.#composition = composition;
    this.#store = store;
  }

  of(resource: Manifest): ResourceView {
    const { children: kinds, observes = [] } = this.#composition;
    const store = this.#store;
    const uid = resource.metadata.uid ?? '';
    const kindOf = (object: Pick<ChildKind, 'apiVersion' | 'kind'>): ChildKind | undefined =>
      kinds.find((kind) => isOfKind(object, kind));
    const othersOf = (observations: readonly Observation[]): readonly Manifest[] =>
      observations.flatMap((observation) => store.observedFor(observation, resource));
    const all = (kind: ChildKind): readonly Manifest[] => {
      const child = kindOf(kind);
      return [
        ...(child === undefined ? [] : store.controlledBy(child, uid)),
        ...othersOf(observes.filter((observation) => isOfKind(kind, observation.kind))),
      ];
    };
    return {
      get children() {
        return kinds.flatMap((kind) => store.controlledBy(kind, uid)).filter(isLive);
      },
      get others() {
        return othersOf(observes);
      },
      observed: {
        list: (kind: ChildKind) => all(kind).toSorted(byName),
        get: (kind: ChildKind, name: string) => all(kind).find(({ metadata }) => metadata.name === name),
      },
      find(manifest) {
        const kind = kindOf(manifest);
        const { namespace, name } = manifest.metadata;
        const found = kind === undefined ? undefined : store.get(kind, namespace, name);
        return found !== undefined && isLive(found) ? found : undefined;
      },
    };
  }
}

/** A store over lists: the objects of child kinds, and what each observation finds, for all resources together. */
export class ObjectLists implements ObjectStore {
  readonly #children: readonly Manifest[];
  readonly #observed: ReadonlyMap<Observation, readonly Manifest[]>;

  constructor(children: readonly Manifest[], observed: ReadonlyMap<Observation, readonly Manifest[]> = new Map()) {
    this.#children = children;
    this.#observed = observed;
  }

  controlledBy(kind: ChildKind, uid: string): readonly Manifest[] {
    return this.#children.filter((object) => isOfKind(object, kind) && controllerOf(object)?.uid === uid);
  }

  get(kind: ChildKind, namespace: string | undefined, name: string): Manifest | undefined {
    return this.#children.find(
      (object) => isOfKind(object, kind) && object.metadata.name === name && object.metadata.namespace === namespace,
    );
  }

  observedFor(observation: Observation, { metadata }: Manifest): readonly Manifest[] {
    return (this.#observed.get(observation) ?? []).filter(
      (object) =>
        observation.resourceName(object) === metadata.name && object.metadata.namespace === metadata.namespace,
    );
  }
}

function byName(a: Manifest, b: Manifest): number {
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
