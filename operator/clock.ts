/** Time as the operator sees it: the real one in production, one that a test moves by hand elsewhere. */
export interface Clock {
  /** Milliseconds on a clock that never goes back; only differences mean something. */
  monotonic(): number;
  /** Wall clock time, for what people and other machines read. */
  wall(): Date;
  /** Runs `task` once, `delayMs` from now. */
  schedule(delayMs: number, task: () => void): Timer;
}

/** A task that waits for its time. */
export interface Timer {
  cancel(): void;
}

/** setTimeout takes no more than this; longer waits are cut to it, which no delay here comes near. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/** The machine's own clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  monotonic: () => performance.now(),
  wall: () => new Date(),
  schedule(delayMs, task) {
    const handle = setTimeout(task, Math.min(Math.max(0, delayMs), LONGEST_TIMEOUT));
    handle.unref();
    return { cancel: () => clearTimeout(handle) };
  },
};

/** Resolves after `delayMs`, or at once when the signal is aborted; true when the whole time has passed. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve(false);
      return;
    }
    const finish = (whole: boolean): void => {
      timer.cancel();
      signal?.removeEventListener('abort', onAbort);
      resolve(whole);
    };
    const onAbort = (): void => finish(false);
    const timer = clock.schedule(delayMs, () => finish(true));
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
