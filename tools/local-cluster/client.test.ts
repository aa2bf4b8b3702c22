import { parseWarnings } from './client';

test('warnings are read from the header, however many there are and no matter what is quoted in them', () => {
  expect(parseWarnings(undefined)).toEqual([]);
  expect(parseWarnings('299 - "unknown field \\"spec.a\\"", 299 - "second, with a comma"')).toEqual([
    'unknown field "spec.a"',
    'second, with a comma',
  ]);
});
