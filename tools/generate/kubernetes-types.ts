import { definition, referenceOf } from './definitions';
import { kubernetesKinds } from './kubernetes-kinds';
import { scalars } from './scalars';
import { arrayOf, docComment, literal, mapOf, propertyName } from './typescript';
import type { Definition, KubernetesDefinitions } from './schema';

/**
 * The name of each definition's interface: the last part of its own, behind the API group's where that is taken.
 * @returns from the full name of the definition
 */
export function kubernetesTypeNames(kubernetes: KubernetesDefinitions): ReadonlyMap<string, string> {
  const names: Map<string, string> = new Map();
  const taken = new Set();
  // Kinds first: Job is Kubernetes' Job, even if something else has that name.
  for (const id of [...kubernetesKinds, ...Object.keys(kubernetes.definitions)]) {
    if (names.has(id) || id in scalars) continue;
    const parts = id.split('.');
    const short = parts.at(-1) ?? id;
    const group = parts.at(-3) ?? '';
    const name = taken.has(short) ? group.charAt(0).toUpperCase() + group.slice(1) + short : short;
    if (taken.has(name)) throw new Error(`two definitions would be called ${name}; the second is ${id}`);
    taken.add(name);
    names.set(id, name);
  }
  return names;
}

/** imports/k8s.ts: an interface for each definition. */
export function kubernetesTypes(kubernetes: KubernetesDefinitions, notice: string): string {
  const names = kubernetesTypeNames(kubernetes);
  const interfaces = [...names]
    .toSorted(([, a], [, b]) => (a < b ? -1 : 1))
    .map(([id, name]) => emitInterface(definition(kubernetes, id), id, name, names));
  return `// ${notice}\n// Plain JSON types of Kubernetes ${kubernetes.kubernetes}.\n\n${interfaces.join('\n')}`;
}

function emitInterface(schema: Definition, id: string, name: string, names: ReadonlyMap<string, string>): string {
  const kind = schema['x-kubernetes-group-version-kind']?.find((entry) => entry.kind === id.split('.').at(-1));
  const apiVersion = kind && (kind.group ? `${kind.group}/${kind.version}` : kind.version);
  const fields = Object.entries(schema.properties ?? {}).map(([field, value]) => {
    if (kind && field === 'apiVersion') return `  readonly apiVersion: ${literal(apiVersion)};\n`;
    if (kind && field === 'kind') return `  readonly kind: ${literal(kind.kind)};\n`;
    const optional = schema.required?.includes(field) ? '' : '?';
    return `  readonly ${propertyName(field)}${optional}: ${kubernetesType(value, names)};\n`;
  });
  const doc = docComment([`${kind ? `${apiVersion} ${kind.kind}` : id}.`]);
  return fields.length > 0
    ? `${doc}export interface ${name} {\n${fields.join('')}}\n`
    : `${doc}export type ${name} = { readonly [field: string]: unknown };\n`;
}

function kubernetesType(schema: Definition, names: ReadonlyMap<string, string>): string {
  const reference = referenceOf(schema);
  if (reference !== undefined) {
    const name = scalars[reference]?.type ?? names.get(reference);
    if (name === undefined) throw new Error(`no type for the definition ${reference}`);
    return name;
  }
  switch (schema.type) {
    case 'array':
      return schema.items ? arrayOf(kubernetesType(schema.items, names)) : 'readonly unknown[]';
    case 'object':
      return mapOf(schema.additionalProperties ? kubernetesType(schema.additionalProperties, names) : 'unknown');
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
      return schema.type;
    default:
      return 'unknown';
  }
}
