import { custom, fake, type GoodCase, service, triton, vllm } from './case';

/** Each engine, and each place that it takes models from. */
export const engines: readonly GoodCase[] = [
  { title: 'fake with nothing but the required fields', resource: service('fake-least', fake) },
  { title: 'vllm with nothing but the required fields', resource: service('vllm-least', vllm) },
  { title: 'triton with nothing but the required fields', resource: service('triton-least', triton) },
  { title: 'custom with nothing but the required fields', resource: service('custom-least', custom) },
  {
    title: 'vllm with a revision, a served name and a token',
    resource: service('vllm-gated', vllm, {
      model: {
        uri: 'hf://meta-llama/Llama-3.1-8B-Instruct',
        framework: 'vllm',
        version: '3.1',
        revision: 'refs/pr/42',
        servedName: 'meta-llama/Llama-3.1-8B-Instruct',
        secretRef: { name: 'hf-token', key: 'token', optional: true },
      },
      resources: { cpu: 8, memory: '64Gi', gpu: 1 },
    }),
  },
  {
    title: 'vllm with a token under the usual key',
    resource: service('vllm-token', vllm, { model: { ...vllm.model, secretRef: { name: 'hf-token' } } }),
  },
  ...[
    ['vllm-pvc', 'pvc://models/llama/3.1'],
    ['vllm-pvc-root', 'pvc://models'],
    ['vllm-pvc-slash', 'pvc://models/llama/'],
    ['vllm-file', 'file:///srv/models/llama'],
    ['vllm-path', '/srv/models/llama'],
    ['vllm-s3', 's3://bucket/llama'],
    ['vllm-gs', 'gs://bucket/llama'],
  ].map(([name = '', uri = '']) => ({
    title: `vllm with a model at ${uri}`,
    resource: service(name, vllm, { model: { ...vllm.model, uri } }),
  })),
  ...[
    ['triton-pvc-root', 'pvc://models'],
    ['triton-file', 'file:///models'],
    ['triton-path', '/models'],
    ['triton-s3', 's3://https://minio.example.com:9000/bucket/repository'],
    ['triton-gs', 'gs://bucket/repository'],
    ['triton-as', 'as://account/container/repository'],
  ].map(([name = '', uri = '']) => ({
    title: `triton with a repository at ${uri}`,
    resource: service(name, triton, { model: { ...triton.model, uri } }),
  })),
  {
    title: 'fake with a claim and a served name',
    resource: service('fake-pvc', fake, {
      model: { uri: 'pvc://models/echo', framework: 'fake', version: 'v1', servedName: 'echo' },
    }),
  },
  {
    title: 'custom with a claim',
    resource: service('custom-pvc', custom, { model: { ...custom.model, uri: 'pvc://models.team-a/own' } }),
  },
  {
    title: 'custom with a gated repository and a token',
    resource: service('custom-hf', custom, {
      model: { uri: 'hf://org/model', framework: 'custom', version: '1', secretRef: { name: 'hf-token' } },
    }),
  },
];
