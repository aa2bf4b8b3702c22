import type { ContainerStatus, PodStatus } from '../../imports/k8s';
import type { Manifest } from '../../lib/composition';
import { podObservation, podToWaitFor, podTrouble } from '../../lib/inference/status/pods';

interface Shape {
  readonly name?: string;
  readonly created?: string;
  readonly template?: string;
  readonly deleted?: boolean;
}

function pod(
  status: PodStatus,
  { name = 'demo-1', created = '1', template = 'a', deleted = false }: Shape = {},
): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      uid: name,
      resourceVersion: '1',
      creationTimestamp: created,
      labels: { app: 'demo', 'pod-template-hash': template, other: 'label' },
      ...(deleted ? { deletionTimestamp: '2' } : {}),
    },
    spec: { containers: [{ name: 'inference-server' }] },
    status,
  };
}

/** What is reported of pods, as they come out of the cache. */
function trouble(...pods: readonly Manifest[]) {
  const slim = pods.map((each) => podObservation.slim?.(each) ?? each);
  return podTrouble({ get: () => undefined, list: () => slim });
}

/** The pod that is waited for, likewise. */
function waitedFor(...pods: readonly Manifest[]) {
  const slim = pods.map((each) => podObservation.slim?.(each) ?? each);
  return podToWaitFor({ get: () => undefined, list: () => slim });
}

function server(status: Partial<ContainerStatus>): PodStatus {
  const containerStatuses = [
    { name: 'inference-server', image: 'x', imageID: '', ready: false, restartCount: 0, ...status },
  ];
  return { phase: 'Running', containerStatuses };
}

const waiting = (reason: string, message?: string): PodStatus =>
  server({ state: { waiting: { reason, ...(message === undefined ? {} : { message }) } } });
const oom = { exitCode: 137, reason: 'OOMKilled' };
const running = { running: { startedAt: '2026-11-30T12:00:00Z' } };

test.each([
  ['ErrImagePull', 'ImageCannotBePulled'],
  ['ImagePullBackOff', 'ImageCannotBePulled'],
  ['InvalidImageName', 'ImageCannotBePulled'],
  ['ErrImageNeverPull', 'ImageCannotBePulled'],
  ['CreateContainerConfigError', 'ContainerCannotStart'],
  ['CreateContainerError', 'ContainerCannotStart'],
  ['RunContainerError', 'ContainerCannotStart'],
])('a container that waits for %s is %s, with the kubelet’s words', (reason, expected) => {
  expect(trouble(pod(waiting(reason, 'secret "x" not found')))).toEqual({
    reason: expected,
    message: 'Pod demo-1, container inference-server: secret "x" not found',
    lasting: true,
  });
});

test.each(['ContainerCreating', 'PodInitializing'])('a container that waits for %s is just starting', (reason) => {
  expect(trouble(pod(waiting(reason)))).toBeUndefined();
});

test('a container that crashes is reported with its exit code, reason and last words', () => {
  const lastState = { terminated: { ...oom, message: 'allocating 80 GiB' } };
  const status = server({ restartCount: 4, state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState });
  expect(trouble(pod(status))).toEqual({
    reason: 'ContainerCrashes',
    message: 'Pod demo-1, container inference-server: crashes with exit code 137 (OOMKilled): allocating 80 GiB',
    lasting: true,
  });
});

test('a crash loop stays one while the container runs for the moment, until it is ready', () => {
  const lastState = { terminated: oom };
  const looping = [
    server({ restartCount: 3, state: { terminated: oom } }),
    server({ restartCount: 3, state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState }),
    server({ restartCount: 4, state: running, lastState }),
  ].map((status) => trouble(pod(status)));
  expect(new Set(looping.map((each) => JSON.stringify(each))).size).toBe(1);
  expect(looping[0]).toMatchObject({ lasting: true });
  expect(trouble(pod(server({ ready: true, restartCount: 4, state: running, lastState })))).toBeUndefined();
});

test('one crash is reported, and may pass', () => {
  const status = server({ restartCount: 1, state: running, lastState: { terminated: { exitCode: 1 } } });
  expect(trouble(pod(status))).toMatchObject({ reason: 'ContainerCrashes', lasting: false });
});

test('an init container that ended well is no trouble, one that crashes is', () => {
  const init = (exitCode: number): PodStatus => ({
    initContainerStatuses: [
      {
        name: 'load',
        image: 'x',
        imageID: '',
        ready: exitCode === 0,
        restartCount: 0,
        state: { terminated: { exitCode } },
      },
    ],
  });
  expect(trouble(pod(init(0)))).toBeUndefined();
  expect(trouble(pod(init(2)))?.message).toBe('Pod demo-1, container load: crashes with exit code 2');
});

test('a pod that no node takes is reported in the scheduler’s words, and may still be placed', () => {
  const message = '0/3 nodes are available: 3 Insufficient nvidia.com/gpu.';
  const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }];
  expect(trouble(pod({ phase: 'Pending', conditions }))).toEqual({
    reason: 'Unschedulable',
    message: `Pod demo-1: ${message}`,
    lasting: false,
  });
});

test('a pod that was evicted is reported for that, not for what its containers ended with', () => {
  const evicted = {
    ...server({ state: { terminated: oom } }),
    phase: 'Failed',
    reason: 'Evicted',
    message: 'low on disk',
  };
  expect(trouble(pod(evicted))).toEqual({ reason: 'Evicted', message: 'Pod demo-1: low on disk', lasting: false });
});

test('pods of an older template, and those that end, do not count', () => {
  const old = pod(waiting('ErrImagePull'), { name: 'old', created: '1', template: 'a' });
  const ending = pod(waiting('ErrImagePull'), { name: 'ending', created: '3', template: 'b', deleted: true });
  const starting = pod(waiting('ContainerCreating'), { name: 'new', created: '2', template: 'b' });
  expect(trouble(old, starting, ending)).toBeUndefined();
  expect(trouble(old, ending)).toMatchObject({ reason: 'ImageCannotBePulled' });
});

test('the worst trouble is reported, and of equals that of the newest pod', () => {
  const unscheduled = pod({ conditions: [{ type: 'PodScheduled', status: 'False' }] }, { name: 'c', created: '3' });
  const one = pod(waiting('ErrImagePull', 'one'), { name: 'a', created: '1' });
  const other = pod(waiting('ErrImagePull', 'other'), { name: 'b', created: '2' });
  expect(trouble(unscheduled, one, other)?.message).toContain('other');
});

test('of long last words the end is kept, and tokens are left out', () => {
  const token = `hf_${'a'.repeat(34)}`;
  const message = `${'noise '.repeat(500)}\nAuthorization: Bearer abcdefghijkl ${token}\n😀 ValueError: no weights\n`;
  const said =
    trouble(pod(server({ restartCount: 2, state: { terminated: { exitCode: 1, message } } })))?.message ?? '';
  expect(said.length).toBeLessThan(700);
  expect(said.endsWith('😀 ValueError: no weights')).toBe(true);
  expect(said).not.toContain(token);
  expect(said).not.toContain('abcdefghijkl');
});

test('the cache keeps of a pod what is read, and no more', () => {
  const slim = podObservation.slim?.(pod(waiting('ErrImagePull')));
  expect(slim?.metadata.labels).toEqual({ app: 'demo', 'pod-template-hash': 'a' });
  expect(slim).not.toHaveProperty('spec');
  expect(podObservation.resourceName(pod({}))).toBe('demo');
});

test.each([
  [false, 'startup'],
  [true, 'readiness'],
])('a server that runs without being ready (started: %s) waits for its %s probe', (started, probe) => {
  expect(waitedFor(pod(server({ state: running, started })))).toBe(
    `pod demo-1, container inference-server waits for its ${probe} probe`,
  );
  expect(trouble(pod(server({ state: running, started })))).toBeUndefined();
});

test('an init container that runs is waited for', () => {
  const initContainerStatuses = [
    { name: 'download', image: 'x', imageID: '', ready: false, restartCount: 0, state: running },
  ];
  const status = { ...server({ state: { waiting: { reason: 'PodInitializing' } } }), initContainerStatuses };
  expect(waitedFor(pod(status))).toBe('pod demo-1 waits for its init container download');
});

test('of the newest template’s pods the oldest is named as waited for, and none that is ready or ends', () => {
  const unready = server({ state: running, started: true });
  expect(
    waitedFor(
      pod(unready, { name: 'other', created: '1', template: 'old' }),
      pod(server({ state: running, started: true, ready: true }), { name: 'ready', created: '2' }),
      pod(unready, { name: 'ends', created: '3', deleted: true }),
      pod(unready, { name: 'first', created: '4' }),
      pod(unready, { name: 'second', created: '5' }),
    ),
  ).toMatch(/^pod first,/);
  expect(waitedFor(pod(server({ state: running, started: true, ready: true })))).toBeUndefined();
});

test('a server that a probe has ended again and again does not count as one that crashes by itself', () => {
  const ended = { exitCode: 0, reason: 'Completed' };
  const backOff = { waiting: { reason: 'CrashLoopBackOff' } };
  expect(trouble(pod(server({ state: backOff, lastState: { terminated: ended }, restartCount: 1 })))).toEqual({
    reason: 'ContainerCrashes',
    message:
      'Pod demo-1, container inference-server: ends, by itself or because a probe failed, with exit code 0 (Completed)',
    lasting: true,
  });
});

const placed = [{ type: 'PodScheduled', status: 'True' }];

test.each([
  ['its containers are being created', server({ state: { waiting: { reason: 'ContainerCreating' } } })],
  ['an init container is being created', { ...waiting('PodInitializing'), ...initWaits('PodInitializing') }],
  ['its node has not said anything yet', { phase: 'Pending' }],
])('a pod with a node is reported as being set up while %s, which may be because a volume is missing', (_, status) => {
  expect(waitedFor(pod({ ...status, conditions: placed }))).toBe(
    'pod demo-1 waits for its node to set it up (image, volumes): kubectl describe pod demo-1',
  );
});

test('a pod that no scheduler has looked at is reported for that, as it may name one that does not run', () => {
  expect(waitedFor(pod({ phase: 'Pending' }))).toBe('pod demo-1 waits for its scheduler');
  expect(waitedFor(pod({}))).toBe('pod demo-1 waits for its scheduler');
});

test('a pod whose container waits for something else is not being set up', () => {
  expect(waitedFor(pod({ ...waiting('ErrImagePull'), conditions: placed }))).toBeUndefined();
  expect(waitedFor(pod({ ...server({ ready: true, state: running }), conditions: placed }))).toBeUndefined();
});

function initWaits(reason: string): PodStatus {
  return {
    initContainerStatuses: [
      { name: 'load', image: 'x', imageID: '', ready: false, restartCount: 0, state: { waiting: { reason } } },
    ],
  };
}

test('a pod that was ready on a node that does not answer is reported for that', () => {
  const lost = { ...server({ ready: true, state: running }), conditions: [{ type: 'Ready', status: 'False' }] };
  expect(trouble(pod(lost))).toEqual({
    reason: 'NodeNotReady',
    message: 'Pod demo-1: its node does not answer, so that it may not run any more: kubectl get nodes',
    lasting: false,
  });
});

test('a pod that a readiness gate holds back, or that its kubelet calls unready, is on no lost node', () => {
  const gated = { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady' };
  const unready = { type: 'Ready', status: 'False', reason: 'ContainersNotReady' };
  expect(trouble(pod({ ...server({ ready: true, state: running }), conditions: [gated] }))).toBeUndefined();
  expect(trouble(pod({ ...server({ state: running }), conditions: [unready] }))).toBeUndefined();
  expect(trouble(pod({ ...server({ state: running }), conditions: [{ ...unready, reason: '' }] }))).toBeUndefined();
});
