import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { configMapYaml, folderWith, inferno, removeFolders, serviceYaml } from './support';

afterEach(removeFolders);

interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

function documentsOf(yaml: string): readonly Rendered[] {
  return parseAllDocuments(yaml).map((document) => document.toJS() as Rendered);
}

const title = ({ kind, metadata }: Rendered): string => `${kind}/${metadata.name}`;

test('a resource becomes its children, as YAML documents', async () => {
  const { code, stdout, stderr } = await inferno(['render', '-f', '-'], { stdin: serviceYaml('a') });
  expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' });
  expect(documentsOf(stdout).map(title)).toStrictEqual(['Deployment/a', 'Service/a']);
  expect(stdout.startsWith('apiVersion: apps/v1\nkind: Deployment\n')).toBe(true);
});

test('-o json is one List with the same objects', async () => {
  const stdin = `${serviceYaml('a')}---\n${configMapYaml}`;
  const yaml = await inferno(['render', '-f', '-'], { stdin });
  const json = await inferno(['render', '-f', '-', '-o', 'json'], { stdin });
  expect(JSON.parse(json.stdout)).toStrictEqual({ apiVersion: 'v1', kind: 'List', items: documentsOf(yaml.stdout) });
  expect(await inferno(['render', '-f', '-', '-ojson'], { stdin })).toStrictEqual(json);
  expect(await inferno(['render', '-f', '-', '-o=json'], { stdin })).toStrictEqual(json);
});

test('other kinds pass unchanged at their place, the items of a List one by one', async () => {
  const secret =
    '{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {port: "0777", "on": "yes", t: "12:30:45"}}';
  const stdin = `${configMapYaml}---\n${serviceYaml('a')}---\napiVersion: v1\nkind: List\nitems: [${secret}]\n`;
  const { stdout } = await inferno(['render', '-f', '-'], { stdin });
  const documents = documentsOf(stdout);
  expect(documents.map(title)).toStrictEqual(['ConfigMap/settings', 'Deployment/a', 'Service/a', 'Secret/s']);
  expect(documents[0]).toStrictEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings' },
    data: { true: 'yes' },
  });
  expect(documents[3]).toMatchObject({ stringData: { port: '0777', on: 'yes', t: '12:30:45' } });
});

test('the output is the same for any order of keys', async () => {
  const { stdout } = await inferno(['render', '-f', '-'], { stdin: serviceYaml('a') });
  const flipped =
    'spec: {replicas: {max: 2, min: 1}, model: {version: "1", framework: fake, uri: none}}\nmetadata: {name: a}\n';
  const other = await inferno(['render', '-f', '-'], {
    stdin: `${flipped}kind: InferenceService\napiVersion: inference.inferno.io/v1alpha1\n`,
  });
  expect(other.stdout).toBe(stdout);
});

test('--namespace is for resources that name none, and not for other kinds', async () => {
  const stdin = [serviceYaml('a'), serviceYaml('b', { namespace: 'own' }), configMapYaml].join('---\n');
  const { stdout } = await inferno(['render', '-n', 'given', '-f', '-'], { stdin });
  expect(documentsOf(stdout).map(({ kind, metadata }) => [kind, metadata.namespace])).toStrictEqual([
    ['Deployment', 'given'],
    ['Service', 'given'],
    ['Deployment', 'own'],
    ['Service', 'own'],
    ['ConfigMap', undefined],
  ]);
});

test('one invalid resource stops everything, and all errors are reported', async () => {
  const cwd = folderWith({
    'in/a.yaml': serviceYaml('a'),
    'in/b.yaml': serviceYaml('b', { replicas: '{min: 3, max: 1}' }),
    'in/c.yaml': 'a: "\n',
  });
  const { code, stdout, stderr } = await inferno(['render', '-f', 'in', '--out-dir', 'out'], { cwd });
  expect({ code, stdout }).toStrictEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^in\/b\.yaml:10: InferenceService\/b: spec\.replicas\.min: /m);
  expect(stderr).toMatch(/^in\/c\.yaml:1: is not valid YAML/m);
  expect(stderr).toMatch(/3 resources: 1 valid, 2 invalid\nnothing was written\n$/);
  expect(existsSync(join(cwd, 'out'))).toBe(false);
});

test('an object that passes and one that is rendered may not be the same', async () => {
  const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: a}\n';
  const outcome = await inferno(['render', '-f', '-'], { stdin: `${service}---\n${serviceYaml('a')}` });
  expect(outcome).toStrictEqual({
    code: 1,
    stdout: '',
    stderr: 'error: <stdin>:5: Service a comes out twice, first from <stdin>, line 1\n',
  });
});

test('objects with generateName may share it', async () => {
  const job = 'apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: a-}\n';
  expect(await inferno(['render', '-f', '-'], { stdin: `${job}---\n${job}` })).toMatchObject({ code: 0 });
});

test('--out-dir writes a file per resource, named by kind, namespace and name', async () => {
  const role = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: "../system:x_y"}\n';
  const cwd = folderWith({ 'a.yaml': [serviceYaml('a'), serviceYaml('a', { namespace: 'b' }), role].join('---\n') });
  const outcome = await inferno(['render', '-f', 'a.yaml', '--out-dir', 'deep/out'], { cwd });
  expect(outcome).toStrictEqual({ code: 0, stdout: '', stderr: '5 files written to deep/out\n' });
  expect(readdirSync(join(cwd, 'deep/out')).toSorted()).toStrictEqual([
    'clusterrole_..%2Fsystem%3Ax%5Fy.yaml',
    'deployment_a.yaml',
    'deployment_b_a.yaml',
    'service_a.yaml',
    'service_b_a.yaml',
  ]);
  const { stdout } = await inferno(['render', '-f', 'a.yaml'], { cwd });
  expect(stdout.startsWith(`${readFileSync(join(cwd, 'deep/out/deployment_a.yaml'), 'utf8')}---\n`)).toBe(true);
});

test('--out-dir with -o json writes an object per file, over those of the last time', async () => {
  const cwd = folderWith({ 'a.yaml': serviceYaml('a'), 'out/service_a.json': 'old' });
  expect(await inferno(['render', '-f', 'a.yaml', '--out-dir', 'out', '-o', 'json'], { cwd })).toMatchObject({
    code: 0,
  });
  expect(JSON.parse(readFileSync(join(cwd, 'out/service_a.json'), 'utf8'))).toMatchObject({ kind: 'Service' });
});

test.each([
  ['an underscore in a name never makes two files one', ['{name: b_c, namespace: a}', '{name: c, namespace: a_b}'], 0],
  ['names that differ only in capitals are refused', ['{name: abc}', '{name: ABC}'], 1],
])('%s', async (_, metadata, code) => {
  const cwd = folderWith({
    'a.yaml': metadata.map((text) => `{apiVersion: v1, kind: Pod, metadata: ${text}}\n`).join('---\n'),
  });
  const outcome = await inferno(['render', '-f', 'a.yaml', '--out-dir', 'out'], { cwd });
  expect(outcome.code).toBe(code);
  expect(existsSync(join(cwd, 'out'))).toBe(code === 0);
});

test('a fault while writing leaves neither new nor half files', async () => {
  const cwd = folderWith({ 'a.yaml': `${serviceYaml('a')}---\n${serviceYaml('b')}`, 'out/deployment_a.yaml': 'old' });
  mkdirSync(join(cwd, 'out/service_b.yaml'));
  const { code, stderr } = await inferno(['render', '-f', 'a.yaml', '--out-dir', 'out'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toBe('error: out/service_b.yaml: cannot be written: a folder of that name is in the way\n');
  expect(readdirSync(join(cwd, 'out')).toSorted()).toStrictEqual(['deployment_a.yaml', 'service_b.yaml']);
  expect(readFileSync(join(cwd, 'out/deployment_a.yaml'), 'utf8')).toBe('old');
});

test('a name that no file can have is reported, and nothing stays', async () => {
  const long = `{apiVersion: v1, kind: Pod, metadata: {name: ${'x'.repeat(300)}}}\n`;
  const cwd = folderWith({ 'a.yaml': `${serviceYaml('a')}---\n${long}`, 'out/keep': '' });
  const { code, stderr } = await inferno(['render', '-f', 'a.yaml', '--out-dir', 'out'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: out\/pod_x+\.yaml: cannot be written: the name is too long\n$/);
  expect(readdirSync(join(cwd, 'out'))).toStrictEqual(['keep']);
});

test('an output folder that is a file is reported', async () => {
  const cwd = folderWith({ 'a.yaml': serviceYaml('a'), out: '' });
  const { code, stderr } = await inferno(['render', '-f', 'a.yaml', '--out-dir', 'out'], { cwd });
  expect({ code, stderr }).toStrictEqual({
    code: 1,
    stderr: expect.stringMatching(/^error: out: cannot be written: /),
  });
});

test('Ctrl-C while files are written removes those that are not yet in place', async () => {
  const cwd = folderWith({ 'a.yaml': `${serviceYaml('a')}---\n${serviceYaml('b')}` });
  const out = join(cwd, 'out');
  // Aborted once the first file is there under its temporary name.
  const interrupted = new AbortController().signal;
  Object.defineProperty(interrupted, 'aborted', { get: () => existsSync(out) && readdirSync(out).length > 0 });
  expect(await inferno(['render', '-f', 'a.yaml', '--out-dir', 'out'], { cwd, interrupted })).toMatchObject({
    code: 130,
  });
  expect(readdirSync(out)).toStrictEqual([]);
});

test('warnings go to stderr with their line, and do not stop the output', async () => {
  const cwd = folderWith({
    'a.yaml': serviceYaml('a').replace('framework: fake', 'framework: custom') + '  image: x:latest\n',
  });
  const { code, stdout, stderr } = await inferno(['render', '-f', 'a.yaml'], { cwd });
  expect(code).toBe(0);
  expect(documentsOf(stdout)).not.toHaveLength(0);
  for (const line of stderr.split('\n').filter((text) => text !== '')) {
    expect(line).toMatch(/^a\.yaml:\d+: warning: InferenceService\/a: /);
  }
});

test('strings come out such that every reader of YAML takes them for strings', async () => {
  const values = [
    'yes',
    'on',
    'y',
    '0777',
    '0o17',
    '1e3',
    '0x1F',
    '12:30:45',
    '~',
    '.inf',
    '2001-01-01',
    '1_000',
    '0b-1',
    '=',
    '<<',
  ];
  const odd = [
    'a\u2028b',
    'a\u009bb',
    '\ufeffa',
    ' \n\n',
    '\n\ta',
    'a: b',
    '# a',
    '- a',
    '\u001b[31m',
    '',
    ' ',
    '...',
    '---',
    '😀',
  ];
  const data = Object.fromEntries([...values, ...odd].map((value, index) => [`k${index}`, value]));
  const keys = Object.fromEntries([...values, ...odd].map((key) => [key, 'v']));
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', annotations: keys }, data };
  const { stdout } = await inferno(['render', '-f', '-'], { stdin: JSON.stringify(object) });
  for (const version of ['1.1', '1.2'] as const) {
    const [document] = parseAllDocuments(stdout, { version, logLevel: 'error' });
    expect((document as { toJS(): unknown }).toJS()).toStrictEqual(object);
  }
  const again = await inferno(['render', '-f', '-'], { stdin: stdout });
  expect(again.stdout).toBe(stdout);
});

test('a bug shows one line, and the trace on demand', async () => {
  const cwd = folderWith({ 'a.yaml': serviceYaml('a') });
  const now = (): number => {
    throw new Error('the clock broke\u001b[2J');
  };
  const argv = ['render', '-f', 'a.yaml'];
  const quiet = await inferno(argv, { cwd, now });
  expect(quiet.code).toBe(70);
  expect(quiet.stderr).toBe(
    String.raw`error: this is a bug in inferno: the clock broke\u001b[2J` +
      '\nSet INFERNO_TRACE=1 to see where, and please report it.\n',
  );
  const loud = await inferno(argv, { cwd, now, env: { INFERNO_TRACE: '1' } });
  expect(loud.stderr).toMatch(/\n {4}at .*render\.test\.ts/);
});

test('standard input may be one of several inputs, in the order of the flags', async () => {
  const cwd = folderWith({});
  writeFileSync(join(cwd, 'a b.yaml'), serviceYaml('a'));
  const { stdout } = await inferno(['render', '-f', '-', '-f', 'a b.yaml'], { cwd, stdin: configMapYaml });
  expect(documentsOf(stdout).map(({ kind }) => kind)).toStrictEqual(['ConfigMap', 'Deployment', 'Service']);
});

test('what depends on others comes after them, with a sync wave of Argo CD where one is asked for', async () => {
  const cwd = folderWith({
    'pair.cjs': `
      const { Child, defineComposition } = require(${JSON.stringify(`${process.cwd()}/build/lib/authoring.js`)});
      const crd = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'pairs.example.com' },
        spec: { group: 'example.com', scope: 'Namespaced', names: { kind: 'Pair', plural: 'pairs' },
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }] } };
      exports.pair = defineComposition({ crd, children: [{ apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps' }],
        compose(scope) {
          const of = (name) => new Child(scope, name, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
          const [second, first] = [of('second'), of('first')];
          second.addDependency(first);
        }, project: () => ({}) });`,
    'a.yaml': 'apiVersion: example.com/v1\nkind: Pair\nmetadata: { name: a }\n',
  });
  const wavesOf = async (...flags: readonly string[]): Promise<readonly unknown[]> => {
    const { stdout, stderr } = await inferno(['render', '-f', 'a.yaml', '--composition', 'pair.cjs', ...flags], {
      cwd,
    });
    expect(stderr).toBe('');
    return documentsOf(stdout).map(({ metadata }) => [metadata.name, Reflect.get(metadata, 'annotations')]);
  };
  expect(await wavesOf()).toEqual([
    ['first', undefined],
    ['second', undefined],
  ]);
  expect(await wavesOf('--argocd-sync-waves')).toEqual([
    ['first', undefined],
    ['second', { 'argocd.argoproj.io/sync-wave': '1' }],
  ]);
});
