import type { Manifest } from '../../lib/composition';

/** namespace/name, or only the name for objects without a namespace. */
export function keyOf(namespace: string | undefined, name: string): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

export function keyOfObject({ metadata }: Manifest): string {
  return keyOf(metadata.namespace, metadata.name);
}

/** The namespace and the name that a key was made from. */
export function splitKey(key: string): readonly [string | undefined, string] {
  const slash = key.indexOf('/');
  return slash < 0 ? [undefined, key] : [key.slice(0, slash), key.slice(slash + 1)];
}
