/** Runs at most `most` things at once; the others wait in line. */
export class Limiter {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly most: number) {}

  async run<T>(what: () => Promise<T>): Promise<T> {
    if (this.#running >= this.most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await what();
    } finally {
      const next = this.#waiting.shift();
      // Who is next takes over the place.
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
