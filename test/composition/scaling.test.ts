import { FIELD_MANAGER, type LiveObject, type Manifest } from '../../lib/composition';
import {
  handoverManifest,
  handoverOf,
  isScaler,
  rivalsAmong,
  scales,
  slimKeepingReplicas,
} from '../../lib/composition/scaling';

const metadata = { name: 'llama', namespace: 'models' };
const deployment: Manifest = { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: {} };
const reference = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'llama' };
const hpa: Manifest = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata,
  spec: { scaleTargetRef: reference, minReplicas: 2, maxReplicas: 5 },
};
const keda: Manifest = {
  apiVersion: 'keda.sh/v1alpha1',
  kind: 'ScaledObject',
  metadata,
  spec: { scaleTargetRef: { name: 'llama' }, minReplicaCount: 0 },
};

function live(replicas: unknown, manager = FIELD_MANAGER): LiveObject {
  const managedFields = [
    { manager: 'kube-controller-manager', fieldsV1: { 'f:status': { 'f:replicas': {} } } },
    { manager, fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
  ];
  return {
    ...deployment,
    metadata: { ...metadata, uid: 'u', resourceVersion: '7', managedFields },
    spec: { replicas },
  };
}

test('a number that only we own is handed over when the manifest no longer says it', () => {
  expect(handoverOf(deployment, live(4))).toBe(4);
  expect(handoverManifest(live(4), 4)).toEqual({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...metadata, resourceVersion: '7' },
    spec: { replicas: 4 },
  });
});

test.each([
  ['the manifest says a number', { ...deployment, spec: { replicas: 3 } }, live(4)],
  ['an autoscaler owns it', deployment, live(4, 'kube-controller-manager')],
  ['there is none', deployment, live(undefined)],
  ['it is of a kind that nothing scales', { ...deployment, kind: 'DaemonSet' }, live(4)],
  ['it is of another group', { ...deployment, apiVersion: 'example.com/v1' }, live(4)],
])('nothing is handed over where %s', (_, manifest, object) => {
  expect(handoverOf(manifest, object)).toBeUndefined();
});

test('from zero, where a HorizontalPodAutoscaler would never wake it, the least number is handed over', () => {
  expect(handoverOf(deployment, live(0), [hpa])).toBe(2);
  expect(handoverOf(deployment, live(0), [{ ...hpa, spec: { scaleTargetRef: reference } }])).toBe(1);
  expect(handoverOf(deployment, live(0), [keda])).toBe(0);
  expect(handoverOf(deployment, live(0))).toBe(0);
});

test('a cache keeps no more of the managed fields than whose the number is', () => {
  const slim = slimKeepingReplicas(FIELD_MANAGER);
  expect(JSON.stringify(slim(live(4)).metadata['managedFields'])).not.toContain('status');
  const slimmed = slim(live(4));
  expect(handoverOf(deployment, { ...slimmed, metadata: { ...slimmed.metadata, uid: 'u' } })).toBe(4);
  expect(slim(live(4, 'kubectl')).metadata).not.toHaveProperty('managedFields');
  expect(slim(slim(live(4)))).toEqual(slim(live(4)));
});

test.each([
  [hpa, deployment, true],
  [keda, deployment, true],
  [hpa, { ...deployment, kind: 'StatefulSet' }, false],
  [hpa, { ...deployment, metadata: { name: 'llama', namespace: 'other' } }, false],
  [{ ...hpa, apiVersion: 'v1' }, deployment, false],
])('%j scales %j: %s', (scaler, target, expected) => {
  expect(scales(scaler, target)).toBe(expected);
});

test('autoscalers are known by their group', () => {
  expect([hpa, keda, deployment].map(isScaler)).toEqual([true, true, false]);
});

test('rivals are autoscalers that stay and that the resource does not control', () => {
  const controlled = (uid: string): Manifest => ({
    ...hpa,
    metadata: { ...metadata, ownerReferences: [{ apiVersion: 'a/v1', kind: 'K', name: 'n', uid, controller: true }] },
  });
  const ending = { ...hpa, metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  expect(rivalsAmong([hpa, controlled('me'), controlled('other'), ending, deployment], 'me')).toEqual([
    hpa,
    controlled('other'),
  ]);
});
