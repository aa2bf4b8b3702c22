import { Quantity } from '../quantity';
import { split as splitText } from './cel-strings';
import { parseGoDuration } from './duration';
import { isObject, own } from '../objects';
import { isInt64 } from './numbers';
import type { Json } from './types';

/** A rule as a function of the value that it is about. It throws where it cannot say what comes of the rule. */
export type RuleFunction = (self: Json) => boolean;

/**
 * What was made of the texts in a CRD when the CRD was generated. They say the same as the texts, only sooner: without them, an
 * engine has to be loaded, which takes longer than all the rest of a validation, and has to read them.
 */
export interface Compiled {
  /** By the text of the rule. */
  readonly rules: ReadonlyMap<string, RuleFunction>;
  /** By the pattern. */
  readonly patterns: ReadonlyMap<string, RegExp>;
}

export const NOTHING_COMPILED: Compiled = { rules: new Map(), patterns: new Map() };

// What follows is for generated rules: CEL's operators and functions, on JSON. What CEL would take for an error, and every
// mix of types, is for the engine to find out.

function unclear(): never {
  throw new Error('the engine has to say');
}

export function bool(value: Json): boolean {
  return typeof value === 'boolean' ? value : unclear();
}

export function int(value: Json): number {
  return typeof value === 'number' && isInt64(value) ? value : unclear();
}

export function text(value: Json): string {
  return typeof value === 'string' ? value : unclear();
}

/** `container[key]` */
export function at(container: Json, key: string | number): Json {
  const value = typeof key === 'number' ? listOf(container)[key] : own(mapOf(container), key);
  return value ?? unclear();
}

/** `has(container.key)` */
export function has(container: Json, key: string): boolean {
  const value = own(mapOf(container), key);
  return value === null ? unclear() : value !== undefined;
}

/** `left == right` */
export function equal(left: Json, right: Json): boolean {
  if (typeof left !== typeof right || typeof left === 'object') return unclear();
  return typeof left === 'number' ? int(left) === int(right) : left === right;
}

/** `item in container` */
export function isIn(item: Json, container: Json): boolean {
  return Array.isArray(container)
    ? container.some((other) => equal(item, other))
    : Object.hasOwn(mapOf(container), text(item));
}

/** `left + right` */
export function sum(left: number, right: number): number {
  const result = left + right;
  return Number.isSafeInteger(result) ? result : unclear();
}

/** What a macro goes through: the items of a list, the keys of a map. */
const itemsOf = (container: Json): readonly Json[] =>
  Array.isArray(container) ? container : Object.keys(mapOf(container));

export const all = (container: Json, test: (item: Json) => boolean): boolean => itemsOf(container).every(test);

export const exists = (container: Json, test: (item: Json) => boolean): boolean => itemsOf(container).some(test);

export const filter = (container: Json, test: (item: Json) => boolean): Json[] => itemsOf(container).filter(test);

export function size(value: Json): number {
  if (typeof value === 'string') return [...value].length;
  return itemsOf(value).length;
}

export function string(value: Json): string {
  return typeof value === 'string' ? value : String(int(value));
}

export function split(value: string, separator: string, limit = -1): Json[] {
  return [...splitText(value, separator, BigInt(limit))];
}

export function quantity(value: string): Quantity {
  return Quantity.parse(value) ?? unclear();
}

/** `duration(value).getSeconds()` */
export function seconds(value: string): number {
  return Number((parseGoDuration(value) ?? unclear()) / 1_000_000_000n);
}

function mapOf(value: Json): Readonly<Record<string, Json>> {
  return isObject(value) ? value : unclear();
}

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : unclear();
}
