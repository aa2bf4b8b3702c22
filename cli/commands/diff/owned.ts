import type { Manifest } from '../../../lib/composition';
import { isObject, own } from '../../../lib/composition/objects';

/** A set of fields as `metadata.managedFields` writes it: https://kubernetes.io/docs/reference/using-api/server-side-apply */
export interface FieldSet {
  readonly [entry: string]: FieldSet;
}

/** The fields that a manager applied to an object. */
export function ownedFields(object: Manifest, manager: string): FieldSet {
  const entries: unknown = object.metadata['managedFields'];
  if (!Array.isArray(entries)) return {};
  return entries
    .filter(isObject)
    .filter((entry) => entry['manager'] === manager && entry['operation'] === 'Apply' && isFieldSet(entry['fieldsV1']))
    .reduce<FieldSet>((sum, entry) => (isFieldSet(entry['fieldsV1']) ? union(sum, entry['fieldsV1']) : sum), {});
}

/** All fields that are in one of two sets. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...keys].map((key) => [key, union(own(a, key) ?? {}, own(b, key) ?? {})]));
}

/** The part of an object that a set of fields names; what the object does not have is left out. */
export function pick(value: unknown, fields: FieldSet): unknown {
  const entries = Object.keys(fields).filter((entry) => entry !== '.');
  if (entries.length === 0) return value;
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => pickItem(item, index, fields, entries));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const set = own(fields, `f:${key}`);
      return set === undefined ? [] : [[key, pick(member, set)]];
    }),
  );
}

function pickItem(item: unknown, index: number, fields: FieldSet, entries: readonly string[]): readonly unknown[] {
  const entry = entries.find((candidate) => isEntryOf(candidate, item, index));
  return entry === undefined ? [] : [pick(item, fields[entry] ?? {})];
}

function isEntryOf(entry: string, item: unknown, index: number): boolean {
  const text = entry.slice(2);
  switch (entry.slice(0, 2)) {
    case 'k:': {
      const keys: unknown = JSON.parse(text);
      return isObject(keys) && isObject(item) && Object.entries(keys).every(([key, value]) => item[key] === value);
    }
    case 'v:':
      return JSON.stringify(item) === JSON.stringify(JSON.parse(text));
    case 'i:':
      return Number(text) === index;
    default:
      return false;
  }
}

function isFieldSet(value: unknown): value is FieldSet {
  return isObject(value);
}
