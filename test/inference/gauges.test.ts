import { Kinds, type ChildKind, type Manifest, type Observed } from '../../lib/composition';
import { inferenceServiceComposition } from '../../lib/inference';
import { podObservation } from '../../lib/inference/status/pods';

const resource = {
  apiVersion: 'inference.inferno.io/v1alpha1',
  kind: 'InferenceService',
  metadata: { name: 'chat', namespace: 'models' },
  // As stored before a newer CRD: nothing of it may be relied on.
  spec: {},
};

function value(name: string, objects: readonly object[]): number | undefined {
  const gauge = inferenceServiceComposition.gauges?.find((each) => each.name === `inferno_inferenceservice_${name}`);
  if (gauge === undefined) throw new Error(`no gauge ${name}`);
  const all = objects as readonly Manifest[];
  const observed: Observed = {
    get: ({ kind }: ChildKind, wanted: string) =>
      all.find((each) => each.kind === kind && each.metadata.name === wanted),
    list: ({ kind }: ChildKind) => all.filter((each) => each.kind === kind),
  };
  return gauge.value(resource as never, observed);
}

const deployment = (status: object): object => ({ ...Kinds.Deployment, metadata: { name: 'chat' }, status });
const autoscaler = (spec: object, conditions?: readonly object[]): object => ({
  ...Kinds.HorizontalPodAutoscaler,
  metadata: { name: 'chat' },
  spec,
  status: { conditions },
});
const limited = (status: string, reason: string): object => ({ type: 'ScalingLimited', status, reason });

function pod(name: string, status: object, metadata: object = {}): object {
  const creationTimestamp = '2026-01-01T00:00:00Z';
  // As the cache has it
  const whole: Manifest = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: 'chat' }, creationTimestamp, ...metadata },
    status,
  };
  return podObservation.slim?.(whole) ?? whole;
}
const ready = (status: string, lastTransitionTime: string): object => ({
  conditions: [{ type: 'Ready', status, lastTransitionTime }],
});
const newYear = Date.UTC(2026, 0, 1) / 1000;

test("replicas are the Deployment's", () => {
  expect(value('replicas', [deployment({ replicas: 3, readyReplicas: 2 })])).toBe(3);
  expect(value('ready_replicas', [deployment({ replicas: 3, readyReplicas: 2 })])).toBe(2);
});

test('without a Deployment, and with one without pods, there are none', () => {
  expect([value('replicas', []), value('ready_replicas', [])]).toEqual([0, 0]);
  expect([value('replicas', [deployment({})]), value('ready_replicas', [deployment({})])]).toEqual([0, 0]);
});

test.each([
  ['wants more than it may have', [limited('True', 'TooManyReplicas')], 1],
  ['wants fewer than it may have', [limited('True', 'TooFewReplicas')], 0],
  ['has what it wants', [limited('False', 'DesiredWithinRange')], 0],
  ['has said nothing yet', undefined, 0],
])('an autoscaler that %s', (_says, conditions, expected) => {
  expect(value('autoscaler_at_maximum', [autoscaler({ maxReplicas: 4 }, conditions)])).toBe(expected);
  expect(value('autoscaler_maximum', [autoscaler({ maxReplicas: 4 }, conditions)])).toBe(4);
});

test("without an autoscaler, and with somebody else's, there are no figures of one", () => {
  // Those of others are kept without their maximum.
  for (const objects of [[], [autoscaler({ scaleTargetRef: { kind: 'Deployment', name: 'chat' } })]]) {
    expect(value('autoscaler_at_maximum', objects)).toBeUndefined();
    expect(value('autoscaler_maximum', objects)).toBeUndefined();
  }
});

test('the pod that has not been ready for longest counts', () => {
  const pods = [
    pod('a', ready('False', '2026-01-01T00:02:00Z')),
    pod('b', ready('False', '2026-01-01T00:01:00Z')),
    pod('c', ready('True', '2026-01-01T00:00:00Z')),
  ];
  expect(value('unready_since_seconds', pods)).toBe(newYear + 60);
});

test('a pod that no node has taken counts from when it was made', () => {
  const waiting = { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False' }] };
  expect(value('unready_since_seconds', [pod('a', waiting)])).toBe(newYear);
});

test.each([
  ['that is ready', pod('a', ready('True', '2026-01-01T00:00:00Z'))],
  ['that is being deleted', pod('a', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' })],
  ['that has failed and is replaced', pod('a', { phase: 'Failed' })],
])('a pod %s is not waited for', (_which, object) => {
  expect(value('unready_since_seconds', [object])).toBeUndefined();
});
