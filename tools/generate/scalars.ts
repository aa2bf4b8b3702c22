import type { Schema } from './schema';
/**
 * A quantity. The pattern is the grammar of k8s.io/apimachinery's ParseQuantity, without exponents of three digits and
 * more: those overflow it, so that the CEL function quantity() and the kinds we render would refuse them later. The
 * length keeps the estimated cost of rules small.
 */
export function quantity(): Schema {
  return {
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    'x-kubernetes-int-or-string': true,
    pattern: '^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,2})?$',
    maxLength: 32,
  };
}

/** Definitions that are one value, however they look in the OpenAPI document: schema and TypeScript type. */
export const scalars: Readonly<Record<string, { schema: () => Schema; type: string }>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { schema: quantity, type: 'number | string' },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': {
    schema: () => ({ anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true }),
    type: 'number | string',
  },
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': {
    schema: () => ({ type: 'string', format: 'date-time' }),
    type: 'string',
  },
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': {
    schema: () => ({ type: 'string', format: 'date-time' }),
    type: 'string',
  },
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': {
    schema: () => ({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
    type: '{ readonly [field: string]: unknown }',
  },
};
