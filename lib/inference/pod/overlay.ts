import { isObject, own } from '../../composition/objects';

/** A value of which any part may be missing. */
export type Partially<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: Partially<T[K]> }
    : T;

/**
 * Lays one object over another, key by key. Objects in both are laid over each other in turn; anything else, lists
 * included, takes the place of what was there.
 */
export function overlay<T extends object>(base: T, patch: Partially<T> | undefined): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every value comes from one of the two, at its own key
  return merge(base, patch) as T;
}

function merge(base: unknown, patch: unknown): unknown {
  if (patch === undefined) return base;
  if (!isObject(base) || !isObject(patch)) return patch;
  const keys = new Set([...Object.keys(base), ...Object.keys(patch)]);
  return Object.fromEntries([...keys].map((key) => [key, merge(own(base, key), own(patch, key))]));
}
