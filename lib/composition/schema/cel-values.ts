import { schemaOf } from './defaults';
import { isDate } from './formats';
import { parseDuration } from './duration';
import { isObject } from '../objects';
import { memo } from './memo';
import { isInt64, toInt64 } from './numbers';
import { parseTime } from './time';
import type { Json, JsonObject, JsonSchema } from './types';

/** What the engine needs to make values that JSON does not have. */
export interface CelTypes {
  duration(nanoseconds: bigint): unknown;
}

/**
 * A value that is there, but with which every expression fails: Kubernetes has no CEL value for it, such as 1.5 where an
 * integer or a string belongs.
 */
export const POISON: unique symbol = Symbol('no CEL value');

const RESERVED = new Set([
  ...['true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import'],
  ...['let', 'loop', 'package', 'namespace', 'return', 'var', 'void', 'while'],
]);

const ESCAPES: Readonly<Record<string, string>> = { __: 'underscores', '.': 'dot', '-': 'dash', '/': 'slash' };

const names = new Map<string, string | undefined>();

/** The name that a rule has for a property of a schema; undefined if it has none. */
export function celName(property: string): string | undefined {
  if (names.has(property)) return names.get(property);
  const name = escapeName(property);
  names.set(property, name);
  return name;
}

function escapeName(property: string): string | undefined {
  if (RESERVED.has(property)) return `__${property}__`;
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(property)) return undefined;
  return property.replaceAll(/__|[-./]/g, (found) => `__${ESCAPES[found]}__`);
}

const STRING: JsonSchema = { type: 'string' };
const RESOURCE: Readonly<Record<string, JsonSchema>> = {
  apiVersion: STRING,
  kind: STRING,
  metadata: { type: 'object', properties: { name: STRING, generateName: STRING } },
};

/** The schema of a resource as rules see it: its type and its name are always there. */
function resourceSchema(schema: JsonSchema): JsonSchema {
  return { ...schema, properties: { ...schema.properties, ...RESOURCE } };
}

const withMeta = memo(resourceSchema);

function seenByRules(schema: JsonSchema, root: boolean): JsonSchema {
  return root || schema['x-kubernetes-embedded-resource'] === true ? withMeta(schema) : schema;
}

/**
 * The value as a rule sees it, typed by the schema: integers are BigInt, objects and maps are Map, properties have their CEL
 * names, and nulls of properties are not there.
 */
export function celValue(value: Json, schema: JsonSchema, types: CelTypes, root = false): unknown {
  if (value === null) return null;
  if (schema['x-kubernetes-int-or-string'] === true) return intOrString(value);
  switch (schema.type) {
    case 'object':
      return isObject(value) ? celObject(value, seenByRules(schema, root), types) : POISON;
    case 'array': {
      const { items } = schema;
      return Array.isArray(value) && items !== undefined ? value.map((item) => celValue(item, items, types)) : POISON;
    }
    case 'string':
      return typeof value === 'string' ? celString(value, schema.format, types) : POISON;
    case 'number':
      return typeof value === 'number' ? value : POISON;
    case 'integer':
      return typeof value === 'number' && isInt64(value) ? toInt64(value) : POISON;
    case 'boolean':
      return typeof value === 'boolean' ? value : POISON;
    default:
      return POISON;
  }
}

function intOrString(value: Json): unknown {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && isInt64(value) ? toInt64(value) : POISON;
}

function celObject(value: JsonObject, schema: JsonSchema, types: CelTypes): ReadonlyMap<string, unknown> {
  const result = new Map<string, unknown>();
  const { properties } = schema;
  for (const key of Object.keys(value)) {
    const child = value[key] ?? null;
    const childSchema = schemaOf(key, schema);
    if (childSchema === undefined) continue;
    if (properties === undefined) result.set(key, celValue(child, childSchema, types));
    else if (child !== null) {
      const name = celName(key);
      if (name !== undefined) result.set(name, celValue(child, childSchema, types));
    }
  }
  return result;
}

function celString(value: string, format: string | undefined, types: CelTypes): unknown {
  switch (format) {
    case 'duration': {
      const duration = parseDuration(value);
      return duration === undefined ? POISON : types.duration(duration);
    }
    case 'date':
      return isDate(value) ? new Date(`${value}T00:00:00Z`) : POISON;
    case 'date-time': {
      const time = parseTime(value) ?? parseTime(`${value}Z`);
      return time === undefined ? POISON : new Date(time);
    }
    case 'byte':
      return /^[\w-]*={0,2}$/.test(value) && value.length % 4 === 0
        ? new Uint8Array(Buffer.from(value, 'base64url'))
        : POISON;
    default:
      return value;
  }
}
