import {
  setCondition,
  setConditions,
  setHealth,
  syncedCondition,
  type Condition,
} from '../../lib/composition/conditions';

const NOON = '2026-11-30T12:00:00Z';
const LATER = '2026-11-30T12:05:00Z';

const claim = { type: 'Ready', status: 'True', reason: 'Available', message: 'all is well' } as const;

test('a new condition gets the time of the caller', () => {
  expect(setCondition(undefined, claim, NOON)).toStrictEqual([{ ...claim, lastTransitionTime: NOON }]);
});

test('the transition time stays while the status stays, though reason, message and generation change', () => {
  const first = setCondition([], claim, NOON);
  const second = setCondition(first, { ...claim, reason: 'Other', message: 'm', observedGeneration: 4 }, LATER);
  expect(second).toStrictEqual([
    { type: 'Ready', status: 'True', reason: 'Other', message: 'm', observedGeneration: 4, lastTransitionTime: NOON },
  ]);
});

test('the transition time changes when the status flips', () => {
  const first = setCondition([], claim, NOON);
  expect(setCondition(first, { ...claim, status: 'False' }, LATER)[0]?.lastTransitionTime).toBe(LATER);
  expect(first[0]?.lastTransitionTime).toBe(NOON);
});

test('the same claim again gives the same list, so nothing has to be written', () => {
  const once = setHealth([], { state: 'Progressing', reason: 'Rollout', message: '1 of 2' }, NOON);
  expect(setHealth(once, { state: 'Progressing', reason: 'Rollout', message: '1 of 2' }, LATER)).toStrictEqual(once);
});

test('conditions are ordered by type, no matter in which order they were set', () => {
  const one = setConditions([], [claim, { ...claim, type: 'Available' }, { ...claim, type: 'Synced' }], NOON);
  const other = setConditions([], [{ ...claim, type: 'Synced' }, { ...claim, type: 'Available' }, claim], NOON);
  expect(one.map(({ type }) => type)).toStrictEqual(['Available', 'Ready', 'Synced']);
  expect(other).toStrictEqual(one);
});

test('a message longer than the API server takes is cut', () => {
  const [condition] = setCondition([], { ...claim, message: 'x'.repeat(40_000) }, NOON);
  expect(condition?.message).toHaveLength(32_768);
  expect(condition?.message.endsWith('x…')).toBe(true);
});

test.each([
  ['Ready', [['Ready', 'True']]],
  [
    'Progressing',
    [
      ['Ready', 'False'],
      ['Reconciling', 'True'],
    ],
  ],
  [
    'Failed',
    [
      ['Ready', 'False'],
      ['Stalled', 'True'],
    ],
  ],
] as const)('health %s is written as kstatus reads it, no matter what was there before', (state, expected) => {
  const before: readonly Condition[] = setConditions(
    [],
    [
      { ...claim, status: 'Unknown' },
      { ...claim, type: 'Reconciling' },
      { ...claim, type: 'Stalled' },
    ],
    NOON,
  );
  const after = setHealth(before, { state, reason: 'Because', message: 'm', observedGeneration: 2 }, LATER);
  expect(after.map(({ type, status }) => [type, status])).toStrictEqual(expected);
  expect(after.every(({ reason, observedGeneration }) => reason === 'Because' && observedGeneration === 2)).toBe(true);
});

test('conditions of others stay when the health changes', () => {
  const foreign = setCondition([], { ...claim, type: 'example.com/Checked' }, NOON);
  const after = setHealth(foreign, { state: 'Ready', reason: 'Available', message: '' }, LATER);
  expect(after.map(({ type }) => type)).toStrictEqual(['Ready', 'example.com/Checked']);
  expect(after[1]).toStrictEqual(foreign[0]);
});

test('Synced carries the reason why the cluster has something else', () => {
  expect(syncedCondition({ synced: true }, 3)).toMatchObject({ type: 'Synced', status: 'True', observedGeneration: 3 });
  expect(syncedCondition({ synced: false, reason: 'Conflict', message: 'belongs to somebody' })).toStrictEqual({
    type: 'Synced',
    status: 'False',
    reason: 'Conflict',
    message: 'belongs to somebody',
  });
});
