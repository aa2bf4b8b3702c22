import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from '../../lib/composition';
import { infernoImage } from '../../lib/inference/engines/fake';
import { inferno } from '../cli/support';
import { findBinaries } from '../../tools/local-cluster';
import { helm } from '../tools/helm';

jest.setTimeout(120_000);

const CHART = 'dist/charts/inferno';
let folder: string;
let kubectl: string;
let helmFile: string;

beforeAll(async () => {
  ({ kubectl } = await findBinaries(['kubectl']));
  helmFile = await helm();
}, 1_800_000);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inferno-packaging-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Objects in an order that says nothing, as Helm and kustomize have their own. */
function objects(text: string): readonly Manifest[] {
  const found = parseAllDocuments(text).flatMap((document) => {
    const object: Manifest | null = document.toJS();
    return object === null ? [] : [object];
  });
  return found.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

function key({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}

async function installed(...flags: readonly string[]): Promise<readonly Manifest[]> {
  const { code, stdout, stderr } = await inferno(['install', ...flags]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return objects(stdout);
}

function run(
  program: string,
  ...args: readonly string[]
): { readonly ok: boolean; readonly out: string; readonly err: string } {
  const env = { PATH: process.env['PATH'], HOME: folder };
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env, timeout: 60_000 });
  return { ok: status === 0, out: stdout, err: stderr };
}

/** What Helm renders. A value is a JSON text. */
function templated(values: Readonly<Record<string, unknown>>, ...flags: readonly string[]): ReturnType<typeof run> {
  const file = join(folder, 'values.json');
  writeFileSync(file, JSON.stringify(values));
  return run(helmFile, 'template', 'any-name', CHART, '-n', 'inferno-system', '-f', file, ...flags);
}

function kustomized(path: string): readonly Manifest[] {
  const { ok, out, err } = run(kubectl, 'kustomize', path);
  expect({ ok, err }).toEqual({ ok: true, err: '' });
  return objects(out);
}

test('dist/install.yaml is what inferno install prints', async () => {
  const { stdout } = await inferno(['install']);
  expect(readFileSync('dist/install.yaml', 'utf8') === stdout).toBe(true);
});

const images = { repository: 'registry.example.com:5000/inferno', tag: '9' };
const tolerations = [
  { key: 'a', operator: 'Exists' },
  { key: 'b', operator: 'Equal', value: 'c', effect: 'NoSchedule' },
];
const resources = { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '2Gi' } };

test.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
  ['nothing', {}, []],
  ['monitoring', { monitoring: { enabled: true } }, ['--monitoring']],
  [
    'monitoring with a label',
    { monitoring: { enabled: true, labels: { release: 'prometheus', on: 'true' } } },
    ['--monitoring', '--monitoring-label', 'release=prometheus', '--monitoring-label', 'on=true'],
  ],
  ['namespaces', { watchNamespaces: ['a', 'b', 'a'] }, ['--watch-namespace', 'a,b,a']],
  [
    'namespaces and monitoring',
    { watchNamespaces: ['a', 'b'], monitoring: { enabled: true } },
    ['--watch-namespace', 'a', '--watch-namespace', 'b', '--monitoring'],
  ],
  ['a namespace like a number', { watchNamespaces: ['123'] }, ['--watch-namespace', '123']],
  ['replicas', { replicas: 3 }, ['--replicas', '3']],
  ['an image', { image: images }, ['--image', 'registry.example.com:5000/inferno:9']],
  [
    'an image by digest',
    { image: { digest: `sha256:${'a'.repeat(64)}` } },
    ['--image', `${infernoImage.replace(/:[^:]*$/, '')}@sha256:${'a'.repeat(64)}`],
  ],
  [
    'a pull',
    { image: { pullPolicy: 'Always' }, imagePullSecrets: [{ name: 'a' }, { name: 'b' }] },
    ['--image-pull-policy', 'Always', '--image-pull-secret', 'a', '--image-pull-secret', 'b'],
  ],
  ['resources', { resources }, ['--requests', 'cpu=1,memory=1Gi', '--limits', 'memory=2Gi']],
  ['the log level', { logLevel: 'debug' }, ['--log-level', 'debug']],
  ['no network policy', { networkPolicy: { enabled: false } }, ['--without-network-policy']],
  ['no disruption budget', { podDisruptionBudget: { enabled: false } }, ['--without-pod-disruption-budget']],
  ['no definitions', { crds: { install: false } }, ['--without-crds']],
  ['no priority class', { priorityClass: { create: false } }, ['--without-priority-class']],
  ['a priority class', { priorityClassName: 'important' }, ['--priority-class-name', 'important']],
  [
    'a priority class and none of its own',
    { priorityClassName: 'important', priorityClass: { create: false } },
    ['--priority-class-name', 'important', '--without-priority-class'],
  ],
  [
    'places',
    { nodeSelector: { pool: 'system', n: '1' }, tolerations },
    ['--node-selector', 'pool=system', '--node-selector', 'n=1', '--toleration', 'a', '--toleration', 'b=c:NoSchedule'],
  ],
  [
    'labels and annotations',
    { podLabels: { team: 'yes' }, podAnnotations: { note: 'a: b # c' } },
    ['--pod-label', 'team=yes', '--pod-annotation', 'note=a: b # c'],
  ],
  [
    'arguments and environment',
    { args: ['--sync-period=1h', '--kube-api-qps', '50'], env: [{ name: 'HTTPS_PROXY', value: 'http://proxy:3128' }] },
    ['--arg=--sync-period=1h', '--arg=--kube-api-qps', '--arg', '50', '--env', 'HTTPS_PROXY=http://proxy:3128'],
  ],
])('Helm renders with %s what inferno install prints', async (_, values, flags) => {
  const { ok, out, err } = templated(values);
  expect({ ok, err }).toEqual({ ok: true, err: '' });
  expect(objects(out)).toEqual(await installed('--without-namespace', ...flags));
});

test('Helm renders for the namespace of the release', async () => {
  const { out } = run(helmFile, 'template', 'x', CHART, '-n', 'platform');
  expect(objects(out)).toEqual(await installed('--without-namespace', '-n', 'platform'));
});

test('affinity and spreading, which have no flags, go through as they are', () => {
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } };
  const topologySpreadConstraints = [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }];
  const { out } = templated({ affinity, topologySpreadConstraints, replicas: 2 });
  const deployment = objects(out).find(({ kind }) => kind === 'Deployment');
  expect(deployment).toMatchObject({ spec: { template: { spec: { affinity, topologySpreadConstraints } } } });
});

test.each<[string, Readonly<Record<string, unknown>>]>([
  ['replicas', { replicas: 'two' }],
  ['replicas', { replicas: -1 }],
  ['replica', { replica: 2 }],
  ['logLevel', { logLevel: 'trace' }],
  ['tag', { image: { tag: 1 } }],
  ['digest', { image: { digest: 'sha256:1' } }],
  ['pullPolicy', { image: { pullPolicy: 'Sometimes' } }],
  ['watchNamespaces', { watchNamespaces: 'team' }],
  ['watchNamespaces', { watchNamespaces: ['Team'] }],
  ['enable', { monitoring: { enable: true } }],
  ['podLabels', { podLabels: { 'app.kubernetes.io/name': 'mine' } }],
  ['args', { args: ['--namespace=team'] }],
  ['args', { args: ['--watch-namespace=team'] }],
  ['args', { args: ['-n', 'team'] }],
])('Helm refuses a wrong %s: %j', (name, values) => {
  const { ok, err } = templated(values);
  expect(ok).toBe(false);
  expect(err).toContain(name);
});

test('helm lint finds nothing', () => {
  const { ok, out, err } = run(helmFile, 'lint', '--strict', CHART);
  expect({ ok, said: out + err }).toEqual({ ok: true, said: expect.stringContaining('0 chart(s) failed') });
});

test('kustomize builds what inferno install prints', async () => {
  expect(kustomized('dist/kustomize')).toEqual(await installed());
});

test('an overlay sets image, replicas and namespace, and adds monitoring', async () => {
  cpSync('dist/kustomize', join(folder, 'base'), { recursive: true });
  const overlay = {
    resources: ['base'],
    components: ['base/components/monitoring'],
    images: [{ name: infernoImage.replace(/:[^:]*$/, ''), newTag: '9' }],
    replicas: [{ name: 'inferno-controller-manager', count: 3 }],
  };
  writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(overlay));
  const expected = await installed('--image', infernoImage.replace(/:[^:]*$/, ':9'), '--monitoring');
  const spread = (object: Manifest): unknown =>
    object.kind === 'Deployment' ? { ...object, spec: { ...(object['spec'] as object), replicas: 3 } } : object;
  expect(kustomized(folder)).toEqual(expected.map(spread));
});
