import { type ContainerRecord, firstRecords, toExited, toRunning, toStarting } from './containers';
import { plan } from './plan';
import type { Container, Pod, PodSpec } from './pod';

const NOW = 1_000_000_000_000;
const first: Container = { name: 'first', image: 'i' };
const second: Container = { name: 'second', image: 'i' };
const a: Container = { name: 'a', image: 'i' };
const b: Container = { name: 'b', image: 'i' };

function pod(spec: Partial<PodSpec>): Pod {
  return { metadata: { name: 'pod' }, spec: { containers: [a, b], ...spec } };
}

function next(of: Pod, changes: Readonly<Record<string, (record: ContainerRecord) => ContainerRecord>> = {}) {
  const records = firstRecords(of);
  for (const [name, change] of Object.entries(changes)) {
    const record = records.get(name);
    if (record !== undefined) records.set(name, change(record));
  }
  return plan(of, records, NOW);
}

const ended = (exitCode: number) => (record: ContainerRecord) =>
  toExited(record, { exitCode, reason: 'Error', startedAt: null, finishedAt: null }, NOW);
const runs = (record: ContainerRecord): ContainerRecord => toRunning(record, a, 'id', '2026-01-01T00:00:00Z');

test('all containers are started together where there are no init containers', () => {
  expect(next(pod({}))).toEqual({ start: ['a', 'b'], hold: [] });
});

test('init containers run one after the other, before all others', () => {
  const initContainers = [first, second];
  expect(next(pod({ initContainers })).start).toEqual(['first']);
  expect(next(pod({ initContainers }), { first: runs }).start).toEqual([]);
  expect(next(pod({ initContainers }), { first: ended(0) }).start).toEqual(['second']);
  expect(next(pod({ initContainers }), { first: ended(0), second: ended(0) }).start).toEqual(['a', 'b']);
});

test('an init container that fails is started again, unless the pod is not to be restarted', () => {
  const initContainers = [first];
  expect(next(pod({ initContainers }), { first: ended(1) }).start).toEqual(['first']);
  const never = pod({ initContainers, restartPolicy: 'Never' });
  expect(next(never, { first: ended(1) })).toEqual({ start: [], hold: [], outcome: 'Failed' });
});

test.each([
  ['Always', 0, 0, { start: ['a', 'b'], hold: [] }],
  ['OnFailure', 0, 1, { start: ['b'], hold: [] }],
  ['OnFailure', 0, 0, { start: [], hold: [], outcome: 'Succeeded' }],
  ['Never', 0, 1, { start: [], hold: [], outcome: 'Failed' }],
  ['Never', 0, 0, { start: [], hold: [], outcome: 'Succeeded' }],
] as const)('with restartPolicy %s and exit codes %i and %i it gives %j', (restartPolicy, one, other, expected) => {
  expect(next(pod({ restartPolicy }), { a: ended(one), b: ended(other) })).toEqual(expected);
});

test('a pod is not over while one of its containers runs', () => {
  expect(next(pod({ restartPolicy: 'Never' }), { a: ended(1), b: runs })).toEqual({ start: [], hold: [] });
});

test('the first restart comes at once, the later ones after a wait', () => {
  const again = (record: ContainerRecord): ContainerRecord => ended(1)(runs(toStarting(record, NOW, 10)));
  const twice = (record: ContainerRecord): ContainerRecord => again(again(record));
  expect(next(pod({ containers: [a] }), { a: again }).start).toEqual(['a']);
  expect(next(pod({ containers: [a] }), { a: twice })).toEqual({
    start: [],
    hold: [{ name: 'a', until: NOW + 10_000, seconds: 10 }],
    wakeAt: NOW + 10_000,
  });
});
