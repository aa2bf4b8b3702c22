import { ClusterView, isOfKind, MANAGED_BY, MANAGED_BY_LABEL, ObjectLists } from '../../lib/composition';
import type { Composition, Manifest, Observation, ResourceView } from '../../lib/composition';
import { defined } from '../../lib/composition/objects';
import { find, findAll, type Cluster, type Selection } from './cluster';

/** What a cluster has around the resources of one composition, in one namespace or in all, at one moment. */
export class Snapshot {
  private constructor(
    private readonly cluster: Cluster,
    private readonly composition: Composition,
    private readonly children: readonly Manifest[],
    private readonly observed: ReadonlyMap<Observation, readonly Manifest[]>,
  ) {}

  static async take(cluster: Cluster, composition: Composition, namespace: string | undefined): Promise<Snapshot> {
    const selecting = (labelSelector: string): Selection => defined<Selection>({ namespace, labelSelector });
    const ours = selecting(`${MANAGED_BY_LABEL}=${MANAGED_BY}`);
    const [children, observed] = await Promise.all([
      Promise.all(composition.children.map(async (kind) => (await findAll(cluster, kind, ours)) ?? [])),
      Promise.all(
        (composition.observes ?? []).map(async (observation) => {
          const { kind, labelSelector } = observation;
          return [observation, (await findAll(cluster, kind, selecting(labelSelector))) ?? []] as const;
        }),
      ),
    ]);
    return new Snapshot(cluster, composition, children.flat(), new Map(observed));
  }

  /**
   * The cluster as seen from a resource.
   *
   * @param wanted what is also looked up by name: an object of somebody else may have it, which is not in the lists
   */
  async viewOf(resource: Manifest, wanted: readonly Manifest[] = []): Promise<ResourceView> {
    const view = this.#view(this.children).of(resource);
    const others = await Promise.all(
      wanted.map(async (manifest) => {
        const kind = this.composition.children.find((each) => isOfKind(manifest, each));
        const { name, namespace } = manifest.metadata;
        return kind === undefined || view.find(manifest) !== undefined
          ? undefined
          : find(this.cluster, kind, namespace, name);
      }),
    );
    const found = others.filter((object) => object !== undefined);
    return found.length === 0 ? view : this.#view([...this.children, ...found]).of(resource);
  }

  #view(children: readonly Manifest[]): ClusterView {
    return new ClusterView(this.composition, new ObjectLists(children, this.observed));
  }
}
