import { differences } from '../../lib/composition/compare';
import type { Manifest } from '../../lib/composition/manifest';

const pod = { apiVersion: 'v1', kind: 'Pod' };

function paths(desired: object, live: object, type: { apiVersion: string; kind: string } = pod): readonly string[] {
  const metadata = { name: 'a' };
  const wanted: Manifest = { ...type, metadata, ...desired };
  const found: Manifest = { ...type, metadata: { ...metadata, uid: 'u' }, ...live };
  return differences(wanted, found).map(({ path }) => path);
}

function containers(...list: readonly object[]): object {
  return { spec: { containers: list } };
}

test.each([
  ['a default beside it', { spec: { replicas: 2 } }, { spec: { replicas: 2, minReadySeconds: 3 } }],
  ['status', {}, { status: { phase: 'Running' } }],
  ['foreign labels', { metadata: { labels: { a: '1' } } }, { metadata: { labels: { a: '1', b: '2' } } }],
  ['an injected sidecar', containers({ name: 'a' }), containers({ name: 'proxy' }, { name: 'a', image: 'i' })],
  [
    'an injected variable',
    containers({ name: 'a', env: [{ name: 'A' }] }),
    containers({ name: 'a', env: [{ name: 'B' }, { name: 'A' }] }),
  ],
  ['foreign finalizers', { metadata: { finalizers: ['x'] } }, { metadata: { finalizers: ['y', 'x'] } }],
  [
    'an empty variable',
    containers({ name: 'a', env: [{ name: 'A', value: '' }] }),
    containers({ name: 'a', env: [{ name: 'A' }] }),
  ],
  [
    'a delay of 0',
    containers({ name: 'a', livenessProbe: { initialDelaySeconds: 0 } }),
    containers({ name: 'a', livenessProbe: {} }),
  ],
  [
    'a period of 0',
    containers({ name: 'a', livenessProbe: { periodSeconds: 0 } }),
    containers({ name: 'a', livenessProbe: { periodSeconds: 10 } }),
  ],
  ['a false that is not stored', { spec: { hostNetwork: false } }, { spec: {} }],
  ['an empty list', { spec: { tolerations: [] } }, { spec: {} }],
  ['an empty map', { spec: { nodeSelector: {} } }, { spec: {} }],
  ['a null', { spec: { affinity: null } }, { spec: { affinity: { nodeAffinity: {} } } }],
  [
    'a null time',
    { metadata: { creationTimestamp: null } },
    { metadata: { creationTimestamp: '2026-01-01T00:00:00Z' } },
  ],
  [
    'a quantity in another form',
    containers({ name: 'a', resources: { limits: { cpu: '1000m', memory: 1073741824 } } }),
    containers({ name: 'a', resources: { limits: { cpu: '1', memory: '1Gi' } } }),
  ],
  [
    'a fraction',
    containers({ name: 'a', resources: { requests: { cpu: 0.5 } } }),
    containers({ name: 'a', resources: { requests: { cpu: '500m' } } }),
  ],
  [
    'a size limit',
    { spec: { volumes: [{ name: 'v', emptyDir: { sizeLimit: '1024Mi' } }] } },
    { spec: { volumes: [{ name: 'v', emptyDir: { sizeLimit: '1Gi' } }] } },
  ],
  [
    'the version of a field reference',
    containers({ name: 'a', env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'p' } } }] }),
    containers({ name: 'a', env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'p', apiVersion: 'v1' } } }] }),
  ],
  [
    'the protocol of a port',
    containers({ name: 'a', ports: [{ containerPort: 80 }] }),
    containers({
      name: 'a',
      ports: [
        { containerPort: 80, protocol: 'UDP' },
        { containerPort: 80, protocol: 'TCP' },
      ],
    }),
  ],
])('%s is not a difference', (_, desired, live) => {
  expect(paths(desired, live)).toStrictEqual([]);
});

test.each([
  ['a value', { spec: { nodeName: 'a' } }, { spec: { nodeName: 'b' } }, ['spec.nodeName']],
  ['a missing value', { spec: { nodeName: 'a' } }, { spec: {} }, ['spec.nodeName']],
  ['a missing map', { spec: { securityContext: { runAsUser: 1 } } }, {}, ['spec']],
  [
    'a label',
    { metadata: { labels: { 'a.b/c': '1' } } },
    { metadata: { labels: { 'a.b/c': '2' } } },
    ['metadata.labels["a.b/c"]'],
  ],
  [
    'an empty label, which is stored',
    { metadata: { labels: { operator: '' } } },
    { metadata: { labels: {} } },
    ['metadata.labels.operator'],
  ],
  [
    'a false behind a pointer',
    containers({ name: 'a', securityContext: { allowPrivilegeEscalation: false } }),
    containers({ name: 'a', securityContext: {} }),
    ['spec.containers[0].securityContext.allowPrivilegeEscalation'],
  ],
  [
    'a true where false is wanted',
    { spec: { hostNetwork: false } },
    { spec: { hostNetwork: true } },
    ['spec.hostNetwork'],
  ],
  ['replicas of 0', { spec: { replicas: 0 } }, { spec: {} }, ['spec.replicas']],
  [
    'an empty struct, which is stored',
    { spec: { volumes: [{ name: 'v', emptyDir: {} }] } },
    { spec: { volumes: [{ name: 'v' }] } },
    ['spec.volumes[0].emptyDir'],
  ],
  ['the type of a value', { spec: { port: 80 } }, { spec: { port: '80' } }, ['spec.port']],
  [
    'a variable that looks like a quantity',
    containers({ name: 'a', env: [{ name: 'A', value: '1000m' }] }),
    containers({ name: 'a', env: [{ name: 'A', value: '1' }] }),
    ['spec.containers[0].env[0].value'],
  ],
  [
    'an entry of a keyed list',
    containers({ name: 'a' }, { name: 'b' }),
    containers({ name: 'b' }),
    ['spec.containers[0]'],
  ],
  [
    'a value in a keyed list',
    containers({ name: 'a', image: '1' }),
    containers({ name: 'b', image: '1' }, { name: 'a', image: '2' }),
    ['spec.containers[0].image'],
  ],
  [
    'an entry added to an atomic list',
    containers({ name: 'a', args: ['x'] }),
    containers({ name: 'a', args: ['x', 'y'] }),
    ['spec.containers[0].args'],
  ],
  [
    'the order of an atomic list',
    containers({ name: 'a', args: ['x', 'y'] }),
    containers({ name: 'a', args: ['y', 'x'] }),
    ['spec.containers[0].args[0]', 'spec.containers[0].args[1]'],
  ],
  ['a null in a list', { spec: { list: [null, null] } }, { spec: { list: [null, 'x'] } }, ['spec.list[1]']],
  ['a list in a list', { spec: { list: [['a', 'b']] } }, { spec: { list: [['a', 'c']] } }, ['spec.list[0][1]']],
  ['a finalizer', { metadata: { finalizers: ['x'] } }, { metadata: { finalizers: ['y'] } }, ['metadata.finalizers[0]']],
  [
    'a quantity',
    containers({ name: 'a', resources: { limits: { cpu: '1' } } }),
    containers({ name: 'a', resources: { limits: { cpu: '1001m' } } }),
    ['spec.containers[0].resources.limits.cpu'],
  ],
  ['a list where a map is wanted', { spec: { affinity: { a: 1 } } }, { spec: { affinity: [1] } }, ['spec.affinity']],
  ['a map where a text is wanted', { spec: { nodeName: 'a' } }, { spec: { nodeName: {} } }, ['spec.nodeName']],
])('%s is a difference, with its path', (_, desired, live, expected) => {
  expect(paths(desired, live)).toStrictEqual(expected);
});

test('a difference has the value that is wanted and the one that is there', () => {
  const type = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' } };
  expect(
    differences({ ...type, spec: { replicas: 2, paused: true } }, { ...type, spec: { replicas: 3 } }),
  ).toStrictEqual([
    { path: 'spec.paused', desired: true },
    { path: 'spec.replicas', desired: 2, live: 3 },
  ]);
});

test('elements of an atomic list may have defaults, as the metrics of an autoscaler do', () => {
  const type = { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' };
  const metric = (target: object): object => ({
    spec: { metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }] },
  });
  expect(
    paths(metric({ averageValue: '0.5' }), metric({ averageValue: '500m', type: 'AverageValue' }), type),
  ).toStrictEqual([]);
  expect(paths(metric({ value: 2 }), metric({ value: '2' }), type)).toStrictEqual([]);
});

test('ports are keyed in a Service and in a container, and atomic in a NetworkPolicy', () => {
  const service = { apiVersion: 'v1', kind: 'Service' };
  const ports = (...list: readonly object[]): object => ({ spec: { ports: list } });
  expect(
    paths(
      ports({ port: 80, nodePort: 0 }),
      ports({ port: 81 }, { port: 80, protocol: 'TCP', nodePort: 31_000 }),
      service,
    ),
  ).toStrictEqual([]);
  const policy = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' };
  const rule = (...list: readonly object[]): object => ({ spec: { ingress: [{ ports: list }] } });
  expect(paths(rule({ port: 80 }), rule({ port: 81 }, { port: 80 }), policy)).toStrictEqual(['spec.ingress[0].ports']);
});

test('an empty selector selects everything, so it counts; an empty one of a Service is none', () => {
  const desired = { spec: { selector: {} } };
  expect(paths(desired, { spec: {} }, { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' })).toStrictEqual([
    'spec.selector',
  ]);
  expect(paths(desired, { spec: {} }, { apiVersion: 'v1', kind: 'Service' })).toStrictEqual([]);
});

test('custom resources are stored as they were sent: zero and empty values count, lists are atomic', () => {
  const route = { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute' };
  const desired = {
    metadata: { annotations: {} },
    spec: { rules: [{ weight: 0 }], a: [], b: {}, cpu: '1', conditions: [] },
  };
  expect(paths(desired, { metadata: {}, spec: { rules: [{}], cpu: '1000m', conditions: [1] } }, route)).toStrictEqual([
    'spec.a',
    'spec.b',
    'spec.conditions',
    'spec.cpu',
    'spec.rules[0].weight',
  ]);
});

test('times are compared as times where a field is one', () => {
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
  const at = (renewTime: string): object => ({ spec: { renewTime } });
  expect(paths(at('2026-01-01T00:00:00Z'), at('2026-01-01T00:00:00.000000Z'), lease)).toStrictEqual([]);
  expect(paths(at('2026-01-01T00:00:00Z'), at('2026-01-01T00:00:01.000000Z'), lease)).toStrictEqual(['spec.renewTime']);
  const label = (value: string): object => ({ metadata: { labels: { startTime: value } } });
  expect(paths(label('2026-01-01T00:00:00Z'), label('2026-01-01T00:00:00.0Z'))).toStrictEqual([
    'metadata.labels.startTime',
  ]);
});

test('stringData of a Secret is looked for in data, in base64', () => {
  const secret = { apiVersion: 'v1', kind: 'Secret' };
  const desired = { stringData: { a: 'ü', b: '' }, data: { c: 'Yw==' } };
  expect(paths(desired, { data: { a: 'w7w=', b: '', c: 'Yw==', d: 'ZA==' } }, secret)).toStrictEqual([]);
  expect(paths(desired, { data: { a: 'YQ==', b: '', c: 'Yw==' } }, secret)).toStrictEqual(['data.a']);
});

test('keys that JavaScript knows otherwise are compared like any other', () => {
  const config = { apiVersion: 'v1', kind: 'ConfigMap' };
  const metadata = { name: 'a' };
  const desired = { ...config, metadata, data: { constructor: 'x', toString: '' } };
  expect(differences(desired, { ...config, metadata, data: {} })).toStrictEqual([
    { path: 'data.constructor', desired: 'x' },
    { path: 'data.toString', desired: '' },
  ]);
  expect(
    paths({ data: JSON.parse('{"__proto__":"a"}') }, { data: JSON.parse('{"__proto__":"b"}') }, config),
  ).toStrictEqual(['data.__proto__']);
});
