import { storedVersion } from './crd';
import { refusedHint } from './marks';
import { structuralDefinition } from './structural';
import type { CustomResourceDefinition, KubernetesDefinitions, Schema } from './schema';

/** Keys that mean the same in a JSON Schema. */
const SHARED = [
  'description',
  'type',
  'enum',
  'default',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'pattern',
  'required',
] as const;

/**
 * A JSON Schema (draft 7) of a custom resource, for editors: fields that do not exist are errors, and every field of ours
 * has its description. CEL rules have no counterpart in it.
 */
export function editorSchema(kubernetes: KubernetesDefinitions, crd: CustomResourceDefinition, notice: string): string {
  const version = storedVersion(crd);
  const { properties = {}, description } = version.schema.openAPIV3Schema;
  const { apiVersion, kind, spec, status } = properties;
  if (!apiVersion || !kind || !spec || !status)
    throw new Error(`${crd.metadata.name}: the schema has no spec or status`);
  const metadata = structuralDefinition(kubernetes, 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $comment: notice,
    title: crd.spec.names.kind,
    description,
    type: 'object',
    required: ['apiVersion', 'kind', 'metadata', 'spec'],
    properties: {
      apiVersion: { description: apiVersion.description, const: `${crd.spec.group}/${version.name}` },
      kind: { description: kind.description, const: crd.spec.names.kind },
      metadata: jsonSchema(metadata),
      spec: jsonSchema(spec),
      status: jsonSchema(status),
    },
    additionalProperties: false,
  };
  return `${JSON.stringify(schema)}\n`;
}

export function jsonSchema(schema: Schema): Record<string, unknown> {
  const hint = refusedHint(schema);
  // errorMessage and doNotSuggest are words of the language server in VS Code; others ignore them.
  if (hint !== undefined) return { not: {}, description: schema.description, errorMessage: hint, doNotSuggest: true };
  const result: Record<string, unknown> = {};
  for (const key of SHARED) if (schema[key] !== undefined) result[key] = schema[key];
  if (schema['x-kubernetes-int-or-string']) result['type'] = ['integer', 'string'];
  if (schema.format === 'date-time') result['format'] = 'date-time';
  if (schema['x-kubernetes-list-type'] === 'set') result['uniqueItems'] = true;
  if (schema.items) result['items'] = jsonSchema(schema.items);
  if (schema.properties) {
    result['properties'] = Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]) => [name, jsonSchema(field)]),
    );
  }
  if (schema.additionalProperties) result['additionalProperties'] = jsonSchema(schema.additionalProperties);
  else if (schema.type === 'object' && !schema['x-kubernetes-preserve-unknown-fields'])
    result['additionalProperties'] = false;
  return result;
}
