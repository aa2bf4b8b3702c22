/** Thrown where neither a slot nor a place in the queue is left. */
export class OverloadedError extends Error {}

interface Waiter {
  readonly start: () => void;
}

/** Why a promise of a slot is rejected: the request was given up while it waited. */
export class AbandonedError extends Error {}

/** A limited number of places to run in, and a queue before them: first come, first served. */
export class Slots {
  readonly #waiters = new Set<Waiter>();
  #running = 0;

  constructor(
    readonly capacity: number,
    readonly maxWaiting: number,
  ) {}

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiters.size;
  }

  /**
   * Takes a slot, or a place in the queue for one.
   *
   * @param signal gives the place in the queue up; the promise is then rejected with {@link AbandonedError}. A slot that was given has
   * to be released all the same.
   * @returns when it is this request's turn
   * @throws {OverloadedError} at once, where the queue is full
   */
  take(signal: AbortSignal): Promise<void> {
    if (this.#running < this.capacity) {
      this.#running += 1;
      return Promise.resolve();
    }
    if (this.#waiters.size >= this.maxWaiting) {
      throw new OverloadedError(`${this.#running} requests are running and ${this.#waiters.size} are waiting`);
    }
    if (signal.aborted) return Promise.reject(new AbandonedError());
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiters.delete(waiter);
        reject(new AbandonedError());
      };
      const waiter: Waiter = {
        start: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      this.#waiters.add(waiter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Gives a slot back; the request that has waited longest gets it. */
  release(): void {
    const [next] = this.#waiters;
    if (next === undefined) {
      this.#running -= 1;
      return;
    }
    this.#waiters.delete(next);
    next.start();
  }
}
