import { lost } from './lost';

test('fields that the server adds are no loss', () => {
  expect(lost({ spec: { a: 1 } }, { spec: { a: 1, b: 2 }, status: {} })).toEqual([]);
});

test('a value that is missing, another one and a shorter list are losses, each with its path', () => {
  const rendered = { spec: { a: 1, labels: { 'x.y/z': 'b' }, list: [{ c: 'd' }], args: ['e', 'f'] } };
  expect(lost(rendered, { spec: { labels: { 'x.y/z': 'B' }, list: [{}], args: ['e'] } })).toEqual([
    '.spec.a was rendered as 1 and is undefined',
    '.spec.labels["x.y/z"] was rendered as "b" and is "B"',
    '.spec.list[0].c was rendered as "d" and is undefined',
    '.spec.args was rendered as ["e","f"] and is ["e"]',
  ]);
});

test('quantities are compared as amounts, and only where a field holds one', () => {
  expect(lost({ requests: { cpu: '1000m', memory: 1024 } }, { requests: { cpu: '1', memory: '1Ki' } }, '.r')).toEqual(
    [],
  );
  expect(lost({ requests: { cpu: '1000m' } }, { requests: { cpu: '2' } }, '.r')).toHaveLength(1);
  expect(lost({ args: '1000m' }, { args: '1' })).toHaveLength(1);
});

test('false and empty text may be left out only where their absence means the same', () => {
  expect(lost({ env: [{ value: '' }] }, { env: [{}] })).toEqual([]);
  expect(lost({ automountServiceAccountToken: false }, {})).toHaveLength(1);
  expect(lost({ replicas: 0 }, { replicas: 1 })).toHaveLength(1);
});
