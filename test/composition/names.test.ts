import { dnsLabel, labelValue } from '../../lib/composition/names';
import { hostileText, random } from './random';

const ROUNDS = 30_000;

test.each(['a', 'llama', 'llama-3-1-8b', 'a--b', `a${'b'.repeat(62)}`, 'x-h123', 'constructor'])(
  'a legal DNS label stays as it is: %s',
  (name) => {
    expect(dnsLabel(name)).toBe(name);
  },
);

test.each([
  ['llama-3.1-8b', 'llama-3-1-8b-h'],
  ['Llama', 'llama-h'],
  ['3-small', 'x3-small-h'],
  ['-a-', 'a-h'],
  ['', 'x-h'],
  ['模型', 'x-h'],
  ['a b/c_d', 'a-b-c-d-h'],
  ['a'.repeat(64), `${'a'.repeat(51)}-h`],
  [`${'a'.repeat(50)}-${'b'.repeat(20)}`, `${'a'.repeat(50)}-h`],
])('an illegal DNS label is made legal and gets a hash: %j', (text, start) => {
  expect(dnsLabel(text).slice(0, -10)).toBe(start);
  expect(dnsLabel(text)).toMatch(/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/);
});

test('a name that looks like an altered one is altered, so nobody can choose the name of another', () => {
  const altered = dnsLabel('llama-3.1');
  expect(dnsLabel(altered)).not.toBe(altered);
  expect(labelValue(altered)).not.toBe(altered);
});

test('names are a frozen contract: these never change between releases', () => {
  expect(dnsLabel('llama-3.1-8b')).toBe('llama-3-1-8b-ha38b48c7b0');
  expect(labelValue('org/model')).toBe('org-model-h5bc4875cd3');
});

test.each(['', 'a', 'V1.2_x', '3', 'a'.repeat(63), 'Qwen2.5'])('a legal label value stays as it is: %j', (value) => {
  expect(labelValue(value)).toBe(value);
});

test.each([
  ['org/model', 'org-model-h'],
  ['_a_', 'a-h'],
  ['.', 'x-h'],
  ['v1+Cuda 12', 'v1-Cuda-12-h'],
  ['ü', 'x-h'],
  ['A'.repeat(64), `${'A'.repeat(51)}-h`],
])('an illegal label value is made legal and gets a hash: %j', (text, start) => {
  expect(labelValue(text).slice(0, -10)).toBe(start);
});

test.each([
  ['dnsLabel', dnsLabel, /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/],
  ['labelValue', labelValue, /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/],
] as const)('%s gives legal names for any text, and different ones for different texts', (_, name, legal) => {
  const seed = 20_261_130;
  const rng = random(seed);
  const texts = new Map<string, string>();
  for (let round = 0; round < ROUNDS; round++) {
    const text = hostileText(rng);
    const result = name(text);
    const other = texts.get(result);
    if (!legal.test(result) || (other !== undefined && other !== text)) {
      throw new Error(
        `seed ${seed}: ${JSON.stringify(text)} and ${JSON.stringify(other)} give ${JSON.stringify(result)}`,
      );
    }
    texts.set(result, text);
    // An attacker may know the altered name and ask for it.
    const again = name(result);
    const first = texts.get(again);
    if (result !== text && first !== undefined && first !== result) {
      throw new Error(
        `seed ${seed}: ${JSON.stringify(result)} and ${JSON.stringify(first)} give ${JSON.stringify(again)}`,
      );
    }
    texts.set(again, again === result && result === text ? text : result);
  }
  expect(texts.size).toBeGreaterThan(ROUNDS / 4);
});

test('lone halves of surrogate pairs, which UTF-8 cannot tell apart, get different names', () => {
  expect(dnsLabel('\ud800')).not.toBe(dnsLabel('\ud801'));
});
