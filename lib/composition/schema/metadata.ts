import type { Walk } from './defaults';
import { isInt64 } from './numbers';
import { setMember } from '../json';
import { isObject } from '../objects';
import { came, hint } from './messages';
import { formatTime, parseTime } from './time';
import type { Json, JsonObject } from './types';

/** How a field of Kubernetes' metadata is read. */
type FieldType =
  'string' | 'boolean' | 'integer' | 'time' | 'any' | 'strings' | 'stringMap' | { readonly [name: string]: FieldType };

const OWNER_REFERENCE: FieldType = {
  apiVersion: 'string',
  kind: 'string',
  name: 'string',
  uid: 'string',
  controller: 'boolean',
  blockOwnerDeletion: 'boolean',
};

const MANAGED_FIELDS: FieldType = {
  manager: 'string',
  operation: 'string',
  apiVersion: 'string',
  time: 'time',
  fieldsType: 'string',
  fieldsV1: 'any',
  subresource: 'string',
};

const METADATA = {
  name: 'string',
  generateName: 'string',
  namespace: 'string',
  selfLink: 'string',
  uid: 'string',
  resourceVersion: 'string',
  generation: 'integer',
  creationTimestamp: 'time',
  deletionTimestamp: 'time',
  deletionGracePeriodSeconds: 'integer',
  labels: 'stringMap',
  annotations: 'stringMap',
  ownerReferences: OWNER_REFERENCE,
  finalizers: 'strings',
  managedFields: MANAGED_FIELDS,
} as const satisfies Record<string, FieldType>;

/** Fields of an owner reference that the API server writes out even if they are empty. */
export const OWNER_KEYS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'name', 'uid']);

/**
 * Reads metadata as the API server does: unknown fields and wrong types are reported, nulls and empty values are left out,
 * times are written in UTC.
 */
export function normalizeMetadata(value: Json, walk: Walk): JsonObject {
  if (value === null) return {};
  if (!isObject(value)) {
    walk.errors.add(walk.path, 'type', `must be an object, but is ${came(value)}`, true);
    return {};
  }
  return readStruct(value, METADATA, walk, false);
}

function readStruct(
  value: JsonObject,
  fields: Readonly<Record<string, FieldType>>,
  walk: Walk,
  entry: boolean,
): JsonObject {
  const result: JsonObject = {};
  for (const key of Object.keys(value)) {
    walk.path.push(key);
    const type = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (type === undefined)
      walk.errors.add(walk.path, 'unknown-field', `is not a known field${hint(key, Object.keys(fields))}`);
    else {
      const read = readField(value[key] ?? null, type, walk);
      if (read !== undefined && (!isEmpty(read) || type === 'boolean')) setMember(result, key, read);
    }
    walk.path.pop();
  }
  if (entry && fields === OWNER_REFERENCE)
    for (const key of OWNER_KEYS) if (!Object.hasOwn(result, key)) result[key] = '';
  return result;
}

function isEmpty(value: Json): boolean {
  if (value === '' || value === 0) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

function readField(value: Json, type: FieldType, walk: Walk): Json | undefined {
  if (value === null) return undefined;
  switch (type) {
    case 'any':
      return value;
    case 'string':
      return typeof value === 'string' ? value : wrong(value, 'a string', walk);
    case 'boolean':
      return typeof value === 'boolean' ? value : wrong(value, 'a boolean', walk);
    case 'integer':
      return typeof value === 'number' && isInt64(value) ? value : wrong(value, 'a 64-bit integer', walk);
    case 'time': {
      const time = typeof value === 'string' ? parseTime(value) : undefined;
      return time === undefined ? wrong(value, 'a time such as "2006-01-02T15:04:05Z"', walk) : formatTime(time);
    }
    case 'strings':
      return readList(value, walk, (item) => (item === null ? '' : (readField(item, 'string', walk) ?? '')));
    case 'stringMap':
      return readMap(value, walk);
    default:
      return readList(value, walk, (item) => {
        if (item === null) return readStruct({}, type, walk, true);
        return isObject(item) ? readStruct(item, type, walk, true) : (wrong(item, 'an object', walk) ?? {});
      });
  }
}

function wrong(value: Json, what: string, walk: Walk): undefined {
  walk.errors.add(walk.path, 'type', `must be ${what}, but is ${came(value)}`, true);
  return undefined;
}

function readList(value: Json, walk: Walk, read: (item: Json) => Json): Json | undefined {
  if (!Array.isArray(value)) return wrong(value, 'an array', walk);
  return value.map((item, index) => {
    walk.path.push(index);
    const result = read(item);
    walk.path.pop();
    return result;
  });
}

function readMap(value: Json, walk: Walk): Json | undefined {
  if (!isObject(value)) return wrong(value, 'an object', walk);
  const result: JsonObject = {};
  for (const key of Object.keys(value)) {
    walk.path.push(key);
    setMember(result, key, readField(value[key] ?? null, 'string', walk) ?? '');
    walk.path.pop();
  }
  return result;
}

/** The metadata of an embedded resource, put in its normal form; its apiVersion and kind must be strings. */
export function embeddedMetadata(resource: JsonObject, walk: Walk): void {
  for (const key of ['apiVersion', 'kind']) {
    const value = Object.hasOwn(resource, key) ? (resource[key] ?? null) : '';
    if (typeof value === 'string') continue;
    walk.path.push(key);
    wrong(value, 'a string', walk);
    walk.path.pop();
  }
  if (!Object.hasOwn(resource, 'metadata')) return;
  walk.path.push('metadata');
  resource['metadata'] = normalizeMetadata(resource['metadata'] ?? null, walk);
  walk.path.pop();
}
