import { markOrigin, markRefused, originOf } from './marks';
import { quantity } from './scalars';
import { list, structuralDefinition } from './structural';
import type { KubernetesDefinitions, Rule, Schema, SourceSchema } from './schema';

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
 * @param path for error messages
 */
export function expand(kubernetes: KubernetesDefinitions, source: SourceSchema, path: string = ''): Schema {
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
  const expandFields = (fields: Record<string, SourceSchema>): Record<string, Schema> =>
    expandEach(kubernetes, fields, path);
  let schema = structuralDefinition(kubernetes, $kubernetes, { partial: $partial === true });
  if ($extra) schema = addFields(schema, expandFields($extra), path);
  if ($narrow) schema = narrowFields(schema, $narrow, path);
  if ($override) schema = replaceFields(schema, expandFields($override), path);
  if ($refuse) schema = refuseFields(schema, $refuse, path);
  const rest = expandParts(kubernetes, own, path);
  return $list ? { ...list(schema, $list.type, $list.keys), ...rest } : { ...schema, ...rest };
}

function expandEach(
  kubernetes: KubernetesDefinitions,
  fields: Record<string, SourceSchema>,
  path: string,
): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, expand(kubernetes, field, `${path}.${name}`)]),
  );
}

function expandParts(
  kubernetes: KubernetesDefinitions,
  { properties, items, additionalProperties, ...rest }: SourceSchema,
  path: string,
): Schema {
  return {
    ...rest,
    ...(properties && { properties: expandEach(kubernetes, properties, path) }),
    ...(items && { items: expand(kubernetes, items, `${path}[]`) }),
    ...(additionalProperties && { additionalProperties: expand(kubernetes, additionalProperties, `${path}{}`) }),
  };
}

function changed(schema: Schema): Schema {
  const origin = originOf(schema);
  return origin ? markOrigin(schema, { ...origin, changed: true }) : schema;
}

function addFields(schema: Schema, fields: Record<string, Schema>, path: string): Schema {
  for (const name of Object.keys(fields)) {
    if (schema.properties?.[name]) throw new Error(`${path}: $extra ${name} is there already; use $override`);
  }
  return changed({ ...schema, properties: { ...fields, ...schema.properties } });
}

function replaceFields(schema: Schema, fields: Record<string, Schema>, path: string): Schema {
  for (const name of Object.keys(fields)) {
    if (!schema.properties?.[name]) throw new Error(`${path}: $override ${name} is not a field of the definition`);
  }
  return changed({ ...schema, properties: { ...schema.properties, ...fields } });
}

function narrowFields(schema: Schema, constraints: Record<string, Schema>, path: string): Schema {
  const properties = { ...schema.properties };
  for (const [name, constraint] of Object.entries(constraints)) {
    const field = properties[name];
    if (!field) throw new Error(`${path}: $narrow ${name} is not a field of the definition`);
    for (const key of Object.keys(constraint)) {
      if (!CONSTRAINTS.has(key))
        throw new Error(`${path}: $narrow ${name} may not have ${key}; it would change the type`);
    }
    properties[name] = { ...field, ...constraint };
  }
  return { ...schema, properties };
}

/**
 * Keeps the fields in the schema, in a shape that takes all that is legal for them elsewhere, and refuses them with a
 * rule. Left out, they would only be unknown fields, which are dropped without a word where validation is not strict.
 */
function refuseFields(schema: Schema, hints: Record<string, string>, path: string): Schema {
  const properties = { ...schema.properties };
  const rules: Rule[] = [];
  for (const [name, hint] of Object.entries(hints)) {
    const field = properties[name];
    if (!field) throw new Error(`${path}: $refuse ${name} is not a field of the definition`);
    if (CEL_RESERVED.has(name) || !/^[A-Za-z]\w*$/.test(name))
      throw new Error(`${path}: $refuse ${name} is not a CEL name`);
    properties[name] = markRefused({ ...opened(field), description: `Not allowed here: ${hint}.` }, hint);
    rules.push({ rule: `!has(self.${name})`, message: hint, fieldPath: `.${name}` });
  }
  return changed({
    ...schema,
    properties,
    'x-kubernetes-validations': [...(schema['x-kubernetes-validations'] ?? []), ...rules],
  });
}

/** Only the outer shape. CEL sees no field whose schema has no type, so one schema that takes anything would not do. */
function opened(schema: Schema): Schema {
  if (schema.items) return { type: 'array', 'x-kubernetes-list-type': 'atomic', items: opened(schema.items) };
  if (schema.type === 'object') return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  if (schema['x-kubernetes-int-or-string']) return { 'x-kubernetes-int-or-string': true };
  return schema.type ? { type: schema.type } : {};
}
