import { conclude, PATIENCE, sooner, type Conclusion, type Next, type Outcome } from '../../lib/composition/outcome';

const applied: Outcome = { state: 'applied' };
const refused: Outcome = { state: 'refused', reason: 'QuotaExceeded', message: 'no room' };
const early: Outcome = { state: 'refused', reason: 'Forbidden', message: 'no rights', early: true };
const final: Outcome = { state: 'refused', reason: 'SynthesisFailed', message: 'a bug', final: true };
const counted: Outcome = { state: 'refused', reason: 'ExternalRemovalFailed', message: 'down (3)', event: 'down' };
const moment: Outcome = { state: 'waiting', reason: 'SeenLate', message: 'is ours already', for: 'moment' };
const change: Outcome = { state: 'waiting', reason: 'WaitingForDependency', message: 'waits for a', for: 'change' };
const altered: Outcome = { state: 'altered', reason: 'FieldsNotKept', message: 'lost', againMs: 3000 };
const contested: Outcome = { state: 'altered', reason: 'ScaledByAnother', message: 'scaled' };
const invalid: Outcome = { state: 'invalid', errors: [{ code: 'enum', path: ['spec', 'a'], message: 'must be b' }] };
const ending: Outcome = { state: 'ending', reason: 'NamespaceTerminating' };

const onChange: Next = { look: 'onChange' };
const backoff = (reason: string): Next => ({ look: 'backoff', reason });

const rows: readonly [string, readonly Outcome[], number, Conclusion][] = [
  ['nothing to do', [], 3, { sync: applied, next: onChange, tries: 0 }],
  ['all applied', [applied, applied], 3, { sync: applied, next: onChange, tries: 0 }],
  [
    'a status that can wait',
    [{ ...applied, againMs: 40 }],
    0,
    { sync: applied, next: { look: 'after', ms: 40 }, tries: 0 },
  ],
  [
    'a refusal among others',
    [applied, altered, moment, refused],
    0,
    {
      sync: { state: 'refused', reason: 'QuotaExceeded', message: 'no room' },
      report: { reason: 'QuotaExceeded', message: 'no room', isForOperators: true },
      next: backoff('QuotaExceeded'),
      tries: 1,
    },
  ],
  [
    'a bug in a composition',
    [final],
    0,
    {
      sync: { state: 'refused', reason: 'SynthesisFailed', message: 'a bug' },
      report: { reason: 'SynthesisFailed', message: 'a bug', isForOperators: true },
      next: { look: 'never' },
      tries: 0,
    },
  ],
  [
    'a message that counts',
    [counted],
    0,
    {
      sync: { state: 'refused', reason: 'ExternalRemovalFailed', message: 'down (3)' },
      report: { reason: 'ExternalRemovalFailed', message: 'down', isForOperators: true },
      next: backoff('ExternalRemovalFailed'),
      tries: 0,
    },
  ],
  ['what passes in a moment', [applied, moment], 0, { next: backoff('SeenLate'), tries: 1 }],
  ['an API server that has just started', [early], PATIENCE - 2, { next: backoff('Forbidden'), tries: PATIENCE - 1 }],
  [
    'what should have passed and did not',
    [moment],
    PATIENCE - 1,
    {
      sync: { state: 'waiting', reason: 'SeenLate', message: 'is ours already' },
      next: backoff('SeenLate'),
      tries: PATIENCE,
    },
  ],
  [
    'missing rights that stay',
    [early],
    PATIENCE - 1,
    {
      sync: { state: 'refused', reason: 'Forbidden', message: 'no rights' },
      report: { reason: 'Forbidden', message: 'no rights', isForOperators: true },
      next: backoff('Forbidden'),
      tries: PATIENCE,
    },
  ],
  [
    'a wait for an event, said at once and not tried in between',
    [applied, change],
    4,
    { sync: { state: 'waiting', reason: 'WaitingForDependency', message: 'waits for a' }, next: onChange, tries: 0 },
  ],
  [
    'a refusal, and what should have passed beside it and did not',
    [moment, refused],
    PATIENCE - 1,
    {
      sync: { state: 'refused', reason: 'QuotaExceeded', message: 'no room; is ours already' },
      report: { reason: 'QuotaExceeded', message: 'no room; is ours already', isForOperators: true },
      next: backoff('QuotaExceeded'),
      tries: PATIENCE,
    },
  ],
  [
    'a wait beside what passes in a moment',
    [moment, change],
    0,
    {
      sync: { state: 'waiting', reason: 'WaitingForDependency', message: 'waits for a' },
      next: backoff('SeenLate'),
      tries: 1,
    },
  ],
  [
    'a wait beside a field that is put right again later',
    [altered, change],
    0,
    {
      sync: { state: 'waiting', reason: 'WaitingForDependency', message: 'waits for a' },
      next: { look: 'after', ms: 3000 },
      tries: 0,
    },
  ],
  [
    'two fields that are left',
    [contested, altered],
    2,
    {
      sync: { state: 'altered', reason: 'ScaledByAnother', message: 'scaled; lost' },
      report: { reason: 'ScaledByAnother', message: 'scaled; lost', isForOperators: false },
      next: { look: 'after', ms: 3000 },
      tries: 0,
    },
  ],
  [
    'an invalid resource',
    [invalid],
    5,
    {
      sync: invalid,
      report: { reason: 'InvalidSpec', message: 'spec.a: must be b', isForOperators: false },
      next: { look: 'never' },
      tries: 0,
    },
  ],
  ['a namespace that goes', [refused, ending], 2, { next: backoff('NamespaceTerminating'), tries: 2 }],
  ['a resource that changed meanwhile', [{ state: 'stale' }], 2, { next: backoff('Stale'), tries: 2 }],
];

test.each(rows)('%s', (_, outcomes, tries, conclusion) => {
  expect(conclude(outcomes, tries)).toStrictEqual(conclusion);
});

test.each<[Next, Next, Next]>([
  [onChange, onChange, onChange],
  [onChange, { look: 'never' }, { look: 'never' }],
  [{ look: 'never' }, onChange, { look: 'never' }],
  [onChange, { look: 'after', ms: 5 }, { look: 'after', ms: 5 }],
  [
    { look: 'after', ms: 5 },
    { look: 'after', ms: 3 },
    { look: 'after', ms: 3 },
  ],
  [{ look: 'after', ms: 5 }, backoff('a'), backoff('a')],
  [backoff('a'), backoff('b'), backoff('a')],
  [backoff('a'), { look: 'never' }, backoff('a')],
])('of %j and %j, %j comes first', (a, b, expected) => {
  expect(sooner(a, b)).toEqual(expected);
});
