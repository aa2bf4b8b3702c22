import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonSchema } from '../../tools/generate/json-schema';
import { markRefused } from '../../tools/generate/marks';
import { root } from '../../tools/generate/paths';

const reference = readFileSync(join(root, 'docs/api.md'), 'utf8');
const editor = JSON.parse(readFileSync(join(root, 'crds/inferenceservice.schema.json'), 'utf8'));

test('in the schema for editors unknown fields are errors, and what is open stays open', () => {
  expect(jsonSchema({ type: 'object', properties: { a: { type: 'string', maxLength: 3 } } })).toEqual({
    type: 'object',
    properties: { a: { type: 'string', maxLength: 3 } },
    additionalProperties: false,
  });
  expect(jsonSchema({ type: 'object', additionalProperties: { type: 'integer', format: 'int32' } })).toEqual({
    type: 'object',
    additionalProperties: { type: 'integer' },
  });
  expect(jsonSchema({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true })).toEqual({ type: 'object' });
});

test('an editor takes an integer or a string where Kubernetes does', () => {
  const either = [{ type: 'integer' }, { type: 'string' }];
  expect(jsonSchema({ anyOf: either, 'x-kubernetes-int-or-string': true, pattern: '^a$' })).toEqual({
    type: ['integer', 'string'],
    pattern: '^a$',
  });
});

test('an editor shows the hint at a field that is refused', () => {
  const field = markRefused({ type: 'string', description: 'Not allowed here: use b.' }, 'use b');
  expect(jsonSchema(field)).toMatchObject({ not: {}, description: 'Not allowed here: use b.', errorMessage: 'use b' });
});

test('the schema for editors has the version as its only apiVersion, typed tolerations, and nothing of Kubernetes’ extensions', () => {
  expect(editor.properties.apiVersion.const).toBe('inference.inferno.io/v1alpha1');
  expect(editor.properties.metadata.properties).toHaveProperty('namespace');
  expect(editor.properties.spec.properties.tolerations.items).toMatchObject({ additionalProperties: false });
  expect(editor.properties.spec.properties.podTemplate.properties.spec.properties.affinity.not).toEqual({});
  expect(JSON.stringify(editor)).not.toContain('x-kubernetes');
});

test('every link inside the API reference has its heading', () => {
  const anchors = reference
    .split('\n')
    .filter((line) => line.startsWith('## '))
    .map((line) =>
      line
        .slice(3)
        .toLowerCase()
        .replaceAll(/[^\w-]/g, ''),
    );
  const links = [...reference.matchAll(/\]\(#([^)]*)\)/g)].map(([, anchor]) => anchor);
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((link) => !anchors.includes(link ?? ''))).toEqual([]);
});

test('every row of the API reference has as many cells as its table', () => {
  const cells = (line: string) => line.replaceAll('\\|', '').split('|').length;
  const tables = reference
    .trimEnd()
    .split('\n\n')
    .filter((block) => block.startsWith('|'));
  const broken = tables.flatMap((table) => {
    const [head = '', ...rows] = table.split('\n');
    return rows.filter((row) => cells(row) !== cells(head));
  });
  expect(broken).toEqual([]);
  expect(tables.length).toBeGreaterThan(10);
});

test('the API reference says type, need, default and limits of a field, and the message of each rule', () => {
  expect(reference).toContain('| `uri` | string (1 to 1024 characters) | yes |  | Where the model comes from.');
  expect(reference).toContain('| `port` | integer (1 to 65535) |  | `8000` | The port the server listens on');
  expect(reference).toMatch(
    /\| `tolerations` \| list of \[Toleration\]\(https:[^)]*#toleration-v1-core\), at most 64 items \|/,
  );
  expect(reference).toContain('| `min` | must be no more than replicas.max | `self.min <= self.max` |');
});
