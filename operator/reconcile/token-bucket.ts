import type { Clock } from '../clock';

/** A rate limit: so many tokens per second, and a store of them for bursts. */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #clock: Clock;
  #tokens: number;
  #filledAt: number;

  constructor(perSecond: number, burst: number, clock: Clock) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#clock = clock;
    this.#tokens = burst;
    this.#filledAt = clock.monotonic();
  }

  /** Takes a token if there is one. */
  take(): boolean {
    if (this.reserve() === 0) return true;
    this.#tokens += 1;
    return false;
  }

  /** Takes a token and returns the milliseconds until it may be used: 0 while the store lasts. */
  reserve(): number {
    const now = this.#clock.monotonic();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#filledAt) / 1000) * this.#perSecond);
    this.#filledAt = now;
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#perSecond) * 1000;
  }
}
