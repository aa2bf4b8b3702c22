import { formatPath } from '../../lib/composition';
import { illegalMetadata } from '../../lib/composition/legal';

function paths(apiVersion: string, kind: string, metadata: object, rest: object = {}): readonly string[] {
  return illegalMetadata({ apiVersion, kind, metadata: { name: 'a', ...metadata }, ...rest }).map(({ path }) =>
    formatPath(path),
  );
}

test.each([
  ['v1', 'Service', 'a', true],
  ['v1', 'Service', '1a', false],
  ['v1', 'Service', 'a.b', false],
  ['v1', 'Service', 'a'.repeat(64), false],
  ['apps/v1', 'Deployment', 'llama-3.1', true],
  ['apps/v1', 'Deployment', '1a', true],
  ['apps/v1', 'Deployment', 'a'.repeat(253), true],
  ['apps/v1', 'Deployment', 'a'.repeat(254), false],
  ['apps/v1', 'Deployment', 'A', false],
  ['apps/v1', 'Deployment', 'a-', false],
  ['apps/v1', 'Deployment', 'a..b', false],
  ['apps/v1', 'Deployment', 'a_b', false],
  ['apps/v1', 'StatefulSet', 'a.b', false],
  ['apps/v1', 'StatefulSet', '1a', true],
  ['batch/v1', 'CronJob', 'a'.repeat(52), true],
  ['batch/v1', 'CronJob', 'a'.repeat(53), false],
  ['rbac.authorization.k8s.io/v1', 'Role', 'system:Thing', true],
  ['rbac.authorization.k8s.io/v1', 'Role', 'a/b', false],
  ['rbac.authorization.k8s.io/v1', 'RoleBinding', '..', false],
  ['example.com/v1', 'Thing', 'a.b', true],
])('%s %s named %s is legal: %s', (apiVersion, kind, name, legal) => {
  expect(paths(apiVersion, kind, { name })).toStrictEqual(legal ? [] : ['metadata.name']);
});

test.each([
  ['app', 'v1', true],
  ['app', '', true],
  ['a.b/c', 'V_1.2', true],
  ['App', 'v', true],
  ['app', 'a b', false],
  ['app', '-a', false],
  ['app', 'a'.repeat(64), false],
  ['', 'v', false],
  ['a/b/c', 'v', false],
  ['A.b/c', 'v', false],
  ['/c', 'v', false],
  ['a.b/', 'v', false],
  [`${'a'.repeat(254)}/c`, 'v', false],
  ['a'.repeat(64), 'v', false],
])('label %s: %s is legal: %s', (key, value, legal) => {
  expect(paths('v1', 'Secret', { labels: { [key]: value } })).toHaveLength(legal ? 0 : 1);
});

test('annotations take any text, and keys whose prefix has capitals', () => {
  expect(paths('v1', 'Secret', { annotations: { 'A.b/C': 'any text, 模型\n' } })).toStrictEqual([]);
  expect(paths('v1', 'Secret', { annotations: { 'a b': '' } })).toStrictEqual(['metadata.annotations["a b"]']);
});

test('annotations of more than 256 KiB are too large, counted in bytes', () => {
  expect(paths('v1', 'Secret', { annotations: { a: 'ü'.repeat(131_071) } })).toStrictEqual([]);
  expect(paths('v1', 'Secret', { annotations: { a: 'ü'.repeat(131_072) } })).toStrictEqual(['metadata.annotations']);
});

test('a namespace is a DNS label', () => {
  expect(paths('v1', 'Secret', { namespace: 'a.b' })).toStrictEqual(['metadata.namespace']);
});

test('labels and annotations of templates are looked at too', () => {
  const metadata = { labels: { a: '!' }, annotations: { '!': '' } };
  expect(paths('apps/v1', 'Deployment', {}, { spec: { template: { metadata } } })).toStrictEqual([
    'spec.template.metadata.labels.a',
    'spec.template.metadata.annotations["!"]',
  ]);
  const jobTemplate = { spec: { template: { metadata: { labels: { a: 1 } } } } };
  expect(paths('batch/v1', 'CronJob', {}, { spec: { jobTemplate } })).toStrictEqual([
    'spec.jobTemplate.spec.template.metadata.labels.a',
  ]);
});

test('a message says what came and what was expected', () => {
  const [error] = illegalMetadata({ apiVersion: 'v1', kind: 'Service', metadata: { name: '3-small' } });
  expect(error?.message).toBe('is "3-small"; expected lower-case letters, digits and "-", a letter first');
});
