// @ts-check
import { markOrigin, markRefused, originOf } from './marks.mjs';
import { quantity } from './scalars.mjs';
import { list, structuralDefinition } from './structural.mjs';

/** @import { KubernetesDefinitions, Rule, Schema, SourceSchema } from './schema.d.ts' */

const KEYS = new Set(['$kubernetes', '$partial', '$list', '$extra', '$narrow', '$override', '$refuse', '$quantity']);
/** What $narrow may say. */
const CONSTRAINTS = new Set(
  'minimum maximum minLength maxLength minItems maxItems minProperties maxProperties pattern'.split(' '),
);
/** Names that CEL reserves: a rule would have to write them escaped. */
const CEL_RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/**
 * The structural schema that a source stands for: every key that starts with $ replaced by what it means.
 * @param {KubernetesDefinitions} kubernetes
 * @param {SourceSchema} source
 * @param {string} [path] for error messages
 * @returns {Schema}
 */
export function expand(kubernetes, source, path = '') {
  for (const key of Object.keys(source)) {
    if (key.startsWith('$') && !KEYS.has(key)) {
      throw new Error(`${path}: unknown key ${key}; known are ${[...KEYS].join(', ')}`);
    }
  }
  const { $kubernetes, $partial, $list, $extra, $narrow, $override, $refuse, $quantity, ...own } = source;
  if ($quantity) return { ...quantity(), ...expandParts(kubernetes, own, path) };
  if ($kubernetes === undefined) {
    if ($partial ?? $list ?? $extra ?? $narrow ?? $override ?? $refuse)
      throw new Error(`${path}: needs $kubernetes beside it`);
    return expandParts(kubernetes, own, path);
  }
  /** @param {Record<string, SourceSchema>} fields */
  const expandFields = (fields) => expandEach(kubernetes, fields, path);
  let schema = structuralDefinition(kubernetes, $kubernetes, { partial: $partial === true });
  if ($extra) schema = addFields(schema, expandFields($extra), path);
  if ($narrow) schema = narrowFields(schema, $narrow, path);
  if ($override) schema = replaceFields(schema, expandFields($override), path);
  if ($refuse) schema = refuseFields(schema, $refuse, path);
  const rest = expandParts(kubernetes, own, path);
  return $list ? { ...list(schema, $list.type, $list.keys), ...rest } : { ...schema, ...rest };
}

/**
 * @param {KubernetesDefinitions} kubernetes
 * @param {Record<string, SourceSchema>} fields
 * @param {string} path
 * @returns {Record<string, Schema>}
 */
function expandEach(kubernetes, fields, path) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, expand(kubernetes, field, `${path}.${name}`)]),
  );
}

/**
 * @param {KubernetesDefinitions} kubernetes
 * @param {SourceSchema} source
 * @param {string} path
 * @returns {Schema}
 */
function expandParts(kubernetes, { properties, items, additionalProperties, ...rest }, path) {
  return {
    ...rest,
    ...(properties && { properties: expandEach(kubernetes, properties, path) }),
    ...(items && { items: expand(kubernetes, items, `${path}[]`) }),
    ...(additionalProperties && { additionalProperties: expand(kubernetes, additionalProperties, `${path}{}`) }),
  };
}

/**
 * @param {Schema} schema
 * @returns {Schema}
 */
function changed(schema) {
  const origin = originOf(schema);
  return origin ? markOrigin(schema, { ...origin, changed: true }) : schema;
}

/**
 * @param {Schema} schema
 * @param {Record<string, Schema>} fields
 * @param {string} path
 * @returns {Schema}
 */
function addFields(schema, fields, path) {
  for (const name of Object.keys(fields)) {
    if (schema.properties?.[name]) throw new Error(`${path}: $extra ${name} is there already; use $override`);
  }
  return changed({ ...schema, properties: { ...fields, ...schema.properties } });
}

/**
 * @param {Schema} schema
 * @param {Record<string, Schema>} fields
 * @param {string} path
 * @returns {Schema}
 */
function replaceFields(schema, fields, path) {
  for (const name of Object.keys(fields)) {
    if (!schema.properties?.[name]) throw new Error(`${path}: $override ${name} is no field of the definition`);
  }
  return changed({ ...schema, properties: { ...schema.properties, ...fields } });
}

/**
 * @param {Schema} schema
 * @param {Record<string, Schema>} constraints
 * @param {string} path
 * @returns {Schema}
 */
function narrowFields(schema, constraints, path) {
  const properties = { ...schema.properties };
  for (const [name, constraint] of Object.entries(constraints)) {
    const field = properties[name];
    if (!field) throw new Error(`${path}: $narrow ${name} is no field of the definition`);
    for (const key of Object.keys(constraint)) {
      if (!CONSTRAINTS.has(key))
        throw new Error(`${path}: $narrow ${name} may not have ${key}; it would change the type`);
    }
    properties[name] = { ...field, ...constraint };
  }
  return { ...schema, properties };
}

/**
 * Keeps the fields in the schema, in a shape that takes whatever is legal for them elsewhere, and refuses them with a
 * rule. Left out, they would only be unknown fields, which are dropped without a word where validation is not strict.
 * @param {Schema} schema
 * @param {Record<string, string>} hints
 * @param {string} path
 * @returns {Schema}
 */
function refuseFields(schema, hints, path) {
  const properties = { ...schema.properties };
  /** @type {Rule[]} */
  const rules = [];
  for (const [name, hint] of Object.entries(hints)) {
    const field = properties[name];
    if (!field) throw new Error(`${path}: $refuse ${name} is no field of the definition`);
    if (CEL_RESERVED.has(name) || !/^[A-Za-z]\w*$/.test(name))
      throw new Error(`${path}: $refuse ${name} is no CEL name`);
    properties[name] = markRefused({ ...opened(field), description: `Not allowed here: ${hint}.` }, hint);
    rules.push({ rule: `!has(self.${name})`, message: hint, fieldPath: `.${name}` });
  }
  return changed({
    ...schema,
    properties,
    'x-kubernetes-validations': [...(schema['x-kubernetes-validations'] ?? []), ...rules],
  });
}

/**
 * The outer shape alone. CEL sees no field whose schema has no type, so one schema that takes anything would not do.
 * @param {Schema} schema
 * @returns {Schema}
 */
function opened(schema) {
  if (schema.items) return { type: 'array', 'x-kubernetes-list-type': 'atomic', items: opened(schema.items) };
  if (schema.type === 'object') return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  if (schema['x-kubernetes-int-or-string']) return { 'x-kubernetes-int-or-string': true };
  return schema.type ? { type: schema.type } : {};
}
