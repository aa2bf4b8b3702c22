import type { Pod as NodePod } from '../../tools/local-cluster/node/pod';

/** An object in the cluster, as far as tests look at it. */
export interface Live {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly generation: number;
    readonly resourceVersion: string;
    readonly creationTimestamp: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly uid: string; readonly kind: string; readonly name: string }[];
  };
  readonly spec?: { readonly [field: string]: unknown };
  readonly status?: {
    readonly conditions?: readonly Readonly<Record<string, string>>[];
    readonly [field: string]: unknown;
  };
}

export type Named = Pick<Live, 'metadata'>;
export type Pod = Named & Pick<NodePod, 'spec' | 'status'>;

const COLLECTIONS = {
  Deployment: ['/apis/apps/v1', 'deployments'],
  EndpointSlice: ['/apis/discovery.k8s.io/v1', 'endpointslices'],
  Event: ['/api/v1', 'events'],
  HorizontalPodAutoscaler: ['/apis/autoscaling/v2', 'horizontalpodautoscalers'],
  InferenceService: ['/apis/inference.inferno.io/v1alpha1', 'inferenceservices'],
  Lease: ['/apis/coordination.k8s.io/v1', 'leases'],
  Node: ['/api/v1', 'nodes'],
  Pod: ['/api/v1', 'pods'],
  ReplicaSet: ['/apis/apps/v1', 'replicasets'],
  Service: ['/api/v1', 'services'],
} as const;
export type Kind = keyof typeof COLLECTIONS;

/** Path of the objects of a kind. */
export function collection(kind: Kind, namespace: string): string {
  const [root, plural] = COLLECTIONS[kind];
  return kind === 'Node' ? `${root}/${plural}` : `${root}/namespaces/${namespace}/${plural}`;
}
