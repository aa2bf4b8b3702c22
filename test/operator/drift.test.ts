import { APPLIED_HASH_ANNOTATION, type LiveObject, type Manifest, type Write } from '../../lib/composition';
import { DriftGuard } from '../../operator/write/drift';

type Update = Extract<Write, { action: 'update' }>;

const manifest: Manifest = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'llama', annotations: { [APPLIED_HASH_ANNOTATION]: 'one' } },
  spec: { sessionAffinity: 'ClientIP' },
};

function answer(sessionAffinity: string): LiveObject {
  return { ...manifest, metadata: { ...manifest.metadata, uid: 'u' }, spec: { sessionAffinity } };
}

function drift(found: string, wanted = manifest): Update {
  const changes = [{ path: 'spec.sessionAffinity', desired: 'ClientIP', live: found }];
  return { action: 'update', manifest: wanted, live: answer(found), uid: 'u', reason: 'Drifted', changes };
}

test('an apply that was taken as it is holds nothing up', () => {
  const guard = new DriftGuard();
  expect(guard.applied(manifest, answer('ClientIP'), false, 0)).toBeUndefined();
  expect(guard.postponed(drift('None'), 1)).toBeUndefined();
});

test('a field that was not kept is reported by its path and not applied again', () => {
  const guard = new DriftGuard();
  expect(guard.applied(manifest, answer('None'), false, 0)).toEqual({
    state: 'altered',
    reason: 'FieldsNotKept',
    message: 'Service llama: the API server, or an admission webhook, did not keep spec.sessionAffinity as applied',
    againMs: 3_600_000,
  });
  expect(guard.postponed(drift('None'), 1)).toMatchObject({ reason: 'FieldsNotKept', againMs: 3_599_999 });
});

test('a field that was not kept is tried again each hour, as nothing shows when a webhook is gone', () => {
  const guard = new DriftGuard();
  guard.applied(manifest, answer('None'), false, 0);
  expect(guard.postponed(drift('None'), 3_600_000)).toBeUndefined();
  guard.applied(manifest, answer('None'), true, 3_600_000);
  expect(guard.postponed(drift('None'), 3_600_001)).toMatchObject({ reason: 'FieldsNotKept', againMs: 3_599_999 });
  guard.applied(manifest, answer('ClientIP'), true, 7_200_000);
  expect(guard.postponed(drift('None'), 7_200_001)).toBeUndefined();
});

test('it is applied again once the wanted manifest or the live value is another, or another field differs', () => {
  const guard = new DriftGuard();
  guard.applied(manifest, answer('None'), false, 0);
  const annotations = { [APPLIED_HASH_ANNOTATION]: 'two' };
  const changed = { ...manifest, metadata: { ...manifest.metadata, annotations } };
  expect(guard.postponed(drift('None', changed), 1)).toBeUndefined();
  expect(guard.postponed(drift('Other'), 1)).toBeUndefined();
  const more = [...drift('None').changes, { path: 'spec.type', desired: 'ClusterIP', live: 'NodePort' }];
  expect(guard.postponed({ ...drift('None'), changes: more }, 1)).toBeUndefined();
  guard.forget('u');
  expect(guard.postponed(drift('None'), 1)).toBeUndefined();
});

test('where the mark of the last apply is taken away, the object is not applied for ever', () => {
  const guard = new DriftGuard();
  const bare = { ...answer('ClientIP'), metadata: { name: 'llama', uid: 'u' } };
  guard.applied(manifest, bare, false, 0);
  const step: Update = { action: 'update', manifest, live: bare, uid: 'u', reason: 'Changed', changes: [] };
  expect(guard.postponed(step, 1)).toMatchObject({ reason: 'FieldsNotKept' });
});

test('drift is put right five times at once, then with growing waits, and at once again after ten minutes', () => {
  const guard = new DriftGuard();
  const repair = (now: number): unknown => {
    const postponed = guard.postponed(drift('None'), now);
    if (postponed === undefined) guard.applied(manifest, answer('ClientIP'), true, now);
    return postponed !== undefined && 'againMs' in postponed ? postponed.againMs : undefined;
  };
  expect([0, 1, 2, 3, 4].map(repair)).toEqual([undefined, undefined, undefined, undefined, undefined]);
  expect(repair(5)).toBe(999);
  expect(repair(1004)).toBeUndefined();
  expect(repair(1005)).toBe(1999);
  expect(repair(3004)).toBeUndefined();
  expect(repair(3005)).toBe(3999);
  expect(repair(700_000)).toBeUndefined();
  expect(repair(700_001)).toBeUndefined();
});

test('an operator that renders otherwise is not fought at full speed, and reported', () => {
  const guard = new DriftGuard();
  const theirs = answer('None');
  const live = { ...theirs, metadata: { ...theirs.metadata, annotations: { [APPLIED_HASH_ANNOTATION]: 'theirs' } } };
  const step: Update = { ...drift('None'), live, reason: 'Changed' };
  guard.applied(manifest, answer('ClientIP'), false, 0);
  for (const now of [1, 2, 3, 4, 5]) {
    expect(guard.postponed(step, now)).toBeUndefined();
    guard.applied(manifest, answer('ClientIP'), false, now);
  }
  expect(guard.postponed(step, 6)).toEqual({
    state: 'altered',
    reason: 'FieldsContended',
    message:
      'Service llama: a second operator, of another version or with other settings, applies it with another spec.sessionAffinity again and again',
    againMs: 999,
  });
});

test('a resource that is changed back and forth is followed at once', () => {
  const guard = new DriftGuard();
  const other = { ...manifest, metadata: { ...manifest.metadata, annotations: { [APPLIED_HASH_ANNOTATION]: 'two' } } };
  for (let now = 0; now < 40; now += 1) {
    const wanted = now % 2 === 0 ? manifest : other;
    expect(guard.postponed({ ...drift('ClientIP', wanted), reason: 'Changed' }, now)).toBeUndefined();
    guard.applied(wanted, answer('ClientIP'), false, now);
  }
});
