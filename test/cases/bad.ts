import type { InferenceServiceSpec } from '../../imports/inference-service';
import { type BadCase, custom, fake, service, triton, vllm } from './case';

/** A service with fields that no type would allow. */
function wrong(spec: InferenceServiceSpec, more: { readonly [field: string]: unknown }): BadCase['resource'] {
  const good = service('bad', spec);
  return { ...good, spec: { ...good.spec, ...more } };
}

function model(spec: InferenceServiceSpec, more: { readonly [field: string]: unknown }): BadCase['resource'] {
  return wrong(spec, { model: { ...spec.model, ...more } });
}

function without(spec: InferenceServiceSpec, field: keyof InferenceServiceSpec): BadCase['resource'] {
  const { [field]: _, ...rest } = spec;
  return { ...service('bad', spec), spec: rest };
}

/** Resources that are refused, with the field that the refusal names. */
export const badCases: readonly BadCase[] = [
  { title: 'no spec', resource: { ...service('bad', fake), spec: undefined }, field: 'spec' },
  { title: 'no model', resource: without(fake, 'model'), field: 'spec.model' },
  { title: 'no replicas', resource: without(fake, 'replicas'), field: 'spec.replicas' },
  { title: 'no uri', resource: model(fake, { uri: undefined }), field: 'spec.model.uri' },
  { title: 'an empty uri', resource: model(fake, { uri: '' }), field: 'spec.model.uri' },
  { title: 'an unknown framework', resource: model(fake, { framework: 'tensorflow' }), field: 'spec.model.framework' },
  { title: 'a version that is a number', resource: model(fake, { version: 1 }), field: 'spec.model.version' },
  { title: 'an empty version', resource: model(fake, { version: '' }), field: 'spec.model.version' },
  { title: 'an unknown field', resource: wrong(fake, { modle: {} }), field: 'spec.modle' },
  { title: 'an unknown field in the model', resource: model(fake, { url: 'x' }), field: 'spec.model.url' },
  {
    title: 'an unknown field in a toleration',
    resource: wrong(fake, { tolerations: [{ kee: 'gpu' }] }),
    field: 'spec.tolerations[0].kee',
  },
  { title: 'a name that is too long', resource: { ...service('b'.repeat(64), fake) }, field: 'metadata.name' },
  { title: 'a name with capitals', resource: { ...service('Bad', fake) }, field: 'metadata.name' },
  { title: 'min above max', resource: wrong(fake, { replicas: { min: 3, max: 2 } }), field: 'spec.replicas.min' },
  { title: 'a negative min', resource: wrong(fake, { replicas: { min: -1, max: 2 } }), field: 'spec.replicas.min' },
  { title: 'replicas as text', resource: wrong(fake, { replicas: { min: '1', max: 2 } }), field: 'spec.replicas.min' },
  { title: 'half a replica', resource: wrong(fake, { replicas: { min: 1, max: 1.5 } }), field: 'spec.replicas.max' },
  { title: 'no max', resource: wrong(fake, { replicas: { min: 1 } }), field: 'spec.replicas.max' },
  {
    title: 'an autoscaler without a least number of pods',
    resource: wrong(fake, { replicas: { min: 0, max: 2 }, autoscaling: { enabled: true } }),
    field: 'spec.autoscaling',
  },
  {
    title: 'an autoscaler whose bounds are crossed',
    resource: wrong(fake, { autoscaling: { enabled: true, minReplicas: 3, maxReplicas: 2 } }),
    field: 'spec.autoscaling',
  },
  {
    title: 'autoscaling without enabled',
    resource: wrong(fake, { autoscaling: { minReplicas: 3 } }),
    field: 'spec.autoscaling.enabled',
  },
  {
    title: 'a target concurrency of 0',
    resource: wrong(vllm, { autoscaling: { enabled: true, targetConcurrency: 0 } }),
    field: 'spec.autoscaling.targetConcurrency',
  },
  {
    title: 'a target concurrency for custom',
    resource: wrong(custom, { autoscaling: { enabled: true, targetConcurrency: 4 } }),
    field: 'spec.autoscaling.targetConcurrency',
  },
  { title: 'a GPU and a half', resource: wrong(vllm, { resources: { gpu: '1.5' } }), field: 'spec.resources.gpu' },
  { title: 'fewer GPUs than none', resource: wrong(vllm, { resources: { gpu: -1 } }), field: 'spec.resources.gpu' },
  {
    title: 'a quantity of no notation',
    resource: wrong(fake, { resources: { cpu: '2 cores' } }),
    field: 'spec.resources.cpu',
  },
  { title: 'a negative quantity', resource: wrong(fake, { resources: { memory: '-1Gi' } }), field: 'spec.resources' },
  {
    title: 'memory said twice',
    resource: wrong(fake, { resources: { memory: '1Gi', limits: { memory: '2Gi' } } }),
    field: 'spec.resources.memory',
  },
  {
    title: 'a request above its limit',
    resource: wrong(fake, { resources: { requests: { cpu: 2 }, limits: { cpu: '500m' } } }),
    field: 'spec.resources.requests',
  },
  {
    title: 'a GPU resource without a domain',
    resource: wrong(vllm, { resources: { gpu: 1, gpuResourceName: 'gpu' } }),
    field: 'spec.resources.gpuResourceName',
  },
  { title: 'custom without an image', resource: without(custom, 'image'), field: 'spec.image' },
  { title: 'an image with a space', resource: wrong(custom, { image: 'a b' }), field: 'spec.image' },
  { title: 'vllm with an http uri', resource: model(vllm, { uri: 'http://x/y' }), field: 'spec.model.uri' },
  { title: 'triton with an hf uri', resource: model(triton, { uri: 'hf://a/b' }), field: 'spec.model.uri' },
  {
    title: 'an hf uri with a revision in it',
    resource: model(vllm, { uri: 'hf://a/b@main' }),
    field: 'spec.model.uri',
  },
  { title: 'a uri that climbs', resource: model(triton, { uri: '/models/../etc' }), field: 'spec.model.uri' },
  { title: 'a revision for triton', resource: model(triton, { revision: 'main' }), field: 'spec.model.revision' },
  {
    title: 'a token for a model that is not on the hub',
    resource: model(triton, { secretRef: { name: 'hf' } }),
    field: 'spec.model.secretRef',
  },
  { title: 'a served name for triton', resource: model(triton, { servedName: 'a' }), field: 'spec.model.servedName' },
  {
    title: 'Replace with nothing in its place',
    resource: wrong(vllm, { argsPolicy: 'Replace' }),
    field: 'spec.argsPolicy',
  },
  { title: 'an address other than all', resource: wrong(vllm, { args: ['--host', '::1'] }), field: 'spec.args' },
  { title: 'an argument that a field sets', resource: wrong(vllm, { args: ['--port=1'] }), field: 'spec.args' },
  {
    title: 'a variable that a field sets',
    resource: wrong(fake, { env: [{ name: 'MODEL_URI', value: 'x' }] }),
    field: 'spec.env',
  },
  {
    title: 'a variable with a number',
    resource: wrong(fake, { env: [{ name: 'A', value: 1 }] }),
    field: 'spec.env[0].value',
  },
  {
    title: 'a variable twice',
    resource: wrong(fake, {
      env: [
        { name: 'A', value: '1' },
        { name: 'A', value: '2' },
      ],
    }),
    field: 'spec.env[1]',
  },
  { title: 'a port that is too high', resource: wrong(fake, { port: 65536 }), field: 'spec.port' },
  { title: 'a port of triton', resource: wrong(triton, { port: 8001 }), field: 'spec.port' },
  {
    title: 'two ports of one name',
    resource: wrong(fake, {
      ports: [
        { name: 'a', containerPort: 1 },
        { name: 'a', containerPort: 2 },
      ],
    }),
    field: 'spec.ports',
  },
  {
    title: 'shared memory as large as the memory',
    resource: wrong(vllm, { resources: { memory: '1Gi' }, sharedMemory: { sizeLimit: '1024Mi' } }),
    field: 'spec.sharedMemory.sizeLimit',
  },
  { title: 'a startup budget of nothing', resource: wrong(fake, { startupBudget: '0s' }), field: 'spec.startupBudget' },
  {
    title: 'a deadline within the startup budget',
    resource: wrong(fake, { progressDeadlineSeconds: 1800 }),
    field: 'spec.progressDeadlineSeconds',
  },
  {
    title: 'a grace period that is too short',
    resource: wrong(fake, { drain: { terminationGracePeriodSeconds: 10 } }),
    field: 'spec.drain.terminationGracePeriodSeconds',
  },
  {
    title: 'a label that Inferno sets',
    resource: wrong(fake, { podMetadata: { labels: { app: 'mine' } } }),
    field: 'spec.podMetadata.labels',
  },
  {
    title: 'a sidecar of the server’s name',
    resource: wrong(fake, { sidecars: [{ name: 'inference-server', image: 'a' }] }),
    field: 'spec.sidecars',
  },
  {
    title: 'a field of podTemplate that exists elsewhere',
    resource: wrong(fake, { podTemplate: { spec: { nodeSelector: { a: 'b' } } } }),
    field: 'spec.podTemplate.spec',
  },
  {
    title: 'another container in podTemplate',
    resource: wrong(fake, { podTemplate: { spec: { containers: [{ name: 'other' }] } } }),
    field: 'spec.podTemplate.spec.containers[0].name',
  },
  ...(
    [
      ['a name of a resource without a domain', fake, { resources: { limits: { tpu: 1 } } }, 'spec.resources'],
      ['CPU finer than Kubernetes counts', fake, { resources: { cpu: '0.1m' } }, 'spec.resources.cpu'],
      ['memory with a fraction of a byte', fake, { resources: { memory: '500m' } }, 'spec.resources.memory'],
      ['huge pages without a limit', fake, { resources: { requests: { 'hugepages-2Mi': '2Mi' } } }, 'spec.resources'],
      ['a sidecar without an image', fake, { sidecars: [{ name: 'a' }] }, 'spec.sidecars[0].image'],
      [
        'two sources of a volume',
        fake,
        { volumes: [{ name: 'a', emptyDir: {}, secret: { secretName: 'a' } }] },
        'volumes',
      ],
      ['a volume that no node mounts any more', fake, { volumes: [{ name: 'a', flocker: {} }] }, 'volumes[0].flocker'],
      [
        'a file outside its volume',
        custom,
        { volumes: [{ name: 'a', secret: { secretName: 'a', items: [{ key: 'k', path: '../x' }] } }] },
        'path',
      ],
      [
        'a toleration of no key that is not Exists',
        fake,
        { tolerations: [{ operator: 'Equal' }] },
        'tolerations[0].operator',
      ],
      [
        'seconds for a taint that does not evict',
        fake,
        { tolerations: [{ key: 'a', effect: 'NoSchedule', tolerationSeconds: 1 }] },
        'tolerationSeconds',
      ],
      [
        'a constraint on no pods',
        fake,
        { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }] },
        'labelSelector',
      ],
      ['a key that is no label', fake, { nodeSelector: { 'a b': 'c' } }, 'spec.nodeSelector'],
      [
        'two ways to check',
        fake,
        { readinessProbe: { exec: { command: ['a'] }, tcpSocket: { port: 1 } } },
        'spec.readinessProbe',
      ],
      [
        'a profile without its type',
        fake,
        { securityContext: { seccompProfile: { type: 'RuntimeDefault', localhostProfile: 'a' } } },
        'localhostProfile',
      ],
      [
        'a variable with two values',
        fake,
        { env: [{ name: 'A', value: 'b', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] },
        'spec.env[0].value',
      ],
      [
        'a variable with two sources',
        fake,
        {
          env: [
            {
              name: 'A',
              valueFrom: { fieldRef: { fieldPath: 'metadata.name' }, secretKeyRef: { name: 'a', key: 'b' } },
            },
          ],
        },
        'valueFrom',
      ],
      [
        'a probe of an init container that ends',
        fake,
        { initContainers: [{ name: 'a', image: 'a', livenessProbe: { tcpSocket: { port: 1 } } }] },
        'spec.initContainers',
      ],
      [
        'a mount of no volume in a sidecar',
        fake,
        { sidecars: [{ name: 'a', image: 'a', volumeMounts: [{ name: 'x', mountPath: '/x' }] }] },
        'spec.sidecars',
      ],
      ['a percentage above 100', fake, { strategy: { rollingUpdate: { maxUnavailable: '101%' } } }, 'maxUnavailable'],
      ['a port in another spelling', vllm, { args: ['--port.x=1'] }, 'spec.args'],
    ] as const
  ).map(([title, spec, more, field]) => ({ title, resource: wrong(spec, more), field })),
  { title: 'a bucket without a name', resource: model(vllm, { uri: 's3://' }), field: 'spec.model.uri' },
  { title: 'a uri of two lines', resource: model(vllm, { uri: '/a\nb' }), field: 'spec.model.uri' },
  { title: 'a claim that cannot be', resource: model(vllm, { uri: 'pvc://a..b/c' }), field: 'spec.model.uri' },
];
