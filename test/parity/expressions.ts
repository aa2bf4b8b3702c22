import { celTypes, failureMessage } from '../../lib/composition/schema/cel';
import { celValue } from '../../lib/composition/schema/cel-values';
import { type CustomResourceDefinition, type JsonObject } from '../../lib/composition/schema';

/** Expressions of type string over a spec; each is to give the same text, or fail, on both sides. */
export const EXPRESSIONS: readonly string[] = [
  'string(self.text.size())',
  'self.text.lowerAscii()',
  'self.text.upperAscii()',
  "'[' + self.text.trim() + ']'",
  'self.text.charAt(1)',
  'self.text.substring(1)',
  'self.text.substring(1, 3)',
  "string(self.text.indexOf('b'))",
  "string(self.text.indexOf('b', 2))",
  "string(self.text.indexOf(''))",
  "string(self.text.lastIndexOf('b'))",
  "string(self.text.lastIndexOf('b', 1))",
  "self.text.replace('b', 'XX')",
  "self.text.replace('b', 'XX', 1)",
  "self.text.replace('', '-')",
  "self.text.replace('', '-', 2)",
  "string(self.text.split(',') == ['a', 'b', '', 'c'])",
  "string(self.text.split(',', 2) == ['a', 'b,,c'])",
  "string(self.text.split('') == ['a', 'b', 'c'])",
  "string(self.text.matches('^[a-z]+$'))",
  "string(self.text.matches('(?i)^[a-z]+$'))",
  "string(self.text.matches(r'^\\w+\\s*$'))",
  "string(self.text.matches('^.$'))",
  "string(self.text.matches('[[:space:]]'))",
  ...[
    ...[
      '^(a+)+$',
      '^(?:a|ab)(?:c|bcd)?$',
      '(?i)ſ|k',
      '\\\\bb',
      '\\\\B.$',
      '^\\\\PL*$',
      '\\\\p{Greek}|\\\\p{Han}',
      '(?s)^.{0,3}$',
      '(?U)^a+?$',
    ],
    ...[
      '[[:^alnum:]]',
      '[^[:space:]\\\\W]',
      '^[\\\\D]+$',
      '\\\\A[+-]?\\\\d+\\\\z',
      '\\\\x{1F600}',
      '^\\\\Q1.5\\\\E$',
      '(?m:^b?$)',
      '^(?P<n>[^,]*),',
    ],
  ].flatMap((pattern) => [`string(self.text.matches('${pattern}'))`, `self.text.find('${pattern}')`]),
  "string(self.text.findAll('a*').size())",
  "self.text.findAll('[^b]*?(?:b|$)', 3)[1]",
  "self.text.find('[a-z]+')",
  "string(self.text.findAll('[a-z]') == ['a', 'b', 'c'])",
  "string(self.text.findAll('[a-z]', 1) == ['a'])",
  'string(int(self.text))',
  'string(double(self.text))',
  "string(self.text < 'b')",
  "string(self.text.startsWith('a') && self.text.endsWith('b') || self.text.contains('é'))",
  'string(duration(self.text).getSeconds())',
  'string(duration(self.text).getMinutes())',
  "string(duration(self.text) > duration('1h'))",
  "string(timestamp(self.text) > timestamp('2020-01-01T00:00:00Z'))",
  'string(timestamp(self.text).getFullYear())',
  'string(isQuantity(self.text))',
  'string(quantity(self.text).isInteger())',
  'string(quantity(self.text).asInteger())',
  'string(quantity(self.text).asApproximateFloat())',
  "string(quantity(self.text).compareTo(quantity('1k')))",
  "string(quantity(self.text).add(quantity('0.5')).isGreaterThan(quantity('1')))",
  "string(quantity(self.text).sub(1).isLessThan(quantity('0')))",
  "string(quantity(self.text) == quantity('1000m'))",
  'string(sign(quantity(self.text)))',
  'string(self.list.size())',
  "string(self.list.join(',') == 'b,a,a')",
  "string('a' in self.list)",
  "string(self.list.map(x, x + x) == ['aa', 'bb'])",
  "string(self.list.filter(x, x > 'a') == ['b'])",
  'string(self.list.all(x, x.size() < 3))',
  'string(self.list.exists(x, int(x) > 1))',
  'string(self.list.all(x, int(x) > 1))',
  "string(self.list.exists_one(x, x == 'a'))",
  'self.list[1]',
  'string(self.list.isSorted())',
  'self.list.max()',
  'self.list.min()',
  "string(self.list.indexOf('b'))",
  "string(self.list.lastIndexOf('a'))",
  "string(self.list.sort() == ['a', 'a', 'b'])",
  "string(self.list.distinct() == ['b', 'a'])",
  "string(self.list.slice(1, 2) == ['a'])",
  "string(self.list.reverse() == ['a', 'a', 'b'])",
  "string(sets.contains(self.list, ['a', 'b']))",
  "string(sets.equivalent(self.list, ['a', 'b']))",
  "string(sets.intersects(self.list, ['z', 'b']))",
  "string(self.list == ['a', 'b'])",
  "string((self.list + ['z']) == ['a', 'b', 'z'])",
  'string(self.integer / 3)',
  'string(self.integer % 3)',
  'string(-self.integer)',
  'string(self.integer * 9223372036854775807)',
  'string(self.integer > 1 && self.integer < 2.5)',
  'string(self.number)',
  'string(self.number / 3.0)',
  'string(int(self.number))',
  'string(double(self.integer) == self.number)',
  'string(type(self.either) == int)',
  'string(self.either == 5)',
  "string(self.either == '5')",
  'string(self.either)',
  "string(has(self.map.a) ? self.map.a : 'none')",
  "string('constructor' in self.map)",
  'string(size(self.map))',
  "string(self.map.all(k, self.map[k] != 'x'))",
  "self.map['b']",
  'string(self.?missing.orValue(5))',
  "self.?text.orValue('none')",
  "string(1 / (self.integer - 3) > 0 || self.text != '')",
  "string(self.text == 'abc' ? 1 : 2)",
  'strings.quote(self.text)',
];

const STRING = { type: 'string', maxLength: 50 };

/** A CRD whose rules say that each expression gives the text that is wanted of it. */
export const EXPRESSIONS_CRD: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'expressions.parity.example.com' },
  spec: {
    group: 'parity.example.com',
    scope: 'Namespaced',
    names: { kind: 'Expression', listKind: 'ExpressionList', plural: 'expressions', singular: 'expression' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                required: ['want', 'text', 'list', 'integer', 'number', 'either', 'map'],
                properties: {
                  want: { type: 'array', maxItems: 200, items: { type: 'string', maxLength: 400 } },
                  text: STRING,
                  list: { type: 'array', maxItems: 6, items: STRING },
                  integer: { type: 'integer' },
                  number: { type: 'number' },
                  either: { 'x-kubernetes-int-or-string': true, maxLength: 20 },
                  map: { type: 'object', maxProperties: 5, additionalProperties: STRING },
                  missing: { type: 'integer' },
                },
                'x-kubernetes-validations': EXPRESSIONS.map((expression, index) => ({
                  rule: `self.want[${index}] == (${expression})`,
                  message: `${index} failed`,
                })),
              },
            },
          },
        },
      },
    ],
  },
};

const TEXTS = [
  ...[
    'abc',
    'é日😀x',
    ' a b ',
    'AbC,d,e',
    '',
    'b',
    'aBbb',
    'a,b,,c',
    '12',
    '-7',
    '+7',
    '007',
    '1.5',
    '1e3',
    '.5',
    '1e400',
    'inf',
    'NaN',
  ],
  ...[
    '30m',
    '1h30m',
    '-1.5h',
    '0',
    '1.5s',
    '2h',
    '100ns',
    '1d',
    '2024-02-29T12:00:00Z',
    '2024-02-29T12:00:00.5+01:00',
    '2023-02-29T12:00:00Z',
  ],
  ...[
    '1k',
    '1000m',
    '1Gi',
    '100000Gi',
    '1.5Gi',
    '0.1',
    '1.0',
    '-1',
    '5E',
    '1E',
    '9223372036854775807',
    '99999999999999999999',
    '1n',
    '0.1n',
    '.',
    '+',
  ],
  ...['😀', '\u0000', '\t"\\', '\u00a0x\u2003', 'ſK', '0x1F', '1_000', 'Gi', 'e3', '-', 'Ki', ' 1', 'true'],
];

const LISTS = [['a', 'b'], [], ['b', 'a', 'a'], ['1', 'x', '2'], ['2', '3'], ['x']];

/** Specs on which the expressions are evaluated. */
export const SPECS: readonly JsonObject[] = TEXTS.map((text, index) => ({
  text,
  list: LISTS[index % LISTS.length] ?? [],
  integer: [0, 1, 2, 3, -7, 2 ** 53 - 1][index % 6] ?? 0,
  number: [0, 1, 1.5, -2.25, 1e6, 123_456_789, 1e21, 1e-7, 0.1, 100_000, 1e300][index % 11] ?? 0,
  either: [5, '5', 'x', 0, '1Gi'][index % 5] ?? 0,
  map: [{}, { a: 'x' }, { constructor: 'y', b: 'z' }, { a: '1', b: '2', c: '3' }][index % 4] ?? {},
}));

/** A resource for the CRD above. */
export function resourceOf(spec: JsonObject, want: readonly string[]): JsonObject {
  return {
    apiVersion: 'parity.example.com/v1',
    kind: 'Expression',
    metadata: { name: 'a' },
    spec: { ...spec, want: [...want] },
  };
}

/** What offline evaluation gives for each expression; undefined where it fails. */
export function evaluateOffline(spec: JsonObject): readonly (string | undefined)[] {
  const schema = EXPRESSIONS_CRD.spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['spec'] ?? {};
  const self = celValue(spec, schema, celTypes);
  return EXPRESSIONS.map((expression) => {
    const rule = { rule: 'false', message: FAILED, messageExpression: `'[' + (${expression}) + ']'` };
    const text = failureMessage(rule, () => self);
    return text === FAILED ? undefined : text.slice(1, -1);
  });
}

const FAILED = 'failed';
