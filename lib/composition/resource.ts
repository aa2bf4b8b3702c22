import type { Composition } from './composition';
import type { ChildKind } from './kinds';
import type { Manifest } from './manifest';

/** Metadata of a custom resource, as far as a composition may depend on it. */
export interface ResourceMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly generation?: number;
  readonly deletionTimestamp?: string;
  readonly labels?: { readonly [key: string]: string };
  readonly annotations?: { readonly [key: string]: string };
}

/** A custom resource: plain JSON, as the API server sends it. */
export interface Resource<Spec = unknown, Status = unknown> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ResourceMetadata;
  readonly spec: Spec;
  readonly status?: Status;
}

/** A manifest as the resource that it is. */
export function asResource(object: Manifest): Resource & Manifest {
  return { ...object, spec: object['spec'] };
}

/** The kind of a composition's resources, in the version that is stored. @throws Error where the CRD has no version */
export function resourceKindOf({ crd }: Composition): ChildKind {
  const { group, names, versions } = crd.spec;
  const version = versions.find(({ storage }) => storage) ?? versions[0];
  if (version === undefined) throw new Error(`the CRD of ${names.kind} has no version`);
  return { apiVersion: `${group}/${version.name}`, kind: names.kind, plural: names.plural };
}
