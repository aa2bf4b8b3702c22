// @ts-check
import { Document, isMap, visit } from 'yaml';
import { expand } from './expand.mjs';

/** @import { CustomResourceDefinition, KubernetesDefinitions, SourceSchema } from './schema.d.ts' */

/** Bytes that an object's annotations may have: client-side `kubectl apply` keeps the whole CRD in one. */
const LIMIT = 262_144;

/**
 * @param {KubernetesDefinitions} kubernetes
 * @param {CustomResourceDefinition<SourceSchema>} source
 * @returns {CustomResourceDefinition}
 */
export function expandCrd(kubernetes, source) {
  refuseNull(source, '');
  const crd = {
    ...source,
    spec: {
      ...source.spec,
      versions: source.spec.versions.map((version) => ({
        ...version,
        schema: { openAPIV3Schema: expand(kubernetes, version.schema.openAPIV3Schema, version.name) },
      })),
    },
  };
  checkSize(crd);
  return crd;
}

/**
 * A null in the source is a slip: in `{ description: a, b }` YAML reads b as a key.
 * @param {unknown} node
 * @param {string} path
 */
function refuseNull(node, path) {
  if (node === null) throw new Error(`${path} is null; quote a text that has a comma, and give every key a value`);
  if (typeof node !== 'object') return;
  for (const [key, value] of Object.entries(node)) refuseNull(value, path ? `${path}.${key}` : key);
}

/**
 * Bytes of the CRD as kubectl keeps it: JSON without white space, with <, > and & escaped as Go does.
 * @param {CustomResourceDefinition} crd
 * @returns {number}
 */
export function sizeOf(crd) {
  return Buffer.byteLength(JSON.stringify(crd).replaceAll(/[<>&]/g, String.raw`\u0000`));
}

/**
 * @param {CustomResourceDefinition} crd
 * @returns {CustomResourceDefinition['spec']['versions'][number]}
 */
export function storedVersion(crd) {
  const version = crd.spec.versions.find(({ storage }) => storage);
  if (!version) throw new Error(`${crd.metadata.name}: no version is stored`);
  return version;
}

/** @param {CustomResourceDefinition} crd */
function checkSize(crd) {
  const size = sizeOf(crd);
  if (size >= LIMIT) {
    throw new Error(`the CRD ${crd.metadata.name} has ${size} bytes as JSON; kubectl apply takes fewer than ${LIMIT}`);
  }
}

/**
 * The CRD for people and kubectl. What has no description, so comes from Kubernetes' own definitions, is a line each: as
 * blocks these would be twice the size, and hide the rest.
 * @param {CustomResourceDefinition} crd
 * @param {string} notice
 * @returns {string}
 */
export function crdYaml(crd, notice) {
  const document = new Document(crd, { aliasDuplicateObjects: false });
  visit(document, {
    Pair: (_key, { key, value }) => {
      if (!isMap(value) || ['metadata', 'names'].includes(String(key)) || describes(value.toJSON())) return undefined;
      value.flow = true;
      return visit.SKIP;
    },
  });
  return `# ${notice}\n${document.toString({ lineWidth: 0, flowCollectionPadding: false })}`;
}

/**
 * @param {unknown} value
 * @returns {boolean}
 */
function describes(value) {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, 'description') || Object.values(value).some(describes);
}

/**
 * @param {CustomResourceDefinition} crd
 * @returns {string}
 */
export function crdJson(crd) {
  return `${JSON.stringify(crd)}\n`;
}
