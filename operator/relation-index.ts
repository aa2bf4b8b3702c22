import type { Manifest } from '../lib/composition/manifest';
import { keyOf, type Change } from './cache';

/** Objects that are looked at and not made, by the resource that they tell something about. */
export class RelationIndex {
  readonly #resourceName: (object: Manifest) => string | undefined;
  readonly #byResource = new Map<string, Map<string, Manifest>>();

  constructor(resourceName: (object: Manifest) => string | undefined) {
    this.#resourceName = resourceName;
  }

  of(key: string): readonly Manifest[] {
    return [...(this.#byResource.get(key)?.values() ?? [])].toSorted((a, b) =>
      a.metadata.name < b.metadata.name ? -1 : 1,
    );
  }

  /** Takes a change; returns the keys of the resources it matters to. */
  take({ before, after }: Change): readonly string[] {
    const keys = new Set<string>();
    for (const object of [before, after]) {
      const name = object === undefined ? undefined : this.#resourceName(object);
      if (object === undefined || name === undefined) continue;
      const key = keyOf(object.metadata.namespace, name);
      keys.add(key);
      const members = this.#byResource.get(key) ?? new Map<string, Manifest>();
      if (object === after) members.set(object.metadata.name, object);
      else members.delete(object.metadata.name);
      if (members.size === 0) this.#byResource.delete(key);
      else this.#byResource.set(key, members);
    }
    return [...keys];
  }
}
