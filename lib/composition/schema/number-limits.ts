import type { FindingCode } from '../finding';
import type { Walk } from './defaults';
import { isInt64, isNearInteger, toInt64 } from './numbers';
import type { JsonSchema } from './types';

const INT32 = 2 ** 31;

/** The type and format by which Go checks that numbers fit; only where the schema names exactly one type. */
type Range = 'int32' | 'int64' | 'float' | 'any';

function rangeOf(schema: JsonSchema): Range {
  if (schema['x-kubernetes-int-or-string'] === true) return 'any';
  if (schema.type === 'integer') return schema.format === 'int32' ? 'int32' : 'int64';
  return schema.type === 'number' && schema.format === 'float' ? 'float' : 'any';
}

function inRange(value: number, range: Range): boolean {
  switch (range) {
    case 'int32':
      return Number.isInteger(value) && value >= -INT32 && value < INT32;
    case 'int64':
      return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
    case 'float':
      return Number.isFinite(Math.fround(value));
    case 'any':
      return true;
  }
}

/**
 * Checks a number against its limits, the way Go does: whole numbers are compared as integers, with the fraction of the limit
 * cut off, and a limit that is not in the type's range fails by itself.
 */
export function checkNumber(value: number, schema: JsonSchema, walk: Walk): void {
  const { minimum, maximum, multipleOf } = schema;
  const range = rangeOf(schema);
  const fault = (code: FindingCode, message: string): void =>
    walk.errors.add(walk.path, code, `must be ${message}, but is ${value}`);
  if (!inRange(value, range)) fault('format', `in the range of ${range}`);
  if (minimum === undefined && maximum === undefined && multipleOf === undefined) return;
  const integer = isInt64(value);
  /** The limit as Go compares with it. */
  const limit = (bound: number): number => (integer && inRange(bound, range) ? Math.trunc(bound) : bound);
  const legal = (bound: number, what: 'minimum' | 'maximum' | 'factor'): void => {
    if (!inRange(bound, range))
      fault(
        what === 'factor' ? 'multiple-of' : what,
        `checked against the ${what} ${bound}, which itself is not in the range of ${range}`,
      );
  };
  if (minimum !== undefined) {
    legal(minimum, 'minimum');
    const bound = limit(minimum);
    if (schema.exclusiveMinimum === true ? value <= bound : value < bound)
      fault('minimum', schema.exclusiveMinimum === true ? `more than ${minimum}` : `${minimum} or more`);
  }
  if (maximum !== undefined) {
    legal(maximum, 'maximum');
    const bound = limit(maximum);
    if (schema.exclusiveMaximum === true ? value >= bound : value > bound)
      fault('maximum', schema.exclusiveMaximum === true ? `less than ${maximum}` : `${maximum} or less`);
  }
  if (multipleOf !== undefined) {
    legal(multipleOf, 'factor');
    if (!isMultiple(value, multipleOf, integer && inRange(multipleOf, range)))
      fault('multiple-of', `a multiple of ${multipleOf}`);
  }
}

function isMultiple(value: number, factor: number, integer: boolean): boolean {
  if (integer) {
    const whole = BigInt(Math.trunc(factor));
    return whole > 0n && toInt64(value) % whole === 0n;
  }
  if (factor <= 0) return false;
  return isNearInteger(factor < 1 ? (1 / factor) * value : value / factor);
}
