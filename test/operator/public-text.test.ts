import type { Manifest } from '../../lib/composition';
import { publicText } from '../../operator/report/public-text';

const base64 = Buffer.from('s3cr3t-value').toString('base64');
const secret: Manifest = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's' },
  data: { a: base64 },
  stringData: { b: 'another "secret"' },
};
const env = [
  { name: 'KEY', value: 'hunter2hunter2' },
  { name: 'SHORT', value: 'info' },
  { name: 'REF', valueFrom: { fieldRef: { fieldPath: 'x' } } },
];
const deployment: Manifest = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd' },
  spec: { template: { spec: { containers: [{ name: 'c', env }] } } },
};

test.each([
  ['the data of a Secret', `data[a]: Invalid value: "${base64}"`, 'data[a]: Invalid value: "***"'],
  ['that data decoded', 'refused: s3cr3t-value', 'refused: ***'],
  ['text as JSON writes it', 'value: "another \\"secret\\""', 'value: "***"'],
  ['the value of a variable', 'env: hunter2hunter2!', 'env: ***!'],
])('%s does not become public', (_, text, expected) => {
  expect(publicText(text, [secret, deployment])).toBe(expected);
});

test('short values and other texts stay', () => {
  expect(publicText('info: KEY is bad', [deployment])).toBe('info: KEY is bad');
});

test('a text becomes one line of at most about a thousand characters', () => {
  expect(publicText(' a\n\t b  c ', [])).toBe('a b c');
  const long = publicText('😀'.repeat(1000), []);
  expect(long.length).toBeLessThanOrEqual(1024);
  expect(long).not.toMatch(/\p{Surrogate}/u);
  expect(long.endsWith('…')).toBe(true);
});

test('an object that contains itself ends', () => {
  const spec: { [key: string]: unknown } = {};
  spec['self'] = spec;
  expect(publicText('x', [{ ...deployment, spec }])).toBe('x');
});
