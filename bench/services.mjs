// The services that are rendered: all different, all with an autoscaler, so that each has three children.

/** Custom resources, as a user writes them. */
export function services(count) {
  return Array.from({ length: count }, (_, index) => ({
    apiVersion: 'inference.inferno.io/v1alpha1',
    kind: 'InferenceService',
    metadata: { name: `llama-${index}`, namespace: `team-${index % 50}` },
    spec: {
      model: {
        uri: `hf://organisation-${index % 50}/model-${index}`,
        framework: 'vllm',
        version: `1.${index}`,
        secretRef: { name: 'hugging-face' },
      },
      replicas: { min: 1 + (index % 3), max: 8 },
      autoscaling: { enabled: true },
      resources: { cpu: 8, memory: '64Gi', gpu: 1 + (index % 4) },
      args: ['--max-model-len=32768', '--gpu-memory-utilization=0.9'],
      env: [{ name: 'VLLM_LOGGING_LEVEL', value: 'INFO' }],
      nodeSelector: { 'nvidia.com/gpu.product': 'NVIDIA-A100-SXM4-80GB' },
      tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' }],
    },
  }));
}
