import { readDocuments } from '../../cli/input/documents';
import { toValue } from '../../cli/input/located';

/** The value that kubectl 1.37.2 makes of a text: `kubectl annotate --local -o json`, on an object of an unknown kind. */
const kubectl: readonly (readonly [string, unknown])[] = [
  ['yes', true],
  ['Yes', true],
  ['y', true],
  ['on', true],
  ['ON', true],
  ['n', false],
  ['off', false],
  ['yEs', 'yEs'],
  ['True', true],
  ['~', null],
  ['Null', null],
  ['nULL', 'nULL'],
  ['', null],
  ['0777', 511],
  ['0o17', 15],
  ['-0o17', -15],
  ['08', 8],
  ['0o8', '0o8'],
  ['0x1F', 31],
  ['0X1f', 31],
  ['-0x1F', -31],
  ['0x1FFFFFFFFFFFFFFFFF', '0x1FFFFFFFFFFFFFFFFF'],
  ['0b11', 3],
  ['0b-1', -1],
  ['-0b-1', '-0b-1'],
  ['1e3', 1000],
  ['1E3', 1000],
  ['1.', 1],
  ['.5', 0.5],
  ['+.5', 0.5],
  ['.5_0', 0.5],
  ['._5', '._5'],
  ['1_000', 1000],
  ['1__0', 10],
  ['_1', '_1'],
  ['1e400', '1e400'],
  ['-0', 0],
  ['+1', 1],
  ['12:30:45', '12:30:45'],
  ['2001-01-01', '2001-01-01'],
  ['2001-12-14t21:59:43.10-05:00', '2001-12-14t21:59:43.10-05:00'],
  ['9007199254740991', 9007199254740991],
  ['99999999999999999999999', 99999999999999999999999],
  ['1 2', '1 2'],
  ['=', '='],
  ['0x1p3', '0x1p3'],
  ['Infinity', 'Infinity'],
  ['"0777"', '0777'],
  ["'yes'", 'yes'],
  ['!!str 0777', '0777'],
  ['!!int "5"', 5],
  ['!!bool yes', true],
  ['|\n  a\n  b', 'a\nb\n'],
  ['>-\n  a\n  b', 'a b'],
  ['a # comment', 'a'],
  ['a#b', 'a#b'],
  ['{a:1}', { 'a:1': null }],
  ['{"a":1}', { a: 1 }],
  ['{1: a, on: b, 0777: c}', { 1: 'a', true: 'b', 511: 'c' }],
  ['{<<: {a: 1}, a: 0}', { a: 0 }],
  ['{a: 0, <<: {a: 1}}', { a: 1 }],
  ['{<<: [{a: 1}, {a: 2, b: 3}], c: 1}', { a: 1, b: 3, c: 1 }],
  ['{"<<": {a: 1}}', { '<<': { a: 1 } }],
  ['[&x {a: 1}, *x]', [{ a: 1 }, { a: 1 }]],
];

test.each(kubectl)('%j has the value that kubectl gives it', (text, expected) => {
  expect(valueOf(text)).toStrictEqual({ value: expected });
});

test.each([
  ['.inf', '.inf is not a number that JSON can hold'],
  ['-.INF', '-.INF is not a number that JSON can hold'],
  ['.nan', '.nan is not a number that JSON can hold'],
  ['9007199254740993', '9007199254740993 is beyond ±9007199254740991 and would lose digits; write it in quotes'],
  ['!!js/function "x"', 'the tag !!js/function is not supported here'],
  ['!foo x', 'the tag !foo is not supported here'],
  ['!!binary aGk=', 'the tag !!binary is not supported here'],
  ['!!int x', '"x" is not a !!int'],
  ['{a: 1, a: 2}', 'the key "a" is given twice, first on line 1'],
  ['{yes: 1, true: 2}', 'the key "true" is given twice, first on line 1'],
  ['{~: a}', 'a key must be a string, not null'],
  ['{[a]: 1}', 'a key must be a string, not a list'],
  ['{1.5: a}', 'a key must be a string; write "1.5" in quotes'],
  ['{<<: 1}', 'the merge key << needs a map or a list of maps'],
  ['*nowhere', 'the alias *nowhere has no anchor &nowhere before it'],
  ['&x [*x]', 'the alias *x stands inside what it names'],
  ['a\u2028b', String.raw`contains the character U+2028: write it as "\u2028" in double quotes`],
  ['a\u009bb', String.raw`contains the character U+009B: write it as "\u009b" in double quotes`],
])('%j is refused, as its value would be lost or be another one elsewhere', (text, fault) => {
  expect(valueOf(text)).toStrictEqual({ fault });
});

function valueOf(text: string): { readonly value: unknown } | { readonly fault: string } {
  const [document] = readDocuments(`v: ${text}\n`, 'file');
  if (document === undefined) throw new Error('there is no document');
  if ('fault' in document) return { fault: document.fault };
  const value = toValue(document.root) as { readonly v: unknown };
  return { value: value.v };
}
