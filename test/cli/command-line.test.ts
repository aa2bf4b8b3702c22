import { commands } from '../../cli/commands';
import { version } from '../../package.json';
import { nearest } from '../../cli/nearest';
import { inferno } from './support';

test('--version prints only the version', async () => {
  expect(await inferno(['--version'])).toStrictEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test.each([[[]], [['--help']], [['-h']], [['help']]])('%j prints the help of the program on stdout', async (argv) => {
  const { code, stdout, stderr } = await inferno(argv);
  expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' });
  for (const { name, summary } of commands) expect(stdout).toMatch(new RegExp(`^ {2}${name} +${summary}$`, 'm'));
});

test.each(commands.map(({ name }) => name))('the help of %s has usage, examples and every flag', async (name) => {
  const { code, stdout } = await inferno([name, '--help']);
  expect(code).toBe(0);
  expect(await inferno(['help', name])).toStrictEqual({ code, stdout, stderr: '' });
  expect(stdout).toContain(`Usage:\n  inferno ${name}`);
  expect(stdout).toMatch(/Examples:\n {2}# /);
  const command = commands.find((candidate) => candidate.name === name);
  for (const flag of command?.flags ?? []) expect(stdout).toContain(`--${flag.name}`);
  const own = stdout.split('Environment variables:')[0] ?? '';
  expect(Math.max(...own.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
});

test.each([
  [['rendr'], 'error: unknown command "rendr"\ndid you mean render?\nSee \'inferno --help\'.\n'],
  [['frobnicate'], 'error: unknown command "frobnicate"\nSee \'inferno --help\'.\n'],
  [['help', 'crb'], 'error: unknown command "crb"\ndid you mean crd?\nSee \'inferno --help\'.\n'],
  [
    ['-f', 'x', 'render'],
    "error: the command comes first, but -f came\nsuch as: inferno render -f FILE\nSee 'inferno --help'.\n",
  ],
  [['render'], "error: needs at least one -f FILE\nfor standard input: -f -\nSee 'inferno render --help'.\n"],
  [
    ['render', 'a.yaml'],
    'error: unexpected argument "a.yaml"\ndid you mean -f a.yaml?\nSee \'inferno render --help\'.\n',
  ],
  [['render', '-f'], "error: -f needs a value: -f FILE\nSee 'inferno render --help'.\n"],
  [['render', '-f', ''], "error: -f needs a file, a folder or -, but came empty\nSee 'inferno render --help'.\n"],
  [
    ['render', '--outdir', 'x'],
    "error: unknown flag --outdir\ndid you mean --out-dir?\nSee 'inferno render --help'.\n",
  ],
  [['render', '-x'], /^error: unknown flag -x\n/],
  [
    ['render', '-k', 'base'],
    "error: unknown flag -k\npipe it instead: kubectl kustomize FOLDER | inferno … -f -\nSee 'inferno render --help'.\n",
  ],
  [
    ['render', '-f', 'x', '-o', 'jsn'],
    'error: --output must be yaml or json, but came as "jsn"\ndid you mean json?\nSee \'inferno render --help\'.\n',
  ],
  [['render', '-f', 'x', '-o', 'json', '-o', 'yaml'], "error: --output is given twice\nSee 'inferno render --help'.\n"],
  [['render', '-f', 'x', '-n', 'Prod'], /^error: --namespace must be at most 63 of a-z/],
  [['render', '-f', 'x', '--recursive=maybe'], /^error: --recursive takes no value, but came with "maybe"\n/],
  [['render', '-f', '-', '-f', '-'], /^error: standard input \(-f -\) can be read only once\n/],
  [
    ['render', '-f', 'https://example.com/a.yaml'],
    /^error: URLs are not read: https:\/\/example.com\/a.yaml\ndownload it first/,
  ],
  [['completion'], /^error: needs an argument: inferno completion SHELL, one of bash, zsh, fish, powershell\n/],
  [['completion', 'fsh'], /^error: SHELL must be one of .*, but came as "fsh"\ndid you mean fish\?\n/],
  [['completion', 'bash', 'zsh'], /^error: unexpected argument "zsh"\n/],
])('%j is wrong usage: exit code 2, and what would be right', async (argv, expected) => {
  const { code, stdout, stderr } = await inferno(argv);
  expect({ code, stdout }).toStrictEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(typeof expected === 'string' ? new RegExp(`^${escapeRegExp(expected)}$`) : expected);
});

test('of several candidates the one with the fewest typing errors is meant, and none where there are many', () => {
  expect(nearest('schmea', ['schema', 'schemes'])).toBe('schema');
  expect(nearest('schmea', ['schemes', 'schema'])).toBe('schema');
  expect(nearest('xyz', ['schema', 'crd'])).toBeUndefined();
});

test('a value that could steer the terminal is escaped in the message', async () => {
  const { stderr } = await inferno(['render', '\u001b[31mred\u009b\u202e']);
  expect(stderr).toContain(String.raw`unexpected argument "\u001b[31mred\u009b\u202e"`);
});

test('colours appear on a terminal, unless NO_COLOR is set', async () => {
  const argv = ['frobnicate'];
  expect((await inferno(argv, { terminal: true })).stderr).toContain('\u001b[31merror:\u001b[0m');
  expect((await inferno(argv, { terminal: true, env: { NO_COLOR: '1' } })).stderr).toMatch(/^error:/);
  expect((await inferno(argv, { terminal: true, env: { TERM: 'dumb' } })).stderr).toMatch(/^error:/);
});

test('schema prints a JSON Schema that names the fields', async () => {
  const { code, stdout } = await inferno(['schema']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    $schema: expect.stringContaining('json-schema.org'),
    properties: { spec: { properties: { model: { required: expect.arrayContaining(['uri']) } } } },
  });
});

test('crd prints the same definition as YAML and as JSON', async () => {
  const json = await inferno(['crd', '-o', 'json']);
  const yaml = await inferno(['crd']);
  const { parse } = await import('yaml');
  expect(json.code + yaml.code).toBe(0);
  expect(parse(yaml.stdout)).toStrictEqual(JSON.parse(json.stdout));
  expect(JSON.parse(json.stdout)).toMatchObject({ metadata: { name: 'inferenceservices.inference.inferno.io' } });
});

test('fake-server lists its variables in its help', async () => {
  expect((await inferno(['fake-server', '--help'])).stdout).toMatch(/Environment variables:\n(?: {2}.*\n)* {2}PORT /);
});

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
