import { readFileSync } from 'node:fs';
import { settings, variableOf } from '../../lib/settings/settings';
import { folderWith, inferno, removeFolders } from './support';

afterEach(removeFolders);

test('the help lists every flag with its variable, and a default where there is one', async () => {
  const { stdout } = await inferno(['operator', '--help']);
  const flat = stdout.replaceAll(/\s+/g, ' ');
  for (const setting of settings) {
    expect(flat).toContain(`--${setting.flag}`);
    expect(flat).toContain(`[${variableOf(setting)}]`);
    const standard = setting.default ?? setting.otherwise;
    if (standard !== undefined) expect(flat).toContain(`Default: ${standard}.`);
  }
});

test('the table of flags in the documentation is that of the program', () => {
  const rows = readFileSync('docs/operator.md', 'utf8')
    .split('\n')
    .filter((line) => line.includes('`INFERNO_'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  expect(rows).toEqual(
    settings.map((setting) => {
      const { flag, short, value, description } = setting;
      const standard = setting.default ?? setting.otherwise ?? '';
      const name = [
        ...(short === undefined ? [] : [`-${short}, `]),
        `--${flag}`,
        value === undefined ? '' : ` ${value}`,
      ];
      return ['', `\`${name.join('')}\``, `\`${variableOf(setting)}\``, standard, description, ''];
    }),
  );
});

test.each([
  [['--leader-elct'], 'unknown flag --leader-elct', 'did you mean --leader-elect?'],
  [['--namespace', 'team'], 'unknown flag --namespace', 'it is --watch-namespace now'],
  [['-n', 'team'], 'unknown flag -n', 'it is --watch-namespace now'],
  [['--leader-elect=maybe'], '--leader-elect takes no value, but came with "maybe"'],
  [['--max-concurrent-reconciles', 'many'], '--max-concurrent-reconciles must be a whole number from 1 to 1000'],
  [['--zap-log-level', 'loud'], '--log-level must be error, info, debug or a number, but came as "loud"'],
  [['--metrics-bind-address'], '--metrics-bind-address needs a value'],
  [['service.yaml'], 'unexpected argument "service.yaml"'],
])('%j is refused by name', async (args, ...messages) => {
  const { code, stdout, stderr } = await inferno(['operator', ...args]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  for (const message of messages) expect(stderr).toContain(message);
});

test('a wrong variable is refused by name', async () => {
  const { code, stderr } = await inferno(['operator'], { env: { INFERNO_SYNC_PERIOD: 'daily' } });
  expect(code).toBe(2);
  expect(stderr).toContain('INFERNO_SYNC_PERIOD must be a time');
});

const composition = `{
  crd: { metadata: { name: 'things.example.com' }, spec: { group: 'example.com', scope: 'Namespaced',
    names: { kind: 'Thing', plural: 'things' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }] } },
  children: [{ apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps' }],
  compose() {}, project() { return {}; },
}`;

test.each([
  ['a named export', 'a.cjs', `exports.thing = ${composition};`],
  ['the default of a CommonJS module', 'a.cjs', `module.exports = ${composition};`],
  ['a list', 'a.cjs', `exports.all = [${composition}];`],
  ['the default of an ES module', 'a.mjs', `export default ${composition};`],
])('a composition is taken from %s', async (_, name, text) => {
  const cwd = folderWith({ [name]: text });
  const { code, stdout, stderr } = await inferno(['rbac', '--composition', `./${name}`, '-o', 'json'], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('"things/status"');
  expect(stdout).toContain('"inferenceservices/status"');
});

test.each([
  ['exports.a = 1; exports.b = {};', './a.cjs exports no composition (it exports'],
  [`exports.a = ${composition.replace('project() { return {}; },', '')};`, 'one has no function project'],
  [`exports.a = ${composition.replace("plural: 'configmaps'", '')};`, 'one has no children, a list of'],
  [`exports.a = ${composition}; exports.b = ${composition};`, 'there are two compositions for Thing.example.com'],
  ['throw new Error("it rains");', './a.cjs could not be loaded: it rains'],
  ['const = 1;', './a.cjs could not be loaded: '],
  ["require('not-there');", "Cannot find module 'not-there'"],
])('a module such as %s is refused with what is wrong', async (text, message) => {
  const cwd = folderWith({ 'a.cjs': text });
  const { code, stdout, stderr } = await inferno(['rbac', '--composition', './a.cjs'], { cwd });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(message);
});

test('a module that is not there is named', async () => {
  const { code, stderr } = await inferno(['rbac', '--composition', './b.cjs'], { cwd: folderWith({}) });
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'error: ./b.cjs does not exist\n' });
});
