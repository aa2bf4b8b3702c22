import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withLock } from './lock';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inferno-lock-'));
  file = join(folder, 'lock');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('only one works at a time', async () => {
  let working = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    working += 1;
    most = Math.max(most, working);
    await sleep(30);
    working -= 1;
  };
  await Promise.all([1, 2, 3].map(() => withLock(file, work, { stale: 400 })));
  expect(most).toBe(1);
});

test('the lock is gone after the work, and after work that failed', async () => {
  expect(await withLock(file, async () => existsSync(file))).toBe(true);
  expect(existsSync(file)).toBe(false);
  await expect(withLock(file, () => Promise.reject(new Error('no luck')))).rejects.toThrow('no luck');
  expect(existsSync(file)).toBe(false);
});

test('a lock that nobody touches any more is taken over', async () => {
  writeFileSync(file, '1\n');
  utimesSync(file, new Date(), new Date(Date.now() - 60_000));
  expect(await withLock(file, async () => 'done', { timeout: 1000 })).toBe('done');
});

test('the holder of a lock shows that it is alive, so nobody takes it over however long the work is', async () => {
  const events: string[] = [];
  const options = { heartbeat: 20, stale: 200 };
  const long = withLock(file, () => sleep(600).then(() => events.push('long')), options);
  await sleep(50);
  await withLock(file, async () => events.push('short'), options);
  await long;
  expect(events).toEqual(['long', 'short']);
});

test('who waits says for whom, and gives up in the end', async () => {
  const lines: string[] = [];
  writeFileSync(file, '4711\n');
  await expect(withLock(file, async () => 0, { timeout: 100, log: (line) => lines.push(line) })).rejects.toThrow(
    `process 4711 has held ${file} for too long`,
  );
  expect(lines).toEqual([`waiting for process 4711, which holds ${file}`]);
});

test('who waits can be aborted', async () => {
  writeFileSync(file, '4711\n');
  await expect(withLock(file, async () => 0, { signal: AbortSignal.timeout(50) })).rejects.toThrow(/abort/);
});
