import * as urgency from '../../operator/report/status-urgency';

const writes = { canWait: ['message', 'replicas', 'readyReplicas'], never: ['lastUpdateTime'] };
const statusUrgency = (before: unknown, after: unknown): string => urgency.statusUrgency(before, after, writes);

const ready = { type: 'Ready', status: 'False', reason: 'RollingOut', message: '1 of 2', lastTransitionTime: 'a' };
const status = {
  phase: 'Pending',
  replicas: 2,
  readyReplicas: 1,
  message: '1 of 2',
  lastUpdateTime: 'a',
  conditions: [ready],
};

test.each([
  ['nothing', {}],
  ['the time of the last update', { lastUpdateTime: 'b' }],
])('a change of only %s is not written', (_, change) => {
  expect(statusUrgency(status, { ...status, ...change })).toBe('none');
});

test('the order of keys is no change', () => {
  const turned = Object.fromEntries(Object.entries(status).toReversed());
  expect(statusUrgency(status, turned)).toBe('none');
});

test.each([
  ['counts', { replicas: 3, readyReplicas: 0 }],
  ['texts', { message: '2 of 2', conditions: [{ ...ready, message: '2 of 2' }] }],
])('a change of only %s can wait', (_, change) => {
  expect(statusUrgency(status, { ...status, ...change })).toBe('later');
});

test.each([
  ['the phase', { phase: 'Running' }],
  ['the observed generation', { observedGeneration: 2 }],
  ['the status of a condition', { conditions: [{ ...ready, status: 'True' }] }],
  ['the reason of a condition', { conditions: [{ ...ready, reason: 'ContainerCrashes' }] }],
  ['the conditions there are', { conditions: [ready, { ...ready, type: 'Stalled' }] }],
  ['a field of one’s own', { address: 'redis:6379' }],
  ['counts and the phase', { replicas: 3, phase: 'Running' }],
])('a change of %s is written at once', (_, change) => {
  expect(statusUrgency(status, { ...status, ...change })).toBe('now');
});

test('a field that vanishes is a change, and so is the first status', () => {
  expect(statusUrgency({ ...status, address: 'x' }, status)).toBe('now');
  expect(statusUrgency(undefined, status)).toBe('now');
});

test('a composition that says nothing of its fields has each change written at once, except messages', () => {
  expect(urgency.statusUrgency(status, { ...status, lastUpdateTime: 'b' })).toBe('now');
  expect(urgency.statusUrgency(status, { ...status, conditions: [{ ...ready, message: 'x' }] })).toBe('later');
});
