import { unifiedDiff } from '../../cli/commands/diff/unified';
import { pick, union } from '../../cli/commands/diff/owned';
import { mergePatch } from '../../cli/commands/diff/dry-run';
import { masked } from '../../cli/commands/diff/visible';

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('');

test('equal texts have no hunks', () => {
  expect(unifiedDiff(lines(1, 9), lines(1, 9))).toEqual([]);
});

test('a change is shown with three lines around it', () => {
  const after = lines(1, 20).replace('line 10\n', 'line ten\n');
  expect(unifiedDiff(lines(1, 20), after)).toEqual([
    '@@ -7,7 +7,7 @@',
    ' line 7',
    ' line 8',
    ' line 9',
    '-line 10',
    '+line ten',
    ' line 11',
    ' line 12',
    ' line 13',
  ]);
});

test('a new text is all additions, a lost one all removals', () => {
  expect(unifiedDiff('', 'a\nb\n')).toEqual(['@@ -0,0 +1,2 @@', '+a', '+b']);
  expect(unifiedDiff('a\n', '')).toEqual(['@@ -1 +0,0 @@', '-a']);
});

/** What `patch` does. */
function applyHunks(text: string, hunks: readonly string[]): string {
  const before = text.split('\n').slice(0, -1);
  const after: string[] = [];
  let taken = 0;
  for (const line of hunks) {
    const [, start, count] = /^@@ -(\d+)(?:,(\d+))? /.exec(line) ?? [];
    if (start !== undefined) {
      // A hunk without lines names the line before it.
      const from = count === '0' ? Number(start) : Number(start) - 1;
      after.push(...before.slice(taken, from));
      taken = from;
    } else if (line.startsWith('+')) {
      after.push(line.slice(1));
    } else {
      if (before[taken] !== line.slice(1)) throw new Error(`line ${taken + 1} is "${before[taken]}", not "${line}"`);
      if (line.startsWith(' ')) after.push(line.slice(1));
      taken += 1;
    }
  }
  return [...after, ...before.slice(taken)].map((line) => `${line}\n`).join('');
}

test('what it writes turns one text into the other, for random texts', () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  for (let round = 0; round < 500; round += 1) {
    const before = Array.from({ length: random(60) }, () => `${random(6)}\n`);
    const after = before.flatMap((line) => [[line], [line], [line], [], [`${random(6)}\n`, line]][random(5)] ?? []);
    expect(applyHunks(before.join(''), unifiedDiff(before.join(''), after.join('')))).toBe(after.join(''));
  }
});

test('texts too different to be compared are shown as replaced, between what they have in common', () => {
  const [before, after] = ['old', 'new'].map((word) => {
    const middle = Array.from({ length: 20_000 }, (_, index) => `${word} ${index}\n`).join('');
    return `${lines(1, 5)}${middle}${lines(6, 10)}`;
  }) as [string, string];
  const hunks = unifiedDiff(before, after);
  expect(hunks.slice(0, 5)).toEqual(['@@ -3,20006 +3,20006 @@', ' line 3', ' line 4', ' line 5', '-old 0']);
  expect(hunks.slice(-4)).toEqual(['+new 19999', ' line 6', ' line 7', ' line 8']);
  expect(applyHunks(before, hunks)).toBe(after);
});

test('of an object only the fields of a set are picked, in keyed lists, sets and whole values', () => {
  const object = {
    spec: {
      replicas: 3,
      ports: [
        { port: 80, protocol: 'TCP', nodePort: 1 },
        { port: 81, protocol: 'TCP' },
      ],
      finalizers: ['a', 'b'],
      command: ['x', 'y'],
      strategy: { type: 'Recreate' },
    },
    status: { ready: true },
  };
  const fields = {
    'f:spec': {
      'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } },
      'f:finalizers': { 'v:"b"': {} },
      'f:command': {},
      'f:strategy': {},
      'f:missing': {},
    },
  };
  expect(pick(object, fields)).toEqual({
    spec: { ports: [{ port: 80 }], finalizers: ['b'], command: ['x', 'y'], strategy: { type: 'Recreate' } },
  });
  expect(pick(object, union(fields, { 'f:status': { 'f:ready': {} } }))).toMatchObject({ status: { ready: true } });
});

test('the merge with what was applied last takes away what is no longer written, and leaves what others wrote', () => {
  const last = { spec: { a: 1, b: { c: 1, d: 2 }, list: [1] } };
  const wanted = { spec: { b: { c: 3 }, list: [2] } };
  const live = { spec: { a: 1, b: { c: 1, d: 2, foreign: true }, list: [1], other: 1 } };
  expect(mergePatch(last, wanted, live)).toEqual({ spec: { a: null, b: { c: 3, d: null }, list: [2] } });
});

test('values of a Secret are not shown, but which of them differ', () => {
  const secret = (data: object) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data });
  const [before, after] = masked(
    secret({ same: 'QQ==', other: 'QQ==', old: 'QQ==' }),
    secret({ same: 'QQ==', other: 'Qg==' }),
  );
  expect(before).toMatchObject({ data: { same: '***', other: '*** (before)', old: '***' } });
  expect(after).toMatchObject({ data: { same: '***', other: '*** (after)' } });
});
