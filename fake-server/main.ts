import { environmentVariables, type FakeServerOptions, parseEnvironment } from './options';
import type { LogEntry } from './routes';
import { type FakeServer, startFakeServer } from './server';

/** Where the fake server writes to: `process` has both. */
export interface Output {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

type Signal = 'SIGTERM' | 'SIGINT';

/** Where SIGTERM and SIGINT come from: `process`. */
export interface Signals {
  on(signal: Signal, listener: (signal: Signal) => void): unknown;
  off(signal: Signal, listener: (signal: Signal) => void): unknown;
}

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Runs the fake server until SIGTERM or SIGINT, and then until its answers are finished. A second signal ends it at once.
 * Its log goes to stdout, a JSON object a line; it has no text of prompts or answers in it.
 *
 * @returns the exit code: 0 after a clean stop, 1 where the port cannot be opened or answers had to be cut off, 2 for a
 * wrong variable, 130 or 143 after a second signal.
 */
export async function runFakeServer(
  env: { readonly [name: string]: string | undefined },
  { stdout, stderr }: Output,
  signals: Signals = process,
): Promise<number> {
  const parsed = parseEnvironment(env);
  if (!parsed.valid) {
    for (const error of parsed.errors) stderr.write(`inferno fake-server: ${error}\n`);
    return 2;
  }
  const log = (entry: LogEntry): void => {
    stdout.write(`${JSON.stringify({ ts: new Date().toISOString(), ...entry })}\n`);
  };
  // There before the model is loaded: as process 1 of a container, a signal without a listener is lost.
  const watch = watchSignals(signals, log);
  try {
    return await run(parsed.options, watch, log);
  } catch (error) {
    const { host, port } = parsed.options;
    const reason = error instanceof Error ? error.message : String(error);
    stderr.write(`inferno fake-server: cannot listen on HOST ${host}, PORT ${port}: ${reason}\n`);
    return 1;
  } finally {
    watch.end();
  }
}

async function run(
  options: FakeServerOptions,
  { first, second }: SignalWatch,
  log: (entry: LogEntry) => void,
): Promise<number> {
  log({ level: 'info', msg: 'loading', model: options.modelName, seconds: options.loadSeconds });
  const loading = new AbortController();
  const stopped = first.then(() => loading.abort());
  let server: FakeServer;
  try {
    server = await startFakeServer(options, { log, signal: loading.signal });
  } catch (error) {
    if (loading.signal.aborted) return 0;
    throw error;
  }
  log({ level: 'info', msg: 'listening', host: options.host, port: server.port });
  await stopped;
  const result = await Promise.race([server.close(), second]);
  if (typeof result === 'string') {
    server.destroy();
    return exitCodes[result];
  }
  log({ level: result.cutOff === 0 ? 'info' : 'error', msg: 'stopped', cutOff: result.cutOff });
  return result.cutOff === 0 ? 0 : 1;
}

interface SignalWatch {
  readonly first: Promise<Signal>;
  readonly second: Promise<Signal>;
  readonly end: () => void;
}

function watchSignals(signals: Signals, log: (entry: LogEntry) => void): SignalWatch {
  const waiting: ((signal: Signal) => void)[] = [];
  const next = (): Promise<Signal> => new Promise((resolve) => waiting.push(resolve));
  const [first, second] = [next(), next()];
  const listener = (signal: Signal): void => {
    log({ level: 'info', msg: 'signal received', signal });
    waiting.shift()?.(signal);
  };
  signals.on('SIGTERM', listener);
  signals.on('SIGINT', listener);
  const end = (): void => {
    signals.off('SIGTERM', listener);
    signals.off('SIGINT', listener);
  };
  return { first, second, end };
}

/** What `inferno fake-server --help` says of the environment: a line for each variable, with unit and default. */
export function describeEnvironment(): string {
  const width = Math.max(...environmentVariables.map(({ name }) => name.length));
  return environmentVariables
    .map(({ name, description, unit, default: standard }) => {
      const detail = [unit, `default ${standard}`].filter((part) => part !== undefined).join(', ');
      return `${name.padEnd(width)}  ${description} (${detail})\n`;
    })
    .join('');
}
