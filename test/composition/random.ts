/** Random values from a seed, so that a failure can be repeated. */
export interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  pick<T>(values: readonly [T, ...T[]]): T;
}

export function random(seed: number): Random {
  let state = seed;
  const below = (limit: number): number => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return { below, pick: (values) => values[below(values.length)] ?? values[0] };
}

/** Texts that are close to legal names, and texts that are far from them. */
export function hostileText(rng: Random): string {
  const alphabets = [
    'ab',
    'abc-',
    'aB.',
    'a1-h0',
    'ab/_. ',
    'äßİ🙂',
    '\ud800\udfffa',
    'llama-3.1',
    '\u0000\n"\\',
    '',
  ] as const;
  const length = rng.pick([0, 1, 2, 3, 8, 12, 50, 51, 52, 62, 63, 64, 65, 300]);
  const alphabet = rng.pick(alphabets);
  let text = '';
  for (let left = alphabet === '' ? 0 : length; left > 0; left--) {
    text += alphabet.charAt(rng.below(alphabet.length));
  }
  return rng.below(4) === 0
    ? `${text.slice(0, 51)}-h${(rng.below(2 ** 31) * 512).toString(16).padStart(10, '0')}`
    : text;
}

/** A copy of a JSON value with the keys of every map in another order. */
export function shuffleKeys<T>(value: T, rng: Random): T;
export function shuffleKeys(value: unknown, rng: Random): unknown {
  if (Array.isArray(value)) {
    return value.map((element) => shuffleKeys(element, rng));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const entries = Object.entries(value).map(([key, member]) => ({ key, member, at: rng.below(1000) }));
  return Object.fromEntries(
    entries.toSorted((a, b) => a.at - b.at).map(({ key, member }) => [key, shuffleKeys(member, rng)]),
  );
}
