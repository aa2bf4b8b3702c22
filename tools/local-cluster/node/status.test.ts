import { type ContainerRecord, firstRecords, toExited, toRunning, toWaiting } from './containers';
import type { Container, Pod, PodSpec, PodStatus } from './pod';
import { type PodFacts, podStatus } from './status';

const NOW = new Date('2026-01-01T00:00:10.500Z');
const BEFORE = '2026-01-01T00:00:01Z';
const main: Container = { name: 'main', image: 'image' };
const facts: PodFacts = { hostIP: '10.0.0.9', podIP: '10.0.1.1', sandbox: true, startTime: BEFORE, ended: false };
type Change = (record: ContainerRecord) => ContainerRecord;

function status(
  spec: Partial<PodSpec>,
  changes: Readonly<Record<string, Change>>,
  more: Partial<PodFacts> = {},
  old: PodStatus = {},
): PodStatus {
  const pod: Pod = { metadata: { name: 'pod', generation: 7 }, spec: { containers: [main], ...spec } };
  const records = firstRecords(pod);
  for (const [name, record] of records) records.set(name, changes[name]?.(record) ?? record);
  return podStatus(pod, records, { ...facts, ...more }, old, NOW);
}

const runs: Change = (record) => toRunning(record, main, 'id', BEFORE);
const ended =
  (exitCode: number): Change =>
  (record) =>
    toExited(runs(record), { exitCode, reason: 'Error', startedAt: BEFORE, finishedAt: BEFORE }, NOW.getTime());
const crashing: Change = (record) => toWaiting(ended(1)(record), 'CrashLoopBackOff', 'later', NOW.getTime());

const initContainers: readonly Container[] = [{ name: 'init', image: 'image' }];

test.each<[string, Partial<PodSpec>, Readonly<Record<string, Change>>, Partial<PodFacts>]>([
  ['Pending', {}, {}, {}],
  ['Running', {}, { main: runs }, {}],
  ['Running', {}, { main: crashing }, {}],
  ['Running', {}, { main: ended(0) }, {}],
  ['Pending', { initContainers }, { init: runs }, {}],
  ['Pending', { initContainers }, { init: crashing }, {}],
  ['Failed', { initContainers, restartPolicy: 'Never' }, { init: ended(1) }, {}],
  ['Running', { initContainers }, { init: ended(0), main: runs }, {}],
  ['Succeeded', { restartPolicy: 'Never' }, { main: ended(0) }, {}],
  ['Failed', { restartPolicy: 'Never' }, { main: ended(1) }, {}],
  ['Running', { restartPolicy: 'OnFailure' }, { main: ended(1) }, {}],
  ['Succeeded', {}, { main: ended(0) }, { ended: true }],
  ['Failed', {}, { main: ended(137) }, { ended: true }],
  ['Failed', {}, {}, { refused: { reason: 'Unsupported', message: 'why' } }],
])('the phase is %s (%#)', (phase, spec, changes, more) => {
  expect(status(spec, changes, more).phase).toBe(phase);
});

test('conditions say what is waited for', () => {
  const said = (...args: Parameters<typeof status>) =>
    status(...args).conditions?.map(({ message, reason, status: is, type }) =>
      [`${type}=${is}`, reason, message].filter((text) => text !== undefined).join(' '),
    );
  expect(said({ initContainers }, { init: runs }, { sandbox: false })).toEqual([
    'PodReadyToStartContainers=False',
    'Initialized=False ContainersNotInitialized containers with incomplete status: [init]',
    'Ready=False ContainersNotReady containers with unready status: [main]',
    'ContainersReady=False ContainersNotReady containers with unready status: [main]',
    'PodScheduled=True',
  ]);
  expect(said({ initContainers }, { init: ended(0), main: runs })).toEqual([
    'PodReadyToStartContainers=True',
    'Initialized=True',
    'Ready=True',
    'ContainersReady=True',
    'PodScheduled=True',
  ]);
  expect(said({ restartPolicy: 'Never' }, { main: ended(1) })).toContain('Ready=False PodFailed');
});

test('a condition keeps the time of its last change, and has the generation', () => {
  const old = status({}, { main: runs }, {}, {});
  const again = podStatusAt(BEFORE, old);
  const next = status({}, { main: ended(1) }, {}, again);
  const times = next.conditions?.map(({ lastTransitionTime, type }) => [type, lastTransitionTime]);
  expect(times).toContainEqual(['Initialized', BEFORE]);
  expect(times).toContainEqual(['Ready', '2026-01-01T00:00:10Z']);
  expect(next.conditions?.every(({ observedGeneration }) => observedGeneration === 7)).toBe(true);
});

test('a container that crashed shows its end and of its wait', () => {
  const [container] = status({}, { main: crashing }).containerStatuses ?? [];
  expect(container).toMatchObject({
    state: { waiting: { reason: 'CrashLoopBackOff', message: 'later' } },
    lastState: { terminated: { exitCode: 1 } },
    ready: false,
    started: false,
  });
});

function podStatusAt(time: string, { conditions = [], ...rest }: PodStatus): PodStatus {
  return { ...rest, conditions: conditions.map((condition) => ({ ...condition, lastTransitionTime: time })) };
}
