import { type JsonSchema, type ValidationRule } from '../../lib/composition/schema';
import { prepare, usesOldSelf } from '../../lib/composition/schema/cel-source';
import { goRegExp } from '../../lib/composition/schema/re2';
import { admit, errorsOf } from './helpers';

/** So many that a matcher that tries one way after the other would never end. */
const LETTERS = 20_000;

const withRules = (...rules: readonly ValidationRule[]): JsonSchema => ({
  type: 'object',
  properties: {
    a: { type: 'integer' },
    b: { type: 'integer' },
    text: { type: 'string' },
    list: {
      type: 'array',
      items: {
        type: 'object',
        properties: { x: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self != 7' }] } },
      },
    },
    map: {
      type: 'object',
      additionalProperties: {
        type: 'string',
        'x-kubernetes-validations': [{ rule: "self != 'bad'", message: 'must not be bad' }],
      },
    },
  },
  'x-kubernetes-validations': rules,
});

test('a failed rule reports its message at its fieldPath, with the value there', () => {
  const schema = withRules({ rule: 'self.a <= self.b', message: 'must be no more than b', fieldPath: '.a' });
  expect(errorsOf(admit(schema, { a: 2, b: 1 }))).toEqual(['spec.a: must be no more than b, got 2']);
  expect(errorsOf(admit(schema, { a: 1, b: 1 }))).toEqual([]);
});

test('a messageExpression gives the message, unless it fails', () => {
  const rule = { rule: 'false', message: 'plain' };
  expect(errorsOf(admit(withRules({ ...rule, messageExpression: "'a is ' + string(self.a)" }), { a: 3 }))).toEqual([
    'spec: a is 3',
  ]);
  expect(errorsOf(admit(withRules({ ...rule, messageExpression: 'string(self.b)' }), { a: 3 }))).toEqual([
    'spec: plain',
  ]);
});

test('rules of items and map values are reported where they fail', () => {
  expect(errorsOf(admit(withRules(), { list: [{ x: 1 }, { x: 7 }], map: { ok: 'x', 'a/b': 'bad' } }))).toEqual([
    'spec.list[1].x: fails the rule self != 7, got 7',
    'spec.map["a/b"]: must not be bad, got "bad"',
  ]);
});

test('a rule that cannot be evaluated has failed', () => {
  expect(errorsOf(admit(withRules({ rule: 'self.a / self.b > 0' }), { a: 1, b: 0 }))).toEqual([
    'spec: cannot be checked by the rule self.a / self.b > 0: division by zero',
  ]);
});

test('transition rules are not run, those with an optional former state are', () => {
  expect(errorsOf(admit(withRules({ rule: 'self.a == oldSelf.a' }), { a: 1 }))).toEqual([]);
  expect(
    errorsOf(admit(withRules({ rule: 'oldSelf.hasValue()', optionalOldSelf: true, message: 'is new' }), { a: 1 })),
  ).toEqual(['spec: is new']);
});

test('a rule over a wrong type is not run, others are run', () => {
  const schema = withRules({ rule: 'self.a <= self.b', message: 'unused' });
  expect(errorsOf(admit(schema, { a: 'x', b: 1, map: { k: 'bad' } }))).toEqual([
    'spec.a: must be an integer, but is the string "x"',
    'spec.map.k: must not be bad, got "bad"',
  ]);
});

test('a rule that only the API server can check makes the resource invalid and says so', () => {
  expect(errorsOf(admit(withRules({ rule: "isIP('10.0.0.1')" }), {}))).toEqual([
    expect.stringMatching(
      /^spec: has a rule that cannot be checked offline, only by the API server: isIP\('10\.0\.0\.1'\): /,
    ),
  ]);
});

test('texts in a rule are not taken for calls, fields or the former state', () => {
  const rule = "self.text == 'oldSelf.matches(x) || !has(self.a)' // .trim()\n && self.matches.size() > 0";
  expect(prepare(rule).text).toBe(rule);
  expect(usesOldSelf(rule)).toBe(false);
  expect(prepare("r'\\'.matches('a') || self.text . trim ( ) == \"\"").text).toBe(
    "r'\\'.k8s_matches('a') || self.text . k8s_trim ( ) == \"\"",
  );
});

test.each([
  ['(?i)^k+$', 'KK', true],
  ['^(?i)k$', 'K', true],
  ['^\\s$', '\u00a0', false],
  ['^\\s$', '\v', false],
  ['^.$', '😀', true],
  ['^.$', '\n', false],
  ['(?s)^.$', '\n', true],
  ['^.$', '\u2028', true],
  ['^a$', 'a\n', false],
  ['(?m)^b$', 'a\nb\nc', true],
  ['^[[:alpha:]_-]+$', 'aB_-', true],
  ['^[^[:space:]]+$', 'a b', false],
  ['^\\pL+$', 'é日', true],
  ['^\\p{Greek}$', 'α', true],
  ['\\Aa\\z', 'a', true],
  ['^\\Qa.b\\E$', 'a.b', true],
  ['^\\x41\\x{1F600}$', 'A😀', true],
  ['^(?P<name>a)(?:b|c)$', 'ac', true],
  ['^a{,2}$', 'a{,2}', true],
  ['^[\\w.-]+$', 'a.b-c', true],
  ['^\\-\\_\\/$', '-_/', true],
  ['^[]a]$', ']', true],
])('the Go expression %s on %j gives %s', (pattern, text, result) => {
  expect(goRegExp(pattern).test(text)).toBe(result);
});

test.each(['(?=a)', '(?<!a)b', '\\1', 'a{1001}', '[a', '\\y', 'a)', '\\'])(
  'the expression %s, which Go does not take, is refused, and so is every text where a CRD has it',
  (pattern) => {
    expect(() => goRegExp(pattern)).toThrow('error parsing regexp');
    const errors = errorsOf(admit({ type: 'object', properties: { a: { type: 'string', pattern } } }, { a: 'a' }));
    expect(errors).toEqual([
      expect.stringMatching(/^spec\.a: has a pattern that cannot be checked offline: error parsing regexp/),
    ]);
  },
);

test.each([
  ['^(a+)+$', 'a', '!'],
  ['^(a|a)*$', 'a', '!'],
  ['(x+x+)+y', 'x', ''],
  ['^(.*)(.*)(.*)(.*)(.*)z$', 'y', ''],
  ['^(\\pL+é?)+$', 'é', '!'],
])('no text keeps the pattern %s busy, be it of a schema or of a rule', (pattern, letter, end) => {
  const schema: JsonSchema = {
    type: 'object',
    properties: { text: { type: 'string', pattern } },
    'x-kubernetes-validations': [
      { rule: `self.text.matches(r'${pattern}')`, message: 'does not match' },
      {
        rule: `self.text.find(r'${pattern}') != '' || self.text.findAll(r'${pattern}', 1).size() > 0`,
        message: 'has none',
      },
    ],
  };
  const text = letter.repeat(LETTERS) + end;
  const start = performance.now();
  const errors = errorsOf(admit(schema, { text }));
  expect(performance.now() - start).toBeLessThan(1_000);
  expect(errors).toEqual(['spec: does not match', 'spec: has none', expect.stringMatching(/^spec\.text: must match/)]);
});

test.each([
  ["self.text.trim() == 'x'", `x${' '.repeat(150_000)}x`, 'spec: never'],
  [
    'double(self.text) > 0.0',
    `${'1'.repeat(150_000)}x`,
    'spec: cannot be checked by the rule double(self.text) > 0.0: ',
  ],
])('the rule %s is run at once on a long text', (rule, text, fault) => {
  const schema: JsonSchema = {
    type: 'object',
    properties: { text: { type: 'string' } },
    'x-kubernetes-validations': [{ rule, message: 'never' }],
  };
  const start = performance.now();
  expect(errorsOf(admit(schema, { text }))).toEqual([expect.stringContaining(fault)]);
  expect(performance.now() - start).toBeLessThan(1_000);
});
