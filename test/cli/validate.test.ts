import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { configMapYaml, folderWith, inferno, removeFolders, serviceYaml } from './support';

afterEach(removeFolders);

test('valid resources are counted, and nothing else is said', async () => {
  const cwd = folderWith({ 'a.yaml': serviceYaml('a') });
  expect(await inferno(['validate', '-f', 'a.yaml'], { cwd })).toStrictEqual({
    code: 0,
    stdout: '1 resource: 1 valid\n',
    stderr: '',
  });
});

test('an error points at the line of the field that is wrong', async () => {
  const cwd = folderWith({ 'a.yaml': `# note\n---\n${serviceYaml('a', { replicas: '\n    min: 5\n    max: 2' })}` });
  const { code, stdout } = await inferno(['validate', '-f', 'a.yaml'], { cwd });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^a\.yaml:13: InferenceService\/a: spec\.replicas\.min: .*\n1 resource: 1 invalid\n$/);
});

test('-o json has an entry per document, broken ones and items of lists too', async () => {
  const list = JSON.stringify({
    apiVersion: 'v1',
    kind: 'List',
    items: [
      {
        apiVersion: 'inference.inferno.io/v1alpha1',
        kind: 'InferenceService',
        metadata: { name: 'c', namespace: 'x' },
      },
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } },
    ],
  });
  const stdin = `${serviceYaml('a')}---\na: [\n---\n${list}\n---\njust text\n`;
  const { code, stdout } = await inferno(['validate', '-f', '-', '-o', 'json'], { stdin });
  expect(code).toBe(1);
  const absent = { kind: null, namespace: null, name: null };
  const file = '<stdin>';
  expect(JSON.parse(stdout)).toStrictEqual([
    { file, document: 1, line: 1, kind: 'InferenceService', namespace: null, name: 'a', valid: true, errors: [] },
    {
      ...{ file, document: 2, line: 12, ...absent, valid: false },
      errors: [{ code: 'syntax', path: '', message: expect.stringContaining('is not valid YAML') }],
    },
    {
      ...{ file, document: 3, line: 14, kind: 'InferenceService', namespace: 'x', name: 'c', valid: false },
      errors: [{ code: 'required', path: 'spec', message: expect.any(String) }],
    },
    { file, document: 3, line: 14, kind: 'Secret', namespace: null, name: 's', valid: true, errors: [] },
    {
      ...{ file, document: 4, line: 16, ...absent, valid: false },
      errors: [
        {
          code: 'type',
          path: '',
          message: 'is not a resource: came "just text", expected a map with apiVersion, kind and metadata',
        },
      ],
    },
  ]);
});

test('all errors of a resource come at once', async () => {
  const stdin = serviceYaml('a', { replicas: '{min: -1}' }).replace('framework: fake', 'framework: nope');
  const { stdout } = await inferno(['validate', '-f', '-', '-o', 'json'], { stdin });
  const paths = (JSON.parse(stdout) as { errors: { path: string }[] }[])[0]?.errors.map(({ path }) => path);
  expect(paths).toStrictEqual(
    expect.arrayContaining(['spec.model.framework', 'spec.replicas.max', 'spec.replicas.min']),
  );
});

test('people read the errors from the top of the file to its end', async () => {
  const text = 'spec:\n  tolerations: 1\n  replicas: {min: -1, max: 1}\n  model: {}\nmetadata: {name: A}\n';
  const stdin = `${text}kind: InferenceService\napiVersion: inference.inferno.io/v1alpha1\n`;
  const { stdout } = await inferno(['validate', '-f', '-'], { stdin });
  const lines = Array.from(stdout.matchAll(/^<stdin>:(\d+):/gm), ([, line]) => Number(line));
  expect(new Set(lines)).toStrictEqual(new Set([2, 3, 4, 5]));
  expect(lines).toStrictEqual(lines.toSorted((a, b) => a - b));
});

test('a resource that comes twice is refused, and both places are named', async () => {
  const cwd = folderWith({ 'a.yaml': serviceYaml('a'), 'b.yaml': `---\n---\n${serviceYaml('a')}` });
  const { code, stdout } = await inferno(['validate', '-f', '.'], { cwd });
  expect(code).toBe(1);
  expect(stdout).toBe(
    'b.yaml:6: InferenceService/a: metadata.name: is given twice: InferenceService a without namespace stands in a.yaml, line 1, too\n' +
      '2 resources: 1 valid, 1 invalid\n',
  );
});

test('the same name in two namespaces, or in two kinds, is no duplicate', async () => {
  const other = configMapYaml.replace('settings', 'a');
  const stdin = [
    serviceYaml('a', { namespace: 'x' }),
    serviceYaml('a', { namespace: 'w' }),
    serviceYaml('a'),
    other,
  ].join('---\n');
  expect(await inferno(['validate', '-f', '-'], { stdin })).toMatchObject({ code: 0 });
});

test('--namespace makes a duplicate of a resource without namespace', async () => {
  const stdin = `${serviceYaml('a', { namespace: 'x' })}---\n${serviceYaml('a')}`;
  expect(await inferno(['validate', '-n', 'x', '-f', '-'], { stdin })).toMatchObject({ code: 1 });
});

test('other kinds are valid, or refused by the flag', async () => {
  const stdin = `${serviceYaml('a')}---\n${configMapYaml}`;
  expect(await inferno(['validate', '-f', '-'], { stdin })).toMatchObject({
    code: 0,
    stdout: '2 resources: 1 valid, 1 of another kind, not checked\n',
  });
  const refused = await inferno(['validate', '-f', '-', '--unknown-kinds=refuse'], { stdin });
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain(
    '<stdin>:13: ConfigMap/settings: kind: is refused: v1 ConfigMap is none of InferenceService\n',
  );
});

test.each([
  ['inference.inferno.io/v1alpha1', 'InferenceServce', 'kind', 'is not a kind of inference.inferno.io'],
  ['inference.inferno.io/v9', 'InferenceService', 'apiVersion', 'v1alpha1'],
])('%s %s is an error, also where other kinds pass', async (apiVersion, kind, path, message) => {
  const stdin = serviceYaml('a').replace(/.*\n.*\n/, `apiVersion: ${apiVersion}\nkind: ${kind}\n`);
  const { code, stdout } = await inferno(['validate', '-f', '-', '-o', 'json'], { stdin });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject([{ errors: [{ path, message: expect.stringContaining(message) }] }]);
});

test.each([
  ['{}', ['apiVersion', 'kind', 'metadata']],
  ['{apiVersion: v1, kind: Pod, metadata: {}}', ['metadata.name']],
  ['{apiVersion: v1, kind: Pod, metadata: {name: 5}}', ['metadata.name']],
  ['{apiVersion: v1, kind: [Pod], metadata: {name: x}}', ['kind']],
  ['{apiVersion: v1, kind: Pod, metadata: [x]}', ['metadata']],
  ['[a, b]', ['']],
])('%s is not a resource of any kind', async (text, paths) => {
  const { code, stdout } = await inferno(['validate', '-f', '-', '-o', 'json'], { stdin: `# x\n${text}\n` });
  expect(code).toBe(1);
  const [entry] = JSON.parse(stdout) as { errors: { path: string }[] }[];
  expect(entry?.errors.map(({ path }) => path)).toStrictEqual(paths);
});

test.each([
  ['nothing', '', 'error: there is no resource in standard input\n'],
  ['only comments', '# x\n---\n# y\n', 'error: there is no resource in standard input\n'],
  [
    'an empty list',
    '{"apiVersion": "v1", "kind": "List", "items": []}',
    'error: there is no resource in standard input\n',
  ],
])('standard input with %s is invalid', async (_, stdin, stderr) => {
  expect(await inferno(['validate', '-f', '-'], { stdin })).toStrictEqual({ code: 1, stdout: '', stderr });
});

test('a file that is missing is named', async () => {
  const cwd = folderWith({});
  expect(await inferno(['validate', '-f', 'no such.yaml'], { cwd })).toStrictEqual({
    code: 1,
    stdout: '',
    stderr: 'error: no such.yaml: no such file or folder\n',
  });
});

test('a folder is read in the order of names, and its folders only with -R', async () => {
  const cwd = folderWith({
    'd/b.yml': serviceYaml('b'),
    'd/a.json': JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } }),
    'd/c/c.yaml': serviceYaml('c'),
    'd/readme.md': '# no',
    'd/z.yaml.bak': 'no',
  });
  const names = async (...flags: string[]): Promise<unknown> => {
    const { stdout } = await inferno(['validate', '-f', 'd', '-o', 'json', ...flags], { cwd });
    return (JSON.parse(stdout) as { file: string }[]).map(({ file }) => file);
  };
  expect(await names()).toStrictEqual(['d/a.json', 'd/b.yml']);
  expect(await names('-R')).toStrictEqual(['d/a.json', 'd/b.yml', 'd/c/c.yaml']);
});

test('a file of any name is read, and a comma parts names', async () => {
  const cwd = folderWith({ 'a.txt': serviceYaml('a'), 'b, c': serviceYaml('b'), d: serviceYaml('d') });
  const { stdout } = await inferno(['validate', '-f', 'a.txt,d', '-f', 'b, c'], { cwd });
  expect(stdout).toBe('3 resources: 3 valid\n');
});

test('a folder without such files says so, and where there are some', async () => {
  const cwd = folderWith({ 'd/x.txt': '', 'd/deep/a.yaml': serviceYaml('a'), 'e/x.txt': '' });
  expect((await inferno(['validate', '-f', 'e'], { cwd })).stderr).toBe('error: e: has no .yaml, .yml or .json file\n');
  expect((await inferno(['validate', '-f', 'd'], { cwd })).stderr).toBe(
    'error: d: has no .yaml, .yml or .json file; there are some in its folders, read them with -R\n',
  );
});

test('a folder with only other kinds is probably the wrong one, unless the flag says that it is meant', async () => {
  const cwd = folderWith({ 'd/x.yaml': configMapYaml });
  const { code, stderr } = await inferno(['validate', '-f', 'd'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toBe(
    'error: there is no InferenceService in d, only other kinds (1); --unknown-kinds=pass lets them pass\n',
  );
  expect(await inferno(['validate', '-f', 'd', '--unknown-kinds=pass'], { cwd })).toMatchObject({ code: 0 });
  expect(await inferno(['validate', '-f', 'd/x.yaml'], { cwd })).toMatchObject({ code: 0 });
});

test('links to files are followed, a loop of folders is not', async () => {
  const cwd = folderWith({ 'd/a.yaml': serviceYaml('a'), 'other.txt': serviceYaml('b') });
  symlinkSync('..', join(cwd, 'd/loop'));
  symlinkSync('..', join(cwd, 'd/loop.yaml'));
  symlinkSync('../other.txt', join(cwd, 'd/b.yaml'));
  expect(await inferno(['validate', '-R', '-f', 'd'], { cwd })).toMatchObject({
    code: 0,
    stdout: '2 resources: 2 valid\n',
  });
});

test('files that cannot be read as text do not hide the others', async () => {
  const cwd = folderWith({
    'a.yaml': new Uint8Array([0xff, 0x00, 0xc3, 0x28]),
    'b.yaml': serviceYaml('b'),
    'c.yaml': 'a: \0\n',
  });
  symlinkSync('nowhere', join(cwd, 'd.yaml'));
  const { code, stdout } = await inferno(['validate', '-f', '.'], { cwd });
  expect(code).toBe(1);
  expect(stdout.split('\n')).toStrictEqual([
    'a.yaml:1: is not text in UTF-8',
    String.raw`c.yaml:1: contains the character U+0000: write it as "\u0000" in double quotes`,
    'd.yaml:1: no such file or folder',
    '4 resources: 1 valid, 3 invalid',
    '',
  ]);
});

test('an item of a list of one kind need not say its kind, as kubectl fills it in', async () => {
  const item = { metadata: { name: 'a' }, spec: { model: {} } };
  const list = { apiVersion: 'inference.inferno.io/v1alpha1', kind: 'InferenceServiceList', items: [item] };
  const { stdout } = await inferno(['validate', '-f', '-', '-o', 'json'], { stdin: JSON.stringify(list) });
  expect(JSON.parse(stdout)).toMatchObject([{ kind: 'InferenceService', name: 'a', valid: false }]);
});

test.each([
  ['UTF-8', Buffer.from(`\ufeff${serviceYaml('a')}`, 'utf8')],
  ['UTF-16 little-endian', Buffer.from(`\ufeff${serviceYaml('a')}`, 'utf16le')],
  ['UTF-16 big-endian', Buffer.from(`\ufeff${serviceYaml('a')}`, 'utf16le').swap16()],
])('a file with the byte order mark of %s is read', async (_, bytes) => {
  expect(await inferno(['validate', '-f', '-'], { stdin: bytes })).toMatchObject({
    code: 0,
    stdout: '1 resource: 1 valid\n',
  });
});

test('names that could steer the terminal are escaped, for people and in JSON', async () => {
  const cwd = folderWith({
    'a\n\u001b[2J.yaml': 'apiVersion: v1\nkind: "P\\e[31mod"\nmetadata: {name: "x\\u202e"}\nspec: 1\n',
  });
  const argv = ['validate', '-f', '.', '--unknown-kinds=refuse'];
  const text = await inferno(argv, { cwd });
  expect(text.stdout).toContain(String.raw`a\n\u001b[2J.yaml:2: P\u001b[31mod/x\u202e: kind: is refused`);
  const json = await inferno([...argv, '-o', 'json'], { cwd });
  expect(json.stdout).not.toMatch(/[\u001b\u202e]/);
  expect(JSON.parse(json.stdout)).toMatchObject([
    { file: 'a\n\u001b[2J.yaml', kind: 'P\u001b[31mod', name: 'x\u202e' },
  ]);
});

test('a large file is read in bounded time', async () => {
  const stdin = Array.from({ length: 3000 }, (_, index) => configMapYaml.replace('settings', `s${index}`)).join(
    '---\n',
  );
  const large = `${stdin}---\n${configMapYaml.replace('"yes"', `"${'x'.repeat(10_000_000)}"`)}`;
  expect(await inferno(['validate', '-f', '-'], { stdin: large })).toMatchObject({ code: 0 });
});

test('a long job says on a terminal that it runs, and a short one does not', async () => {
  const stdin = `${serviceYaml('a')}---\n${serviceYaml('b')}`;
  let time = 0;
  const slow = await inferno(['validate', '-f', '-'], { stdin, terminal: true, now: () => (time += 1500) });
  expect(slow.stderr).toBe('\r2 resources read, 3 s …\r\u001b[K');
  time = 0;
  const quick = await inferno(['validate', '-f', '-'], { stdin, terminal: true, now: () => (time += 100) });
  expect(quick.stderr).toBe('');
});

test('Ctrl-C ends it with 130 and without a word', async () => {
  const outcome = await inferno(['validate', '-f', '-'], { stdin: serviceYaml('a'), interrupted: AbortSignal.abort() });
  expect(outcome).toStrictEqual({ code: 130, stdout: '', stderr: '' });
});
