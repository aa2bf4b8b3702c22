import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { originOf, settableFields } from './marks';
import { root } from './paths';
import { ResourceTypes } from './resource-types';
import type { CustomResourceDefinition, KubernetesDefinitions, Schema } from './schema';

/** A field that carries a type in its description and that `cdk8s import` left open. */
const MARKED = /<<(.+?)>> ?([^]*?\n *readonly \w+\??: )any;/g;

/**
 * imports/GROUP.ts: the class for the custom resource, made by `cdk8s import`. Fields with a shape of Kubernetes' and
 * quantities are left open for it and get the types of imports/ afterwards: it would write 16,000 lines for them, and
 * drop every plain value of a quantity on the way to JSON.
 */
export function l1Construct(kubernetes: KubernetesDefinitions, crd: CustomResourceDefinition, notice: string): string {
  const types = new ResourceTypes(kubernetes);
  const used: Set<string> = new Set();
  const source = cdk8sImport(openedCrd(crd, types)).replaceAll(MARKED, (_match, type, rest) => {
    for (const name of type.match(/\b[A-Z]\w+/g) ?? []) used.add(name);
    return `${rest}${type};`;
  });
  if (source.includes('<<')) throw new Error('cdk8s import writes fields in another way than l1.ts expects');
  const fromKubernetes = new Set(types.imports);
  const [first = '', ...lines] = source.split('\n');
  return [
    `${first}. ${notice}`,
    importOf(
      [...used].filter((name) => fromKubernetes.has(name)),
      './k8s',
    ),
    importOf(
      [...used].filter((name) => !fromKubernetes.has(name)),
      './inference-service',
    ),
    ...lines,
  ].join('\n');
}

function importOf(names: readonly string[], from: string): string {
  return `import type {\n${names
    .toSorted()
    .map((name) => `  ${name},\n`)
    .join('')}} from '${from}';`;
}

function cdk8sImport(crd: CustomResourceDefinition): string {
  const folder = mkdtempSync(join(tmpdir(), 'cdk8s-import-'));
  try {
    const file = join(folder, 'crd.json');
    writeFileSync(file, JSON.stringify(crd));
    const cli = join(root, 'node_modules/cdk8s-cli/bin/cdk8s');
    const options = ['--language', 'typescript', '--output', folder, '--no-save', '--check-upgrade=false'];
    execFileSync(process.execPath, [cli, 'import', file, ...options], { cwd: folder, stdio: 'pipe' });
    return readFileSync(join(folder, `${crd.spec.group}.ts`), 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function openedCrd(crd: CustomResourceDefinition, types: ResourceTypes): CustomResourceDefinition {
  const { kind } = crd.spec.names;
  const versions = crd.spec.versions.map((version) => {
    const { description, properties: { spec = {} } = {}, required = [] } = version.schema.openAPIV3Schema;
    const schema: Schema = {
      type: 'object',
      ...(description && { description }),
      required,
      properties: { metadata: { type: 'object' }, spec: opened(spec, `${kind}Spec`, types) },
    };
    return { ...version, schema: { openAPIV3Schema: schema } };
  });
  return { ...crd, spec: { ...crd.spec, versions } };
}

function opened(schema: Schema, name: string, types: ResourceTypes): Schema {
  if (isTypedByUs(schema)) {
    const description = `<<${types.typeOf(schema, name)}>> ${schema.description ?? ''}`;
    return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, description };
  }
  const fields = settableFields(schema).map(([field, value]) => [
    field,
    opened(value, name + field.charAt(0).toUpperCase() + field.slice(1), types),
  ]);
  return {
    ...schema,
    ...(schema.properties && { properties: Object.fromEntries(fields) }),
    ...(schema.items && { items: opened(schema.items, `${name}Item`, types) }),
  };
}

function isTypedByUs(schema: Schema | undefined): boolean {
  if (!schema) return false;
  if (originOf(schema) || schema['x-kubernetes-int-or-string']) return true;
  return isTypedByUs(schema.items) || isTypedByUs(schema.additionalProperties);
}
