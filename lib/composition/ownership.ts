import { createHash } from 'node:crypto';
import type { Composition } from './composition';
import { toJson } from './json';
import type { ChildKind } from './kinds';
import { groupOf, type LiveObject, type Manifest, type OwnerReference } from './manifest';
import { withOwnedDefaults } from './owned-defaults';
import type { Resource } from './resource';

/** Set on every child, so that a cache can be narrowed to them. */
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';
/** The value of {@link MANAGED_BY_LABEL}. */
export const MANAGED_BY = 'inferno';
/** The field manager of children. */
export const FIELD_MANAGER = 'inferno';
/** Hash of the manifest that was applied last. It stands on the child itself, so nothing has to be remembered. */
export const APPLIED_HASH_ANNOTATION = 'inferno.io/applied-hash';
/**
 * On a child, names the children that had to be ready before it was applied, as `Kind.group/name`, separated by commas: they
 * are pruned after it.
 */
export const APPLIED_AFTER_ANNOTATION = 'inferno.io/applied-after';
/**
 * On a resource, names objects that it may take over though it did not make them: `Kind/name`, several separated by
 * commas. An object that has a controller is never taken.
 */
export const ADOPT_ANNOTATION = 'inferno.io/adopt';

/** The resource in the cluster that children belong to. */
export interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /** The kinds that its composition declares, in the order of creation. Nothing else is ever pruned. */
  readonly children: readonly ChildKind[];
  /**
   * Whether what others depend on is ready; undefined where its kind decides.
   *
   * @default - always by its kind
   */
  readonly isReady?: (child: LiveObject) => boolean | undefined;
  /** Objects that it may take over, as `Kind/name`, if nobody controls them. @default none */
  readonly adopts?: readonly string[];
}

/**
 * A live resource as the owner of its children.
 *
 * @throws Error where the resource has no uid, so is not from a cluster
 */
export function ownerOf<R extends Resource>(composition: Composition<R>, resource: R): Owner {
  const { name, uid } = resource.metadata;
  if (uid === undefined) {
    throw new Error(`${resource.kind} ${name} has no metadata.uid; expected a resource that was read from a cluster`);
  }
  const adopts = (resource.metadata.annotations?.[ADOPT_ANNOTATION] ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return {
    apiVersion: resource.apiVersion,
    kind: resource.kind,
    name,
    uid,
    children: composition.children,
    ...(composition.isReady === undefined ? {} : { isReady: (child) => composition.isReady?.(child) }),
    ...(adopts.length === 0 ? {} : { adopts }),
  };
}

/** The owner reference that makes an object a child. */
export function ownerReference(owner: Owner): OwnerReference {
  const { apiVersion, kind, name, uid } = owner;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** The reference to the one controller of an object, if it has one. */
export function controllerOf(object: Manifest): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}

/**
 * What is applied to a cluster for a rendered manifest: the manifest, its owner, its hash, and what it was applied after.
 * Two manifests that differ only in the order of their keys have the same hash.
 */
export function applyManifest(desired: Manifest, owner: Owner, dependencies: readonly Manifest[] = []): Manifest {
  const { annotations, ownerReferences } = desired.metadata;
  const after = dependencies.map(referenceTo).toSorted().join(',');
  return {
    ...withOwnedDefaults(desired),
    metadata: {
      ...desired.metadata,
      annotations: {
        ...annotations,
        [APPLIED_HASH_ANNOTATION]: manifestHash(desired),
        ...(after === '' ? {} : { [APPLIED_AFTER_ANNOTATION]: after }),
      },
      ownerReferences: [...(ownerReferences ?? []), ownerReference(owner)],
    },
  };
}

/** Whether a child was applied after others, on which it depends. */
export function isDependent(child: Manifest): boolean {
  return child.metadata.annotations?.[APPLIED_AFTER_ANNOTATION] !== undefined;
}

/** The children that one was applied after, as {@link referenceTo} names them. */
export function appliedAfter(child: Manifest): readonly string[] {
  return child.metadata.annotations?.[APPLIED_AFTER_ANNOTATION]?.split(',') ?? [];
}

/** An object as {@link APPLIED_AFTER_ANNOTATION} names it. */
export function referenceTo({ apiVersion, kind, metadata }: Manifest): string {
  const group = groupOf(apiVersion);
  return `${kind}${group === '' ? '' : `.${group}`}/${metadata.name}`;
}

/** A hash of a manifest: 32 hexadecimal digits. */
export function manifestHash(manifest: Manifest): string {
  return createHash('sha256')
    .update(JSON.stringify(toJson(manifest)))
    .digest('hex')
    .slice(0, 32);
}
