import type { Clock, Timer } from '../../operator/clock';

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  #now = 0;
  #next = 0;
  readonly #timers = new Map<number, { at: number; task: () => void }>();

  monotonic(): number {
    return this.#now;
  }

  wall(): Date {
    return new Date(Date.UTC(2026, 0, 1) + this.#now);
  }

  schedule(delayMs: number, task: () => void): Timer {
    const id = this.#next++;
    this.#timers.set(id, { at: this.#now + Math.max(0, delayMs), task });
    return { cancel: () => this.#timers.delete(id) };
  }

  /** Moves the time on and runs what comes due, in its order; lets promises settle between the tasks. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (let steps = 0; steps < 100_000; steps++) {
      const due = [...this.#timers]
        .filter(([, timer]) => timer.at <= end)
        .toSorted((a, b) => a[1].at - b[1].at || a[0] - b[0])[0];
      if (due === undefined) break;
      this.#timers.delete(due[0]);
      this.#now = due[1].at;
      due[1].task();
      await settle();
    }
    this.#now = end;
    await settle();
  }

  get pending(): number {
    return this.#timers.size;
  }
}

/** Lets all promises that can go on do so. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}
