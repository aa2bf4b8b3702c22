import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keptRoot } from './kept';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inferno-kept-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** An image that was used some hours ago, by a process with that pid. */
function old(name: string, hours: number, pid: number): void {
  const image = join(folder, name);
  mkdirSync(join(image, 'root'), { recursive: true });
  mkdirSync(join(image, 'users'));
  writeFileSync(join(image, 'users', `${pid}`), '');
  const then = new Date(Date.now() - hours * 3600_000);
  utimesSync(image, then, then);
}

/** A pid that was another process' a moment ago. */
async function gone(): Promise<number> {
  const child = spawn('true');
  await new Promise((resolve) => child.once('exit', resolve));
  return child.pid ?? 0;
}

function left(): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name !== '.lock')
    .toSorted();
}

const make = (text: string) => async (root: string) => {
  mkdirSync(root);
  writeFileSync(join(root, 'file'), text);
};

test('a root is made once, and whole', async () => {
  const root = await keptRoot(folder, 'a', make('first'));
  expect(await keptRoot(folder, 'a', make('second'))).toBe(root);
  expect(readFileSync(join(root, 'file'), 'utf8')).toBe('first');
  const failing = keptRoot(folder, 'b', async (begun) => {
    await make('half')(begun);
    throw new Error('no space left');
  });
  await expect(failing).rejects.toThrow('no space left');
  expect(existsSync(join(folder, 'b', 'root'))).toBe(false);
  const whole = await keptRoot(folder, 'b', make('whole'));
  expect(readFileSync(join(whole, 'file'), 'utf8')).toBe('whole');
});

test('of the images that nobody uses the three newest stay', async () => {
  const pid = await gone();
  for (const [index, name] of ['e', 'd', 'c', 'b', 'a'].entries()) old(name, index + 1, pid);
  await keptRoot(folder, 'new', make('new'));
  expect(left()).toEqual(['c', 'd', 'e', 'new']);
});

test('an image that a process uses stays, however old it is', async () => {
  const pid = await gone();
  for (const [index, name] of ['c', 'b', 'a'].entries()) old(name, index + 1, pid);
  old('used', 100, process.ppid);
  await keptRoot(folder, 'new', make('new'));
  expect(left()).toEqual(['a', 'b', 'c', 'new', 'used']);
});
