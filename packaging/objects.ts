import type { Manifest } from '../lib/composition';

/** The files in which people look for the objects of an installation, by kind. */
const FILES: Readonly<Record<string, string>> = {
  Namespace: 'namespace',
  CustomResourceDefinition: 'crds',
  ValidatingAdmissionPolicy: 'crds',
  ValidatingAdmissionPolicyBinding: 'crds',
  ServiceAccount: 'rbac',
  ClusterRole: 'rbac',
  ClusterRoleBinding: 'rbac',
  Role: 'rbac',
  RoleBinding: 'rbac',
  PriorityClass: 'priority-class',
  PodDisruptionBudget: 'pod-disruption-budget',
  Service: 'service',
  NetworkPolicy: 'network-policy',
  Deployment: 'deployment',
};

/** Objects by the file that they go to, in their order. */
export function byFile(objects: readonly Manifest[]): ReadonlyMap<string, readonly Manifest[]> {
  const files = new Map<string, Manifest[]>();
  for (const object of objects) {
    const name = FILES[object.kind];
    if (name === undefined)
      throw new Error(`${object.kind} ${object.metadata.name} has no file yet; name one for its kind`);
    files.set(name, [...(files.get(name) ?? []), object]);
  }
  return files;
}

/** The objects of an installation that are there only with monitoring, which have a file of their own. */
export function withoutThose(objects: readonly Manifest[], others: readonly Manifest[]): readonly Manifest[] {
  const known = new Set(others.map(identity));
  return objects.filter((object) => !known.has(identity(object)));
}

function identity({ apiVersion, kind, metadata }: Manifest): string {
  return JSON.stringify([apiVersion, kind, metadata.namespace, metadata.name]);
}
