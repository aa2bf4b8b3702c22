import type { Path } from '../../lib/composition';
import type { Scalar } from './scalar';

/** A value of a YAML or JSON document together with the line it stands on, counted from 1 in its file. */
export type Located =
  | { readonly kind: 'scalar'; readonly line: number; readonly value: Scalar }
  | { readonly kind: 'map'; readonly line: number; readonly entries: ReadonlyMap<string, LocatedEntry> }
  | { readonly kind: 'list'; readonly line: number; readonly items: readonly Located[] };

/** A key of a map with its value; line is the key's. */
export interface LocatedEntry {
  readonly line: number;
  readonly node: Located;
}

/** The deepest nesting of maps and lists that is read. */
export const maxDepth = 200;

/** A document that cannot be read: bad syntax, or a thing that YAML has and JSON has not. */
export class DocumentError extends Error {
  constructor(
    message: string,
    /** Counted from 1 in the file. */
    readonly line: number,
  ) {
    super(message);
  }
}

/** The value as plain JSON. A key `__proto__` becomes an ordinary own property. */
export function toValue(node: Located): unknown {
  switch (node.kind) {
    case 'scalar':
      return node.value;
    case 'list':
      return node.items.map((item) => toValue(item));
    case 'map':
      return Object.fromEntries(Array.from(node.entries, ([key, entry]) => [key, toValue(entry.node)]));
  }
}

/** The line of the value at a path, or of its nearest parent that the document has. */
export function lineOf(root: Located, path: Path): number {
  let node = root;
  let { line } = root;
  for (const part of path) {
    if (node.kind === 'map') {
      const entry = node.entries.get(String(part));
      if (entry === undefined) return line;
      ({ line, node } = entry);
    } else if (node.kind === 'list') {
      const item = node.items[Number(part)];
      if (item === undefined) return line;
      node = item;
      ({ line } = item);
    } else return line;
  }
  return line;
}

/** The value of a key, where the node is a map that has it. */
export function memberOf(node: Located, key: string): Located | undefined {
  return node.kind === 'map' ? node.entries.get(key)?.node : undefined;
}

/** The string at a key; undefined for what is missing, empty or not a string. */
export function textAt(node: Located, key: string): string | undefined {
  const member = memberOf(node, key);
  return member?.kind === 'scalar' && typeof member.value === 'string' && member.value !== ''
    ? member.value
    : undefined;
}
