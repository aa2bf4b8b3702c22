import { findingText } from '../../lib/composition';
import {
  type Admission,
  type CustomResourceDefinition,
  CrdSchema,
  type JsonObject,
  type JsonSchema,
} from '../../lib/composition/schema';

/** A CRD of kind Thing with the given schema for its spec. */
export function crdOf(spec: JsonSchema, root: JsonSchema = {}): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Thing', plural: 'things' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', ...root, properties: { spec, status: { type: 'object' } } } },
        },
      ],
    },
  };
}

/** The admission of a Thing with the given spec. */
export function admit(schema: JsonSchema, spec: unknown, metadata: unknown = { name: 'a' }): Admission<JsonObject> {
  return new CrdSchema(crdOf(schema)).admit({ apiVersion: 'example.com/v1', kind: 'Thing', metadata, spec });
}

/** The errors, as `path: message`. */
export function errorsOf(admission: Admission<unknown>): readonly string[] {
  return admission.valid ? [] : admission.errors.map(findingText);
}
