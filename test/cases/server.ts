import { custom, fake, type GoodCase, service, triton, vllm } from './case';

/** The server's container: image, arguments, environment, ports, shared memory. */
export const server: readonly GoodCase[] = [
  {
    title: 'an image of one’s own with a digest and secrets to pull it',
    resource: service('image', vllm, {
      image: `registry.example.com:5000/vllm@sha256:${'0123456789abcdef'.repeat(4)}`,
      imagePullPolicy: 'Always',
      imagePullSecrets: [{ name: 'registry' }, { name: 'other' }],
    }),
  },
  ...(['Always', 'IfNotPresent', 'Never'] as const).map((imagePullPolicy) => ({
    title: `image pulled ${imagePullPolicy}`,
    resource: service(`pull-${imagePullPolicy.toLowerCase()}`, fake, { imagePullPolicy }),
  })),
  {
    title: 'arguments behind the generated ones',
    resource: service('args', vllm, {
      args: ['--max-model-len=8192', '--enable-prefix-caching', '--gpu-memory-utilization', '0.95', '-tp', '2'],
    }),
  },
  {
    title: 'arguments that replace generated ones',
    resource: service('args-override', vllm, { args: ['--shutdown-timeout', '5', '--no-enable-prefix-caching'] }),
  },
  {
    title: 'nothing but the arguments given',
    resource: service('args-replace', vllm, { args: ['--help'], argsPolicy: 'Replace' }),
  },
  {
    title: 'another command',
    resource: service('command', vllm, { command: ['/bin/sh', '-c', 'exec vllm serve "$MODEL_URI" --port 8000'] }),
  },
  {
    title: 'another command before the generated arguments',
    resource: service('wrapper', vllm, { command: ['/usr/bin/wrapper'], argsPolicy: 'Append', args: ['--seed=1'] }),
  },
  {
    title: 'arguments for custom with quotes, newlines and dollars',
    resource: service('quoting', custom, {
      args: ['a "b" c', "it's", 'line\nline', '$(MODEL_URI)', '$$(X)', 'ünï ✓', ''],
    }),
  },
  {
    title: 'triton with further flags',
    resource: service('triton-args', triton, { args: ['--model-control-mode=poll', '--log-verbose=1'] }),
  },
  {
    title: 'every kind of environment variable',
    resource: service('env', vllm, {
      env: [
        { name: 'PLAIN', value: 'text' },
        { name: 'EMPTY', value: '' },
        { name: 'NOTHING' },
        { name: 'dotted.name-1', value: 'refers to $(PLAIN)' },
        { name: 'FROM_SECRET', valueFrom: { secretKeyRef: { name: 'keys', key: 'api', optional: true } } },
        { name: 'FROM_MAP', valueFrom: { configMapKeyRef: { name: 'settings', key: 'log.level' } } },
        { name: 'FROM_FIELD', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: "metadata.annotations['a/b']" } } },
        { name: 'FROM_RESOURCE', valueFrom: { resourceFieldRef: { resource: 'requests.cpu', divisor: '1m' } } },
      ],
      envFrom: [{ configMapRef: { name: 'all' }, prefix: 'ALL_' }, { secretRef: { name: 'secrets', optional: true } }],
    }),
  },
  {
    title: 'a token in the environment instead of secretRef',
    resource: service('env-token', vllm, {
      env: [{ name: 'HF_TOKEN', valueFrom: { secretKeyRef: { name: 'hf', key: 'token' } } }],
    }),
  },
  {
    title: 'an API key from a Secret',
    resource: service('api-key', vllm, {
      env: [{ name: 'VLLM_API_KEY', valueFrom: { secretKeyRef: { name: 'keys', key: 'api' } } }],
    }),
  },
  { title: 'another port for vllm', resource: service('port-vllm', vllm, { port: 9000 }) },
  { title: 'another port for triton', resource: service('port-triton', triton, { port: 8080 }) },
  { title: 'the lowest port', resource: service('port-lowest', fake, { port: 1 }) },
  { title: 'the highest port', resource: service('port-highest', custom, { port: 65535 }) },
  { title: 'port 80, which the Service has for it too', resource: service('port-80', custom, { port: 80 }) },
  {
    title: 'further ports of every protocol',
    resource: service('ports', custom, {
      ports: [
        { name: 'metrics', containerPort: 9090 },
        { name: 'dns-udp', containerPort: 53, protocol: 'UDP' },
        { name: 'dns-tcp', containerPort: 53, protocol: 'TCP' },
        { name: 'fifteen-letters', containerPort: 7000, protocol: 'SCTP' },
      ],
    }),
  },
  {
    title: 'triton with its ports moved',
    resource: service('triton-ports', triton, {
      port: 9000,
      ports: [
        { name: 'grpc', containerPort: 9001 },
        { name: 'metrics', containerPort: 9002 },
        { name: 'extra', containerPort: 9003 },
      ],
    }),
  },
  {
    title: 'shared memory of a size',
    resource: service('shm', vllm, {
      resources: { memory: '64Gi' },
      sharedMemory: { enabled: true, sizeLimit: '16Gi' },
    }),
  },
  {
    title: 'shared memory smaller than usual as there is little memory',
    resource: service('shm-small', vllm, { resources: { memory: '1Gi' } }),
  },
  { title: 'shared memory off', resource: service('shm-off', triton, { sharedMemory: { enabled: false } }) },
  {
    title: 'shared memory on for custom, its size a number',
    resource: service('shm-custom', custom, { sharedMemory: { enabled: true, sizeLimit: 1073741824 } }),
  },
];
