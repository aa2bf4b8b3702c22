import type { ConfigSource } from './cluster/config-source';
import { setFlagsFromString } from 'node:v8';
import { defined } from '../lib/composition/objects';
import { connect } from './cluster/connection';
import { jsonLogger, type LogLevel } from './report/log';
import { LeadershipLostError, Operator, type OperatorOptions } from './operator';

/** Options of {@link runOperator}. */
export interface RunOperatorOptions extends Omit<OperatorOptions, 'connection' | 'log'>, ConfigSource {
  /** @default info */
  readonly logLevel?: LogLevel;
}

/** The part of `process` that an operator lives by. */
export interface OperatorIo {
  /** Takes the log, line by line. */
  write(line: string): void;
  on(event: Signal | 'uncaughtException' | 'unhandledRejection', listener: (cause: unknown) => void): unknown;
  off(event: Signal | 'uncaughtException' | 'unhandledRejection', listener: (cause: unknown) => void): unknown;
  /** Ends the process at once. */
  exit(code: number): void;
}

const thisProcess: OperatorIo = {
  write: (line) => process.stderr.write(line),
  on: (event, listener) => process.on(event, listener),
  off: (event, listener) => process.off(event, listener),
  exit: (code) => process.exit(code),
};

type Signal = 'SIGTERM' | 'SIGINT';
const SIGNALS: readonly Signal[] = ['SIGTERM', 'SIGINT'];

/**
 * Runs an operator until a signal comes, and resolves with the exit code: 0 after SIGTERM or SIGINT, 1 after an error or
 * when the leadership was lost. The caller exits with it. A second signal ends the process at once, with code 1.
 *
 * @param given takes the place of parts of the process. @default the process itself, its log on standard error
 */
export async function runOperator(options: RunOperatorOptions, given: Partial<OperatorIo> = {}): Promise<number> {
  const io = { ...thisProcess, ...given };
  // Otherwise V8 lets the young generation grow to 64 MB under load and keeps it, for an old one of 20 MB
  setFlagsFromString('--semi-space-growth-factor=1');
  const { context, kubeconfig, logLevel, ...rest } = options;
  const log = jsonLogger(
    logLevel,
    (line) => io.write(line),
    () => rest.clock?.wall() ?? new Date(),
  );
  const stop = new AbortController();
  const onSignal = (): void => {
    if (stop.signal.aborted) {
      io.exit(1);
      return;
    }
    log.info('Shutting down, a second signal ends the process at once');
    stop.abort();
  };
  // In an unknown state nothing may be written any more: another process goes on from what the cluster has.
  const onFault = (cause: unknown): void => {
    const fault = cause instanceof Error ? cause : new Error(String(cause));
    log.error('Program fault, exiting', fault, { stack: fault.stack });
    io.exit(1);
  };
  for (const signal of SIGNALS) io.on(signal, onSignal);
  io.on('uncaughtException', onFault);
  io.on('unhandledRejection', onFault);
  try {
    const connection = connect(defined<ConfigSource>({ kubeconfig, context }));
    await new Operator({ ...rest, connection, log }).run(stop.signal);
    return 0;
  } catch (error) {
    // The next leader, or this one started anew, goes on: nobody has to act.
    if (error instanceof LeadershipLostError) log.info('Lost leadership, exiting', { error: error.message });
    else log.error('Could not run', error);
    return 1;
  } finally {
    for (const signal of SIGNALS) io.off(signal, onSignal);
    io.off('uncaughtException', onFault);
    io.off('unhandledRejection', onFault);
  }
}
