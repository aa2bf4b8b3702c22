import { parse, parseAllDocuments } from 'yaml';
import { OPERATOR_RESOURCES } from '../../lib/install/names';
import { folderWith, inferno, removeFolders } from './support';

afterEach(removeFolders);

interface Shown {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

async function objects(...flags: readonly string[]): Promise<readonly Shown[]> {
  const { code, stdout, stderr } = await inferno(['install', ...flags, '-o', 'json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { items }: { readonly items: readonly Shown[] } = JSON.parse(stdout);
  return items;
}

async function pod(...flags: readonly string[]): Promise<unknown> {
  const deployment = (await objects('--without-crds', ...flags)).find(({ kind }) => kind === 'Deployment');
  const spec = deployment?.['spec'] as { readonly template: { readonly spec: unknown } } | undefined;
  return spec?.template.spec;
}

test('install prints the same objects as YAML and as a JSON List', async () => {
  const { stdout } = await inferno(['install']);
  expect(parseAllDocuments(stdout).map((document): Shown => document.toJS())).toEqual(await objects());
});

test('as many replicas can be asked for as one likes', async () => {
  const deployment = (await objects('--replicas', '12345')).find(({ kind }) => kind === 'Deployment');
  expect(deployment?.['spec']).toMatchObject({ replicas: 12_345 });
});

test('what is said once of requests and limits leaves the other as it is', async () => {
  expect(await pod('--limits', 'memory=1Gi,cpu=1')).toMatchObject({
    containers: [{ resources: { requests: OPERATOR_RESOURCES.requests, limits: { memory: '1Gi', cpu: '1' } } }],
  });
  expect(await pod('--requests', 'cpu=1')).toMatchObject({
    containers: [{ resources: { requests: { cpu: '1' }, limits: OPERATOR_RESOURCES.limits } }],
  });
});

test.each([
  ['dedicated', { key: 'dedicated', operator: 'Exists' }],
  ['dedicated:NoExecute', { key: 'dedicated', operator: 'Exists', effect: 'NoExecute' }],
  ['dedicated=ops:NoSchedule', { key: 'dedicated', operator: 'Equal', value: 'ops', effect: 'NoSchedule' }],
  ['dedicated=', { key: 'dedicated', operator: 'Equal', value: '' }],
  ['example.com/gpu=a=b', { key: 'example.com/gpu', operator: 'Equal', value: 'a=b' }],
])('--toleration %s is what kubectl taint means by it', async (text, expected) => {
  expect(await pod('--toleration', text)).toMatchObject({ tolerations: [expected] });
});

test('a composition of a user brings its definition and its permissions', async () => {
  const folder = folderWith({
    'cache.js': `
      const crd = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'caches.example.com' },
        spec: { group: 'example.com', scope: 'Namespaced', names: { kind: 'Cache', plural: 'caches' },
          versions: [{ name: 'v1', served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema: { type: 'object',
            properties: { spec: { type: 'object' }, status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } } } }] } };
      module.exports = require(${JSON.stringify(`${process.cwd()}/build/lib/authoring.js`)}).defineComposition({
        crd, children: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', plural: 'statefulsets' }], compose() {}, project: () => ({}) });`,
  });
  const { code, stdout, stderr } = await inferno(['install', '--composition', 'cache.js'], { cwd: folder });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('name: caches.example.com');
  expect(stdout).toContain('name: inferenceservices.inference.inferno.io');
  expect(stdout).toContain('- statefulsets');
});

test.each([
  [['--replicas', 'two'], 'error: --replicas must be a whole number, 0 or more, but came as "two"\n'],
  [['--image', 'a b'], 'error: --image must be the name of an image'],
  [['--image', 'Inferno'], 'error: --image must be the name of an image, in small letters: '],
  [['--replicas', '3000000000'], 'error: --replicas must be a whole number, 0 or more'],
  [['--namespace', 'kube-system'], 'error: --namespace must be another one, or come without being made: kube-system'],
  [['--pod-label', 'a=b\nc'], 'error: --pod-label must have as value of a what is empty or at most 63'],
  [['--env', 'INFERNO_NAMESPACE=x'], 'error: --env must leave INFERNO_NAMESPACE alone, as it is watchNamespaces'],
  [['--arg=--leader-elct'], 'error: --arg must have only flags of inferno operator, got "--leader-elct"\n'],
  [['--arg', '8', '--arg=--sync-period=1h'], 'error: --arg must have only flags of inferno operator, got "8"\n'],
  [
    ['--env', 'INFERNO_WATCH_NAMESPACE=x'],
    'error: --env must leave INFERNO_WATCH_NAMESPACE alone, as it is watchNamespaces',
  ],
  [['--arg=-nteam'], 'error: --arg must leave -n alone, as it is watchNamespaces, got "-nteam"\n'],
  [['--namespace', 'Inferno'], 'error: --namespace must be at most 63 of'],
  [['--watch-namespace', 'a,B'], 'error: --watch-namespace must be at most 63 of'],
  [['--log-level', 'trace'], 'error: --log-level must be error or info or debug, but came as "trace"\n'],
  [['--requests', 'cpu'], 'error: --requests must be NAME=VALUE, but came as "cpu"\n'],
  [['--limits', 'memory=1Gib'], 'error: --limits must have for memory an amount such as 500m, 2 or 16Gi, got "1Gib"\n'],
  [['--requests', 'memory=1Gi'], 'error: --requests must have for memory no more than its limit "512Mi", got "1Gi"\n'],
  [['--monitoring-label', 'release=a'], 'error: --monitoring-label needs --monitoring'],
  [['--node-selector', 'pool'], 'error: --node-selector must be NAME=VALUE, but came as "pool"\n'],
  [['--toleration', 'a=b:Never'], 'error: --toleration must be KEY, KEY:EFFECT or KEY=VALUE:EFFECT'],
  [['--pod-label', 'app.kubernetes.io/name=x'], 'error: --pod-label must leave app.kubernetes.io/name alone'],
  [
    ['--arg=--log-level=debug'],
    'error: --arg must leave --log-level alone, as it is logLevel, got "--log-level=debug"\n',
  ],
  [['--composition', 'missing.js'], 'error: '],
])('install %j is refused before anything is printed', async (flags, message) => {
  const { code, stdout, stderr } = await inferno(['install', ...flags]);
  expect({ code: code > 0, stdout }).toEqual({ code: true, stdout: '' });
  expect(stderr.slice(0, message.length)).toBe(message);
});

test('rbac prints what install has of it, except what only install uses', async () => {
  const rbac = parseAllDocuments((await inferno(['rbac'])).stdout).map((document): Shown => document.toJS());
  const installed = await objects();
  for (const object of rbac) {
    const same = installed.find(({ kind, metadata }) => kind === object.kind && metadata.name === object.metadata.name);
    expect(same).toMatchObject(object);
  }
});

test('crd prints the definition as it is, without what keeps an installed one', async () => {
  const { metadata } = parse((await inferno(['crd'])).stdout) as Shown;
  expect(metadata).toEqual({ name: 'inferenceservices.inference.inferno.io' });
});
