import { type LiveObject, type Manifest, type PlanStep } from '../../lib/composition';
import { deferToRivals, rivalsAmong } from '../../operator/reconcile/rivals';

const metadata = { name: 'chat', namespace: 'models' };
const deployment = (replicas?: number): Manifest => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata,
  spec: replicas === undefined ? { paused: false } : { paused: false, replicas },
});
const live = (replicas: number): LiveObject => ({ ...deployment(replicas), metadata: { ...metadata, uid: 'u' } });
const rival: Manifest = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'theirs', namespace: 'models' },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'chat' } },
};

function update(
  wanted: number | undefined,
  present: number,
  reason: 'Changed' | 'Drifted',
  ...paths: string[]
): PlanStep {
  const changes = paths.map((path) => ({ path, desired: 0, live: 1 }));
  return { action: 'update', manifest: deployment(wanted), live: live(present), uid: 'u', reason, changes };
}

test('a number that another autoscaler set is left, and told', () => {
  const step = update(2, 5, 'Drifted', 'spec.replicas');
  const { steps, contested } = deferToRivals([step], [rival]);
  expect(steps).toEqual([{ action: 'unchanged', manifest: deployment(2), live: live(5) }]);
  expect(contested).toEqual([
    {
      object: deployment(2),
      reason: 'ScaledByAnother',
      message:
        'Deployment models/chat has the replicas that HorizontalPodAutoscaler models/theirs gives it, which does not ' +
        'belong to the resource; delete HorizontalPodAutoscaler models/theirs to have those that the resource says',
      sort: 'altered',
    },
  ]);
});

test.each(['Changed', 'Drifted'] as const)(
  'what is applied for another reason (%s) carries the live number',
  (reason) => {
    const step = update(2, 5, reason, 'spec.replicas', 'spec.paused');
    expect(deferToRivals([step], [rival]).steps).toMatchObject([
      { action: 'update', manifest: deployment(5), changes: [{ path: 'spec.paused' }] },
    ]);
  },
);

test.each([
  ['parking', update(0, 5, 'Changed', 'spec.replicas')],
  ['waking up', update(3, 0, 'Changed', 'spec.replicas')],
  ['a manifest without a number', update(undefined, 5, 'Changed', 'spec.paused')],
  ['the same number', update(5, 5, 'Drifted', 'spec.paused')],
])('%s is applied as rendered', (_, step) => {
  const { steps, contested } = deferToRivals([step], [rival]);
  expect(steps[0]).toBe(step);
  expect(contested).toEqual([]);
});

test('without a rival, or with one that has another target, nothing is left', () => {
  const steps = [update(2, 5, 'Drifted', 'spec.replicas')];
  const other = { ...rival, spec: { scaleTargetRef: { kind: 'Deployment', name: 'other' } } };
  for (const rivals of [[], [other]]) expect(deferToRivals(steps, rivals)).toEqual({ steps, contested: [] });
});

test('rivals are autoscalers that stay and that the resource does not control', () => {
  const controlled = (uid: string): Manifest => ({
    ...rival,
    metadata: {
      ...rival.metadata,
      ownerReferences: [{ apiVersion: 'a/v1', kind: 'K', name: 'n', uid, controller: true }],
    },
  });
  const ending = { ...rival, metadata: { ...rival.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  expect(rivalsAmong([rival, controlled('me'), controlled('other'), ending, deployment()], 'me')).toEqual([
    rival,
    controlled('other'),
  ]);
});
