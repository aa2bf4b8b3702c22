import { formatPath, parsePath } from '../../lib/composition';

test.each([
  [['spec', 'env', 0, 'name'], 'spec.env[0].name'],
  [[], ''],
  [['a', 'b.c', 0, 'd', 'e"]f', '__proto__', '0', ''], String.raw`a["b.c"][0].d["e\"]f"].__proto__["0"][""]`],
])('the path %j is written as %s, and read back', (path, text) => {
  expect(formatPath(path)).toBe(text);
  expect(parsePath(text)).toStrictEqual(path);
});

test('what is not of that form is read as far as it can be', () => {
  expect(parsePath('spec..a["')).toStrictEqual(['spec', 'a', '"']);
});
