/** One JSON line for each thing that the node has to say, on standard output. */
export class Log {
  info(message: string, details: Readonly<Record<string, unknown>> = {}): void {
    this.#line('info', message, details);
  }

  /** For what the node refuses and for its own faults. */
  error(message: string, details: Readonly<Record<string, unknown>> = {}): void {
    this.#line('error', message, details);
  }

  #line(level: string, message: string, details: Readonly<Record<string, unknown>>): void {
    process.stdout.write(`${JSON.stringify({ level, time: new Date().toISOString(), msg: message, ...details })}\n`);
  }
}
