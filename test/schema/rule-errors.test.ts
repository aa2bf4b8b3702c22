import { inferenceServiceSchema } from '../../lib/inference/crd';

const resource = (memory: unknown) => ({
  apiVersion: 'inference.inferno.io/v1alpha1',
  kind: 'InferenceService',
  metadata: { name: 'demo' },
  spec: {
    model: { uri: 'demo', framework: 'fake', version: '1' },
    replicas: { min: 1, max: 1 },
    resources: { memory },
    sharedMemory: { sizeLimit: '1Gi' },
  },
});

test('a value that its pattern refuses is not reported again by the rules that cannot read it', () => {
  const admission = inferenceServiceSchema.admit(resource('32 GB'));
  const errors = admission.valid ? [] : admission.errors;
  expect(errors.map(({ path }) => path)).toEqual([['spec', 'resources', 'memory']]);
  expect(errors[0]?.message).toContain('"32 GB"');
});
