import type { Image } from '../image';
import type { Container, Pod } from '../pod';
import type { ObjectReader } from '../runtime-types';
import { resolveCommand } from './command';
import { resolveEnv } from './env';
import { expand } from './expand';

const image: Image = {
  kind: 'process',
  name: 'test.local/image:1',
  root: '/nowhere',
  entrypoint: ['/entry', '$(POD)'],
  command: ['from', 'image'],
  env: { PATH: '/image/bin', FROM_IMAGE: 'yes' },
};

const pod: Pod = {
  metadata: {
    name: 'chat-0',
    namespace: 'models',
    uid: '1b2c',
    labels: { app: 'chat', 'example.com/tier': 'gold' },
    annotations: { note: 'two\nlines' },
  },
  spec: {
    containers: [],
    nodeName: 'node-1',
    serviceAccountName: 'runner',
    enableServiceLinks: false,
  },
};

const objects: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '/api/v1/namespaces/models/secrets/keys': { data: { token: Buffer.from('s3cret').toString('base64') } },
  '/api/v1/namespaces/models/configmaps/settings': { data: { LEVEL: 'debug', 'log.format': 'json' } },
  '/api/v1/namespaces/models/services': {
    items: [
      { metadata: { name: 'vector-store' }, spec: { clusterIP: '10.0.3.7', ports: [{ name: 'grpc', port: 9000 }] } },
      { metadata: { name: 'headless' }, spec: { clusterIP: 'None', ports: [{ port: 80 }] } },
    ],
  },
};

const reader: ObjectReader = {
  read: async (path) => objects[path],
  token: () => Promise.reject(new Error('no token is needed')),
};

function env(container: Partial<Container>, of: Pod = pod): Promise<Readonly<Record<string, string>>> {
  return resolveEnv(of, { name: 'main', image: image.name, ...container }, reader, '10.244.1.2', image, '10.244.0.1');
}

describe('the environment', () => {
  test('has what the image, the runtime and the kubelet put there', async () => {
    expect(await env({})).toEqual({
      PATH: '/image/bin',
      FROM_IMAGE: 'yes',
      HOSTNAME: 'chat-0',
      KUBERNETES_SERVICE_HOST: '10.0.0.1',
      KUBERNETES_SERVICE_PORT: '443',
      KUBERNETES_SERVICE_PORT_HTTPS: '443',
      KUBERNETES_PORT: 'tcp://10.0.0.1:443',
      KUBERNETES_PORT_443_TCP: 'tcp://10.0.0.1:443',
      KUBERNETES_PORT_443_TCP_PROTO: 'tcp',
      KUBERNETES_PORT_443_TCP_PORT: '443',
      KUBERNETES_PORT_443_TCP_ADDR: '10.0.0.1',
    });
  });

  test('names the Services of the namespace, unless enableServiceLinks is false', async () => {
    const { enableServiceLinks: _, ...spec } = pod.spec;
    const linked = await env({}, { ...pod, spec });
    expect(linked).toMatchObject({
      VECTOR_STORE_SERVICE_HOST: '10.0.3.7',
      VECTOR_STORE_SERVICE_PORT: '9000',
      VECTOR_STORE_SERVICE_PORT_GRPC: '9000',
      VECTOR_STORE_PORT_9000_TCP_ADDR: '10.0.3.7',
    });
    expect(Object.keys(linked).filter((name) => name.startsWith('HEADLESS'))).toEqual([]);
    expect(Object.keys(await env({})).filter((name) => name.startsWith('VECTOR'))).toEqual([]);
  });

  test('lets env win over envFrom, later over earlier, and both over the image', async () => {
    const resolved = await env({
      envFrom: [{ configMapRef: { name: 'settings' } }, { secretRef: { name: 'keys' }, prefix: 'KEY_' }],
      env: [
        { name: 'LEVEL', value: 'info' },
        { name: 'PATH', value: '/own' },
        { name: 'KUBERNETES_SERVICE_HOST', value: 'elsewhere' },
      ],
    });
    expect(resolved).toMatchObject({
      LEVEL: 'info',
      PATH: '/own',
      KEY_token: 's3cret',
      'log.format': 'json',
      KUBERNETES_SERVICE_HOST: 'elsewhere',
    });
  });

  test('expands variables that come earlier, and no others', async () => {
    const resolved = await env({
      env: [
        { name: 'EARLY', value: '$(LATE) $(KUBERNETES_SERVICE_PORT)' },
        { name: 'LATE', value: 'late' },
        { name: 'BOTH', value: '<$(EARLY)> $$(LATE) $(PATH)' },
      ],
    });
    expect(resolved).toMatchObject({ EARLY: '$(LATE) 443', BOTH: '<$(LATE) 443> $(LATE) $(PATH)' });
  });

  test.each([
    ['metadata.name', 'chat-0'],
    ['metadata.namespace', 'models'],
    ['metadata.uid', '1b2c'],
    ["metadata.labels['example.com/tier']", 'gold'],
    ["metadata.labels['none']", ''],
    ["metadata.annotations['note']", 'two\nlines'],
    ['metadata.labels', 'app="chat"\nexample.com/tier="gold"'],
    ['spec.nodeName', 'node-1'],
    ['spec.serviceAccountName', 'runner'],
    ['status.podIP', '10.244.1.2'],
    ['status.podIPs', '10.244.1.2'],
    ['status.hostIP', '10.244.0.1'],
  ])('has fieldRef %s', async (fieldPath, value) => {
    expect(await env({ env: [{ name: 'FIELD', valueFrom: { fieldRef: { fieldPath } } }] })).toMatchObject({
      FIELD: value,
    });
  });

  test.each([
    ['limits.memory', '1Mi', '1537'],
    ['limits.memory', undefined, '1610612737'],
    ['requests.cpu', '1m', '1500'],
    ['requests.cpu', undefined, '2'],
    ['requests.memory', undefined, '0'],
  ])('has resourceFieldRef %s in units of %s, rounded up', async (resource, divisor, value) => {
    const ref = { resource, ...(divisor === undefined ? {} : { divisor }) };
    const resolved = await env({
      resources: { requests: { cpu: '1500m' }, limits: { memory: `${1.5 * 2 ** 30 + 1}` } },
      env: [{ name: 'FIELD', valueFrom: { resourceFieldRef: ref } }],
    });
    expect(resolved['FIELD']).toBe(value);
  });

  test('leaves out what is missing and optional', async () => {
    const resolved = await env({
      envFrom: [{ secretRef: { name: 'none', optional: true } }],
      env: [
        { name: 'A', valueFrom: { secretKeyRef: { name: 'none', key: 'k', optional: true } } },
        { name: 'B', valueFrom: { configMapKeyRef: { name: 'settings', key: 'none', optional: true } } },
        { name: 'C' },
      ],
    });
    expect(resolved).not.toHaveProperty('A');
    expect(resolved).not.toHaveProperty('B');
    expect(resolved['C']).toBe('');
  });

  test.each<[string, Partial<Container>]>([
    ['secret "none" not found', { envFrom: [{ secretRef: { name: 'none' } }] }],
    [
      'configmap "none" not found',
      { env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'none', key: 'k' } } }] },
    ],
    [
      "couldn't find key none in Secret models/keys",
      { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'keys', key: 'none' } } }] },
    ],
  ])('is an error of the configuration: %s', async (message, container) => {
    await expect(env(container)).rejects.toMatchObject({ name: 'ConfigError', message });
  });

  test('refuses sources that it does not know', async () => {
    await expect(env({ env: [{ name: 'A', valueFrom: { fileKeyRef: {} } }] })).rejects.toMatchObject({
      name: 'UnsupportedError',
      message: 'env A: valueFrom fileKeyRef is not known here',
    });
  });
});

test.each([
  ['$(A)', '1'],
  ['$(A)$(A)', '11'],
  ['$$(A)', '$(A)'],
  ['$$$(A)', '$1'],
  ['$$', '$'],
  ['$', '$'],
  ['$A ${A} $x', '$A ${A} $x'],
  ['$(B)', '$(B)'],
  ['$(', '$('],
  ['$(A', '$(A'],
  ['$()', '$()'],
  ['$($(A))', '$($(A))'],
  ['$(D)', '$$(A)'],
])('%s expands to %s', (text, expected) => {
  const values: Readonly<Record<string, string>> = { A: '1', D: '$$(A)' };
  expect(expand(text, (name) => values[name])).toBe(expected);
});

describe('the command', () => {
  const command = (container: Partial<Container>, of: Image = image, values: Readonly<Record<string, string>> = {}) =>
    resolveCommand(of, { name: 'main', image: image.name, ...container }, { ...values, PATH: '/image/bin' });

  test.each<[string, Partial<Container>, readonly string[]]>([
    ["is the image's", {}, ['/entry', '$(POD)', 'from', 'image']],
    ['takes args for its CMD', { args: ['a'] }, ['/entry', '$(POD)', 'a']],
    ['takes command for its ENTRYPOINT and CMD', { command: ['c'] }, ['c']],
    ['takes both', { command: ['c'], args: ['a'] }, ['c', 'a']],
  ])('%s', (_, container, expected) => {
    expect(command(container)).toEqual(expected);
  });

  test("expands the container's variables, not the image's", () => {
    const container: Partial<Container> = {
      command: ['c', '$(POD)-$$(POD)'],
      args: ['--path=$(PATH)', '$(HOSTNAME)'],
      env: [{ name: 'POD', value: 'p' }],
    };
    const values = { POD: 'p', HOSTNAME: 'h' };
    expect(command(container, image, values)).toEqual(['c', 'p-$(POD)', '--path=$(PATH)', '$(HOSTNAME)']);
  });

  test('of an image without any is an error of the configuration', () => {
    const light: Image = { kind: 'light', name: 'test.local/light:1' };
    expect(command({ args: ['fake-server'] }, light)).toEqual(['fake-server']);
    expect(() => command({}, light)).toThrow('no command specified, and image test.local/light:1 has none');
  });
});
