import { groupOf } from './manifest';

/** A kind of object that a composition may create: watches, pruning and RBAC come from it. */
export interface ChildKind {
  /** Group and version, such as `apps/v1`; `v1` for the core group. */
  readonly apiVersion: string;
  readonly kind: string;
  /** The name in URLs and RBAC rules, such as `deployments`. */
  readonly plural: string;
}

function define(apiVersion: string, kind: string, plural: string): ChildKind {
  return Object.freeze({ apiVersion, kind, plural });
}

/** Kinds that compositions often create. Any other works too: write its {@link ChildKind} out. */
export const Kinds = Object.freeze({
  ConfigMap: define('v1', 'ConfigMap', 'configmaps'),
  CronJob: define('batch/v1', 'CronJob', 'cronjobs'),
  DaemonSet: define('apps/v1', 'DaemonSet', 'daemonsets'),
  Deployment: define('apps/v1', 'Deployment', 'deployments'),
  HorizontalPodAutoscaler: define('autoscaling/v2', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers'),
  Ingress: define('networking.k8s.io/v1', 'Ingress', 'ingresses'),
  Job: define('batch/v1', 'Job', 'jobs'),
  NetworkPolicy: define('networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies'),
  PersistentVolumeClaim: define('v1', 'PersistentVolumeClaim', 'persistentvolumeclaims'),
  PodDisruptionBudget: define('policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets'),
  Role: define('rbac.authorization.k8s.io/v1', 'Role', 'roles'),
  RoleBinding: define('rbac.authorization.k8s.io/v1', 'RoleBinding', 'rolebindings'),
  Secret: define('v1', 'Secret', 'secrets'),
  Service: define('v1', 'Service', 'services'),
  ServiceAccount: define('v1', 'ServiceAccount', 'serviceaccounts'),
  StatefulSet: define('apps/v1', 'StatefulSet', 'statefulsets'),
});

/** Kind and version of an object, as every object says it. */
export type TypeMeta = Pick<ChildKind, 'apiVersion' | 'kind'>;

/** Whether an object is of a kind, whatever its version. */
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
