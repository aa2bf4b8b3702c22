// @ts-check
import { definition, referenceOf } from './definitions.mjs';
import { kubernetesKinds } from './kubernetes-kinds.mjs';
import { scalars } from './scalars.mjs';
import { arrayOf, docComment, literal, mapOf, propertyName } from './typescript.mjs';

/** @import { Definition, KubernetesDefinitions } from './schema.d.ts' */

/**
 * The name of each definition's interface: the last part of its own, behind the API group's where that is taken.
 * @param {KubernetesDefinitions} kubernetes
 * @returns {ReadonlyMap<string, string>} from the full name of the definition
 */
export function kubernetesTypeNames(kubernetes) {
  /** @type {Map<string, string>} */
  const names = new Map();
  const taken = new Set();
  // Kinds first: Job is Kubernetes' Job, whatever else is called so.
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

/**
 * imports/k8s.ts: an interface for each definition.
 * @param {KubernetesDefinitions} kubernetes
 * @param {string} notice
 * @returns {string}
 */
export function kubernetesTypes(kubernetes, notice) {
  const names = kubernetesTypeNames(kubernetes);
  const interfaces = [...names]
    .toSorted(([, a], [, b]) => (a < b ? -1 : 1))
    .map(([id, name]) => emitInterface(definition(kubernetes, id), id, name, names));
  return `// ${notice}\n// Plain JSON types of Kubernetes ${kubernetes.kubernetes}.\n\n${interfaces.join('\n')}`;
}

/**
 * @param {Definition} schema
 * @param {string} id
 * @param {string} name
 * @param {ReadonlyMap<string, string>} names
 * @returns {string}
 */
function emitInterface(schema, id, name, names) {
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

/**
 * @param {Definition} schema
 * @param {ReadonlyMap<string, string>} names
 * @returns {string}
 */
function kubernetesType(schema, names) {
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
