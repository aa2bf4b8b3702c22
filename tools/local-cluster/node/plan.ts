import { dueDelay } from './backoff';
import type { ContainerRecord, Records } from './containers';
import type { Pod, PodSpec } from './pod';

/** What is to be done next with the containers of a pod. */
export interface Plan {
  /** Containers to be started now. */
  readonly start: readonly string[];
  /** Containers that ended and may not be started again yet, with the time (milliseconds since 1970) when they may. */
  readonly hold: readonly { readonly name: string; readonly until: number; readonly seconds: number }[];
  /** When to look again if nothing happens before, milliseconds since 1970. */
  readonly wakeAt?: number;
  /** Set once nothing will be started any more and nothing runs. */
  readonly outcome?: 'Succeeded' | 'Failed';
}

type Next =
  | { readonly do: 'start' | 'wait' | 'succeeded' | 'failed' }
  | { readonly do: 'retry'; readonly at: number }
  | { readonly do: 'hold'; readonly until: number; readonly seconds: number };

/** Decides what is next: init containers one after the other, then all others, each by the pod's restart policy. */
export function plan(pod: Pod, records: Records, now: number): Plan {
  const policy = pod.spec.restartPolicy ?? 'Always';
  for (const { name } of pod.spec.initContainers ?? []) {
    const next = nextOf(records.get(name), policy === 'Always' ? 'OnFailure' : policy, now);
    if (next.do === 'succeeded') continue;
    if (next.do === 'failed') return { start: [], hold: [], outcome: 'Failed' };
    return gather([[name, next]]);
  }
  const nexts = pod.spec.containers.map(({ name }) => [name, nextOf(records.get(name), policy, now)] as const);
  if (nexts.every(([, next]) => next.do === 'succeeded')) return { start: [], hold: [], outcome: 'Succeeded' };
  const ended = nexts.every(([, next]) => next.do === 'succeeded' || next.do === 'failed');
  return ended ? { start: [], hold: [], outcome: 'Failed' } : gather(nexts);
}

function nextOf(record: ContainerRecord | undefined, policy: PodSpec['restartPolicy'], now: number): Next {
  if (record === undefined) return { do: 'wait' };
  const { state } = record;
  if (state.is === 'waiting') {
    return state.retryAt === undefined || state.retryAt <= now ? { do: 'start' } : { do: 'retry', at: state.retryAt };
  }
  if (state.is !== 'exited') return { do: 'wait' };
  const { exitCode } = state.terminated;
  if (exitCode === 0 && policy !== 'Always') return { do: 'succeeded' };
  if (policy === 'Never') return { do: 'failed' };
  const delay = dueDelay(record.delay, state.at);
  const until = state.at + (delay?.seconds ?? 0) * 1000;
  return until <= now ? { do: 'start' } : { do: 'hold', until, seconds: delay?.seconds ?? 0 };
}

function gather(nexts: readonly (readonly [string, Next])[]): Plan {
  const hold = nexts.flatMap(([name, next]) =>
    next.do === 'hold' ? [{ name, until: next.until, seconds: next.seconds }] : [],
  );
  const times = nexts.flatMap(([, next]) => (next.do === 'hold' ? [next.until] : next.do === 'retry' ? [next.at] : []));
  const start = nexts.flatMap(([name, next]) => (next.do === 'start' ? [name] : []));
  return { start, hold, ...(times.length === 0 ? {} : { wakeAt: Math.min(...times) }) };
}
