import type { Environment } from '../../vendor/cel';
import { Quantity } from '../quantity';
import { PREFIX } from './cel-source';
import { fail, index, strings } from './cel-strings';
import type { CelTypes } from './cel-values';
import { parseGoDuration } from './duration';
import { parseTime } from './time';

/** The part of the engine's environment that takes functions. */
export type Registry = Pick<Environment, 'registerFunction' | 'registerType' | 'registerOperator'>;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** CEL's equality, as far as values of JSON go: numbers by value, the rest by type and content. */
function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  // oxlint-disable-next-line eqeqeq
  if (typeof a === 'bigint' && typeof b === 'number') return a == (b as unknown);
  if (typeof a === 'number' && typeof b === 'bigint') return equal(b, a);
  if (isList(a) && isList(b)) return a.length === b.length && a.every((value, at) => equal(value, b[at]));
  if (a instanceof Map && b instanceof Map)
    return a.size === b.size && [...a].every(([key, value]) => b.has(key) && equal(value, b.get(key)));
  return a instanceof Date && b instanceof Date && a.getTime() === b.getTime();
}

const has = (list: readonly unknown[], value: unknown): boolean => list.some((item) => equal(item, value));

type Ordered = string | number | bigint | boolean | Date;

function compare(a: Ordered, b: Ordered): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}

function extreme(list: readonly Ordered[], sign: 1 | -1): Ordered {
  const [first, ...rest] = list;
  if (first === undefined) return fail('min or max of an empty list');
  return rest.reduce((best, item) => (compare(item, best) * sign > 0 ? item : best), first);
}

function sum(list: readonly (number | bigint)[]): number | bigint {
  let integers = 0n;
  let doubles: number | undefined;
  for (const item of list)
    if (typeof item === 'bigint') integers += item;
    else doubles = (doubles ?? 0) + item;
  return doubles ?? int64(integers);
}

function int64(value: bigint): bigint {
  return BigInt.asIntN(64, value) === value ? value : fail('integer overflow');
}

function parseInteger(text: string): bigint {
  return /^[+-]?\d+$/.test(text) ? int64(BigInt(text.replace(/^\+/, ''))) : fail(`cannot convert ${text} to int`);
}

const DIGITS = String.raw`\d(?:_?\d)*`;
const DOUBLE = new RegExp(String.raw`^[+-]?(?:${DIGITS}(?:\.(?:${DIGITS})?)?|\.${DIGITS})(?:e[+-]?${DIGITS})?$`, 'i');

function parseDouble(text: string): number {
  const special = /^([+-]?)(?:inf|infinity)$/i.exec(text);
  if (special !== null) return special[1] === '-' ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return NaN;
  const value = DOUBLE.test(text) ? Number(text.replaceAll('_', '')) : NaN;
  return Number.isFinite(value) ? value : fail(`cannot convert ${text} to double`);
}

/** A double as Go's %g writes it. */
function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (value === 0 || (power >= -4 && power < 6)) return Object.is(value, -0) ? '-0' : String(value);
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

function quantity(text: string): Quantity {
  return Quantity.parse(text) ?? fail(`${text} is not a quantity`);
}

/** Kubernetes' functions for the engine, put in when a rule calls them: each costs some time. */
export class Library {
  private readonly waiting = new Map<string, (() => void)[]>();

  constructor(registry: Registry, types: CelTypes) {
    const own: Register = (signature, handler) => {
      const name = /(\w+)\(/.exec(signature)?.[1] ?? '';
      this.later(name, () => registry.registerFunction(signature.replace(/(\w+)\(/, `${PREFIX}$1(`), handler));
    };
    strings(own);
    conversions(own, types);
    lists(own);
    this.later('quantity', () => quantities(registry));
    own('sign(Quantity): int', (value: Quantity) => BigInt(value.sign()));
  }

  /** Makes functions ready for use. */
  need(names: ReadonlySet<string>): void {
    // Functions of quantities can only be declared once the type is.
    for (const name of names.has('sign') ? ['quantity', ...names] : names) {
      for (const register of this.waiting.get(name) ?? []) register();
      this.waiting.delete(name);
    }
  }

  private later(name: string, register: () => void): void {
    const group = this.waiting.get(name);
    if (group === undefined) this.waiting.set(name, [register]);
    else group.push(register);
  }
}

/** Declares a function by its signature; its name gets our prefix. */
export type Register = (signature: string, handler: (...values: never[]) => unknown) => void;

function conversions(own: Register, types: CelTypes): void {
  const same = (value: never): unknown => value;
  own('int(int): int', same);
  own('int(string): int', parseInteger);
  own('int(double): int', (value: number) =>
    Math.abs(value) < 2 ** 63 ? BigInt(Math.trunc(value)) : fail('integer overflow'),
  );
  own('int(google.protobuf.Timestamp): int', (value: Date) => BigInt(Math.floor(value.getTime() / 1000)));
  own('double(double): double', same);
  own('double(int): double', (value: bigint) => Number(value));
  own('double(string): double', parseDouble);
  own('string(string): string', same);
  own('string(int): string', String);
  own('string(bool): string', String);
  own('string(double): string', formatDouble);
  own('string(bytes): string', (value: Uint8Array) => new TextDecoder('utf-8', { fatal: true }).decode(value));
  own('duration(string): google.protobuf.Duration', (text: string) =>
    types.duration(parseGoDuration(text) ?? fail(`${text} is not a duration`)),
  );
  own('duration(google.protobuf.Duration): google.protobuf.Duration', same);
  own(
    'timestamp(string): google.protobuf.Timestamp',
    (text: string) => new Date(parseTime(text) ?? fail(`${text} is not a time`)),
  );
  own('timestamp(int): google.protobuf.Timestamp', (value: bigint) => new Date(Number(value) * 1000));
  own('timestamp(google.protobuf.Timestamp): google.protobuf.Timestamp', same);
}

function lists(own: Register): void {
  own('list.join(): string', (list: readonly string[]) => list.join(''));
  own('list.join(string): string', (list: readonly string[], separator: string) => list.join(separator));
  own('list.indexOf(dyn): int', (list: readonly unknown[], value: unknown) =>
    BigInt(list.findIndex((item) => equal(item, value))),
  );
  own('list.lastIndexOf(dyn): int', (list: readonly unknown[], value: unknown) =>
    BigInt(list.findLastIndex((item) => equal(item, value))),
  );
  own('list.isSorted(): bool', (list: readonly Ordered[]) =>
    list.every((item, at) => at === 0 || compare(list[at - 1] ?? item, item) <= 0),
  );
  own('list.sum(): dyn', sum);
  own('list.min(): dyn', (list: readonly Ordered[]) => extreme(list, -1));
  own('list.max(): dyn', (list: readonly Ordered[]) => extreme(list, 1));
  own('list.sort(): list<dyn>', (list: readonly Ordered[]) => list.toSorted(compare));
  own('list.reverse(): list<dyn>', (list: readonly unknown[]) => list.toReversed());
  own('list.slice(int, int): list<dyn>', (list: readonly unknown[], from: bigint, to: bigint) => {
    if (from > to) fail(`invalid slice range: ${from} to ${to}`);
    return list.slice(index(from, list.length), index(to, list.length));
  });
  own('list.distinct(): list<dyn>', (list: readonly unknown[]) =>
    list.filter((item, at) => list.findIndex((other) => equal(item, other)) === at),
  );
  own('lists_range(int): list<int>', (count: bigint) => Array.from({ length: Number(count) }, (_, at) => BigInt(at)));
  own('sets_contains(list, list): bool', (list: readonly unknown[], part: readonly unknown[]) =>
    part.every((item) => has(list, item)),
  );
  own('sets_intersects(list, list): bool', (a: readonly unknown[], b: readonly unknown[]) =>
    a.some((item) => has(b, item)),
  );
  own(
    'sets_equivalent(list, list): bool',
    (a: readonly unknown[], b: readonly unknown[]) =>
      a.every((item) => has(b, item)) && b.every((item) => has(a, item)),
  );
}

function quantities(registry: Registry): void {
  registry.registerType('Quantity', Quantity);
  registry.registerOperator('Quantity == Quantity', (a: Quantity, b: Quantity) => a.equals(b));
  const method = (signature: string, handler: (...values: never[]) => unknown): unknown =>
    registry.registerFunction(signature, handler);
  method('isQuantity(string): bool', (text: string) => Quantity.parse(text) !== undefined);
  method('quantity(string): Quantity', quantity);
  method('Quantity.isGreaterThan(Quantity): bool', (a: Quantity, b: Quantity) => a.compareTo(b) > 0);
  method('Quantity.isLessThan(Quantity): bool', (a: Quantity, b: Quantity) => a.compareTo(b) < 0);
  method('Quantity.compareTo(Quantity): int', (a: Quantity, b: Quantity) => BigInt(a.compareTo(b)));
  method('Quantity.asApproximateFloat(): double', (value: Quantity) => value.asApproximateFloat());
  method('Quantity.isInteger(): bool', (value: Quantity) => value.asInteger() !== undefined);
  method(
    'Quantity.asInteger(): int',
    (value: Quantity) => value.asInteger() ?? fail('cannot convert value to integer'),
  );
  method('Quantity.add(Quantity): Quantity', (a: Quantity, b: Quantity) => a.add(b));
  method('Quantity.sub(Quantity): Quantity', (a: Quantity, b: Quantity) => a.sub(b));
  method('Quantity.add(int): Quantity', (a: Quantity, b: bigint) => a.add(Quantity.fromInteger(b)));
  method('Quantity.sub(int): Quantity', (a: Quantity, b: bigint) => a.sub(Quantity.fromInteger(b)));
}
