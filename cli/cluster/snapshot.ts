import { controllerOf, isOfKind, MANAGED_BY, MANAGED_BY_LABEL } from '../../lib/composition';
import type { ChildKind, Composition, LiveObject, Manifest, Observed } from '../../lib/composition';
import { rivalsAmong } from '../../operator/reconcile/rivals';
import { find, findAll, type Cluster } from './cluster';

/** What a cluster has of the children of one composition, in one namespace or in all, at one moment. */
export class Snapshot {
  private constructor(
    private readonly cluster: Cluster,
    private readonly composition: Composition,
    private readonly children: ReadonlyMap<ChildKind, readonly Manifest[]>,
    private readonly observations: readonly { readonly kind: ChildKind; readonly objects: readonly Manifest[] }[],
  ) {}

  static async take(cluster: Cluster, composition: Composition, namespace: string | undefined): Promise<Snapshot> {
    const within = namespace === undefined ? {} : { namespace };
    const ours = { ...within, labelSelector: `${MANAGED_BY_LABEL}=${MANAGED_BY}` };
    const children = await Promise.all(
      composition.children.map(async (kind) => [kind, (await findAll(cluster, kind, ours)) ?? []] as const),
    );
    const observations = await Promise.all(
      (composition.observes ?? []).map(async ({ kind, labelSelector }) => ({
        kind,
        objects: (await findAll(cluster, kind, { ...within, labelSelector })) ?? [],
      })),
    );
    return new Snapshot(cluster, composition, new Map(children), observations);
  }

  /** The children of a resource, in the order of its composition's kinds. */
  childrenOf(resource: Manifest): readonly LiveObject[] {
    return [...this.children.values()].flatMap((objects) =>
      objects.filter(hasUid).filter((object) => controllerOf(object)?.uid === resource.metadata.uid),
    );
  }

  /** What is looked at for a resource and is not its child, such as its pods. */
  observationsOf(resource: Manifest): readonly Manifest[] {
    return (this.composition.observes ?? []).flatMap((observation, index) =>
      (this.observations[index]?.objects ?? []).filter(
        (object) =>
          observation.resourceName(object) === resource.metadata.name &&
          object.metadata.namespace === resource.metadata.namespace,
      ),
    );
  }

  /** The observed autoscalers that the resource does not control. */
  rivalsOf(resource: Manifest): readonly Manifest[] {
    return rivalsAmong(this.observationsOf(resource), resource.metadata.uid);
  }

  /** Children and observed objects, as compositions read them. */
  observedOf(resource: Manifest): Observed {
    const objects = [...this.childrenOf(resource), ...this.observationsOf(resource)];
    const list = (kind: ChildKind): readonly Manifest[] =>
      objects
        .filter((object) => isOfKind(object, kind))
        .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
    return { list, get: (kind: ChildKind, name: string) => list(kind).find(({ metadata }) => metadata.name === name) };
  }

  /** What a plan has to know: the children, and whatever else has a name that is wanted. */
  async liveFor(resource: Manifest, wanted: readonly Manifest[]): Promise<readonly LiveObject[]> {
    const children = this.childrenOf(resource);
    const others = await Promise.all(
      wanted.map(async (manifest) => {
        const { name, namespace } = manifest.metadata;
        const known = children.some(
          (child) =>
            isOfKind(child, manifest) && child.metadata.name === name && child.metadata.namespace === namespace,
        );
        const kind = this.composition.children.find((each) => isOfKind(manifest, each));
        return known || kind === undefined ? undefined : find(this.cluster, kind, namespace, name);
      }),
    );
    return [...children, ...others.flatMap((object) => (object !== undefined && hasUid(object) ? [object] : []))];
  }
}

function hasUid(object: Manifest): object is LiveObject {
  return object.metadata.uid !== undefined;
}
