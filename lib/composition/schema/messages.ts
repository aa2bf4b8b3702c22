import { isObject } from '../objects';
import type { Json, JsonSchema } from './types';

const MAX_SHOWN = 80;

/** A value for a message: as JSON, cut when it is long. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  const points = [...text.slice(0, 2 * MAX_SHOWN + 2)];
  return points.length > MAX_SHOWN ? `${points.slice(0, MAX_SHOWN).join('')}…` : text;
}

/** What came: `the string "3"`, `null`, `an object`. */
export function came(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  if (isObject(value)) return Object.keys(value).length === 0 ? 'an empty object' : 'an object';
  return `the ${typeof value} ${show(value)}`;
}

/** What the schema expects: `an integer`, `one of "vllm", "triton"`. */
export function expected(schema: JsonSchema | undefined): string {
  if (schema === undefined) return 'a value';
  return schema.enum === undefined ? expectedType(schema) : oneOf(schema.enum);
}

/** The type that the schema expects: `an integer`. */
export function expectedType(schema: JsonSchema): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'an integer or a string';
  switch (schema.type) {
    case 'integer':
      return 'an integer';
    case 'array':
      return 'an array';
    case 'object':
      return 'an object';
    case undefined:
      return 'a value';
    default:
      return `a ${schema.type}`;
  }
}

/** `one of "a", "b"`. */
export function oneOf(values: readonly unknown[]): string {
  const shown = values.map((value) => show(value));
  return shown.length === 1 ? (shown[0] ?? '') : `one of ${shown.join(', ')}`;
}

const MAX_NAMES = 12;

/** The message for a field that the schema does not know: with the name that was probably meant. */
export function unknownField(name: string, schema: JsonSchema | undefined): string {
  const names = Object.keys(schema?.properties ?? {});
  return `is not a known field${hint(name, names)}`;
}

/** What else could have been meant, or which names there are. */
export function hint(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  if (near !== undefined) return `; did you mean ${show(near)}?`;
  if (names.length === 0) return '; no field is expected here';
  const shown = names.slice(0, MAX_NAMES).map((known) => show(known));
  return `; expected ${names.length > MAX_NAMES ? 'fields such as' : 'one of'} ${shown.join(', ')}`;
}

function nearest(name: string, names: readonly string[]): string | undefined {
  if (name.length > 64) return undefined;
  const limit = name.length < 4 ? 1 : 2;
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const known of names) {
    if (Math.abs(known.length - name.length) > limit) continue;
    const distance = known.toLowerCase() === name.toLowerCase() ? 0 : editDistance(name, known);
    if (distance <= limit && distance < (best?.distance ?? Infinity)) best = { name: known, distance };
  }
  return best?.name;
}

/** Insertions, deletions and replacements that turn one text into the other. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
