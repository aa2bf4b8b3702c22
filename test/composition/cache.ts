import type { Construct } from 'constructs';
import {
  Child,
  defineComposition,
  Kinds,
  type ComposeContext,
  type Composition,
  type CompositionProps,
  type CustomResourceDefinition,
  type Resource,
} from '../../lib/composition';

export interface CacheSpec {
  readonly size: 'small' | 'large';
  readonly replicas: number;
  readonly settings?: { readonly [key: string]: string };
}
export type Cache = Resource<CacheSpec, { readonly phase: string }>;

export const crd: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'caches.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Cache', plural: 'caches' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                properties: {
                  size: { type: 'string', enum: ['small', 'large'], default: 'small' },
                  replicas: { type: 'integer', minimum: 0, default: 1 },
                  settings: { type: 'object', additionalProperties: { type: 'string' } },
                },
              },
              status: { type: 'object', properties: { phase: { type: 'string' } } },
            },
          },
        },
      },
    ],
  },
};

/** A composition that hands its scope, resource and context to a function. */
export function cacheOf(
  compose: (scope: Construct, resource: Cache, context: ComposeContext) => void,
  props: Partial<CompositionProps<Cache>> = {},
): Composition<Cache> {
  return defineComposition({
    crd,
    children: [Kinds.ConfigMap, Kinds.Deployment, Kinds.Service],
    compose,
    project: () => ({ phase: 'Running' }),
    ...props,
  });
}

/** One ConfigMap with the settings, in the order in which `compose` finds them. */
export const settings = cacheOf((scope, { metadata, spec }) => {
  new Child(scope, 'settings', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: metadata.name },
    data: { order: Object.keys({ ...spec, ...spec.settings }).join(' '), ...spec.settings },
  });
});

export const cache = {
  apiVersion: 'example.com/v1',
  kind: 'Cache',
  metadata: { name: 'sessions', namespace: 'team' },
  spec: {},
};
