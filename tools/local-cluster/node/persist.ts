import { setTimeout as sleep } from 'node:timers/promises';

const LONGEST_WAIT = 5000;

/** Tries until it succeeds or is no longer wanted: the API server may be away for a while. */
export async function persist(
  what: () => Promise<unknown>,
  wanted: () => boolean,
  failed: (error: unknown) => void,
): Promise<void> {
  for (let wait = 500; wanted(); wait = Math.min(wait * 2, LONGEST_WAIT)) {
    try {
      await what();
      return;
    } catch (error) {
      failed(error);
      await sleep(wait);
    }
  }
}
