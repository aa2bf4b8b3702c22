import { isObject } from './objects';

/** A Kubernetes object as plain JSON: what a synthesis writes and what the API server answers. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ManifestMetadata;
  readonly [field: string]: unknown;
}

/** Metadata of an object, as far as rendering and planning look at it. */
export interface ManifestMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: { readonly [key: string]: string };
  readonly annotations?: { readonly [key: string]: string };
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly [field: string]: unknown;
}

/** An entry of metadata.ownerReferences. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** An object that is in the cluster. */
export interface LiveObject extends Manifest {
  readonly metadata: ManifestMetadata & { readonly uid: string };
}

/** Whether an object is from a cluster. */
export function isLive(object: Manifest): object is LiveObject {
  return object.metadata.uid !== undefined;
}

/** What every typed Kubernetes object looks like: `Deployment`, `Service`, … */
export interface KubernetesObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly labels?: { readonly [key: string]: string };
    readonly annotations?: { readonly [key: string]: string };
  };
}

/** A typed Kubernetes object that says what it is and what it is called. */
export type Identified<T extends KubernetesObject> = T & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
};

/** The group of an apiVersion; the core group is empty. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? '' : apiVersion.slice(0, slash);
}

/** What makes two objects the same one; versions of a kind show the same object. */
export function identityOf({ apiVersion, kind, metadata }: Manifest): string {
  return [groupOf(apiVersion), kind, metadata.namespace ?? '', metadata.name].join('\n');
}

/** How a message names an object: `Deployment ns/name`. */
export function describeObject(object: Manifest): string {
  const { name, namespace } = object.metadata;
  return `${object.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

/**
 * Whether JSON is a Kubernetes object: apiVersion, kind and metadata.name are there, and what is in metadata has the
 * types that Kubernetes gives it.
 */
export function isManifest(value: unknown): value is Manifest {
  if (!isObject(value) || !isText(value['apiVersion']) || !isText(value['kind'])) {
    return false;
  }
  const metadata = value['metadata'];
  return (
    isObject(metadata) &&
    isText(metadata['name']) &&
    ['namespace', 'uid', 'resourceVersion', 'creationTimestamp', 'deletionTimestamp'].every(
      (field) => metadata[field] === undefined || typeof metadata[field] === 'string',
    ) &&
    (metadata['generation'] === undefined || typeof metadata['generation'] === 'number') &&
    isTextMap(metadata['labels']) &&
    isTextMap(metadata['annotations']) &&
    isListOf(metadata['finalizers'], (entry) => typeof entry === 'string') &&
    isListOf(metadata['ownerReferences'], isOwnerReference)
  );
}

function isOwnerReference(value: unknown): boolean {
  return isObject(value) && ['apiVersion', 'kind', 'name', 'uid'].every((field) => isText(value[field]));
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isTextMap(value: unknown): boolean {
  return value === undefined || (isObject(value) && Object.values(value).every((text) => typeof text === 'string'));
}

function isListOf(value: unknown, is: (entry: unknown) => boolean): boolean {
  return value === undefined || (Array.isArray(value) && value.every(is));
}
