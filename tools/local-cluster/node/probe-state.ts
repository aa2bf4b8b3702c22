import type { Probe } from './pod';

export type ProbeKind = 'startup' | 'liveness' | 'readiness';

/** What one probe of one run of a container has seen so far. */
export interface ProbeState {
  /** The last answer, and how often in a row it came. */
  readonly last: boolean | undefined;
  readonly count: number;
  /** What counts: set once a threshold was reached. */
  readonly verdict: boolean | undefined;
  /** It has done its work for this run of the container. */
  readonly done: boolean;
}

export const noProbes: ProbeState = { last: undefined, count: 0, verdict: undefined, done: false };

/** Takes one more answer into account. A result stays until the opposite reaches its threshold. */
export function observe(kind: ProbeKind, probe: Probe, state: ProbeState, answer: boolean): ProbeState {
  const count = state.last === answer ? state.count + 1 : 1;
  const needed = answer ? (probe.successThreshold ?? 1) : (probe.failureThreshold ?? 3);
  if (count < needed) return { ...state, last: answer, count };
  return { last: answer, count, verdict: answer, done: kind === 'startup' || (kind === 'liveness' && !answer) };
}

/** Whether a probe has its turn: not within its initial delay, and all but the startup probe only after that one. */
export function mayProbe(
  kind: ProbeKind,
  probe: Probe,
  container: { readonly started: boolean; readonly runningSeconds: number },
): boolean {
  return (
    Math.floor(container.runningSeconds) >= (probe.initialDelaySeconds ?? 0) &&
    container.started === (kind !== 'startup')
  );
}
