import { Document, isMap, visit } from 'yaml';
import { writeObject } from '../cli/output/format';
import type { Manifest } from '../lib/composition';

/** Objects as the documents of one file. */
export function yamlFile(objects: readonly Manifest[]): string {
  return objects.map(yamlDocument).join('---\n');
}

/** A definition as in `crds/`: what has no description, so comes from Kubernetes' own definitions, is a line each. */
export function yamlDocument(object: Manifest): string {
  if (object.kind !== 'CustomResourceDefinition') return writeObject(object, 'yaml');
  const document = new Document(object, { aliasDuplicateObjects: false });
  visit(document, {
    Pair: (_key, { key, value }) => {
      if (!isMap(value) || ['metadata', 'names'].includes(String(key)) || describes(value.toJSON())) return undefined;
      value.flow = true;
      return visit.SKIP;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function describes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) => key === 'description' || describes(member));
}
