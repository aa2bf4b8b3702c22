import { isPlainObject, setMember } from '../json';
import { isObject } from '../objects';
import type { Path } from '../path';
import type { Errors } from './errors';
import type { Json, JsonObject } from './types';

/** The API server takes no request that is longer than this. */
const MAX_BYTES = 3 * 1024 * 1024;
/** Beyond this depth a document is refused: JSON that deep is a loop or an attack. */
const MAX_DEPTH = 500;

/** A copy that shares nothing with the original. */
export function copyJson(value: Json): Json {
  if (Array.isArray(value)) return value.map(copyJson);
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const key of Object.keys(value)) setMember(result, key, copyJson(value[key] ?? null));
  return result;
}

/** JSON with sorted keys: equal values have equal texts. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`).join()}}`;
}

/**
 * The value as the API server would read it from the JSON that a client sends: a copy, without undefined properties, with
 * lone surrogates replaced and no negative zero. What JSON cannot say is reported, never sent.
 */
export function requestJson(input: unknown, errors: Errors): Json | undefined {
  const state: State = { errors, path: [], left: MAX_BYTES };
  const result = copy(input, state);
  if (state.left < 0) {
    errors.add([], 'size', `is longer than ${MAX_BYTES} bytes, the most that the API server takes`);
    return undefined;
  }
  return errors.empty ? result : undefined;
}

interface State {
  readonly errors: Errors;
  readonly path: (string | number)[];
  /** Bytes that are still allowed, counted too low on purpose. */
  left: number;
}

function copy(input: unknown, state: State): Json {
  state.left -= 2;
  if (state.left < 0) return null;
  switch (typeof input) {
    case 'string':
      state.left -= input.length;
      return wellFormed(input);
    case 'number':
      // Adding 0 turns the negative zero, which JSON does not have, into zero.
      return Number.isFinite(input) ? input + 0 : refuse(state, String(input));
    case 'boolean':
      return input;
    case 'object':
      return input === null ? null : copyComposite(input, state);
    default:
      return refuse(state, input === undefined ? 'undefined' : `a ${typeof input}`);
  }
}

/** Text as it arrives over UTF-8: without lone surrogates. */
function wellFormed(text: string): string {
  // The first expression is fast, the second knows pairs.
  return /[\ud800-\udfff]/.test(text) ? text.replace(/\p{Surrogate}/gu, '\uFFFD') : text;
}

function copyComposite(input: object, state: State): Json {
  if (state.path.length >= MAX_DEPTH) return refuse(state, `nested more than ${MAX_DEPTH} levels deep`);
  if (Array.isArray(input)) {
    const items: readonly unknown[] = input;
    const result: Json[] = [];
    for (let index = 0; index < items.length && state.left >= 0; index++) {
      state.path.push(index);
      result.push(copy(items[index], state));
      state.path.pop();
    }
    return result;
  }
  if (!isPlainObject(input)) return refuse(state, `a ${className(input)} object`);
  return copyObject(input, state);
}

function copyObject(input: object, state: State): JsonObject {
  const result: JsonObject = {};
  for (const key of Object.keys(input)) {
    const value: unknown = Reflect.get(input, key);
    if (value === undefined) continue;
    const name = wellFormed(key);
    state.left -= name.length;
    if (state.left < 0) break;
    state.path.push(name);
    if (name !== key && Object.hasOwn(result, name)) state.errors.add(state.path, 'duplicate', 'is there twice');
    setMember(result, name, copy(value, state));
    state.path.pop();
  }
  return result;
}

function className(value: object): string {
  const constructor: unknown = value.constructor;
  return typeof constructor === 'function' && constructor.name !== '' ? constructor.name : 'class instance';
}

function refuse(state: { readonly errors: Errors; readonly path: Path }, what: string): null {
  state.errors.add(
    state.path,
    'type',
    `is ${what}; expected a JSON value: null, boolean, number, string, array or plain object`,
  );
  return null;
}
