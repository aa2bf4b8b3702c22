import { definition, referenceOf } from './definitions';
import { refinements } from './kubernetes-rules';
import { markOrigin } from './marks';
import { scalars } from './scalars';
import type { Definition, KubernetesDefinitions, Schema } from './schema';

const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
/** Metadata inside a template: the API server allows no more than these. */
const TEMPLATE_METADATA = ['annotations', 'labels'];
/** Defaults of merge keys, which Kubernetes sets in code and its OpenAPI document does not know. */
const KEY_DEFAULTS = { protocol: 'TCP' } as Readonly<Record<string, string>>;

/**
 * The structural schema of a definition, all references put in. It says nothing but what validates.
 * @param name full name of the definition
 * @param options partial: an overlay. Nothing is required where it is merged field by field; what replaces its counterpart as a whole (an atomic list or map) keeps its required fields.
 */
export function structuralDefinition(
  kubernetes: KubernetesDefinitions,
  name: string,
  { partial = false }: { partial?: boolean } = {},
): Schema {
  const scalar = scalars[name];
  if (scalar) return scalar.schema();
  const schema = refined(structural(kubernetes, definition(kubernetes, name), partial), name, partial);
  return markOrigin(schema, { definition: name, partial, changed: false });
}

function structural(kubernetes: KubernetesDefinitions, source: Definition, partial: boolean): Schema {
  const reference = referenceOf(source);
  if (reference !== undefined) {
    const referred = structuralDefinition(kubernetes, reference, { partial });
    return reference === OBJECT_META ? only(TEMPLATE_METADATA, referred) : referred;
  }
  const atomic =
    source['x-kubernetes-map-type'] === 'atomic' || (source.items && source['x-kubernetes-list-type'] !== 'map');
  const inner = partial && !atomic;
  const schema: Schema = {};
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
 * @param name of the definition
 */
function refined(schema: Schema, name: string, partial: boolean): Schema {
  const refinement = refinements[name];
  if (!refinement) return schema;
  const whole = !partial || schema['x-kubernetes-map-type'] === 'atomic';
  const properties = { ...schema.properties };
  for (const field of refinement.without ?? []) {
    if (!properties[field]) throw new Error(`kubernetes-rules.ts: ${name} has no field ${field}`);
    delete properties[field];
  }
  for (const [field, constraint] of Object.entries(refinement.fields ?? {})) {
    const old = properties[field];
    if (!old) throw new Error(`kubernetes-rules.ts: ${name} has no field ${field}`);
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

function only(fields: readonly string[], schema: Schema): Schema {
  const kept = Object.entries(schema.properties ?? {}).filter(([field]) => fields.includes(field));
  return { ...schema, properties: Object.fromEntries(kept) };
}

/** A list of the given items. The API server wants every merge key to be required or to have a default. */
export function list(items: Schema, type: 'atomic' | 'map' | 'set', keys?: readonly string[]): Schema {
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
