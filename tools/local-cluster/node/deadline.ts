/** The longest that a timer takes, 24 days. */
const LONGEST = 2 ** 31 - 1;

/** A time (milliseconds since 1970) that can be brought forward while somebody waits for it. */
export class Deadline {
  #at: number;
  readonly #moved = new Set<() => void>();

  constructor(at: number) {
    this.#at = at;
  }

  get secondsLeft(): number {
    return (this.#at - Date.now()) / 1000;
  }

  /** Brings it forward; a later time than it has changes nothing. */
  bring(at: number): void {
    if (at >= this.#at) return;
    this.#at = at;
    for (const moved of this.#moved) moved();
  }

  /** Puts it off, so that at least these seconds are left. */
  leave(seconds: number): void {
    this.#at = Math.max(this.#at, Date.now() + seconds * 1000);
  }

  /** Waits for a promise that never rejects: true when it settled in time. */
  race(what: Promise<unknown>): Promise<boolean> {
    return new Promise((resolve) => {
      let timer = setTimeout(() => end(false), 0);
      const end = (inTime: boolean): void => {
        clearTimeout(timer);
        this.#moved.delete(arm);
        resolve(inTime);
      };
      const arm = (): void => {
        clearTimeout(timer);
        timer = setTimeout(() => end(false), Math.min(Math.max(this.#at - Date.now(), 0), LONGEST));
      };
      this.#moved.add(arm);
      arm();
      void what.then(() => end(true));
    });
  }
}
