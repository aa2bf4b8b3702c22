import type { Probe } from './pod';
import { mayProbe, noProbes, observe, type ProbeKind } from './probe-state';

const probe: Probe = { failureThreshold: 3, successThreshold: 1 };

function verdicts(kind: ProbeKind, answers: string, of: Probe = probe): string {
  let state = noProbes;
  return [...answers]
    .map((answer) => {
      state = observe(kind, of, state, answer === '+');
      return state.done ? '!' : state.verdict === undefined ? '?' : state.verdict ? '+' : '-';
    })
    .join('');
}

test('a result needs as many answers in a row as its threshold says', () => {
  expect(verdicts('readiness', '--+---+')).toBe('??+++-+');
  expect(verdicts('readiness', '+-+--+---')).toBe('++++++++-');
  expect(verdicts('readiness', '++-+++', { ...probe, successThreshold: 2 })).toBe('?+++++');
  expect(verdicts('readiness', '---+++', { ...probe, successThreshold: 2 })).toBe('??--++');
});

test('a liveness probe is done once it failed, a startup probe with either result', () => {
  expect(verdicts('liveness', '+--+---')).toBe('++++++!');
  expect(verdicts('startup', '--+')).toBe('??!');
  expect(verdicts('startup', '---')).toBe('??!');
});

test('other probes wait for the startup probe, and all for their initial delay', () => {
  const may = (kind: ProbeKind, started: boolean, runningSeconds: number) =>
    mayProbe(kind, { initialDelaySeconds: 5 }, { started, runningSeconds });
  expect(may('startup', false, 5)).toBe(true);
  expect(may('startup', false, 4.9)).toBe(false);
  expect(may('startup', true, 9)).toBe(false);
  expect(may('readiness', false, 9)).toBe(false);
  expect(may('readiness', true, 9)).toBe(true);
  expect(may('liveness', true, 4.9)).toBe(false);
});
