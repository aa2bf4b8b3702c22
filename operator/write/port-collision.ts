import type { LiveObject, Manifest } from '../../lib/composition';
import { member } from '../../lib/composition/objects';

/** A list of ports in a live object, by JSON pointer, and what it has to be. */
export interface PortRepair {
  readonly path: string;
  readonly value: readonly unknown[];
}

type Entry = { readonly [field: string]: unknown };

/**
 * Lists of ports that no apply can put right. Server-side apply knows a port by its number and never takes away what
 * somebody else put in; a port of ours whose number was edited by hand so stands beside the one that is applied, with
 * the same name, which the API server refuses. Pure.
 *
 * @returns the lists without such ports, and with ours; none where nothing collides
 */
export function portRepairs(manifest: Manifest, live: LiveObject): readonly PortRepair[] {
  const lists: { readonly path: string; readonly wanted: unknown; readonly found: unknown }[] = [
    { path: '/spec/ports', wanted: member(manifest, 'spec', 'ports'), found: member(live, 'spec', 'ports') },
  ];
  for (const field of ['containers', 'initContainers']) {
    const found = entries(member(live, 'spec', 'template', 'spec', field));
    for (const container of entries(member(manifest, 'spec', 'template', 'spec', field))) {
      const index = found.findIndex(({ name }) => name === container['name']);
      const path = `/spec/template/spec/${field}/${index}/ports`;
      lists.push({ path, wanted: container['ports'], found: found[index]?.['ports'] });
    }
  }
  return lists.flatMap(({ path, wanted, found }) => {
    const ours = entries(wanted);
    const keys = new Set(ours.map(keyOf));
    const names = new Set(ours.map(({ name }) => name));
    const there = entries(found);
    const kept = there.filter((entry) => keys.has(keyOf(entry)) || !names.has(entry['name']));
    if (kept.length === there.length) return [];
    const missing = ours.filter((entry) => !kept.some((other) => keyOf(other) === keyOf(entry)));
    return [{ path, value: [...kept, ...missing] }];
  });
}

function keyOf({ containerPort, port, protocol = 'TCP' }: Entry): string {
  return JSON.stringify([containerPort ?? port, protocol]);
}

function entries(list: unknown): readonly Entry[] {
  return Array.isArray(list) ? list.filter((entry): entry is Entry => typeof entry === 'object' && entry !== null) : [];
}
