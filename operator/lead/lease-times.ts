/** The times of a leader election, in milliseconds. */
export interface LeaseTimes {
  /** How long others wait for a leader after the last renewal that they saw. */
  readonly leaseMs: number;
  /** Without a renewal for so long the leadership is over. */
  readonly renewDeadlineMs: number;
  /** Between two tries to acquire or to renew the lease. */
  readonly retryPeriodMs: number;
}

/** A write may take so much less than others wait, for the way to the API server. */
export const LEASE_MARGIN_MS = 1000;
/** Waits between tries are random up to this factor, so that many who wait do not come at once. */
export const LEASE_JITTER = 1.2;

/** Two times that do not go together, and what is expected of the first. */
export interface LeaseFault {
  readonly time: keyof LeaseTimes;
  readonly expected: (nameOf: (time: keyof LeaseTimes) => string) => string;
}

/** What is wrong with these times among each other; undefined where two can never lead at once and tries come in time. */
export function leaseFault({ leaseMs, renewDeadlineMs, retryPeriodMs }: LeaseTimes): LeaseFault | undefined {
  if (renewDeadlineMs + LEASE_MARGIN_MS > leaseMs) {
    return {
      time: 'renewDeadlineMs',
      expected: (nameOf) => `must be at least ${LEASE_MARGIN_MS} ms shorter than ${nameOf('leaseMs')}, ${leaseMs} ms`,
    };
  }
  if (retryPeriodMs * LEASE_JITTER >= renewDeadlineMs) {
    return {
      time: 'retryPeriodMs',
      expected: (nameOf) =>
        `must be shorter than ${nameOf('renewDeadlineMs')}, ${renewDeadlineMs} ms, divided by ${LEASE_JITTER}`,
    };
  }
  return undefined;
}
