// @ts-check
import { definition, referenceOf } from './definitions.mjs';
import { refinements } from './kubernetes-rules.mjs';
import { markOrigin } from './marks.mjs';
import { scalars } from './scalars.mjs';

/** @import { Definition, KubernetesDefinitions, Schema } from './schema.d.ts' */

const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
/** Metadata inside a template: the API server allows no more than these. */
const TEMPLATE_METADATA = ['annotations', 'labels'];
/** Defaults of merge keys, which Kubernetes sets in code and its OpenAPI document does not know. */
const KEY_DEFAULTS = /** @type {Readonly<Record<string, string>>} */ ({ protocol: 'TCP' });

/**
 * The structural schema of a definition, all references put in. It says nothing but what validates.
 * @param {KubernetesDefinitions} kubernetes
 * @param {string} name full name of the definition
 * @param {{ partial?: boolean }} [options] partial: an overlay. Nothing is required where it is merged field by field;
 *   what replaces its counterpart as a whole (an atomic list or map) keeps its required fields.
 * @returns {Schema}
 */
export function structuralDefinition(kubernetes, name, { partial = false } = {}) {
  const scalar = scalars[name];
  if (scalar) return scalar.schema();
  const schema = refined(structural(kubernetes, definition(kubernetes, name), partial), name, partial);
  return markOrigin(schema, { definition: name, partial, changed: false });
}

/**
 * @param {KubernetesDefinitions} kubernetes
 * @param {Definition} source
 * @param {boolean} partial
 * @returns {Schema}
 */
function structural(kubernetes, source, partial) {
  const reference = referenceOf(source);
  if (reference !== undefined) {
    const referred = structuralDefinition(kubernetes, reference, { partial });
    return reference === OBJECT_META ? only(TEMPLATE_METADATA, referred) : referred;
  }
  const atomic =
    source['x-kubernetes-map-type'] === 'atomic' || (source.items && source['x-kubernetes-list-type'] !== 'map');
  const inner = partial && !atomic;
  /** @type {Schema} */
  const schema = {};
  if (source.type) schema.type = source.type;
  if (source.format) schema.format = source.format;
  if (source['x-kubernetes-map-type']) schema['x-kubernetes-map-type'] = source['x-kubernetes-map-type'];
  if (source.required && !inner) schema.required = source.required;
  if (source.properties) {
    schema.properties = Object.fromEntries(
      Object.entries(source.properties).map(([field, value]) => [field, structural(kubernetes, value, inner)]),
    );
  }
  if (source.additionalProperties) {
    schema.additionalProperties = structural(kubernetes, source.additionalProperties, inner);
  }
  if (source.items) {
    const items = structural(kubernetes, source.items, inner);
    return {
      ...schema,
      ...list(items, source['x-kubernetes-list-type'] ?? 'atomic', source['x-kubernetes-list-map-keys']),
    };
  }
  return schema;
}

/**
 * The schema with what the API server checks in code.
 * @param {Schema} schema
 * @param {string} name of the definition
 * @param {boolean} partial
 * @returns {Schema}
 */
function refined(schema, name, partial) {
  const refinement = refinements[name];
  if (!refinement) return schema;
  const whole = !partial || schema['x-kubernetes-map-type'] === 'atomic';
  const properties = { ...schema.properties };
  for (const field of refinement.without ?? []) {
    if (!properties[field]) throw new Error(`kubernetes-rules.mjs: ${name} has no field ${field}`);
    delete properties[field];
  }
  for (const [field, constraint] of Object.entries(refinement.fields ?? {})) {
    const old = properties[field];
    if (!old) throw new Error(`kubernetes-rules.mjs: ${name} has no field ${field}`);
    const items = constraint.items && { items: { ...old.items, ...constraint.items } };
    properties[field] = { ...old, ...constraint, ...items };
  }
  const required = new Set([...(schema.required ?? []), ...(whole ? (refinement.required ?? []) : [])]);
  const rules = [...(refinement.rules ?? []), ...((whole ? refinement.whole : refinement.partial) ?? [])];
  return {
    ...schema,
    ...(required.size > 0 && { required: [...required] }),
    properties,
    ...(rules.length > 0 && { 'x-kubernetes-validations': rules }),
  };
}

/**
 * @param {readonly string[]} fields
 * @param {Schema} schema
 * @returns {Schema}
 */
function only(fields, schema) {
  const kept = Object.entries(schema.properties ?? {}).filter(([field]) => fields.includes(field));
  return { ...schema, properties: Object.fromEntries(kept) };
}

/**
 * A list of the given items. The API server wants every merge key to be required or to have a default.
 * @param {Schema} items
 * @param {'atomic' | 'map' | 'set'} type
 * @param {readonly string[]} [keys]
 * @returns {Schema}
 */
export function list(items, type, keys) {
  if (type !== 'map') return { type: 'array', 'x-kubernetes-list-type': type, items };
  if (!keys?.length) throw new Error('a list of type map needs keys');
  const properties = { ...items.properties };
  const required = new Set(items.required);
  for (const key of keys) {
    const property = properties[key];
    if (!property) throw new Error(`the items of a list have no field ${key}, which is said to be their key`);
    if (property.default !== undefined) continue;
    const value = KEY_DEFAULTS[key];
    if (value === undefined) required.add(key);
    else properties[key] = { ...property, default: value };
  }
  return {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': keys,
    items: { ...items, ...(required.size > 0 && { required: [...required] }), properties },
  };
}
