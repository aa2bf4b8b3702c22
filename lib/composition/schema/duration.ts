const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const MAX = 2n ** 63n - 1n;

/** The nanoseconds of a Go duration such as `1h30m` or `-1.5s`; undefined if Go would not take it. */
export function parseGoDuration(text: string): bigint | undefined {
  const match = /^([+-]?)(.*)$/s.exec(text);
  const rest = match?.[2] ?? '';
  if (rest === '0') return 0n;
  // Escaped, as esbuild leaves regular expressions as they are: see test/image/programs.test.ts.
  if (!/^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|\u03bcs|ms|s|m|h))+$/u.test(rest)) return undefined;
  let total = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of rest.matchAll(
    /(\d*)(?:\.(\d*))?(ns|us|µs|\u03bcs|ms|s|m|h)/gu,
  )) {
    const scale = UNITS[unit] ?? 0n;
    total += BigInt(whole || '0') * scale;
    // Go keeps 18 digits of a fraction.
    const digits = fraction.slice(0, 18);
    if (digits !== '') total += (BigInt(digits) * scale) / 10n ** BigInt(digits.length);
  }
  const negative = match?.[1] === '-';
  if (total > MAX + (negative ? 1n : 0n)) return undefined;
  return negative ? -total : total;
}

const WORDS: readonly (readonly [names: readonly string[], scale: bigint])[] = [
  [['ns', 'nano'], 1n],
  [['us', 'µs', 'micro'], 1_000n],
  [['ms', 'milli'], 1_000_000n],
  [['s', 'sec'], 1_000_000_000n],
  [['m', 'min'], 60_000_000_000n],
  [['h', 'hr', 'hour'], 3_600_000_000_000n],
  [['d', 'day'], 86_400_000_000_000n],
  [['w', 'wk', 'week'], 604_800_000_000_000n],
];

/** The nanoseconds of a text in format `duration`: Go's form, or words such as `2 weeks`. */
export function parseDuration(text: string): bigint | undefined {
  const exact = parseGoDuration(text);
  if (exact !== undefined) return exact;
  let total: bigint | undefined;
  for (const [, count = '0', word = ''] of text.matchAll(/(?<!\d)(\d+)[\t\n\f\r ]*([A-Za-zµ]+)/gu)) {
    if (BigInt(count) > MAX) return undefined;
    const unit = word.toLowerCase();
    for (const [names, scale] of WORDS) {
      const last = names.at(-1) ?? '';
      const matches = names.filter((name) => name === unit || (name === last && unit.startsWith(name))).length;
      if (matches > 0) total = BigInt.asIntN(64, (total ?? 0n) + BigInt(count) * scale * BigInt(matches));
    }
  }
  return total;
}
