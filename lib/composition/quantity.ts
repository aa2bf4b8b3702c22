/** 10^exponent; the exponent is bounded by the callers, so that no text makes a number of a million digits. */
const power = (exponent: number): bigint => 10n ** BigInt(exponent);

const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
/** Kubernetes keeps nothing finer than a billionth. */
const NANO = -9;
/** Exponents beyond this are kept as they are: no sum or rounding over such a distance means anything. */
const MAX_SHIFT = 10_000;

const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

const FORM = /^([+-]?)(\d*)(?:(\.)(\d*))?((?:[eEinumkKMGTP]+[+-]?\d*)?)$/;

/** How a suffix scales the number before it: by a power of ten or of two. */
type Suffix = { readonly base: 10 | 2; readonly exponent: number };

function suffixOf(text: string): Suffix | undefined {
  if (Object.hasOwn(DECIMAL, text)) return { base: 10, exponent: DECIMAL[text] ?? 0 };
  if (Object.hasOwn(BINARY, text)) return { base: 2, exponent: BINARY[text] ?? 0 };
  if (!/^[eE][+-]?\d+$/.test(text)) return undefined;
  const exponent = BigInt(text.slice(1).replace('+', ''));
  // Kubernetes reads 64 bits and goes on with the lower 32.
  return exponent > MAX_INT64 || exponent < MIN_INT64
    ? undefined
    : { base: 10, exponent: Number(BigInt.asIntN(32, exponent)) };
}

/**
 * A Kubernetes quantity, such as `100m`, `0.5`, `1e3`, `16Gi` or `-1`: exact, immutable, and equal to another one by
 * value, so `1` equals `1000m`. Every form that Kubernetes' own parser takes is taken, and only those.
 */
export class Quantity {
  private constructor(
    private readonly unscaled: bigint,
    private readonly exponent: number,
    /** Whether Kubernetes keeps it as a 64-bit number with a power of ten, not as a big decimal. */
    private readonly small: boolean,
  ) {}

  /** The quantity that `text` stands for, or undefined if Kubernetes would not take it. */
  static parse(text: string): Quantity | undefined {
    const form = FORM.exec(text);
    if (text === '' || form === null) return undefined;
    const [, sign = '', digits = '', , decimals = ''] = form;
    const suffix = suffixOf(form[5] ?? '');
    if (suffix === undefined) return undefined;
    const whole = digits.replace(/^0+/, '') || '0';
    const negate = (value: bigint): bigint => (sign === '-' ? -value : value);
    const shift = decimals.length;

    if (suffix.base === 10) {
      const exponent = suffix.exponent - shift;
      if (whole.length + shift <= 18 && exponent >= NANO)
        return new Quantity(negate(BigInt(whole + decimals)), exponent, true);
      return new Quantity(negate(BigInt(whole + decimals)), exponent, false).rounded();
    }
    const value = BigInt(whole + decimals) * 2n ** BigInt(suffix.exponent);
    if (shift === 0 && 14 - whole.length - Math.trunc((suffix.exponent * 3) / 10) >= 0)
      return new Quantity(negate(value), 0, true);
    const rounded = new Quantity(value, -shift, false).rounded();
    const capped = rounded.compareTo(new Quantity(MAX_INT64, 0, false)) > 0 ? MAX_INT64 * power(9) : rounded.unscaled;
    return new Quantity(negate(capped), rounded.exponent, false);
  }

  /** A whole number as a quantity. */
  static fromInteger(value: bigint): Quantity {
    return new Quantity(value, 0, value <= MAX_INT64 && value >= MIN_INT64);
  }

  /** -1, 0 or 1: less than the other, equal or more. */
  compareTo(other: Quantity): -1 | 0 | 1 {
    const sign = this.sign();
    if (sign !== other.sign()) return sign < other.sign() ? -1 : 1;
    if (sign === 0) return 0;
    // Same magnitude means that the exponents differ by no more than the numbers' lengths.
    const magnitude = this.magnitude() - other.magnitude();
    if (magnitude !== 0) return magnitude < 0 === sign > 0 ? -1 : 1;
    const [a, b] = aligned(this, other);
    if (a === b) return 0;
    return a < b ? -1 : 1;
  }

  /** Whether both are the same amount. */
  equals(other: Quantity): boolean {
    return this.compareTo(other) === 0;
  }

  /** -1, 0 or 1. */
  sign(): -1 | 0 | 1 {
    if (this.unscaled === 0n) return 0;
    return this.unscaled < 0n ? -1 : 1;
  }

  /**
   * The 64-bit integer that CEL's `asInteger()` gives, or undefined where that fails. As in Kubernetes, it depends on how
   * the amount was written: `1` and `1e3` are integers; `1.0`, `1000m` and `1Pi` are not.
   */
  asInteger(): bigint | undefined {
    if (!this.small || this.exponent < 0) return undefined;
    if (this.unscaled !== 0n && this.exponent > 18) return undefined;
    const value = this.unscaled === 0n ? 0n : this.unscaled * power(this.exponent);
    return value <= MAX_INT64 && value >= MIN_INT64 ? value : undefined;
  }

  /** Whether the amount is a whole number, however it was written. */
  isWhole(): boolean {
    if (this.exponent >= 0 || this.unscaled === 0n) return true;
    return this.unscaled % power(-this.exponent) === 0n;
  }

  /** The nearest floating-point number; not for comparisons. */
  asApproximateFloat(): number {
    return this.exponent === 0 ? Number(this.unscaled) : Number(this.unscaled) * Number(`1e${this.exponent}`);
  }

  /** The sum. */
  add(other: Quantity): Quantity {
    if (other.unscaled === 0n) return this.small && !other.small ? this.large() : this;
    if (this.unscaled === 0n) return this.small || !other.small ? other : other.large();
    if (Math.abs(this.exponent - other.exponent) > MAX_SHIFT)
      throw new RangeError('quantities are too far apart to add');
    const [a, b] = aligned(this, other);
    const sum = a + b;
    const fits = [a, b, sum].every((value) => value <= MAX_INT64 && value >= MIN_INT64);
    return new Quantity(sum, Math.min(this.exponent, other.exponent), this.small && other.small && fits);
  }

  /** The difference. */
  sub(other: Quantity): Quantity {
    return this.add(new Quantity(-other.unscaled, other.exponent, other.small));
  }

  private large(): Quantity {
    return new Quantity(this.unscaled, this.exponent, false);
  }

  private magnitude(): number {
    const text = this.unscaled.toString();
    return text.length - (this.unscaled < 0n ? 1 : 0) + this.exponent;
  }

  /** At the scale of a billionth, rounded away from zero, as Kubernetes does with what does not fit a 64-bit number. */
  private rounded(): Quantity {
    if (this.unscaled === 0n || this.exponent > MAX_SHIFT) return this;
    const shift = this.exponent - NANO;
    if (shift >= 0) return new Quantity(this.unscaled * power(shift), NANO, false);
    const magnitude = this.unscaled < 0n ? -this.unscaled : this.unscaled;
    const divisor = magnitude.toString().length < -shift ? undefined : power(-shift);
    const up = divisor === undefined ? 1n : (magnitude + divisor - 1n) / divisor;
    return new Quantity(this.unscaled < 0n ? -up : up, NANO, false);
  }

  /** @internal */
  parts(): readonly [unscaled: bigint, exponent: number] {
    return [this.unscaled, this.exponent];
  }
}

/** The numbers of both at the finer of their scales. */
function aligned(one: Quantity, other: Quantity): readonly [bigint, bigint] {
  const [a, aExponent] = one.parts();
  const [b, bExponent] = other.parts();
  if (aExponent === bExponent) return [a, b];
  return aExponent < bExponent ? [a, b * power(bExponent - aExponent)] : [a * power(aExponent - bExponent), b];
}
