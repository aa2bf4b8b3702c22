// A build is made beside build/ and put in its place when it is whole.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';

const prefix = '.build-';
/** Milliseconds after which a folder is left over from a build that was killed. */
const leftOver = 3600_000;
/** Builds that end at the same moment take each other's place. */
const mostTries = 20;

/** A new folder, as deep as build/, since source maps name the sources from there. It goes with this process. */
export function newBuild(): string {
  for (const entry of readdirSync('.')) {
    const age = entry.startsWith(prefix) ? Date.now() - (statSync(entry, { throwIfNoEntry: false })?.mtimeMs ?? 0) : 0;
    if (age > leftOver) remove(entry);
  }
  const folder = makeFolder();
  process.once('exit', () => remove(folder));
  return folder;
}

/** Puts a build into the place of the last one. */
export function useBuild(folder: string): void {
  const last = makeFolder();
  try {
    for (let tries = 1; ; tries++) {
      move('build', `${last}/${tries}`, ['ENOENT']);
      if (move(folder, 'build', tries < mostTries ? ['ENOTEMPTY', 'EEXIST'] : [])) return;
    }
  } finally {
    remove(last);
  }
}

/** Unlike what mkdtemp makes, it can be read by all whom the umask lets. */
function makeFolder(): string {
  const folder = `${prefix}${randomBytes(6).toString('hex')}`;
  mkdirSync(folder);
  return folder;
}

/** Whether it was moved; the errors that are named mean that it was not. */
function move(from: string, to: string, errors: readonly string[]): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (errors.includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
