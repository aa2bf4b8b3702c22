import { Quantity } from '../quantity';
import { split } from './cel-strings';
import { goRegExp } from './re2';

/** Whether something is so; undefined where the engine has to say. */
type Answer = boolean | undefined;

/** Whether one is so. As in CEL, what is not known does not matter beside it. */
function any<T>(items: readonly T[], test: (item: T) => unknown): Answer {
  let known = true;
  for (const item of items) {
    const result = test(item);
    if (result === true) return true;
    if (result !== false) known = false;
  }
  return known ? false : undefined;
}

/** Whether all are so. */
function all<T>(items: readonly T[], test: (item: T) => unknown): Answer {
  return not(any(items, (item) => not(test(item))));
}

export function not(value: unknown): Answer {
  return typeof value === 'boolean' ? !value : undefined;
}

/** A macro over the items of a list or the keys of a map. */
export type Macro = (items: readonly unknown[], test: (item: unknown) => unknown) => Answer;

export const MACROS: ReadonlyMap<string, Macro> = new Map<string, Macro>([
  ['all', all],
  ['exists', any],
  [
    'exists_one',
    (items, test) => {
      const results = items.map(test);
      return results.every((result) => typeof result === 'boolean')
        ? results.filter((result) => result).length === 1
        : undefined;
    },
  ],
]);

/** A relation of two values. */
export type Relation = (left: unknown, right: unknown) => Answer;

const integers =
  (holds: (left: bigint, right: bigint) => boolean): Relation =>
  (left, right) =>
    typeof left === 'bigint' && typeof right === 'bigint' ? holds(left, right) : undefined;

const isScalar = (value: unknown): value is string | bigint | boolean =>
  typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean';

const equal: Relation = (left, right) => (isScalar(left) && typeof left === typeof right ? left === right : undefined);

export const RELATIONS: ReadonlyMap<string, Relation> = new Map<string, Relation>([
  ['==', equal],
  ['!=', (left, right) => not(equal(left, right))],
  ['<', integers((left, right) => left < right)],
  ['<=', integers((left, right) => left <= right)],
  ['>', integers((left, right) => left > right)],
  ['>=', integers((left, right) => left >= right)],
  [
    'in',
    (left, right) => {
      if (right instanceof Map) return typeof left === 'string' ? right.has(left) : undefined;
      const list = listOf(right);
      return list && any(list, (item) => equal(left, item));
    },
  ],
]);

export function listOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** A member of a map or a list. */
export function element(container: unknown, key: unknown): unknown {
  if (container instanceof Map) return container.get(key);
  return typeof key === 'bigint' && key >= 0n ? listOf(container)?.[Number(key)] : undefined;
}

/** A function of the arguments; a method has its receiver first. */
export type Callable = (...values: readonly unknown[]) => unknown;

const texts =
  (call: (text: string, other: string) => unknown): Callable =>
  (text, other, ...more) =>
    typeof text === 'string' && typeof other === 'string' && more.length === 0 ? call(text, other) : undefined;

const quantities =
  (call: (a: Quantity, b: Quantity) => unknown): Callable =>
  (a, b) =>
    a instanceof Quantity && b instanceof Quantity ? call(a, b) : undefined;

export const METHODS: ReadonlyMap<string, Callable> = new Map<string, Callable>([
  ['startsWith', texts((text, start) => text.startsWith(start))],
  ['endsWith', texts((text, end) => text.endsWith(end))],
  ['contains', texts((text, part) => text.includes(part))],
  ['matches', texts((text, pattern) => goRegExp(pattern).test(text))],
  [
    'split',
    (text, separator, limit = -1n) =>
      typeof text === 'string' && typeof separator === 'string' && typeof limit === 'bigint'
        ? split(text, separator, limit)
        : undefined,
  ],
  ['isInteger', (value) => (value instanceof Quantity ? value.asInteger() !== undefined : undefined)],
  ['isGreaterThan', quantities((a, b) => a.compareTo(b) > 0)],
  ['isLessThan', quantities((a, b) => a.compareTo(b) < 0)],
  ['compareTo', quantities((a, b) => BigInt(a.compareTo(b)))],
]);

export const FUNCTIONS: ReadonlyMap<string, Callable> = new Map<string, Callable>([
  ['size', size],
  ['string', (value) => (typeof value === 'string' || typeof value === 'bigint' ? String(value) : undefined)],
  ['quantity', (text) => (typeof text === 'string' ? Quantity.parse(text) : undefined)],
]);

function size(value: unknown): bigint | undefined {
  if (typeof value === 'string') return BigInt([...value].length);
  if (value instanceof Map) return BigInt(value.size);
  const list = listOf(value);
  return list && BigInt(list.length);
}
