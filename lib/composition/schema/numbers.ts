const MAX = 2n ** 63n - 1n;
const MIN = -(2n ** 63n);

/**
 * Whether the API server reads a number as a 64-bit integer. It sees the JSON text, so what counts is how JavaScript writes
 * the number: 2^63 is written as 9223372036854775808 and does not fit, and 1e21 is written with an exponent.
 */
export function isInt64(value: number): boolean {
  if (Number.isSafeInteger(value)) return true;
  if (!Number.isInteger(value) || Math.abs(value) >= 1e19) return false;
  const exact = toInt64(value);
  return exact <= MAX && exact >= MIN;
}

/** The integer that the API server reads. */
export const toInt64 = (value: number): bigint => BigInt(String(value));

const MAX_JSON_FLOAT = 2 ** 53 - 1;

/** Whether Go's validation takes a floating-point number for an integer: it does so within a billionth. */
export function isNearInteger(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > MAX_JSON_FLOAT) return false;
  const whole = Math.round(value);
  return value === whole || (whole !== 0 && Math.abs(value - whole) < 1e-9 * Math.abs(whole));
}
