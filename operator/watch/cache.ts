import type { Manifest } from '../../lib/composition/manifest';
import { ForgetfulMap } from '../../lib/composition/forgetful-map';
import { keyOf } from './keys';

/** Reads what the cluster was last known to have of one kind. */
export interface CacheReader {
  /** By namespace and name. */
  get(namespace: string | undefined, name: string): Manifest | undefined;
  /** The objects whose controller owner reference has this uid. */
  ownedBy(uid: string): readonly Manifest[];
  all(): readonly Manifest[];
  readonly size: number;
}

/** What a change in a cache was. `before` is absent for a new object, `after` for one that is gone. */
export interface Change {
  readonly before?: Manifest;
  readonly after?: Manifest;
}

/** Objects that are gone and remembered: more than can be under way at once. */
const REMEMBERED = 1000;

/**
 * The objects of one kind, kept by a reflector and by the answers to our own writes.
 *
 * Guarantees:
 * - a name never goes back to an older version, neither of the same object nor of one that had the name before, except where
 *   a list says that the cluster as a whole was set back
 * - an object of another uid under the same name is reported as the end of the old one and the coming of the new one
 * - what was written after a list was made is not lost by that list
 * - the answer to a write that comes after the word that the object is gone does not bring it back
 */
export class Cache implements CacheReader {
  readonly #objects = new Map<string, Manifest>();
  readonly #byOwner = new Map<string, Map<string, Manifest>>();
  readonly #slim: (object: Manifest) => Manifest;
  /** The versions at which objects, by uid, were last heard to be gone. */
  readonly #ended = new ForgetfulMap<string, string>(REMEMBERED);

  /** @param slim cuts an object to what is needed of it. @default drops only managedFields */
  constructor(slim: (object: Manifest) => Manifest = withoutManagedFields) {
    this.#slim = slim;
  }

  get size(): number {
    return this.#objects.size;
  }

  get(namespace: string | undefined, name: string): Manifest | undefined {
    return this.#objects.get(keyOf(namespace, name));
  }

  ownedBy(uid: string): readonly Manifest[] {
    return [...(this.#byOwner.get(uid)?.values() ?? [])];
  }

  all(): readonly Manifest[] {
    return [...this.#objects.values()];
  }

  /** Takes what a watch or the answer to a write says. Returns the changes, none where it is old news. */
  put(object: Manifest): readonly Change[] {
    const after = this.#slim(object);
    const key = keyOf(after.metadata.namespace, after.metadata.name);
    const before = this.#objects.get(key);
    if (before !== undefined && !isNewer(after.metadata.resourceVersion, before.metadata.resourceVersion)) return [];
    // One that only lost our label is gone at the very version that it lives on with.
    const ended = this.#ended.get(after.metadata.uid ?? '');
    if (ended !== undefined && isNumber(after.metadata.resourceVersion)) {
      if (isNewer(ended, after.metadata.resourceVersion)) return [];
    }
    return this.#exchange(key, before, after);
  }

  #exchange(key: string, before: Manifest | undefined, after: Manifest): readonly Change[] {
    this.#set(key, before, after);
    if (before === undefined) return [{ after }];
    return before.metadata.uid === after.metadata.uid ? [{ before, after }] : [{ before }, { after }];
  }

  /** Takes word that an object is gone. One of another uid that took its place stays. */
  remove(object: Manifest): readonly Change[] {
    const { uid, resourceVersion } = object.metadata;
    if (uid !== undefined && resourceVersion !== undefined && isNumber(resourceVersion))
      this.#ended.set(uid, resourceVersion);
    const key = keyOf(object.metadata.namespace, object.metadata.name);
    const before = this.#objects.get(key);
    if (before === undefined || before.metadata.uid !== object.metadata.uid) return [];
    this.#set(key, before, undefined);
    return [{ before }];
  }

  /**
   * Takes a whole list.
   *
   * @param version the list's own version: what is known to be newer than it stays. Without one the list replaces
   * all that was known.
   */
  replace(objects: readonly Manifest[], version?: string): readonly Change[] {
    const listed = new Set(objects.map(({ metadata }) => keyOf(metadata.namespace, metadata.name)));
    const changes: Change[] = [];
    for (const [key, before] of [...this.#objects]) {
      if (listed.has(key)) continue;
      if (version !== undefined && isNumber(before.metadata.resourceVersion)) {
        if (isNewer(before.metadata.resourceVersion, version)) continue;
      }
      this.#set(key, before, undefined);
      changes.push({ before });
    }
    for (const object of objects) changes.push(...(version === undefined ? this.#accept(object) : this.put(object)));
    return changes;
  }

  #accept(object: Manifest): readonly Change[] {
    const after = this.#slim(object);
    const key = keyOf(after.metadata.namespace, after.metadata.name);
    const before = this.#objects.get(key);
    const { uid, resourceVersion } = after.metadata;
    const same = before?.metadata.uid === uid && before?.metadata.resourceVersion === resourceVersion;
    return same ? [] : this.#exchange(key, before, after);
  }

  #set(key: string, before: Manifest | undefined, after: Manifest | undefined): void {
    const oldOwner = before === undefined ? undefined : controllerUid(before);
    if (oldOwner !== undefined) {
      const owned = this.#byOwner.get(oldOwner);
      owned?.delete(key);
      if (owned?.size === 0) this.#byOwner.delete(oldOwner);
    }
    if (after === undefined) {
      this.#objects.delete(key);
      return;
    }
    this.#objects.set(key, after);
    const owner = controllerUid(after);
    if (owner === undefined) return;
    const owned = this.#byOwner.get(owner);
    if (owned === undefined) this.#byOwner.set(owner, new Map([[key, after]]));
    else owned.set(key, after);
  }
}

/** The uid of the object that controls this one, if any does. */
export function controllerUid(object: Manifest): string | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true)?.uid;
}

export function withoutManagedFields(object: Manifest): Manifest {
  if (object.metadata['managedFields'] === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Resource versions of one kind are numbers that grow, since Kubernetes 1.35 by contract; anything else counts as newer. */
export function isNewer(a: string | undefined, b: string | undefined): boolean {
  return isNumber(a) && isNumber(b) ? BigInt(a) > BigInt(b) : a !== b;
}

function isNumber(version: string | undefined): version is string {
  return version !== undefined && /^\d+$/.test(version);
}
