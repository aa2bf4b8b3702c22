import type { Observed, ProjectContext } from '../../lib/composition/composition';
import { projectStatus } from '../../lib/inference';
import type { DeploymentStatus } from '../../imports/k8s';
import type { ChildKind, Manifest, SyncOutcome } from '../../lib/composition';
import { admitted, models, type SpecChange } from './support';

const now = '2026-11-30T12:00:00Z';
const applied: ProjectContext = { now, sync: { state: 'applied' } };
const finished = { observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 3, readyReplicas: 3 };
const three: SpecChange = { model: models.fake, replicas: { min: 3, max: 3 } };

function observing(status: DeploymentStatus | undefined, replicas = 3, others: Others = {}): Observed {
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'demo', generation: 2 },
    spec: { replicas },
    status,
  };
  return {
    get: (kind: ChildKind, name: string) => {
      if (name !== 'demo') return undefined;
      return kind.kind === 'Deployment' ? status && deployment : others.autoscaler;
    },
    list: (kind: ChildKind) => (kind.kind === 'Pod' ? (others.pods ?? []) : []),
  };
}

interface Others {
  readonly autoscaler?: Manifest;
  readonly pods?: readonly Manifest[];
}

function waitingPod(reason: string): Manifest {
  const containerStatuses = [{ name: 'inference-server', state: { waiting: { reason, message: 'no such image' } } }];
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'demo-1' }, status: { containerStatuses } };
}

function autoscaler(...conditions: readonly object[]): Manifest {
  const metadata = { name: 'demo' };
  return { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata, status: { conditions } };
}

function project(status: DeploymentStatus | undefined, spec = three, replicas = 3) {
  const resource = admitted(spec);
  return projectStatus(
    { ...resource, metadata: { ...resource.metadata, generation: 7 } },
    observing(status, replicas),
    applied,
  );
}

test('a finished rollout is Ready', () => {
  expect(project(finished)).toEqual({
    phase: 'Running',
    replicas: 3,
    readyReplicas: 3,
    selector: 'app=demo,operator=inferno',
    message: '3 of 3 pods are ready',
    observedGeneration: 7,
    lastUpdateTime: now,
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        reason: 'RolloutFinished',
        message: '3 of 3 pods are ready',
        observedGeneration: 7,
        lastTransitionTime: now,
      },
      {
        type: 'Synced',
        status: 'True',
        reason: 'Applied',
        message: 'Every child is as rendered',
        observedGeneration: 7,
        lastTransitionTime: now,
      },
    ],
  });
});

test.each([
  ['the Deployment is not there', undefined, 'RollingOut'],
  ['the Deployment has no status', {}, 'RollingOut'],
  ['an older Deployment was seen', { ...finished, observedGeneration: 1 }, 'RollingOut'],
  ['new pods are missing', { ...finished, updatedReplicas: 1 }, 'RollingOut'],
  ['old pods are left', { ...finished, replicas: 4 }, 'RollingOut'],
  ['pods are to end', { ...finished, replicas: 4, updatedReplicas: 4 }, 'RollingOut'],
  ['pods are not available', { ...finished, availableReplicas: 2 }, 'RollingOut'],
  ['pods are not ready', { ...finished, readyReplicas: 2 }, 'RollingOut'],
])('it is not Ready while %s', (_what, status: DeploymentStatus | undefined, reason) => {
  const { phase, conditions } = project(status);
  expect(phase).toBe('Pending');
  expect(conditions).toMatchObject([
    { type: 'Ready', status: 'False', reason },
    { type: 'Reconciling', status: 'True', reason },
    { type: 'Synced', status: 'True' },
  ]);
});

test.each([
  ['a deadline', { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: 'timed out' }],
  ['refused pods', { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'exceeded quota' }],
])('it is Failed after %s, with Kubernetes’ own words', (_what, condition) => {
  const { phase, message, conditions } = project({ ...finished, updatedReplicas: 1, conditions: [condition] });
  expect([phase, message]).toEqual(['Failed', condition.message]);
  expect(conditions).toMatchObject([
    { type: 'Ready', status: 'False', reason: condition.reason },
    { type: 'Stalled', status: 'True' },
    { type: 'Synced', status: 'True' },
  ]);
});

test('the Deployment has to be as large as the resource says', () => {
  expect(project(finished, { ...three, replicas: { min: 5, max: 5 } })).toMatchObject({ phase: 'Pending' });
});

test('an autoscaler decides how many pods are wanted', () => {
  const scaled = { ...three, replicas: { min: 1, max: 9 }, autoscaling: { enabled: true } };
  expect(project(finished, scaled)).toMatchObject({ phase: 'Running', readyReplicas: 3 });
});

test('a parked service is calm once its pods are gone', () => {
  const parked = { ...three, replicas: { min: 0, max: 0 } };
  expect(project({ observedGeneration: 2 }, parked, 0)).toMatchObject({
    phase: 'Running',
    readyReplicas: 0,
    conditions: [{ type: 'Ready', status: 'True', reason: 'Parked' }, { type: 'Synced' }],
  });
  expect(project({ observedGeneration: 2, replicas: 1, updatedReplicas: 1 }, parked, 0)).toMatchObject({
    phase: 'Pending',
  });
});

test('the same state twice gives the same status, byte for byte', () => {
  const resource = admitted(three);
  const first = projectStatus(resource, observing(finished), applied);
  const later = '2026-11-30T13:00:00Z';
  expect(projectStatus({ ...resource, status: first }, observing(finished), { ...applied, now: later })).toEqual(first);
  const changed = projectStatus({ ...resource, status: first }, observing({ ...finished, readyReplicas: 1 }), {
    ...applied,
    now: later,
  });
  expect(changed.lastUpdateTime).toBe(later);
});

test('a pod’s trouble is reported while the rollout is not finished, and not looked for afterwards', () => {
  const resource = admitted(three);
  const pods = [waitingPod('ImagePullBackOff')];
  expect(projectStatus(resource, observing({ ...finished, availableReplicas: 1 }, 3, { pods }), applied)).toMatchObject(
    {
      phase: 'Failed',
      message: 'Pod demo-1, container inference-server: no such image',
      conditions: [{ type: 'Ready', reason: 'ImageCannotBePulled' }, { type: 'Stalled' }, { type: 'Synced' }],
    },
  );
  const list = jest.fn(() => pods);
  expect(projectStatus(resource, { ...observing(finished), list }, applied)).toMatchObject({ phase: 'Running' });
  expect(list).not.toHaveBeenCalledWith(expect.objectContaining({ kind: 'Pod' }));
});

test('a rollout that goes on says which pod it waits for', () => {
  const containerStatuses = [{ name: 'inference-server', ready: false, started: true, state: { running: {} } }];
  const pods = [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'demo-1' }, status: { containerStatuses } }];
  const says = (status: DeploymentStatus): string | undefined =>
    projectStatus(admitted(three), observing({ ...finished, ...status }, 3, { pods }), applied).message;
  const waits = 'pod demo-1, container inference-server waits for its readiness probe';
  expect(says({ readyReplicas: 2 })).toBe(`Rolling out: 2 of 3 pods are ready; ${waits}`);
  expect(says({ replicas: 4, updatedReplicas: 1 })).toBe(
    `Rolling out: 0 of 3 new pods are ready, 3 older ones are still there; ${waits}`,
  );
});

test('a ready pod of an older version is not counted among the new ones, though the Deployment counts both', () => {
  const pods = [newerPod('a', 'new', 'True'), newerPod('b', 'new', 'False'), newerPod('c', 'old', 'True')];
  const status = { ...finished, replicas: 4, updatedReplicas: 2 };
  const { message } = projectStatus(admitted(three), observing(status, 3, { pods }), applied);
  expect(message).toContain('1 of 3 new pods are ready, 2 older ones are still there');
});

function newerPod(name: string, template: string, ready: string): Manifest {
  const labels = { 'pod-template-hash': template };
  const creationTimestamp = template === 'new' ? '2026-11-30T12:00:00Z' : '2026-11-30T11:00:00Z';
  const containerStatuses = [
    { name: 'inference-server', ready: ready === 'True', started: true, state: { running: {} } },
  ];
  const conditions = [{ type: 'Ready', status: ready, reason: 'x' }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels, creationTimestamp },
    status: { conditions, containerStatuses },
  };
}

test('what pods and conditions of an earlier version say does not count before the newest one was seen', () => {
  const conditions = [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'quota' }];
  const stale = { ...finished, observedGeneration: 1, updatedReplicas: 0, conditions };
  expect(
    projectStatus(admitted(three), observing(stale, 3, { pods: [waitingPod('ErrImagePull')] }), applied),
  ).toMatchObject({ phase: 'Pending', conditions: [{ reason: 'RollingOut' }, { type: 'Reconciling' }, {}] });
});

test.each<[string, SyncOutcome, string, string, string]>([
  ['applied', { state: 'applied' }, 'Running', 'True', 'Applied'],
  ['altered', { state: 'altered', reason: 'FieldsNotKept', message: 'm' }, 'Running', 'False', 'FieldsNotKept'],
  [
    'waiting',
    { state: 'waiting', reason: 'WaitingForDeletion', message: 'm' },
    'Pending',
    'False',
    'WaitingForDeletion',
  ],
  ['refused', { state: 'refused', reason: 'NameTaken', message: 'm' }, 'Failed', 'False', 'NameTaken'],
  [
    'invalid',
    { state: 'invalid', errors: [{ code: 'enum', path: ['spec', 'a'], message: 'm' }] },
    'Failed',
    'False',
    'InvalidSpec',
  ],
])('with children %s', (_, sync, phase, synced, reason) => {
  const status = projectStatus(admitted(three), observing(finished), { now, sync });
  expect(status).toMatchObject({ phase });
  expect(status.conditions?.find(({ type }) => type === 'Synced')).toMatchObject({ status: synced, reason });
  const types = status.conditions?.map(({ type }) => type);
  expect(types?.includes('Stalled')).toBe(phase === 'Failed');
  expect(types?.includes('Reconciling')).toBe(phase === 'Pending');
});

const scaling = { ...three, replicas: { min: 1, max: 9 }, autoscaling: { enabled: true } };
const noMetric = { type: 'ScalingActive', status: 'False', reason: 'FailedGetResourceMetric', message: 'no metrics' };
const able = { type: 'AbleToScale', status: 'True', reason: 'SucceededGetScale', message: 'ok' };

test('an autoscaler that cannot do its work is reported once the pods are ready, and stays reported', () => {
  const resource = admitted(scaling);
  const others = { autoscaler: autoscaler(able, noMetric) };
  const starting = projectStatus(resource, observing({ ...finished, availableReplicas: 0 }, 3, others), applied);
  expect(starting.conditions?.map(({ type }) => type)).toEqual(['Ready', 'Reconciling', 'Synced']);
  const ready = projectStatus({ ...resource, status: starting }, observing(finished, 3, others), applied);
  const told = { type: 'AutoscalerActive', status: 'False', reason: 'FailedGetResourceMetric', message: 'no metrics' };
  expect(ready).toMatchObject({ phase: 'Running', conditions: [told, { type: 'Ready', status: 'True' }, {}] });
  const again = projectStatus(
    { ...resource, status: ready },
    observing({ ...finished, readyReplicas: 1 }, 3, others),
    applied,
  );
  expect(again.conditions?.[0]).toMatchObject(told);
  const off = projectStatus({ ...admitted(three), status: again }, observing(finished), applied);
  expect(off.conditions?.map(({ type }) => type)).toEqual(['Ready', 'Synced']);
});

test('an autoscaler that does its work says so in words that do not change', () => {
  const active = { type: 'ScalingActive', status: 'True', reason: 'ValidMetricFound', message: 'computed 37%' };
  const status = projectStatus(
    admitted(scaling),
    observing(finished, 3, { autoscaler: autoscaler(able, active) }),
    applied,
  );
  expect(status.conditions?.[0]).toMatchObject({
    type: 'AutoscalerActive',
    status: 'True',
    message: 'The autoscaler reads its metric',
  });
});

test('a message is never longer than a person reads', () => {
  const message = 'x'.repeat(100_000);
  const status = projectStatus(admitted(three), observing(finished), {
    now,
    sync: { state: 'refused', reason: 'A', message },
  });
  expect(status.message?.length).toBeLessThanOrEqual(2048);
  for (const condition of status.conditions ?? []) expect(condition.message.length).toBeLessThanOrEqual(2048);
});

const owner = { apiVersion: 'inference.inferno.io/v1alpha1', kind: 'InferenceService', name: 'demo' };
const rival: Manifest = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'theirs' },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'demo' } },
};

function besideRival(spec: SpecChange, replicas: number, other: Manifest = rival) {
  const status = { ...finished, replicas, updatedReplicas: replicas, availableReplicas: replicas };
  const observed = observing({ ...status, readyReplicas: replicas }, replicas);
  const list = (kind: ChildKind): readonly Manifest[] =>
    kind.kind === 'HorizontalPodAutoscaler' ? [other] : observed.list(kind);
  const resource = admitted(spec);
  return projectStatus({ ...resource, metadata: { ...resource.metadata, uid: 'me' } }, { ...observed, list }, applied);
}

test.each([
  ['beside ours', { ...three, autoscaling: { enabled: true } }, 'so that neither autoscaler works'],
  ['where the number is fixed', three, 'let spec.autoscaling do its work'],
])('somebody else’s autoscaler is reported %s, and its number is the wanted one', (_, spec, advice) => {
  const { conditions, phase } = besideRival(spec, 5);
  expect(phase).toBe('Running');
  expect(conditions?.find(({ type }) => type === 'AutoscalerActive')).toMatchObject({
    status: 'False',
    reason: 'AnotherAutoscaler',
    message: expect.stringMatching(new RegExp(`^HorizontalPodAutoscaler theirs, which.*${advice}`)),
  });
});

test('a parked service is parked beside somebody else’s autoscaler too', () => {
  expect(besideRival({ ...three, replicas: { min: 0, max: 0 } }, 2).phase).toBe('Pending');
  expect(besideRival({ ...three, replicas: { min: 0, max: 0 } }, 0).phase).toBe('Running');
});

test.each([
  ['is ours', { ...rival, metadata: { name: 'demo', ownerReferences: [{ ...owner, uid: 'me', controller: true }] } }],
  ['is being deleted', { ...rival, metadata: { name: 'theirs', deletionTimestamp: now } }],
  [
    'has another target',
    { ...rival, spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' } } },
  ],
  [
    'has another kind of target',
    { ...rival, spec: { scaleTargetRef: { apiVersion: 'x/v1', kind: 'Deployment', name: 'demo' } } },
  ],
])('an autoscaler that %s is not another autoscaler', (_, other) => {
  const types = besideRival(three, 3, other).conditions?.map(({ type }) => type);
  expect(types).not.toContain('AutoscalerActive');
});

test('an autoscaled Deployment that somebody scaled to 0 is no parked one', () => {
  const none = { observedGeneration: 2, replicas: 0 };
  const scaled: SpecChange = { ...three, autoscaling: { enabled: true } };
  expect(project(none, scaled, 0)).toMatchObject({
    phase: 'Failed',
    message: expect.stringContaining('kubectl scale deployment/demo --replicas=1'),
    conditions: expect.arrayContaining([expect.objectContaining({ type: 'Ready', reason: 'ScaledToZero' })]),
  });
});

test('a rollout that somebody paused says so', () => {
  const resource = admitted(three);
  const observed = observing({ ...finished, updatedReplicas: 0 });
  const paused: Observed = {
    ...observed,
    get: (kind: ChildKind, name: string) => {
      const live = observed.get(kind, name);
      return live?.kind === 'Deployment' ? { ...live, spec: { replicas: 3, paused: true } } : live;
    },
  };
  expect(projectStatus(resource, paused, applied)).toMatchObject({
    phase: 'Pending',
    message: expect.stringContaining('kubectl rollout resume deployment/demo'),
  });
});
