import type { JsonPatch } from 'cdk8s';
import { isJsonList, jsonEquals, setMember, toJson, toJsonObject, type Json, type JsonObject } from './json';
import { isObject, own } from './objects';

/** One operation of RFC 6902. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: Json }
  | { readonly op: 'copy' | 'move'; readonly path: string; readonly from: string }
  | { readonly op: 'remove'; readonly path: string };

/** What cdk8s keeps in a `JsonPatch`, which has no public reader. */
export function patchOperation(patch: JsonPatch): PatchOperation {
  const { op, path, from, value } = toJsonObject(Reflect.get(patch, 'operation'), 'the JSON patch');
  if (typeof path === 'string') {
    if ((op === 'add' || op === 'replace' || op === 'test') && value !== undefined) {
      return { op, path, value };
    }
    if ((op === 'copy' || op === 'move') && typeof from === 'string') {
      return { op, path, from };
    }
    if (op === 'remove') {
      return { op, path };
    }
  }
  throw new TypeError(
    `JSON patch ${JSON.stringify({ op, path, from, value })} is incomplete; expected op, path and value or from`,
  );
}

/**
 * Applies operations in order and returns the patched copy. Unlike cdk8s' own, every key is data (`__proto__` too), and
 * an operation that has no effect is an error.
 *
 * @throws Error where a path is not there, an index is out of range or a test fails
 */
export function applyJsonPatch(document: JsonObject, operations: readonly PatchOperation[]): Json {
  return operations.reduce<Json>((current, operation) => {
    try {
      return applyOperation(current, operation);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`JSON patch ${operation.op} ${JSON.stringify(operation.path)} failed: ${reason}`, {
        cause: error,
      });
    }
  }, document);
}

/** The value at a JSON pointer; undefined where there is none. */
export function valueAt(document: Json, pointer: string): Json | undefined {
  let value: Json | undefined = document;
  for (const key of tokens(pointer)) {
    if (isJsonList(value)) {
      value = /^(0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined;
    } else {
      value = isObject(value) ? own(value, key) : undefined;
    }
  }
  return value;
}

function applyOperation(document: Json, operation: PatchOperation): Json {
  const path = tokens(operation.path);
  switch (operation.op) {
    case 'add':
      return edit(document, path, { value: operation.value, insert: true });
    case 'replace':
      existing(document, operation.path);
      return edit(document, path, { value: operation.value, insert: false });
    case 'remove':
      existing(document, operation.path);
      return edit(document, path, undefined);
    case 'copy':
      return edit(document, path, { value: existing(document, operation.from), insert: true });
    case 'move': {
      const value = existing(document, operation.from);
      if (operation.path.startsWith(`${operation.from}/`)) {
        throw new Error('a value cannot move into itself');
      }
      return edit(edit(document, tokens(operation.from), undefined), path, { value, insert: true });
    }
    case 'test': {
      const value = existing(document, operation.path);
      if (!jsonEquals(value, operation.value)) {
        throw new Error(`it is ${JSON.stringify(value)}, expected ${JSON.stringify(operation.value)}`);
      }
      return document;
    }
  }
}

interface Write {
  readonly value: Json;
  /** Into a list: before the element at the index, rather than in its place. */
  readonly insert: boolean;
}

/** A copy of the document with a value written, or removed where `write` is undefined. */
function edit(document: Json, path: readonly string[], write: Write | undefined): Json {
  const [key, ...rest] = path;
  if (key === undefined) {
    if (write === undefined) {
      throw new Error('the whole document cannot be removed');
    }
    return write.value;
  }
  if (isJsonList(document)) {
    return editList(document, key, rest, write);
  }
  if (!isObject(document)) {
    throw new Error(
      `${JSON.stringify(key)} is looked for in ${JSON.stringify(document) ?? 'nothing'}, which is neither map nor list`,
    );
  }
  const result: { [key: string]: Json } = { ...document };
  const child = own(document, key);
  if (rest.length > 0) {
    if (child === undefined) {
      throw new Error(`there is no ${JSON.stringify(key)} on the way`);
    }
    setMember(result, key, edit(child, rest, write));
  } else if (write === undefined) {
    delete result[key];
  } else {
    setMember(result, key, write.value);
  }
  return toJson(result);
}

function editList(list: readonly Json[], key: string, rest: readonly string[], write: Write | undefined): Json {
  const inserts = rest.length === 0 && write?.insert === true;
  const index = key === '-' && inserts ? list.length : Number(key);
  const limit = inserts ? list.length : list.length - 1;
  if (!(key === '-' && inserts) && (!/^(0|[1-9]\d*)$/.test(key) || index > limit)) {
    throw new Error(`${JSON.stringify(key)} is not an index of a list of ${list.length}`);
  }
  const element = list[index];
  if (rest.length > 0 && element !== undefined) {
    return list.with(index, edit(element, rest, write));
  }
  if (write === undefined) {
    return list.toSpliced(index, 1);
  }
  return list.toSpliced(index, write.insert ? 0 : 1, write.value);
}

function existing(document: Json, pointer: string): Json {
  const value = valueAt(document, pointer);
  if (value === undefined) {
    throw new Error(`there is nothing at ${JSON.stringify(pointer)}`);
  }
  return value;
}

function tokens(pointer: string): readonly string[] {
  if (pointer === '') {
    return [];
  }
  if (!pointer.startsWith('/')) {
    throw new Error(`${JSON.stringify(pointer)} is not a JSON pointer; expected "/" at its start`);
  }
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}
