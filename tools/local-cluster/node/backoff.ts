/** The wait before a container's next start, and when it was last lengthened (milliseconds since 1970). */
export interface Delay {
  readonly seconds: number;
  readonly since: number;
}

const LONGEST_SECONDS = 300;
/** A container that ran this long is forgiven. */
const FORGIVEN_AFTER = 2 * LONGEST_SECONDS * 1000;

/** The wait that is due once a container ended at `finishedAt`; undefined for none, as after its first run. */
export function dueDelay(delay: Delay | undefined, finishedAt: number): Delay | undefined {
  return delay === undefined || finishedAt - delay.since > FORGIVEN_AFTER ? undefined : delay;
}

/** The wait of the next time, when a container is started again at `now`: `first` seconds, then twice as long each time. */
export function nextDelay(delay: Delay | undefined, finishedAt: number, now: number, first: number): Delay {
  const due = dueDelay(delay, finishedAt);
  return { seconds: due === undefined ? first : Math.min(due.seconds * 2, LONGEST_SECONDS), since: now };
}
