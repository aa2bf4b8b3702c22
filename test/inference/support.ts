import { inferenceServiceComposition, type AdmittedInferenceService } from '../../lib/inference';
import { inferenceServiceSchema } from '../../lib/inference/crd';
import { synthesize } from '../../lib/composition/synthesize';
import { formatPath, type Finding } from '../../lib/composition';
import type { Container, Deployment, HorizontalPodAutoscaler, PodSpec, Service } from '../../imports/k8s';
import type { InferenceServiceSpec } from '../../imports/inference-service';

/** A spec of which a test says only what it is about. */
export type SpecChange = Partial<InferenceServiceSpec>;

export const models = {
  vllm: { uri: 'hf://org/model', framework: 'vllm', version: '1' },
  triton: { uri: 's3://bucket/models', framework: 'triton', version: '1' },
  fake: { uri: 'demo://model', framework: 'fake', version: '1' },
  custom: { uri: 'demo://model', framework: 'custom', version: '1' },
} as const;

export function resource(spec: SpecChange = {}, name = 'demo'): unknown {
  return {
    apiVersion: 'inference.inferno.io/v1alpha1',
    kind: 'InferenceService',
    metadata: { name, namespace: 'default' },
    spec: { model: models.vllm, replicas: { min: 1, max: 1 }, ...spec },
  };
}

/** The children of a resource, and what was warned of. */
export interface Rendered {
  readonly deployment: Deployment;
  readonly service: Service;
  readonly autoscaler: HorizontalPodAutoscaler | undefined;
  readonly pod: PodSpec;
  readonly server: Container;
  readonly warnings: readonly Finding[];
}

/** What the whole machinery makes of a resource. */
export function render(spec: SpecChange = {}, name = 'demo'): Rendered {
  const result = synthesize(inferenceServiceComposition, resource(spec, name));
  if (!result.valid) throw new Error(JSON.stringify(result.errors));
  const one = (kind: string) => result.manifests.find((manifest) => manifest.kind === kind);
  const deployment = one('Deployment') as Deployment | undefined;
  const service = one('Service') as Service | undefined;
  const pod = deployment?.spec.template.spec;
  const server = pod?.containers[0];
  if (!deployment || !service || !pod || !server) throw new Error('a child is missing');
  return {
    deployment,
    service,
    autoscaler: one('HorizontalPodAutoscaler') as HorizontalPodAutoscaler | undefined,
    pod,
    server,
    warnings: result.warnings,
  };
}

/** The paths of what is wrong with a resource. */
export function refusals(spec: SpecChange, name = 'demo'): readonly string[] {
  const result = synthesize(inferenceServiceComposition, resource(spec, name));
  return result.valid ? [] : result.errors.map(({ path }) => formatPath(path));
}

/** A resource with its defaults filled in. */
export function admitted(spec: SpecChange = {}, name = 'demo'): AdmittedInferenceService {
  const admission = inferenceServiceSchema.admit<AdmittedInferenceService>(resource(spec, name));
  if (!admission.valid) throw new Error(JSON.stringify(admission.errors));
  return admission.resource;
}

/** A small seeded generator of numbers from 0 up to 1, so that a failing property can be repeated. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
