import { inferenceServiceCrd } from '../../lib/inference/crd';
import { prepare } from '../../lib/composition/schema/cel-source';
import { shortcut } from '../../lib/composition/schema/cel-shortcut';
import { Library } from '../../lib/composition/schema/cel-library';
import { Environment } from '../../lib/vendor/cel';

/** What the engine says, the judge of what a shortcut says. */
function engine(rule: string, self: unknown): unknown {
  const environment = new Environment({ enableOptionalTypes: true });
  environment.registerVariable('self', 'dyn');
  const library = new Library(environment, { duration: () => undefined });
  const { text, functions } = prepare(rule);
  library.need(functions);
  try {
    return environment.parse(text)({ self });
  } catch {
    return 'error';
  }
}

const map = (fields: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(fields));

const SELVES = [
  map({}),
  map({ a: 1n, b: 2n, text: 'hf://x/y', list: ['a', 'b', 'b'], flag: true, map: map({ cpu: '2', 'a/b': 3n }) }),
  map({ a: 2n, b: 2n, text: '', list: [], flag: false, map: map({}) }),
  map({
    a: -1n,
    b: 1.5,
    text: '😀',
    list: [map({ name: 'x' }), map({ name: 'y' })],
    flag: true,
    map: map({ k: null }),
  }),
  map({ a: '1', b: '1Gi', text: null, list: [1n, 'a', null], flag: 'true', map: 'cpu' }),
  map({ a: '1e3', b: '1024Mi', text: '-3', list: [map({ name: 'x' }), map({})], map: map({ cpu: '-1' }) }),
];

const PARTS = [
  ...[
    'has(self.a)',
    'has(self.map.cpu)',
    'self.flag',
    'self.a == 1',
    "self.a == '1'",
    'self.a <= self.b',
    'self.a > 1',
  ],
  ...["self.text == 'hf://x/y'", "self.text.startsWith('hf')", "self.text.endsWith('y')", "self.text.contains('://')"],
  ...["self.text.matches('^h.*y$')", 'size(self.text) < 2', 'size(self.list) == 0', 'size(self.map) != 0'],
  ...[
    "'cpu' in self.map",
    "self.text in ['', '-3']",
    'self.a in [1, 2]',
    "self.map['cpu'] == '2'",
    'self.list[0] == "a"',
  ],
  ...["self.list.all(x, x in ['a', 'b'])", "self.list.exists(x, x == 'a')", "self.list.exists_one(x, x == 'b')"],
  ...["self.list.all(x, has(x.name) && x.name != 'y')", "self.list.exists_one(x, x.name == 'x')"],
  ...["self.map.all(k, k.contains('p'))", "self.map.exists(k, string(self.map[k]).startsWith('-'))"],
  ...["self.text.split('/', 2)[0] == 'hf:'", "self.text.split('/')[2] == 'x'"],
  ...['quantity(string(self.a)).isInteger()', 'quantity(string(self.a)).isLessThan(quantity(string(self.b)))'],
  ...[
    'quantity(string(self.b)).compareTo(quantity("1Gi")) == 0',
    "quantity(string(self.a)).isGreaterThan(quantity('0'))",
  ],
  ...['(self.flag ? self.a : self.b) >= 2', '(has(self.nothing) ? self.nothing == 1 : self.flag)', 'true', 'false'],
];

test('what a shortcut calls true is true for the engine', () => {
  const rules = PARTS.flatMap((part, index) => {
    const other = PARTS[(index * 7 + 3) % PARTS.length] ?? part;
    return [part, `!(${part})`, `${part} || ${other}`, `${part} && ${other}`, `!(${part} && ${other})`, `!!(${other})`];
  });
  const decided = rules.flatMap((rule) =>
    SELVES.flatMap((self) => (shortcut(rule)(self) ? [{ rule, self, engine: engine(rule, self) }] : [])),
  );
  expect(decided.filter(({ engine: verdict }) => verdict !== true)).toEqual([]);
  expect(decided.length).toBeGreaterThan(400);
  for (const part of PARTS.filter((text) => text !== 'false'))
    expect(decided.filter(({ rule }) => rule === part || rule === `!(${part})`)).not.toEqual([]);
});

test('a shortcut finds what the engine finds, where types are right', () => {
  const self = SELVES[1];
  const missed = PARTS.filter((part) => engine(part, self) === true && !shortcut(part)(self));
  expect(missed).toEqual([]);
});

test.each([
  'self.a + 1 == 2',
  'self.a == 1.0',
  'self.text == r"x"',
  "self.text == 'it\\'s'",
  'other == 1',
  'has(self)',
  '',
])('a rule that has something else is left to the engine: %s', (rule) =>
  expect(shortcut(rule)(map({ a: 1n, text: 'x' }))).toBe(false),
);

test('a variable of a macro hides one outside of it, and is gone behind it', () => {
  expect(shortcut("self.all(self, self == 'a')")(['a'])).toBe(true);
  expect(shortcut("self.all(x, x == 'a') && x == 'a'")(['a'])).toBe(false);
});

test('the rules of InferenceService need no engine where all is right', () => {
  const spec = inferenceServiceCrd.spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['spec'] ?? {};
  const self = map({
    model: map({ framework: 'vllm', uri: 'hf://organisation/model' }),
    ...{ replicas: map({ min: 1n, max: 2n }), args: ['--max-model-len=1'], port: 8000n, startupBudget: '30m' },
    autoscaling: map({ enabled: true }),
  });
  const left = (spec['x-kubernetes-validations'] ?? []).filter(({ rule }) => !shortcut(rule)(self));
  expect(left).toEqual([]);
});
