import { isObject } from './objects';
import { formatPath } from './path';

/** A value that JSON can carry as it is. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A map of JSON values. */
export interface JsonObject {
  readonly [key: string]: Json;
}

// Far deeper than any Kubernetes type; what goes beyond is a cycle.
const MAX_DEPTH = 200;

/**
 * Copies a value as JSON, with the keys of every map in code unit order.
 *
 * Guarantees: members that are `undefined` are left out; everything else arrives as it was, also empty strings, maps
 * and lists, nulls, and keys such as `constructor` and `__proto__`. The copy shares nothing with the input.
 *
 * @throws TypeError for what JSON would lose or change (`undefined` in a list, functions, class instances, NaN, lone
 * surrogates, cycles). The message says where it is.
 */
export function toJson(value: unknown, path = ''): Json {
  return copy(value, path, []);
}

/** As {@link toJson}, for a value that has to be a map. */
export function toJsonObject(value: unknown, path = ''): JsonObject {
  if (!isPlainObject(value)) {
    throw notJson(path, [], describe(value), 'a map');
  }
  return copyObject(value, path, []);
}

/** Whether a JSON value is a list. */
export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Whether two JSON values are the same; the order of their keys does not count. */
export function jsonEquals(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((element, index) => jsonEquals(element, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && jsonEquals(a[key], b[key]))
  );
}

/** Sets an own member of a map that is being built; `__proto__` is a key like any other. */
export function setMember<T>(target: { [key: string]: T }, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

/** The keys of a map in code unit order. */
export function sortedKeys(map: object): readonly string[] {
  const keys = Object.keys(map);
  for (let index = 1; index < keys.length; index++) {
    if ((keys[index - 1] ?? '') > (keys[index] ?? '')) {
      return keys.toSorted();
    }
  }
  return keys;
}

/** The way from the value that was given to the one that is looked at. It becomes text only where there is an error. */
type Trail = (string | number)[];

function copy(value: unknown, path: string, trail: Trail): Json {
  switch (typeof value) {
    case 'string':
      // The first expression is fast, the second knows pairs.
      if (/[\ud800-\udfff]/.test(value) && /\p{Surrogate}/u.test(value)) {
        const came = `${JSON.stringify(value)}, which has half a surrogate pair`;
        throw notJson(path, trail, came, 'well-formed text');
      }
      return value;
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) {
        throw notJson(path, trail, String(value), 'a finite number');
      }
      return value === 0 ? 0 : value;
    case 'object':
      if (value === null) {
        return null;
      }
      if (Array.isArray(value)) {
        return copyList(value, path, trail);
      }
      if (isPlainObject(value)) {
        return copyObject(value, path, trail);
      }
      throw notJson(path, trail, describe(value), 'a JSON value');
    default:
      throw notJson(path, trail, describe(value), 'a JSON value');
  }
}

function copyList(list: readonly unknown[], path: string, trail: Trail): readonly Json[] {
  assertDepth(path, trail);
  const result: Json[] = [];
  for (let index = 0; index < list.length; index++) {
    trail.push(index);
    result.push(copy(list[index], path, trail));
    trail.pop();
  }
  return result;
}

function copyObject(map: { readonly [key: string]: unknown }, path: string, trail: Trail): JsonObject {
  assertDepth(path, trail);
  const result: { [key: string]: Json } = {};
  for (const key of sortedKeys(map)) {
    const member = map[key];
    if (member !== undefined) {
      trail.push(key);
      setMember(result, key, copy(member, path, trail));
      trail.pop();
    }
  }
  return result;
}

/** Whether a value is a map: an object that is neither a list nor an instance of a class. */
export function isPlainObject(value: unknown): value is { readonly [key: string]: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return false;
  }
  // Object.prototype of any realm is the one prototype that has none itself.
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || (typeof prototype === 'object' && Object.getPrototypeOf(prototype) === null);
}

function assertDepth(path: string, trail: Trail): void {
  if (trail.length > MAX_DEPTH) {
    throw notJson(path, trail.slice(0, 10), 'a cycle or an endless nesting', `at most ${MAX_DEPTH} levels`);
  }
}

function describe(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    const constructor: unknown = Reflect.get(value, 'constructor');
    return typeof constructor === 'function' ? `an instance of ${constructor.name}` : 'an object of unknown make';
  }
  return typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`;
}

function notJson(path: string, trail: Trail, came: string, expected: string): TypeError {
  const where = formatPath(trail, path);
  return new TypeError(`${where === '' ? 'the value' : where} is ${came}; expected ${expected}`);
}
