import { schemaOf, type Walk } from './defaults';
import { isObject, own } from '../objects';
import { canonical } from './json';
import { came, show } from './messages';
import { anywhere } from './memo';
import type { Json, JsonObject, JsonSchema } from './types';

/** Whether there is a list in the schema whose items must differ. */
const hasKeyedLists = anywhere((schema) => /^(?:set|map)$/.test(schema['x-kubernetes-list-type'] ?? ''));

/** Checks that lists of type `set` have no item twice, and lists of type `map` no key. */
export function checkLists(value: Json, schema: JsonSchema | undefined, walk: Walk): void {
  if (schema === undefined || !hasKeyedLists(schema)) return;
  if (Array.isArray(value)) {
    const type = schema['x-kubernetes-list-type'];
    if (type === 'set') checkSet(value, walk);
    if (type === 'map') checkMap(value, schema['x-kubernetes-list-map-keys'] ?? [], walk);
    for (const [index, item] of value.entries()) {
      walk.path.push(index);
      checkLists(item, schema.items, walk);
      walk.path.pop();
    }
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      walk.path.push(key);
      checkLists(value[key] ?? null, schemaOf(key, schema), walk);
      walk.path.pop();
    }
  }
}

function checkSet(items: readonly Json[], walk: Walk): void {
  report(items.map(canonical), walk, (index) => `is there twice: ${show(items[index])}`);
}

function checkMap(items: readonly Json[], keys: readonly string[], walk: Walk): void {
  const wrong = items.findIndex((item) => item !== null && !isObject(item));
  if (wrong >= 0) {
    walk.errors.add([...walk.path, wrong], 'type', `must be an object, but is ${came(items[wrong] ?? null)}`);
    return;
  }
  const entries = items.map((item) => keyOf(isObject(item) ? item : {}, keys));
  const what = keys.length === 1 ? keys[0] : keys.join(', ');
  report(entries.map(canonical), walk, (index) => `has the ${what} of another entry: ${show(entries[index])}`);
}

function keyOf(item: JsonObject, keys: readonly string[]): JsonObject {
  const result: JsonObject = {};
  for (const key of keys) {
    const value = own(item, key);
    if (value !== undefined) result[key] = value;
  }
  return result;
}

function report(texts: readonly string[], walk: Walk, message: (index: number) => string): void {
  const seen = new Set<string>();
  const reported = new Set<string>();
  for (const [index, text] of texts.entries()) {
    if (seen.has(text) && !reported.has(text)) {
      walk.errors.add([...walk.path, index], 'duplicate', message(index));
      reported.add(text);
    }
    seen.add(text);
  }
}
