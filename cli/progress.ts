import type { Io } from './io';

const silence = 2000;
const breath = 100;

/** Shows on a terminal that a long job still runs. Says nothing in the first two seconds, and nothing to a file or pipe. */
export class Progress {
  private readonly start: number;
  private lastBreath: number;
  private lastLine: number;
  private count = 0;
  private shown = false;

  constructor(
    private readonly io: Io,
    private readonly what: string,
  ) {
    this.start = io.now();
    this.lastBreath = this.start;
    this.lastLine = this.start;
  }

  /** Counts one more. @returns whether it is time to let other events in */
  step(): boolean {
    this.count += 1;
    const now = this.io.now();
    if (this.io.stderr.isTerminal && now - this.lastLine >= silence) {
      this.lastLine = now;
      this.shown = true;
      this.io.stderr.write(`\r${this.count} ${this.what}, ${Math.round((now - this.start) / 1000)} s …`);
    }
    if (now - this.lastBreath < breath) return false;
    this.lastBreath = now;
    return true;
  }

  /** Removes the line. */
  end(): void {
    if (this.shown) this.io.stderr.write('\r\u001b[K');
  }
}
