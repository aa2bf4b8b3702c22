import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from '../../lib/composition';
import { installManifests, type InfernoProps } from '../../lib/install';
import { folderWith, removeFolders } from '../cli/support';
import { helm } from '../tools/helm';

// What the construct refuses, Helm refuses by the schema of the chart's values, and what one takes the other takes.

jest.setTimeout(120_000);

let helmFile: string;

beforeAll(async () => {
  helmFile = await helm();
}, 1_800_000);

afterEach(removeFolders);

type Values = Readonly<Record<string, unknown>>;

function template(values: Values): { readonly ok: boolean; readonly out: string; readonly err: string } {
  const folder = folderWith({});
  const file = join(folder, 'values.json');
  writeFileSync(file, JSON.stringify(values));
  const args = ['template', 'any-name', 'dist/charts/inferno', '-n', 'inferno-system', '-f', file];
  const env = { PATH: process.env['PATH'], HOME: folder };
  const { status, stdout, stderr } = spawnSync(helmFile, args, { encoding: 'utf8', env, timeout: 60_000 });
  return { ok: status === 0, out: stdout, err: stderr };
}

const injection = 'x\n---\nkind: Evil';
const image = (text: string): { readonly props: InfernoProps; readonly values: Values } => ({
  props: { image: text },
  values: { image: { repository: text } },
});
/** A prop that has the name of its value. */
const same = (props: InfernoProps): { readonly props: InfernoProps; readonly values: Values } => ({
  props,
  values: { ...props },
});
const labels = (map: Readonly<Record<string, string>>): { readonly props: InfernoProps; readonly values: Values } => ({
  props: { monitoring: true, monitoringLabels: map },
  values: { monitoring: { enabled: true, labels: map } },
});

test.each<[string, { readonly props: InfernoProps; readonly values: Values }]>([
  ['an image with a line break', image(injection)],
  ['an image with a space', image('a b')],
  ['an image in capitals', image('registry.example.com/Team/Inferno')],
  ['an image with two tags', image('a:1:2')],
  ['an image like a flag', image('-x')],
  ['an image that is an address', image('https://registry.example.com/inferno')],
  ['an image that leads upwards', image('a/../b')],
  [
    'a tag with a line break',
    { props: { image: `a:${injection}` }, values: { image: { repository: 'a', tag: injection } } },
  ],
  ['more replicas than there can be', same({ replicas: 3_000_000_000 })],
  ['replicas beyond all numbers', same({ replicas: 1e20 })],
  ['a label that is no label', same({ podLabels: { a: injection } })],
  ['a label whose key has YAML in it', same({ podLabels: { 'x: y\n    spec:\n      hostNetwork': 'true' } })],
  ['a label whose key begins in no legal way', same({ podLabels: Object.fromEntries([['__proto__', 'x']]) })],
  ['a label that selects the pods', same({ podLabels: { 'app.kubernetes.io/component': 'x' } })],
  ['a monitoring label whose key has YAML in it', labels({ 'a: b\n    c': 'd' })],
  ['a monitoring label that is no label', labels({ release: 'a b' })],
  ['a monitoring label that is set already', labels({ 'app.kubernetes.io/name': 'evil' })],
  ['an annotation whose key has a space', same({ podAnnotations: { 'a b': 'c' } })],
  ['a node label that is no label', same({ nodeSelector: { pool: 'ü' } })],
  ['a quantity that is none', same({ resources: { limits: { memory: injection } } })],
  ['a quantity below 0', same({ resources: { limits: { memory: '-5' } } })],
  ['a number below 0', same({ resources: { limits: { cpu: -1 } } })],
  ['a pull secret that can have no such name', same({ imagePullSecrets: [{ name: 'A B' }] })],
  ['a pull secret without a name', same({ imagePullSecrets: [{}] })],
  ['a priority class that can have no such name', same({ priorityClassName: injection })],
  ['a flag that the operator does not have', same({ args: ['--kube-api-qsp=5'] })],
  ['a flag with its value in one', same({ args: ['-nkube-system'] })],
  ['a variable that can have no such name', same({ env: [{ name: 'A=B', value: '1' }] })],
  ['a variable that names the Lease', same({ env: [{ name: 'INFERNO_LEADER_ELECTION_ID', value: 'x' }] })],
  ['a variable that names the namespaces', same({ env: [{ name: 'INFERNO_NAMESPACE', value: 'x' }] })],
])('the construct and Helm refuse %s', (_, { props, values }) => {
  expect(() => installManifests(props)).toThrow(/ (must|must have|must leave) /);
  expect(template(values)).toMatchObject({ ok: false, err: expect.stringContaining("values don't meet") });
});

test.each<[string, { readonly props: InfernoProps; readonly values: Values }]>([
  [
    'keys of labels that YAML reads as something else',
    same({ podLabels: { '1e3': 'a', true: 'b', null: 'c', '0x1': 'd' } }),
  ],
  ['such keys of monitoring labels', labels({ '1e3': 'a', no: 'b' })],
  ['empty labels and long keys', same({ podLabels: { [`${'a.'.repeat(20)}b/${'c'.repeat(63)}`]: '' } })],
  [
    'an annotation with YAML and a template in it',
    same({ podAnnotations: { 'A.b/c_D': `${injection} {{ .Values }} {{` } }),
  ],
  [
    'a variable with YAML and a template in it',
    same({ env: [{ name: 'a.b-c', value: `${injection} {{ .Release }}` }] }),
  ],
  ['a flag with YAML and a template in it', same({ args: [`--selector=${injection} {{ .Release }} "'\\`] })],
  [
    'quantities of all forms',
    same({ resources: { limits: { cpu: '1.5', memory: '1e9', 'a/b': 3 }, requests: { cpu: '.5', memory: '500M' } } }),
  ],
  ['a registry in capitals with a port', image('LOCALHOST:5000/team__a/inferno-x.y')],
])('the construct and Helm render the same with %s', (_, { props, values }) => {
  const { ok, out, err } = template(values);
  expect({ ok, err }).toEqual({ ok: true, err: '' });
  const rendered = (props.image === undefined ? installManifests : withTag)({ createNamespace: false, ...props });
  const documents = parseAllDocuments(out);
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  expect(sorted(documents.map((document): Manifest => document.toJS()))).toEqual(sorted(rendered));
});

function sorted(objects: readonly Manifest[]): readonly Manifest[] {
  const key = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`;
  return objects.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** The chart adds the tag of its version. */
function withTag(props: InfernoProps): readonly Manifest[] {
  return installManifests({ ...props, image: `${props.image}:0.1.0` });
}

const gone = (path: string): Values => {
  const [first = '', second] = path.split('.');
  return { [first]: second === undefined ? null : { [second]: null } };
};

test.each([
  ...['image', 'image.repository', 'replicas', 'watchNamespaces', 'logLevel', 'resources', 'priorityClass'],
  ...['priorityClass.create', 'podDisruptionBudget', 'podDisruptionBudget.enabled', 'networkPolicy'],
  ...['networkPolicy.enabled', 'monitoring', 'monitoring.enabled', 'crds', 'crds.install'],
])('Helm refuses that %s is taken away, which has another meaning than its default', (path) => {
  const { ok, err } = template(gone(path));
  expect({ ok, err }).toEqual({ ok: false, err: expect.stringContaining('missing propert') });
  expect(err).toContain(`'${path.split('.').at(-1)}'`);
});

test.each([
  ...['image.tag', 'image.digest', 'image.pullPolicy', 'imagePullSecrets', 'priorityClassName', 'monitoring.labels'],
  ...[
    'nodeSelector',
    'tolerations',
    'affinity',
    'topologySpreadConstraints',
    'podLabels',
    'podAnnotations',
    'args',
    'env',
  ],
])('Helm renders without %s what it renders with none in it', (path) => {
  expect(template(gone(path))).toEqual(template({}));
});
