import { Quantity } from '../../lib/composition/quantity';

const quantity = (text: string): Quantity => {
  const parsed = Quantity.parse(text);
  if (parsed === undefined) throw new Error(`${text} is refused`);
  return parsed;
};

test.each([
  ...[
    '1',
    '0',
    '100m',
    '0.1',
    '1e3',
    '1E3',
    '1Gi',
    '-1',
    '+1',
    '.5',
    '1.',
    '1n',
    '12e6',
    '1E',
    '1e-10',
    '007',
    '.',
    '+',
    '1e+3',
    'Gi',
    'e3',
    '-',
  ],
  ...['9223372036854775807Ki', '1000000000000000000000', '1e1000000', '1e-1000000'],
])('the quantity %s is legal', (text) => {
  expect(Quantity.parse(text)).toBeDefined();
});

test.each([
  ...['', ' 1', '1 ', '1 Gi', '32 GB', '1gi', '1K', '1e', '1e1.5', '--1', '+-1', '1..5', '1_000', '0x10', '١', 'NaN'],
  ...['inf', '1GiB', '1e99999999999999999999', '1\n'],
])('the quantity %j is refused', (text) => {
  expect(Quantity.parse(text)).toBeUndefined();
});

test.each([
  ['1', '1000m', 0],
  ['0.1', '100m', 0],
  ['1Gi', '1024Mi', 0],
  ['1Gi', '1G', 1],
  ['1.5Gi', '1536Mi', 0],
  ['1e3', '1k', 0],
  ['-1', '-2', 1],
  ['-1', '1', -1],
  ['-10', '-1', -1],
  ['0', '-0', 0],
  ['1E', '1000P', 0],
  ['0.0000000001', '1n', 0],
  ['99999999999999999999', '100E', -1],
  ['1e1000000', '1e999999', 1],
  ['100Ei', '9223372036854775807', 0],
] as const)('%s compared with %s gives %d', (a, b, result) => {
  expect(quantity(a).compareTo(quantity(b))).toBe(result);
  expect(quantity(b).compareTo(quantity(a))).toBe(result === 0 ? 0 : -result);
  expect(quantity(a).equals(quantity(b))).toBe(result === 0);
});

test('whether a quantity is an integer depends on how it is written, as in Kubernetes', () => {
  const integer = (text: string): bigint | undefined => quantity(text).asInteger();
  expect(['1', '1e3', '2Gi', '-3', '0'].map(integer)).toEqual([1n, 1000n, 2_147_483_648n, -3n, 0n]);
  expect(['1.0', '1000m', '1Pi', '0.5', '99999999999999999999'].map(integer)).toEqual(Array(5).fill(undefined));
});

test('whether a quantity is whole depends only on its amount', () => {
  expect(['1.0', '1000m', '1Pi', '99999999999999999999', '0'].map((text) => quantity(text).isWhole())).not.toContain(
    false,
  );
  expect(['0.5', '1n', '1500m', '-0.1'].map((text) => quantity(text).isWhole())).not.toContain(true);
});

test('sums and differences are exact', () => {
  expect(quantity('0.1').add(quantity('0.2')).equals(quantity('300m'))).toBe(true);
  expect(quantity('1Gi').sub(quantity('1')).equals(quantity('1073741823'))).toBe(true);
  expect(quantity('1').sub(quantity('2')).sign()).toBe(-1);
  expect(quantity('0').add(quantity('5k')).asInteger()).toBe(5000n);
});

test('a text of many digits that is no quantity is refused at once', () => {
  const start = performance.now();
  expect(Quantity.parse(`${'1'.repeat(200_000)}!`)).toBeUndefined();
  expect(performance.now() - start).toBeLessThan(1_000);
});
