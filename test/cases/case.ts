import type { InferenceServiceResource, InferenceServiceSpec } from '../../imports/inference-service';

/** A resource that the API server admits and whose children it takes. */
export interface GoodCase {
  /** What is special about it. */
  readonly title: string;
  readonly resource: InferenceServiceResource;
}

/** A resource that is refused. It is not typed as an InferenceService, since it is none. */
export interface BadCase {
  readonly title: string;
  readonly resource: { readonly [field: string]: unknown };
  /** The field that the refusal names: the end of its path. */
  readonly field: string;
}

export type Metadata = InferenceServiceResource['metadata'];

/** The least that a service needs. */
export const fake: InferenceServiceSpec = {
  model: { uri: 'fake://echo', framework: 'fake', version: 'v1' },
  replicas: { min: 1, max: 1 },
};

/** vLLM with a small model. */
export const vllm: InferenceServiceSpec = {
  model: { uri: 'hf://Qwen/Qwen3-0.6B', framework: 'vllm', version: '2025-04' },
  replicas: { min: 1, max: 1 },
};

/** Triton with a model repository in a claim. */
export const triton: InferenceServiceSpec = {
  model: { uri: 'pvc://models/resnet', framework: 'triton', version: '3' },
  replicas: { min: 1, max: 1 },
};

/** A server of one's own. */
export const custom: InferenceServiceSpec = {
  model: { uri: 'anything at all', framework: 'custom', version: '1' },
  replicas: { min: 1, max: 1 },
  image: 'registry.example.com/team/server:1.2.3',
};

/** Makes the resource of that name from a spec and what is special about it. */
export function service(
  name: string,
  base: InferenceServiceSpec,
  more: Partial<InferenceServiceSpec> = {},
  metadata: Partial<Metadata> = {},
): InferenceServiceResource {
  return {
    apiVersion: 'inference.inferno.io/v1alpha1',
    kind: 'InferenceService',
    metadata: { name, namespace: 'models', ...metadata },
    spec: { ...base, ...more },
  };
}
