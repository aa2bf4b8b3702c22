import { Document, isMap, visit } from 'yaml';
import { expand } from './expand';
import type { CustomResourceDefinition, KubernetesDefinitions, SourceSchema } from './schema';

/** Bytes that an object's annotations may have: client-side `kubectl apply` keeps the whole CRD in one. */
const LIMIT = 262_144;

export function expandCrd(
  kubernetes: KubernetesDefinitions,
  source: CustomResourceDefinition<SourceSchema>,
): CustomResourceDefinition {
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

/** A null in the source is a slip: in `{ description: a, b }` YAML reads b as a key. */
function refuseNull(node: unknown, path: string): void {
  if (node === null) throw new Error(`${path} is null; quote a text that has a comma, and give every key a value`);
  if (typeof node !== 'object') return;
  for (const [key, value] of Object.entries(node)) refuseNull(value, path ? `${path}.${key}` : key);
}

/** Bytes of the CRD as kubectl keeps it: JSON without white space, with <, > and & escaped as Go does. */
export function sizeOf(crd: CustomResourceDefinition): number {
  return Buffer.byteLength(JSON.stringify(crd).replaceAll(/[<>&]/g, String.raw`\u0000`));
}

export function storedVersion(crd: CustomResourceDefinition): CustomResourceDefinition['spec']['versions'][number] {
  const version = crd.spec.versions.find(({ storage }) => storage);
  if (!version) throw new Error(`${crd.metadata.name}: no version is stored`);
  return version;
}

function checkSize(crd: CustomResourceDefinition): void {
  const size = sizeOf(crd);
  if (size >= LIMIT) {
    throw new Error(`the CRD ${crd.metadata.name} has ${size} bytes as JSON; kubectl apply takes fewer than ${LIMIT}`);
  }
}

/**
 * The CRD for people and kubectl. What has no description, so comes from Kubernetes' own definitions, is a line each: as
 * blocks these would be twice the size, and hide the rest.
 */
export function crdYaml(crd: CustomResourceDefinition, notice: string): string {
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

function describes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, 'description') || Object.values(value).some(describes);
}

export function crdJson(crd: CustomResourceDefinition): string {
  return `${JSON.stringify(crd)}\n`;
}
