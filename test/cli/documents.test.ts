import { readDocuments } from '../../cli/input/documents';
import type { SourceDocument } from '../../cli/input/documents';
import { lineOf, toValue } from '../../cli/input/located';
import { parsePath } from '../../lib/composition';

test('a broken document leaves the others as they are, and each has its number and line', () => {
  const text = 'a: 1\n---\nb: [1\n---\n# only a comment\n---\n\nc: 3\n';
  expect(shorten(readDocuments(text, 'f'))).toStrictEqual([
    { document: 1, line: 1, value: { a: 1 } },
    { document: 2, line: 3, fault: expect.stringContaining('is not valid YAML') },
    { document: 3, line: 8, value: { c: 3 } },
  ]);
});

test('an open quote does not swallow the next document', () => {
  const documents = shorten(readDocuments('a: "x\n---\nb: 2\n', 'f'));
  expect(documents).toMatchObject([{ fault: expect.any(String) }, { line: 3, value: { b: 2 } }]);
});

test.each([
  ['an empty text', ''],
  ['only comments', '# a\n  # b\n---\n# c\n'],
  ['only separators', '---\n---\n'],
  ['blank lines', '\n \n\t\n'],
])('%s has no documents', (_, text) => {
  expect(readDocuments(text, 'f')).toStrictEqual([]);
});

test('text behind a separator is refused at its line, as kubectl refuses it', () => {
  expect(shorten(readDocuments('a: 1\n--- b: 2\n--- # fine\nc: 3\n', 'f'))).toStrictEqual([
    { document: 1, line: 1, value: { a: 1 } },
    { document: 2, line: 2, fault: '"---" must stand alone on its line, but "b: 2" follows it' },
    { document: 3, line: 4, value: { c: 3 } },
  ]);
});

test('a document behind an end marker is refused, as kubectl would skip it', () => {
  const [document] = shorten(readDocuments('a: 1\n...\nb: 2\n', 'f'));
  expect(document).toMatchObject({ line: 3, fault: expect.stringContaining('kubectl would skip it') });
});

test('line ends of Windows change neither values nor lines', () => {
  const documents = readDocuments('a: 1\r\nb: |\r\n  x\r\n  y\r\n---\r\nc: 3\r\n', 'f');
  expect(shorten(documents)).toStrictEqual([
    { document: 1, line: 1, value: { a: 1, b: 'x\ny\n' } },
    { document: 2, line: 6, value: { c: 3 } },
  ]);
});

test('JSON values that follow one another are documents', () => {
  expect(shorten(readDocuments('{"a": 1}\n\n{"b":\n [true, null]} {"c": "\\ud83d\\ude00"}', 'f'))).toStrictEqual([
    { document: 1, line: 1, value: { a: 1 } },
    { document: 2, line: 3, value: { b: [true, null] } },
    { document: 3, line: 4, value: { c: '😀' } },
  ]);
});

test('JSON and YAML may be mixed between separators', () => {
  const values = shorten(readDocuments('{"a": 1}\n---\nb: 2\n---\n{c: 3}\n', 'f')).map(({ value }) => value);
  expect(values).toStrictEqual([{ a: 1 }, { b: 2 }, { c: 3 }]);
});

test.each([
  ['{"a": 1,\n"b" 2}', 2, 'is not valid JSON: Missing , or : between flow map items'],
  ['{"a": [1, 2}', 1, expect.stringMatching(/^is not valid JSON: Flow sequence .* end with a \]$/)],
  ['{"a": 1', 1, 'is not valid JSON: Flow map must end with a }'],
  ['{"a": 1}\n{"a": "\\x"}', 2, String.raw`is not valid JSON: Invalid escape sequence \x"`],
  ['{"a": 1}\n{"b": 2} c\n{"d": 3}', 2, expect.stringContaining('c')],
  ['{"a": 1,\n "a": 2}', 2, 'the key "a" is given twice, first on line 1'],
  [
    '{"a": 9007199254740993}',
    1,
    '9007199254740993 is beyond ±9007199254740991 and would lose digits; write it in quotes',
  ],
])('the broken JSON %j is reported with its line', (text, line, fault) => {
  expect(shorten(readDocuments(text, 'f')).at(-1)).toMatchObject({ line, fault });
});

test('a path leads to the line of its value, or of the nearest parent that is there', () => {
  const text =
    'kind: A\nspec:\n  replicas:\n    min: 1\n  env:\n    - name: A\n      value: b\n    - name: C\n  nodeSelector:\n    a.b/c: d\n';
  const [document] = readDocuments(`---\n${text}`, 'f');
  if (document === undefined || 'fault' in document) throw new Error('not read');
  const lines = ['spec.replicas.min', 'spec.replicas.max', 'spec.env[1].name', 'spec.env[0].value', 'spec.env[7]'];
  expect(lines.map((path) => lineOf(document.root, parsePath(path)))).toStrictEqual([5, 4, 9, 8, 6]);
  expect(lineOf(document.root, ['spec', 'nodeSelector', 'a.b/c'])).toBe(11);
  expect(lineOf(document.root, ['status', 'phase'])).toBe(2);
  expect(lineOf(document.root, [])).toBe(2);
});

test('an error in an aliased value points at the line where it is written', () => {
  const [document] = readDocuments('base: &b\n  min: 1\nspec: *b\n', 'f');
  if (document === undefined || 'fault' in document) throw new Error('not read');
  expect(lineOf(document.root, ['spec', 'min'])).toBe(2);
});

test.each([
  ['YAML', '__proto__: {polluted: yes}\nconstructor: 1\n'],
  ['JSON', '{"__proto__": {"polluted": true}, "constructor": 1}'],
])('the key __proto__ in %s is a key like any other', (_, text) => {
  const [document] = shorten(readDocuments(text, 'f'));
  const value = document?.value as object;
  expect(Object.keys(value)).toStrictEqual(['__proto__', 'constructor']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

test('aliases that multiply are refused before they fill the memory', () => {
  const levels = Array.from(
    { length: 12 },
    (_, level) => `a${level + 1}: &a${level + 1} [*a${level}, *a${level}, *a${level}]`,
  );
  const [document] = shorten(readDocuments(`a0: &a0 [x]\n${levels.join('\n')}\n`, 'f'));
  expect(document?.fault).toBe('its aliases stand for more than 100000 values');
});

test.each([
  ['YAML in brackets', `a: ${'['.repeat(10_000)}${']'.repeat(10_000)}`],
  ['YAML in blocks', Array.from({ length: 3000 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('')],
  ['YAML in dashes', `${'- '.repeat(10_000)}a`],
  ['JSON', `{"a": ${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
])('%s that is nested without end is refused', (_, text) => {
  const [document] = shorten(readDocuments(text, 'f'));
  expect(document?.fault).toBe('is nested too deeply: at most 200 levels are read');
});

interface Short {
  readonly document: number;
  readonly line: number;
  readonly value?: unknown;
  readonly fault?: string;
}

function shorten(documents: readonly SourceDocument[]): readonly Short[] {
  return documents.map((found) => {
    const { document, line } = found;
    return 'fault' in found ? { document, line, fault: found.fault } : { document, line, value: toValue(found.root) };
  });
}
