/**
 * A time limit and a caller's signal as one signal.
 *
 * Guarantees: after {@link dispose} neither a timer nor a listener is left; the caller's signal may live as long as the
 * process (AbortSignal.any and AbortSignal.timeout keep what they made until the end of either).
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #onOuter = (): void => this.#controller.abort(this.#outer?.reason);
  #timer: NodeJS.Timeout;
  #until: number;
  #limitMs: number;
  #expired = false;

  constructor(limitMs: number, outer?: AbortSignal) {
    this.#outer = outer;
    this.#limitMs = limitMs;
    this.#until = performance.now() + limitMs;
    this.#timer = this.#start();
    if (outer?.aborted === true) this.#onOuter();
    else outer?.addEventListener('abort', this.#onOuter, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the time ran out before the caller's signal was aborted. */
  get expired(): boolean {
    return this.#expired;
  }

  get leftMs(): number {
    return Math.max(0, this.#until - performance.now());
  }

  /** Sets another limit, which begins now. */
  limit(limitMs: number): void {
    clearTimeout(this.#timer);
    this.#limitMs = limitMs;
    this.#timer = this.#start();
    this.renew();
  }

  /** Lets the limit begin anew. */
  renew(): void {
    this.#until = performance.now() + this.#limitMs;
    this.#timer.refresh();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener('abort', this.#onOuter);
  }

  #start(): NodeJS.Timeout {
    return setTimeout(() => {
      if (this.#controller.signal.aborted) return;
      this.#expired = true;
      this.#controller.abort(new Error('the time ran out'));
    }, this.#limitMs).unref();
  }
}

/** The promise, or a rejection as soon as the signal is aborted. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    if (signal.aborted) {
      onAbort();
      // Its failure is nobody's any more.
      promise.catch(() => undefined);
      return;
    }
    signal.addEventListener('abort', onAbort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
