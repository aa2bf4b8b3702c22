import type { Deadline } from './deadline';
import type { Container } from './pod';
import { probe } from './probers';
import type { RunningContainer } from './runtime-types';

export interface Stop {
  readonly container: Container;
  readonly running: RunningContainer;
  readonly podIP: string;
  readonly deadline: Deadline;
  /** Whether nothing is waited for any more. */
  readonly atOnce: () => boolean;
  readonly hookFailed: () => void;
}

/** Seconds between SIGTERM and SIGKILL that every container gets, however long its preStop hook took. */
const LEAST_GRACE = 2;

/** Ends a container: its preStop hook, SIGTERM, and SIGKILL when the deadline has come. Resolves when it has ended. */
export async function stopContainer(stop: Stop): Promise<void> {
  const { container, deadline, running } = stop;
  if (container.lifecycle?.preStop !== undefined && deadline.secondsLeft > 0) {
    await deadline.race(Promise.race([running.exited, preStop(stop)]));
  }
  if (!stop.atOnce()) {
    deadline.leave(LEAST_GRACE);
    running.signal('SIGTERM');
    await deadline.race(running.exited);
  }
  running.signal('SIGKILL');
  await running.exited;
}

async function preStop({ container, deadline, hookFailed, podIP, running }: Stop): Promise<void> {
  const hook = container.lifecycle?.preStop ?? {};
  if (hook.sleep !== undefined) {
    const { seconds } = hook.sleep;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000).unref());
    return;
  }
  const { ok } = await probe(hook, { podIP, container, running }, deadline.secondsLeft);
  if (ok !== true) hookFailed();
}
