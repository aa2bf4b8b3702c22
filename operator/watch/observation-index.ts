import type { Manifest } from '../../lib/composition/manifest';
import type { Change } from './cache';
import { keyOf } from './keys';

/** Objects that are looked at and not made, by the resource that they say something about. */
export class ObservationIndex {
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

  /** Takes a change; returns the keys of the resources it matters to: none where only the version is another. */
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
    return before !== undefined && after !== undefined && sameButVersion(before, after) ? [] : [...keys];
  }
}

/** Objects that were cut to what is looked at are often the same again. */
function sameButVersion(before: Manifest, after: Manifest): boolean {
  const text = (object: Manifest): string =>
    JSON.stringify({ ...object, metadata: { ...object.metadata, resourceVersion: '' } });
  return text(before) === text(after);
}
