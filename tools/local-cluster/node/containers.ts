import { type Delay, nextDelay } from './backoff';
import type { Container, ContainerState, ContainerStatus, Pod, Terminated } from './pod';

/** What the node knows of one container of a pod. The functions below are its only ways from one state to the next. */
export interface ContainerRecord {
  readonly name: string;
  readonly init: boolean;
  readonly state: State;
  /** How often it was started again. */
  readonly restarts: number;
  /** Whether it ran and ended, so that its next run counts as a restart. */
  readonly ran: boolean;
  /** How the run ended that was before the one that `state` is about. */
  readonly last?: Terminated;
  readonly delay?: Delay;
  /** How long the image that is not there is waited for. */
  readonly pull?: Delay;
}

export type State =
  | { readonly is: 'waiting'; readonly reason: string; readonly message?: string; readonly retryAt?: number }
  /** It is being started; the status goes on to say what was before. */
  | { readonly is: 'starting'; readonly before: ContainerState }
  | {
      readonly is: 'running';
      readonly id: string;
      readonly startedAt: string;
      readonly started: boolean;
      readonly ready: boolean;
    }
  | { readonly is: 'exited'; readonly terminated: Terminated; readonly at: number };

export type Records = ReadonlyMap<string, ContainerRecord>;

/**
 * The records of a pod that the node begins with. Where the pod ran on this node before, its containers were lost with
 * the power: they begin again, counted as restarts.
 */
export function firstRecords({ spec, status }: Pod): Map<string, ContainerRecord> {
  const { initContainers = [] } = spec;
  const reason = initContainers.length > 0 ? 'PodInitializing' : 'ContainerCreating';
  const record = (container: Container, init: boolean): readonly [string, ContainerRecord] => {
    const { name } = container;
    const statuses = init ? status?.initContainerStatuses : status?.containerStatuses;
    const old = statuses?.find((one) => one.name === name);
    const last = lost(old);
    const ran = old?.containerID !== undefined;
    const restarts = old?.restartCount ?? 0;
    const state = { is: 'waiting', reason } as const;
    return [name, { name, init, state, restarts, ran, ...(last === undefined ? {} : { last }) }];
  };
  return new Map([
    ...initContainers.map((one) => record(one, true)),
    ...spec.containers.map((one) => record(one, false)),
  ]);
}

/** How the end of a container is reported whose run nobody saw end. */
function lost(old: ContainerStatus | undefined): Terminated | undefined {
  if (old?.state.terminated !== undefined) return old.state.terminated;
  if (old?.state.running === undefined) return old?.lastState.terminated;
  return {
    exitCode: 255,
    reason: 'Unknown',
    startedAt: old.state.running.startedAt,
    finishedAt: null,
    ...(old.containerID === undefined ? {} : { containerID: old.containerID }),
  };
}

/** The number of the run that comes next. */
export function nextRun(record: ContainerRecord): number {
  return record.restarts + (record.ran ? 1 : 0);
}

/** @param firstDelay seconds that a container waits which has ended twice */
export function toStarting(record: ContainerRecord, now: number, firstDelay: number): ContainerRecord {
  const { delay, last, ran, state } = record;
  const ended = state.is === 'exited' ? state.at : Date.parse(last?.finishedAt ?? '') || now;
  return {
    ...record,
    state: { is: 'starting', before: shown(record) },
    ...(ran ? { delay: nextDelay(delay, ended, now, firstDelay) } : {}),
  };
}

/** It runs. Whether it counts as started and ready yet depends on the probes that it has. */
export function toRunning(
  record: ContainerRecord,
  { readinessProbe, startupProbe }: Container,
  id: string,
  startedAt: string,
): ContainerRecord {
  const started = startupProbe === undefined;
  const ready = started && readinessProbe === undefined;
  const state = { is: 'running', id, startedAt, started, ready } as const;
  return { ...endedBefore(record), state, restarts: nextRun(record), ran: false };
}

export function toExited(record: ContainerRecord, terminated: Terminated, at: number): ContainerRecord {
  return { ...record, state: { is: 'exited', terminated, at }, ran: true };
}

/** It could not be started at all, which counts as a run. */
export function toStartFailed(record: ContainerRecord, terminated: Terminated, at: number): ContainerRecord {
  return toExited({ ...endedBefore(record), restarts: nextRun(record) }, terminated, at);
}

/** It waits until `retryAt` for another try. */
export function toWaiting(record: ContainerRecord, reason: string, message: string, retryAt: number): ContainerRecord {
  return { ...endedBefore(record), state: { is: 'waiting', reason, message, retryAt } };
}

/** Its image is not there: the pull fails, then it waits before the next one, longer each time. */
export function toImageMissing(
  record: ContainerRecord,
  texts: { readonly failed: string; readonly backOff: string },
  now: number,
  firstDelay: number,
): ContainerRecord & { readonly state: { readonly is: 'waiting'; readonly reason: string } } {
  const { pull, state } = record;
  if (state.is === 'waiting' && state.reason === 'ErrImagePull' && pull !== undefined) {
    const retryAt = now + pull.seconds * 1000;
    return { ...record, state: { is: 'waiting', reason: 'ImagePullBackOff', message: texts.backOff, retryAt } };
  }
  return {
    ...endedBefore(record),
    state: { is: 'waiting', reason: 'ErrImagePull', message: texts.failed, retryAt: now + 1000 },
    pull: nextDelay(pull, now, now, firstDelay),
  };
}

/** What a status says of the container's present state. */
export function shown({ state }: ContainerRecord): ContainerState {
  switch (state.is) {
    case 'running':
      return { running: { startedAt: state.startedAt } };
    case 'exited':
      return { terminated: state.terminated };
    case 'starting':
      return state.before;
    case 'waiting':
      return { waiting: { reason: state.reason, ...(state.message === undefined ? {} : { message: state.message }) } };
  }
}

/** The end that the state is about becomes the one before. */
function endedBefore(record: ContainerRecord): ContainerRecord {
  const { terminated } = shown(record);
  return terminated === undefined ? record : { ...record, last: terminated };
}
