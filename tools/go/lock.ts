import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface LockOptions {
  /** Milliseconds between two signs of life of the holder. @default 2000 */
  readonly heartbeat?: number;
  /** Milliseconds without a sign of life after which a lock counts as abandoned. @default 15000 */
  readonly stale?: number;
  /** Milliseconds to wait for the lock. @default 45 minutes */
  readonly timeout?: number;
  /** Called with a sentence while somebody else holds the lock, about every 3 s. */
  readonly log?: ((line: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `work` while nobody else with the same lock file does. The holder touches the file now and then; a file that
 * nobody touches any more is left over from a process that was killed, and is taken over. This is true of processes in
 * other containers too, whose pids mean nothing here.
 */
export async function withLock<T>(file: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  await acquire(file, options);
  const timer = setInterval(() => touch(file), options.heartbeat ?? 2000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    rmSync(file, { force: true });
  }
}

async function acquire(file: string, options: LockOptions): Promise<void> {
  const stale = options.stale ?? 15_000;
  const deadline = Date.now() + (options.timeout ?? 45 * 60_000);
  let told = 0;
  mkdirSync(dirname(file), { recursive: true });
  for (;;) {
    options.signal?.throwIfAborted();
    try {
      writeFileSync(file, `${process.pid}\n`, { flag: 'wx' });
      return;
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
    }
    const silent = silence(file);
    // Two that wait may both take it over; what the lock guards is safe to do twice, only not cheap.
    if (silent !== undefined && silent > stale) rmSync(file, { force: true });
    else if (Date.now() > deadline)
      throw new Error(`${holder(file)} has held ${file} for too long; remove it if that process is gone`);
    else {
      if (Date.now() - told >= 3000) {
        told = Date.now();
        options.log?.(`waiting for ${holder(file)}, which holds ${file}`);
      }
      await sleep(Math.min(200, stale / 4), undefined, { signal: options.signal });
    }
  }
}

/** Milliseconds since the holder's last sign of life; undefined when the lock is gone. */
function silence(file: string): number | undefined {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return undefined;
  }
}

function holder(file: string): string {
  try {
    return `process ${readFileSync(file, 'utf8').trim() || 'unknown'}`;
  } catch {
    return 'another process';
  }
}

function touch(file: string): void {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // Somebody removed the file: the work goes on, as doing it twice is safe.
  }
}

function isCode(error: unknown, code: string): boolean {
  // Not `instanceof Error`, which Node's own errors are not within Jest.
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
