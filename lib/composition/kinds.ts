import type * as k8s from '../../imports/k8s';
import { groupOf } from './manifest';

declare const objects: unique symbol;

/**
 * A kind of object that a composition may create: watches, pruning and RBAC come from it.
 *
 * @typeParam T what its objects look like, for {@link Observed}; known of those in {@link Kinds}
 */
export interface ChildKind<T = unknown> {
  /** Group and version, such as `apps/v1`; `v1` for the core group. */
  readonly apiVersion: string;
  readonly kind: string;
  /** The name in URLs and RBAC rules, such as `deployments`. */
  readonly plural: string;
  /** Never there: it only lets the compiler know T. */
  readonly [objects]?: T;
}

function define<T>(apiVersion: string, kind: string, plural: string): ChildKind<T> {
  return Object.freeze({ apiVersion, kind, plural });
}

/** Kinds that compositions often create. Any other works too: write its {@link ChildKind} out. */
export const Kinds = Object.freeze({
  ConfigMap: define<k8s.ConfigMap>('v1', 'ConfigMap', 'configmaps'),
  CronJob: define<k8s.CronJob>('batch/v1', 'CronJob', 'cronjobs'),
  DaemonSet: define('apps/v1', 'DaemonSet', 'daemonsets'),
  Deployment: define<k8s.Deployment>('apps/v1', 'Deployment', 'deployments'),
  HorizontalPodAutoscaler: define<k8s.HorizontalPodAutoscaler>(
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
  ),
  Ingress: define<k8s.Ingress>('networking.k8s.io/v1', 'Ingress', 'ingresses'),
  Job: define<k8s.Job>('batch/v1', 'Job', 'jobs'),
  NetworkPolicy: define<k8s.NetworkPolicy>('networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies'),
  PersistentVolumeClaim: define<k8s.PersistentVolumeClaim>('v1', 'PersistentVolumeClaim', 'persistentvolumeclaims'),
  PodDisruptionBudget: define<k8s.PodDisruptionBudget>('policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets'),
  Role: define('rbac.authorization.k8s.io/v1', 'Role', 'roles'),
  RoleBinding: define('rbac.authorization.k8s.io/v1', 'RoleBinding', 'rolebindings'),
  Secret: define<k8s.Secret>('v1', 'Secret', 'secrets'),
  Service: define<k8s.Service>('v1', 'Service', 'services'),
  ServiceAccount: define<k8s.ServiceAccount>('v1', 'ServiceAccount', 'serviceaccounts'),
  StatefulSet: define<k8s.StatefulSet>('apps/v1', 'StatefulSet', 'statefulsets'),
});

/** Kind and version of an object, as every object says it. */
export type TypeMeta = Pick<ChildKind, 'apiVersion' | 'kind'>;

/** Whether an object is of a kind, in any version. */
export function isOfKind(object: TypeMeta, other: TypeMeta): boolean {
  return object.kind === other.kind && groupOf(object.apiVersion) === groupOf(other.apiVersion);
}

/**
 * Whether objects of a kind take others with them when they are deleted. No composition may create them, and no plan
 * deletes them.
 */
export function holdsOthers(object: TypeMeta): boolean {
  const group = groupOf(object.apiVersion);
  return (
    (group === '' && object.kind === 'Namespace') ||
    (group === 'apiextensions.k8s.io' && object.kind === 'CustomResourceDefinition')
  );
}
