/** A value without parts, as JSON has it. */
export type Scalar = string | number | boolean | null;

/** What a plain (unquoted) YAML scalar means, or why it has no meaning in JSON. */
export type Resolved =
  | { readonly ok: true; readonly value: Scalar; readonly float?: boolean }
  | { readonly ok: false; readonly message: string };

const words: ReadonlyMap<string, boolean | null> = new Map([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
]);

const notFinite = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const integer = /^([-+]?)(?:0[bB]([01]+)|0[xX]([0-9a-fA-F]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/;
const strayBinary = /^0b([-+]?)([01]+)$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const minInt64 = -(2n ** 63n);
const maxUint64 = 2n ** 64n - 1n;

/**
 * The meaning that kubectl gives to a plain scalar. kubectl reads YAML with rules between YAML 1.1 and 1.2: `yes`, `on`
 * and `y` are booleans, `0777` and `0o777` are octal, `1_000` is a number, while `12:30:45` and dates are strings.
 */
export function resolvePlain(text: string): Resolved {
  const word = words.get(text);
  if (word !== undefined) return { ok: true, value: word };
  const first = text.charCodeAt(0);
  const isDigit = first >= 48 && first <= 57;
  if (!isDigit && first !== 43 && first !== 45 && first !== 46) return { ok: true, value: text };
  if (notFinite.test(text)) return { ok: false, message: `${text} is not a number that JSON can hold` };
  // kubectl drops underscores everywhere, but in a number that begins with its point only between digits.
  const digits = first === 46 ? text.replaceAll(/(?<=\d)_(?=\d)/g, '') : text.replaceAll('_', '');
  return resolveInteger(digits, text) ?? resolveFloat(digits) ?? { ok: true, value: text };
}

function resolveInteger(digits: string, text: string): Resolved | undefined {
  const match = integer.exec(digits) ?? undefined;
  const value = match === undefined ? strayBinaryValue(digits) : integerValue(match);
  if (value === undefined || value < minInt64 || value > maxUint64) return undefined;
  const result = Number(value);
  if (Number.isSafeInteger(result)) return { ok: true, value: result === 0 ? 0 : result };
  const limit = Number.MAX_SAFE_INTEGER;
  return { ok: false, message: `${text} is beyond ±${limit} and would lose digits; write it in quotes` };
}

function integerValue([, sign, binary, hexadecimal, octal, decimal]: RegExpExecArray): bigint {
  const magnitude = BigInt(
    binary !== undefined
      ? `0b${binary}`
      : hexadecimal !== undefined
        ? `0x${hexadecimal}`
        : octal !== undefined
          ? `0o${octal}`
          : (decimal ?? '0'),
  );
  return sign === '-' ? -magnitude : magnitude;
}

function strayBinaryValue(digits: string): bigint | undefined {
  const match = strayBinary.exec(digits);
  if (match === null) return undefined;
  const magnitude = BigInt(`0b${match[2] ?? '0'}`);
  return match[1] === '-' ? -magnitude : magnitude;
}

function resolveFloat(digits: string): Resolved | undefined {
  if (!float.test(digits)) return undefined;
  const value = Number(digits);
  // A number too large for a double is a string to kubectl.
  return Number.isFinite(value) ? { ok: true, value: value === 0 ? 0 : value, float: true } : undefined;
}
