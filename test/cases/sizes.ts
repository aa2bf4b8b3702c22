import { custom, fake, type GoodCase, service, triton, vllm } from './case';

/** Replicas, autoscaling and resources. */
export const sizes: readonly GoodCase[] = [
  { title: 'parked', resource: service('parked', vllm, { replicas: { min: 0, max: 0 } }) },
  {
    title: 'parked with an autoscaler that would be on',
    resource: service('parked-autoscaling', vllm, {
      replicas: { min: 0, max: 0 },
      autoscaling: { enabled: true, maxReplicas: 4 },
    }),
  },
  { title: 'no replicas for now', resource: service('zero-of-three', fake, { replicas: { min: 0, max: 3 } }) },
  { title: 'several replicas', resource: service('three', fake, { replicas: { min: 3, max: 3 } }) },
  {
    title: 'scaled on CPU between replicas.min and replicas.max',
    resource: service('cpu-scaled', vllm, { replicas: { min: 2, max: 8 }, autoscaling: { enabled: true } }),
  },
  {
    title: 'scaled on running requests between bounds of the autoscaler',
    resource: service('concurrency-scaled', vllm, {
      replicas: { min: 0, max: 1 },
      autoscaling: { enabled: true, targetConcurrency: 16, minReplicas: 1, maxReplicas: 10 },
    }),
  },
  {
    title: 'triton scaled on pending requests',
    resource: service('triton-scaled', triton, { autoscaling: { enabled: true, targetConcurrency: 1 } }),
  },
  {
    title: 'fake scaled on running requests',
    resource: service('fake-scaled', fake, {
      replicas: { min: 1, max: 2147483647 },
      autoscaling: { enabled: true, targetConcurrency: 2147483647 },
    }),
  },
  { title: 'custom scaled on CPU', resource: service('custom-scaled', custom, { autoscaling: { enabled: true } }) },
  {
    title: 'an autoscaler that is switched off keeps its settings',
    resource: service('not-scaled', fake, {
      replicas: { min: 2, max: 5 },
      autoscaling: { enabled: false, targetConcurrency: 3, minReplicas: 4, maxReplicas: 2 },
    }),
  },
  {
    title: 'whole numbers as quantities',
    resource: service('whole', vllm, { resources: { cpu: 4, memory: 17179869184, gpu: 2 } }),
  },
  {
    title: 'millicores and binary units',
    resource: service('usual', vllm, { resources: { cpu: '500m', memory: '16Gi', gpu: '1' } }),
  },
  {
    title: 'fractions and decimal units',
    resource: service('decimal', fake, { resources: { cpu: '0.1', memory: '1.5G' } }),
  },
  {
    title: 'exponents and signs',
    resource: service('exponents', fake, { resources: { cpu: '+2', memory: '1e9' } }),
  },
  {
    title: 'odd but legal notations',
    resource: service('odd', fake, {
      resources: { requests: { cpu: '.5', memory: '128974848000m', 'ephemeral-storage': '1E' }, limits: { cpu: '1.' } },
    }),
  },
  {
    title: 'the smallest units',
    resource: service('smallest', fake, { resources: { requests: { cpu: '1500000u', memory: '1Ki' } } }),
  },
  {
    title: 'gpu 0 says that no GPU is seen',
    resource: service('no-gpu', vllm, { resources: { cpu: 2, memory: '8Gi', gpu: 0 } }),
  },
  {
    title: 'gpu as a quantity with a suffix',
    resource: service('kilo-gpu', vllm, { resources: { gpu: '1k' } }),
  },
  {
    title: 'a slice of a GPU',
    resource: service('mig', vllm, { resources: { gpu: 1, gpuResourceName: 'nvidia.com/mig-1g.5gb' } }),
  },
  {
    title: 'several GPUs of AMD in several replicas',
    resource: service('amd', vllm, {
      replicas: { min: 2, max: 2 },
      resources: { gpu: 8, gpuResourceName: 'amd.com/gpu' },
    }),
  },
  {
    title: 'the full form of resources',
    resource: service('full', triton, {
      resources: {
        requests: { cpu: '2', memory: '8Gi', 'nvidia.com/gpu': '1', 'ephemeral-storage': '10Gi' },
        limits: { cpu: '4', memory: '16Gi', 'nvidia.com/gpu': 1, 'ephemeral-storage': '20Gi' },
      },
    }),
  },
  {
    title: 'short and full form together',
    resource: service('mixed', triton, {
      resources: { cpu: '2', memory: '8Gi', gpu: 1, limits: { cpu: '4', 'ephemeral-storage': '20Gi' } },
    }),
  },
  {
    title: 'limits only',
    resource: service('limits', fake, { resources: { limits: { cpu: 1, memory: '1Gi', 'hugepages-2Mi': '2Mi' } } }),
  },
  {
    title: 'dynamically allocated devices',
    resource: service('devices', vllm, {
      resourceClaims: [
        { name: 'gpu', resourceClaimTemplateName: 'one-gpu' },
        { name: 'nic', resourceClaimName: 'shared-nic' },
      ],
      resources: { cpu: 2, claims: [{ name: 'gpu', request: 'gpu' }, { name: 'nic' }] },
    }),
  },
];
