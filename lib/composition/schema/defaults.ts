import type { Compiled } from './compiled';
import type { Errors } from './errors';
import { setMember } from '../json';
import { isObject } from '../objects';
import { copyJson } from './json';
import { anywhere, memo } from './memo';
import { embeddedMetadata } from './metadata';
import { unknownField } from './messages';
import type { Json, JsonObject, JsonSchema } from './types';

/** What surrounds a walk over a value. */
export interface Walk {
  readonly errors: Errors;
  /** Where the walk is; changes while it goes on. */
  readonly path: (string | number)[];
  readonly compiled: Compiled;
}

const META_FIELDS = new Set(['apiVersion', 'kind', 'metadata']);

/** The schema of a key, as pruning sees it: of a property, of the map's values, or none. */
export function schemaOf(key: string, schema: JsonSchema | undefined): JsonSchema | undefined {
  if (schema === undefined) return undefined;
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** The default of a schema, as a value of its own. A null is not a default. */
function defaultOf(schema: JsonSchema | undefined): Json | undefined {
  const value = schema?.default;
  // A CRD is JSON, so its defaults are.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return value === undefined || value === null ? undefined : copyJson(value as Json);
}

const isBareNull = (value: Json, schema: JsonSchema | undefined): boolean =>
  value === null && schema !== undefined && schema.nullable !== true;

/**
 * Reports every field that the schema does not know. In a part that preserves unknown fields only the fields that the schema
 * does describe are looked into.
 */
export function refuseUnknown(value: Json, schema: JsonSchema | undefined, walk: Walk, root = false): void {
  const preserve = schema?.['x-kubernetes-preserve-unknown-fields'] === true;
  if (Array.isArray(value)) {
    const preserved = preserve && schema?.items !== undefined ? { ...schema.items, ...PRESERVE } : schema?.items;
    if (preserve && schema?.items === undefined) return;
    for (const [index, item] of value.entries()) {
      walk.path.push(index);
      refuseUnknown(item, preserved, walk);
      walk.path.pop();
    }
    return;
  }
  if (!isObject(value)) return;
  const resource = root || schema?.['x-kubernetes-embedded-resource'] === true;
  for (const key of Object.keys(value)) {
    if (resource && META_FIELDS.has(key)) continue;
    const known =
      schema?.additionalProperties !== undefined ||
      (schema?.properties !== undefined && Object.hasOwn(schema.properties, key));
    walk.path.push(key);
    if (known) refuseUnknown(value[key] ?? null, schemaOf(key, schema), walk);
    else if (!preserve) walk.errors.add(walk.path, 'unknown-field', unknownField(key, schema));
    walk.path.pop();
  }
}

/** Items of an array that preserves unknown fields preserve theirs. */
const PRESERVE: JsonSchema = { 'x-kubernetes-preserve-unknown-fields': true };

/** Removes nulls where the schema allows none and has no default for them. */
export function dropNulls(value: Json, schema: JsonSchema | undefined): void {
  if (Array.isArray(value)) {
    for (const item of value) dropNulls(item, schema?.items);
    return;
  }
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) {
    const child = value[key] ?? null;
    const childSchema = schemaOf(key, schema);
    if (isBareNull(child, childSchema) && defaultOf(childSchema) === undefined) delete value[key];
    else dropNulls(child, childSchema);
  }
}

/** Whether other resources can be in a value of the schema. */
export const embedsResources = anywhere((schema) => schema['x-kubernetes-embedded-resource'] === true);

/** Brings the metadata of embedded resources into its normal form. */
export function normalizeEmbedded(value: Json, schema: JsonSchema | undefined, walk: Walk): void {
  if (schema === undefined || !embedsResources(schema)) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      walk.path.push(index);
      normalizeEmbedded(item, schema.items, walk);
      walk.path.pop();
    }
    return;
  }
  if (!isObject(value)) return;
  if (schema['x-kubernetes-embedded-resource'] === true) embeddedMetadata(value, walk);
  for (const key of Object.keys(value)) {
    const childSchema = schemaOf(key, schema);
    if (childSchema === undefined) continue;
    walk.path.push(key);
    normalizeEmbedded(value[key] ?? null, childSchema, walk);
    walk.path.pop();
  }
}

/** Fills in defaults, in place. */
export function fillDefaults(value: Json, schema: JsonSchema | undefined): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (isBareNull(item, schema.items)) value[index] = defaultOf(schema.items) ?? null;
      fillDefaults(value[index] ?? null, schema.items);
    }
    return;
  }
  if (isObject(value)) fillObject(value, schema);
}

function fillObject(value: JsonObject, schema: JsonSchema): void {
  const { properties = {}, additionalProperties } = schema;
  for (const key of defaultedNames(schema)) {
    const property = properties[key];
    if (Object.hasOwn(value, key) && !isBareNull(value[key] ?? null, property)) continue;
    setMember(value, key, defaultOf(property) ?? null);
  }
  for (const key of Object.keys(value)) {
    const known = Object.hasOwn(properties, key);
    if (!known && typeof additionalProperties === 'object' && isBareNull(value[key] ?? null, additionalProperties))
      setMember(value, key, defaultOf(additionalProperties) ?? null);
    fillDefaults(value[key] ?? null, schemaOf(key, schema));
  }
}

/** The names of the properties that have a default. */
const defaultedNames = memo((schema) =>
  Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    property.default === undefined || property.default === null ? [] : [name],
  ),
);
