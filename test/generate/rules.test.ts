import { plainRegExp } from '../../tools/generate/patterns';
import { compiledRules } from '../../tools/generate/rules';
import type { CustomResourceDefinition, Schema } from '../../tools/generate/schema';

const crd = (schema: Schema): CustomResourceDefinition => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Thing', plural: 'things' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
});
const reasons = (schema: Schema) => compiledRules(crd(schema), 'Notice.').left;

test.each([
  ['^[a-z]+(-+[a-z]+)*$', '^[a-z]+(?:-+[a-z]+)*$'],
  ['^[a-z]([-a-z]*[a-z])?$', '^[a-z](?:[\\-a-z]*[a-z])?$'],
  ['(^|/)[.][.](/|$)', '(?:^|\\/)\\.\\.(?:\\/|$)'],
  ['^[^\\s]+$', '^[^\\u{9}-\\u{a}\\u{c}-\\u{d} ]+$'],
  ['[[:cntrl:]]', '[\\u{0}-\\u{1f}\\u{7f}]'],
  ['^[]a]{2,3}', '^[\\]a]{2,3}'],
])('the pattern %s needs no engine', (pattern, source) => expect(plainRegExp(pattern)).toBe(source));

test.each([
  ...[
    '^(a+)+$',
    '^(a|a)*$',
    '^(a?){50}$',
    '(x+x+)+y',
    'a+b',
    '^a*a*$',
    '^([a-z]|a[b])*$',
    '^[^,]*[^;]*$',
    '^(a|b?|c?)$',
  ],
  ...['^.$', '(?i)a', '\\bb', '\\d', '[[:alpha:]]', 'a+?', '(?P<n>a)', 'a{1001}', '[a', 'a)', '(', '\\', 'a**'],
])('the pattern %s is left to one', (pattern) => expect(() => plainRegExp(pattern)).toThrow());

test('what cannot be made a function is left to the engine, with the reason, and the rest is made one', () => {
  const rules = ['self.a + 1.5 > 2.0', "self.text.matches('^(a+)+$')", 'isIP(self.text)', "self.text.matches('^a')"];
  const schema: Schema = {
    type: 'object',
    'x-kubernetes-validations': rules.map((rule) => ({ rule })),
    properties: { text: { type: 'string', pattern: 'a+b' } },
  };
  expect(reasons(schema)).toEqual([
    { text: 'self.a + 1.5 > 2.0', reason: '1.5 is not known' },
    { text: "self.text.matches('^(a+)+$')", reason: 'repeats what is repeated' },
    { text: 'isIP(self.text)', reason: 'isIP() is not known' },
    { text: 'a+b', reason: 'can match a text in ever more ways' },
  ]);
});
