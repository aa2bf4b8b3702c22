import { type Delay, dueDelay, nextDelay } from './backoff';
import {
  type ContainerRecord,
  firstRecords,
  nextRun,
  shown,
  toExited,
  toImageMissing,
  toRunning,
  toStarting,
  toWaiting,
} from './containers';
import type { Container, ContainerStatus, Pod } from './pod';

const NOW = 1_000_000_000_000;
const container: Container = { name: 'main', image: 'image' };
const end = { exitCode: 1, reason: 'Error', startedAt: null, finishedAt: null };

function first(status?: Pod['status']): ContainerRecord {
  const pod = { metadata: { name: 'pod' }, spec: { containers: [container] }, ...(status && { status }) };
  const record = firstRecords(pod).get('main');
  if (record === undefined) throw new Error('no record');
  return record;
}

test('waits double from the first to five minutes, and begin anew for a container that ran ten minutes', () => {
  let delay: Delay | undefined;
  const waits = Array.from({ length: 7 }, () => {
    delay = nextDelay(delay, NOW, NOW, 10);
    return delay.seconds;
  });
  expect(waits).toEqual([10, 20, 40, 80, 160, 300, 300]);
  expect(dueDelay(delay, NOW + 600_000)).toEqual(delay);
  expect(dueDelay(delay, NOW + 600_001)).toBeUndefined();
  expect(nextDelay(delay, NOW + 600_001, NOW, 10).seconds).toBe(10);
});

test('a run counts as a restart once there was one before it', () => {
  const one = toRunning(toStarting(first(), NOW, 10), container, 'one', 'then');
  expect([one.restarts, nextRun(one)]).toEqual([0, 0]);
  const two = toRunning(toStarting(toExited(one, end, NOW), NOW, 10), container, 'two', 'then');
  expect(two).toMatchObject({ restarts: 1, last: end, state: { is: 'running', id: 'two' } });
});

test('while it is started again its status goes on to show its end', () => {
  const crashed = toExited(toRunning(first(), container, 'id', 'then'), end, NOW);
  expect(shown(toStarting(crashed, NOW, 10))).toEqual({ terminated: end });
  const waits = toWaiting(crashed, 'CrashLoopBackOff', 'later', NOW);
  expect(waits.last).toEqual(end);
  expect(shown(toStarting(waits, NOW, 10))).toEqual({ waiting: { reason: 'CrashLoopBackOff', message: 'later' } });
});

test('it is ready at once without probes, and not started with a startup probe', () => {
  const probe = { tcpSocket: { port: 1 } };
  const state = (more: Partial<Container>) => toRunning(first(), { ...container, ...more }, 'id', 'then').state;
  expect(state({})).toMatchObject({ started: true, ready: true });
  expect(state({ readinessProbe: probe })).toMatchObject({ started: true, ready: false });
  expect(state({ startupProbe: probe })).toMatchObject({ started: false, ready: false });
});

test('a missing image fails to be pulled, then is waited for, longer each time', () => {
  const texts = { failed: 'failed', backOff: 'back off' };
  let record = first();
  const seen = Array.from({ length: 4 }, () => {
    const missing = toImageMissing(record, texts, NOW, 10);
    record = missing;
    return [missing.state.reason, missing.pull?.seconds];
  });
  expect(seen).toEqual([
    ['ErrImagePull', 10],
    ['ImagePullBackOff', 10],
    ['ErrImagePull', 20],
    ['ImagePullBackOff', 20],
  ]);
});

test('a pod that lost its node begins anew, and says that nobody saw its containers end', () => {
  const old: ContainerStatus = {
    ...{ name: 'main', image: 'image', imageID: 'image', ready: true, restartCount: 2, containerID: 'x' },
    state: { running: { startedAt: 'then' } },
    lastState: {},
  };
  const record = first({ containerStatuses: [old] });
  expect(nextRun(record)).toBe(3);
  expect(record.last).toEqual({
    exitCode: 255,
    reason: 'Unknown',
    startedAt: 'then',
    finishedAt: null,
    containerID: 'x',
  });
});
