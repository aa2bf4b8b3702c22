import { setTimeout as sleep } from 'node:timers/promises';

export interface PollOptions {
  /** Seconds until it gives up. @default 60 */
  readonly seconds?: number;
  /** Milliseconds between two looks. @default 50 */
  readonly interval?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls `look` until it gives something other than undefined or false.
 *
 * @throws Error that says what was waited for, when the time is up
 */
export async function poll<T>(
  what: string,
  look: () => Promise<T | undefined | false>,
  options: PollOptions = {},
): Promise<T> {
  const { seconds = 60, interval = 50, signal } = options;
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    signal?.throwIfAborted();
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`waited ${seconds} s for ${what}`);
    await sleep(interval);
  }
}
