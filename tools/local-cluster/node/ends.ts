import type { Container, Terminated } from './pod';
import type { Exit } from './runtime-types';
import { containerId } from './status';
import { seconds, tailOf } from './texts';

/** How the status says that a container has ended, with what it left as its message. */
export function endOf(
  { terminationMessagePolicy }: Container,
  run: { readonly id: string; readonly startedAt: string; readonly logFile: string },
  { exitCode, message }: Exit,
  now: Date,
): Terminated {
  const fallBack = terminationMessagePolicy === 'FallbackToLogsOnError' && exitCode !== 0;
  const said = message ?? (fallBack ? tailOf(run.logFile, { bytes: 2048, lines: 80 }) : '');
  return {
    exitCode,
    reason: exitCode === 0 ? 'Completed' : 'Error',
    ...(said === '' ? {} : { message: said }),
    startedAt: run.startedAt,
    finishedAt: seconds(now),
    containerID: containerId(run.id),
  };
}

/** How the status says that a container's program could not be started. */
export function startError(id: string, message: string, now: Date): Terminated {
  return {
    exitCode: 128,
    reason: 'StartError',
    message,
    startedAt: '1970-01-01T00:00:00Z',
    finishedAt: seconds(now),
    containerID: containerId(id),
  };
}
