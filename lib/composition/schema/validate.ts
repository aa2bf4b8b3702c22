import type { FindingCode } from '../finding';
import { schemaOf, type Walk } from './defaults';
import { Errors } from './errors';
import { stringFormat } from './formats';
import { jsonEquals } from '../json';
import { isObject, own } from '../objects';
import { came, expected, expectedType, oneOf, show, unknownField } from './messages';
import { isInt64, isNearInteger } from './numbers';
import { checkNumber } from './number-limits';
import { goRegExp } from './re2';
import type { Json, JsonObject, JsonSchema } from './types';

/** Checks a value against its schema, as the API server does after it has filled in defaults. */
export function validate(value: Json, schema: JsonSchema, walk: Walk): void {
  if (!checkType(value, schema, walk)) return;
  if (value !== null) {
    checkAlternatives(value, schema, walk);
    if (typeof value === 'string') checkString(value, schema, walk);
    else if (typeof value === 'number') checkNumber(value, schema, walk);
    else if (Array.isArray(value)) checkArray(value, schema, walk);
  }
  checkEnum(value, schema, walk);
  if (isObject(value)) checkObject(value, schema, walk);
}

const isIntOrString = (schema: JsonSchema): boolean => schema['x-kubernetes-int-or-string'] === true;

/** The format, if the API server looks at it for this type. */
function formatOf(schema: JsonSchema): string | undefined {
  const { format } = schema;
  if (format === undefined || isIntOrString(schema)) return undefined;
  if (schema.type === undefined || schema.type === 'string')
    return stringFormat(format) === undefined ? undefined : format;
  return undefined;
}

function hasType(value: Exclude<Json, null>, type: string): boolean {
  switch (type) {
    case 'integer':
      return typeof value === 'number' && (isInt64(value) || isNearInteger(value));
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    default:
      return typeof value === type;
  }
}

function checkType(value: Json, schema: JsonSchema, walk: Walk): boolean {
  if (fitsType(value, schema)) return true;
  const { type } = schema;
  const what = type === undefined && !isIntOrString(schema) ? 'a string' : expectedType(schema);
  walk.errors.add(walk.path, 'type', `must be ${what}, but is ${came(value)}`, true);
  return false;
}

function fitsType(value: Json, schema: JsonSchema): boolean {
  const { type } = schema;
  if (isIntOrString(schema))
    return value === null ? schema.nullable === true : typeof value === 'string' || hasType(value, 'integer');
  if (value === null) return schema.nullable === true || type === undefined;
  // The API server does not look at the type of strings and arrays where there is a format.
  if (formatOf(schema) !== undefined) return typeof value === 'string' || Array.isArray(value);
  return type === undefined || hasType(value, type);
}

function checkString(value: string, schema: JsonSchema, walk: Walk): void {
  const { minLength, maxLength, pattern } = schema;
  const fault = (code: FindingCode, message: string, blocking = false): void =>
    walk.errors.add(walk.path, code, message, blocking);
  if (value.length > (maxLength ?? Infinity) || value.length < 2 * (minLength ?? 0)) {
    const length = [...value].length;
    if (maxLength !== undefined && length > maxLength)
      fault('length', `must be at most ${maxLength} characters long, but is ${length}: ${show(value)}`, true);
    if (minLength !== undefined && length < minLength)
      fault(
        'length',
        minLength === 1 ? 'must not be empty' : `must be at least ${minLength} characters long, but is ${show(value)}`,
      );
  }
  if (pattern !== undefined && pattern !== '') {
    const reason = mismatch(value, pattern, walk);
    if (reason !== undefined) fault(...reason);
  }
  const format = formatOf(schema);
  if (format !== undefined && stringFormat(format)?.(value) === false)
    fault('format', `must be of format ${format}, but is ${show(value)}`, true);
}

function mismatch(value: string, pattern: string, { compiled }: Walk): readonly [FindingCode, string] | undefined {
  try {
    return (compiled.patterns.get(pattern) ?? goRegExp(pattern)).test(value)
      ? undefined
      : ['pattern', `must match ${pattern}, but is ${show(value)}`];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return ['unchecked', `has a pattern that cannot be checked offline: ${reason}`];
  }
}

/** Whether Go's conversion of the value to the type of the allowed one gives the allowed one. */
function isAllowed(value: Json, allowed: unknown): boolean {
  if (allowed === null || value === null) return false;
  if (typeof value === 'number' && typeof allowed === 'number') {
    if (value === allowed) return true;
    return isInt64(allowed) && !isInt64(value) && Math.trunc(value) === allowed;
  }
  if (typeof value === 'number' && typeof allowed === 'string') {
    // Go converts an integer to the text of that character.
    if (!isInt64(value)) return false;
    const legal = value >= 0 && value <= 0x10ffff && !(value >= 0xd800 && value <= 0xdfff);
    return allowed === (legal ? String.fromCodePoint(value) : '\uFFFD');
  }
  return jsonEquals(value, allowed);
}

function checkEnum(value: Json, schema: JsonSchema, walk: Walk): void {
  const values = schema.enum;
  if (values === undefined || values.length === 0 || values.some((allowed) => isAllowed(value, allowed))) return;
  walk.errors.add(walk.path, 'enum', `must be ${oneOf(values)}, but is ${came(value)}`, true);
}

function checkArray(value: readonly Json[], schema: JsonSchema, walk: Walk): void {
  const { items, minItems, maxItems } = schema;
  const fault = (message: string, blocking: boolean): void =>
    walk.errors.add(walk.path, 'size', `${message} items, but has ${value.length}`, blocking);
  if (minItems !== undefined && value.length < minItems) fault(`must have at least ${minItems}`, false);
  if (maxItems !== undefined && value.length > maxItems) fault(`must have at most ${maxItems}`, true);
  if (items === undefined) return;
  for (const [index, item] of value.entries()) {
    walk.path.push(index);
    validate(item, items, walk);
    walk.path.pop();
  }
}

function checkObject(value: JsonObject, schema: JsonSchema, walk: Walk): void {
  const { required, minProperties, maxProperties, additionalProperties } = schema;
  const keys = Object.keys(value);
  const fault = (message: string, blocking: boolean): void =>
    walk.errors.add(walk.path, 'size', `${message} entries, but has ${keys.length}`, blocking);
  if (minProperties !== undefined && keys.length < minProperties) fault(`must have at least ${minProperties}`, false);
  if (maxProperties !== undefined && keys.length > maxProperties) fault(`must have at most ${maxProperties}`, true);
  for (const key of keys) {
    const childSchema = schemaOf(key, schema);
    walk.path.push(key);
    if (childSchema !== undefined) validate(value[key] ?? null, childSchema, walk);
    else if (additionalProperties === false && !Object.hasOwn(schema.properties ?? {}, key))
      walk.errors.add(walk.path, 'unknown-field', unknownField(key, schema), true);
    walk.path.pop();
  }
  for (const key of required ?? []) {
    if (own(value, key) !== undefined) continue;
    walk.path.push(key);
    walk.errors.add(walk.path, 'required', `is missing; expected ${expected(schemaOf(key, schema))}`, true);
    walk.path.pop();
  }
}

/** The faults of a value under another schema. */
function tryOut(value: Json, schema: JsonSchema, walk: Walk): Errors {
  const errors = new Errors();
  validate(value, schema, { ...walk, errors });
  return errors;
}

function checkAlternatives(value: Json, schema: JsonSchema, walk: Walk): void {
  const { anyOf, oneOf: exactlyOne, allOf, not } = schema;
  const fault = (message: string): void =>
    walk.errors.add(walk.path, 'alternative', `${message}, but is ${came(value)}`, true);
  if (anyOf !== undefined && anyOf.length > 0 && !(isTypeUnion(schema) && isPlainEither(value))) {
    const tried = firstValid(anyOf, value, walk);
    if (tried !== undefined) reportAll(`must fit at least one of ${anyOf.length} alternatives`, tried, fault, walk);
  }
  if (exactlyOne !== undefined && exactlyOne.length > 0) {
    const tried = exactlyOne.map((alternative) => tryOut(value, alternative, walk));
    const fitting = tried.filter((errors) => errors.empty).length;
    if (fitting === 0) reportAll(`must fit one of ${exactlyOne.length} alternatives`, tried, fault, walk);
    else if (fitting > 1) fault(`must fit only one of ${exactlyOne.length} alternatives, not ${fitting}`);
  }
  for (const part of allOf ?? []) validate(value, part, walk);
  if (not !== undefined && tryOut(value, not, walk).empty) fault(`must not be ${describeNot(not)}`);
}

function describeNot(schema: JsonSchema): string {
  if (schema.enum !== undefined) return oneOf(schema.enum);
  return schema.pattern === undefined ? 'what the schema rules out here' : `a match of ${schema.pattern}`;
}

/** The union of types that goes with int-or-string says nothing that the type check has not said. */
function isTypeUnion(schema: JsonSchema): boolean {
  if (!isIntOrString(schema) || schema.anyOf?.length !== 2) return false;
  const [first, second] = schema.anyOf;
  return isBareType(first, 'integer') && isBareType(second, 'string');
}

/** An integer or a string beyond doubt; what is only nearly an integer passes the type check and fails the union. */
const isPlainEither = (value: Json): boolean => typeof value !== 'number' || isInt64(value);

const isBareType = (schema: JsonSchema | undefined, type: string): boolean =>
  schema?.type === type && Object.keys(schema).length === 1;

function firstValid(alternatives: readonly JsonSchema[], value: Json, walk: Walk): readonly Errors[] | undefined {
  const tried: Errors[] = [];
  for (const alternative of alternatives) {
    const errors = tryOut(value, alternative, walk);
    if (errors.empty) return undefined;
    tried.push(errors);
  }
  return tried;
}

/** One fault for the choice, and the faults of the alternative that came nearest. */
function reportAll(message: string, tried: readonly Errors[], fault: (message: string) => void, walk: Walk): void {
  fault(message);
  const nearest = tried.toSorted((a, b) => a.count - b.count)[0];
  if (nearest !== undefined) walk.errors.take(nearest);
}
