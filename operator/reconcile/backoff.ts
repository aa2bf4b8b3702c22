/** How long to wait between tries. */
export interface BackoffOptions {
  /** Milliseconds before the second try. */
  readonly initialMs: number;
  /** The longest wait, in milliseconds. */
  readonly maxMs: number;
  /** What each wait is multiplied by for the next. */
  readonly factor: number;
  /** The share of a wait that is random, 0 to 1: 0.5 means a wait between half and the whole. */
  readonly jitter: number;
}

/** The wait before try number `failures` + 1, in milliseconds. Pure: `random` is a number from 0 up to 1. */
export function backoffDelay(options: BackoffOptions, failures: number, random: number): number {
  const whole = Math.min(options.maxMs, options.initialMs * options.factor ** Math.max(0, failures - 1));
  return whole * (1 - options.jitter * random);
}
