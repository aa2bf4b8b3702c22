import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { installCommand } from '../../cli/commands/install/command';
import { infernoImage } from '../../lib/inference/engines/fake';
import { chartFiles } from '../../packaging/chart';
import { docsOfMembers } from '../../packaging/props-docs';
import { Template } from '../../packaging/template';

const docs = docsOfMembers(readFileSync('lib/install/props.ts', 'utf8'));
const files = chartFiles({ version: '1.2.3', docs });

test('the values say what the props mean, without the marks of a doc comment', () => {
  const values = files['values.yaml'] ?? '';
  expect(values).toContain('# How much the operator logs: error, info or debug.\nlogLevel: info\n');
  expect(values).not.toContain('@default');
  expect(values).not.toContain('undefined');
  for (const line of values.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
});

test('the image of the values is that of the construct, its tag the version of the chart', () => {
  const { image } = parse(files['values.yaml'] ?? '') as { readonly image: Readonly<Record<string, string>> };
  expect(`${image['repository']}:0.1.0`).toBe(infernoImage.replace(/:[^:]*$/, ':0.1.0'));
  expect(image).toMatchObject({ tag: '', digest: '' });
  expect(parse(files['Chart.yaml'] ?? '')).toMatchObject({ version: '1.2.3', appVersion: '1.2.3' });
});

test('every value has a place in the schema and none is there that is no value', () => {
  const schema = JSON.parse(files['values.schema.json'] ?? '') as Schema;
  const values = parse(files['values.yaml'] ?? '') as Values;
  const { global: _, ...properties } = schema.properties ?? {};
  expect(Object.keys(properties)).toEqual(Object.keys(values));
  for (const [name, { properties: members }] of Object.entries(properties)) {
    if (members !== undefined && isClosed(name, schema)) {
      expect(Object.keys(members)).toEqual(Object.keys(values[name] as Values));
    }
  }
});

/** Whether a value has members that the chart knows, and not what the API server knows. */
function isClosed(name: string, schema: Schema): boolean {
  const { additionalProperties, patternProperties } = schema.properties?.[name] ?? {};
  return additionalProperties === false && patternProperties === undefined;
}

interface Schema {
  readonly additionalProperties?: unknown;
  readonly patternProperties?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}
type Values = Readonly<Record<string, unknown>>;

test('every value is used by a template', () => {
  const templates = Object.entries(files)
    .filter(([name]) => name.startsWith('templates/'))
    .map(([, text]) => text)
    .join('');
  const values = parse(files['values.yaml'] ?? '') as Values;
  const schema = JSON.parse(files['values.schema.json'] ?? '') as Schema;
  for (const [name, value] of Object.entries(values)) {
    for (const path of isClosed(name, schema)
      ? Object.keys(value as Values).map((member) => `${name}.${member}`)
      : [name]) {
      expect(templates).toContain(`.Values.${path}`);
    }
  }
});

test('what looks like a template in an alert is text in the chart', () => {
  const monitoring = files['templates/monitoring.yaml'] ?? '';
  expect(monitoring).toContain('{{ "{{" }} $labels.');
  expect(monitoring).not.toMatch(/\{\{ \$labels/);
});

test('a template is not made where something is not at its place or a stand-in is left', () => {
  expect(() => new Template('a: 1\n').line('b: 1', [])).toThrow('"b: 1" is not where the chart expects it');
  expect(() => new Template('a: 1\n').expression('zz-b', '.b')).toThrow('"zz-b" is not where the chart expects it');
  expect(() => new Template('a: 1\n').field('a', '2', () => [])).toThrow('"2" is not where the chart expects it');
  expect(() => new Template('a:\n  - zz-b\n').finish('zz-')).toThrow(
    'nothing takes the place of "- zz-b" in the chart',
  );
});

test('an expression that is the whole value is quoted, one in a text is not', () => {
  const text = new Template('a: zz-x\nb: before-zz-x\nc:\n  - zz-x\n').expression('zz-x', '.X').finish('zz-');
  expect(text).toBe('a: {{ .X | quote }}\nb: before-{{ .X }}\nc:\n  - {{ .X | quote }}\n');
});

test('the document on the installation has every prop, flag and value', () => {
  const text = readFileSync('docs/install.md', 'utf8');
  const said = new Set([...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code));
  const flags = installCommand.flags.map(({ name }) => `--${name}`).filter((flag) => flag !== '--output');
  const values = Object.entries(parse(files['values.yaml'] ?? '') as Values).flatMap(([name, value]) =>
    isClosed(name, JSON.parse(files['values.schema.json'] ?? '') as Schema)
      ? Object.keys(value as Values).map((member) => `${name}.${member}`)
      : [name],
  );
  expect([...docs.keys(), ...flags, ...values].filter((name) => !said.has(name))).toEqual([]);
});
