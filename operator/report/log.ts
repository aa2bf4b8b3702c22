import { SETTINGS } from '../../lib/settings/settings';
import { LOG_LEVELS, type LogLevel } from '../../lib/settings/types';
import type { Clock } from '../clock';

export { LOG_LEVELS, type LogLevel };

/** What a line says besides its message: plain JSON values under constant names. */
export type LogFields = { readonly [name: string]: string | number | boolean | readonly string[] | undefined };

/** Writes structured lines: a constant message, the facts as fields. */
export interface Logger {
  /** Only for what a person has to act on. */
  error(message: string, error: unknown, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  /** The same log with these fields on each line. */
  with(fields: LogFields): Logger;
}

/**
 * A log of one JSON object a line, with the keys that controller-runtime's log has.
 *
 * @param write takes the lines. @default standard error
 */
export function jsonLogger(
  level: LogLevel = SETTINGS.logLevel.default,
  write: (line: string) => void = (line) => process.stderr.write(line),
  now: () => Date = () => new Date(),
  fields: LogFields = {},
): Logger {
  const threshold = LOG_LEVELS.indexOf(level);
  const line = (of: LogLevel, message: string, more: LogFields | undefined): void => {
    if (LOG_LEVELS.indexOf(of) > threshold) return;
    write(`${JSON.stringify({ level: of, ts: now().toISOString(), msg: message, ...fields, ...more })}\n`);
  };
  return {
    error: (message, error, more) => line('error', message, { error: errorText(error), ...more }),
    info: (message, more) => line('info', message, more),
    debug: (message, more) => line('debug', message, more),
    with: (more) => jsonLogger(level, write, now, { ...fields, ...more }),
  };
}

/**
 * Logs what comes in crowds, such as lost connections: at info once in `everyMs`, with the number of those that were
 * left out as `others`, and each of them at debug.
 */
export function nowAndThen(log: Logger, clock: Clock, everyMs = 60_000): Logger['info'] {
  let quietUntil = -Infinity;
  let others = 0;
  return (message, fields) => {
    const now = clock.monotonic();
    if (now < quietUntil) {
      others += 1;
      log.debug(message, fields);
      return;
    }
    log.info(message, { ...fields, ...(others > 0 ? { others } : {}) });
    quietUntil = now + everyMs;
    others = 0;
  };
}

/** An error's message with those of its causes. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : errorText(error.cause);
  return cause === '' || error.message.includes(cause) ? error.message : `${error.message}: ${cause}`;
}
