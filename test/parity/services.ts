import { type JsonObject } from '../../lib/composition/schema';

const service = (spec: JsonObject): JsonObject => ({
  apiVersion: 'inference.inferno.io/v1alpha1',
  kind: 'InferenceService',
  metadata: { name: 'service' },
  spec,
});

const vllm = (more: JsonObject = {}): JsonObject =>
  service({
    model: { uri: 'hf://org/model', framework: 'vllm', version: 'v1' },
    replicas: { min: 1, max: 3 },
    ...more,
  });

/** Legal services, each with other fields; the random ones grow out of them. */
export const SERVICES: readonly JsonObject[] = [
  vllm(),
  vllm({ resources: { cpu: '4', memory: '16Gi', gpu: 1 }, autoscaling: { enabled: true, targetConcurrency: 10 } }),
  vllm({ resources: { requests: { cpu: '500m', memory: '1Gi' }, limits: { memory: '2Gi' }, gpu: '2' } }),
  vllm({
    args: ['--max-model-len=4096'],
    env: [
      { name: 'A', value: 'b' },
      { name: 'C', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
    ],
  }),
  vllm({ ports: [{ name: 'extra', containerPort: 9000 }], port: 8080, drain: { preStopSeconds: 1 } }),
  vllm({
    startupProbe: { failureThreshold: 3 },
    readinessProbe: { httpGet: { path: '/x', port: 'http' } },
    livenessProbe: { periodSeconds: 5 },
  }),
  vllm({
    volumes: [{ name: 'v', emptyDir: { sizeLimit: '1Gi' } }],
    volumeMounts: [{ name: 'v', mountPath: '/data' }],
    sharedMemory: { sizeLimit: '1Gi' },
    resources: { memory: '8Gi' },
  }),
  vllm({
    nodeSelector: { 'a.b/c': 'd' },
    tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoSchedule' }],
    priorityClassName: 'high',
  }),
  vllm({
    podMetadata: { labels: { team: 'a' }, annotations: { 'x.y/z': 'text' } },
    serviceAccountName: 'sa',
    imagePullSecrets: [{ name: 's' }],
  }),
  vllm({
    sidecars: [{ name: 'side', image: 'i', ports: [{ containerPort: 1234 }] }],
    initContainers: [{ name: 'init', image: 'i', resources: { limits: { cpu: 1 } } }],
  }),
  vllm({
    podTemplate: {
      spec: {
        dnsPolicy: 'ClusterFirst',
        hostAliases: [{ ip: '1.2.3.4', hostnames: ['a'] }],
        containers: [{ name: 'inference-server', tty: true }],
      },
    },
  }),
  service({
    model: { uri: 'pvc://models/llama', framework: 'triton', version: '2' },
    replicas: { min: 0, max: 0 },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } },
    progressDeadlineSeconds: 3600,
    startupBudget: '45m',
  }),
  service({
    model: { uri: '/models/x', framework: 'custom', version: 'a/b:c' },
    replicas: { min: 2, max: 2 },
    image: 'registry.example.com/server:1',
    command: ['serve'],
    argsPolicy: 'Replace',
    securityContext: { runAsNonRoot: true, capabilities: { drop: ['ALL'] } },
    affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
  }),
  service({ model: { uri: '/x', framework: 'fake', version: '1', servedName: 'm' }, replicas: { min: 1, max: 1 } }),
];
