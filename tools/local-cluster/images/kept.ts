import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../../go/lock';

/** Images of older builds that are kept, as one goes back and forth between commits. */
const MOST_UNUSED = 3;

/**
 * The root of an image in a folder that has those of several builds: made where it is not there yet, and there as long as
 * this process lives. Of those that no process uses, the newest stay.
 *
 * @param name what is made from the same has the same name
 * @param make gets the path of the root to make
 */
export function keptRoot(folder: string, name: string, make: (root: string) => Promise<void>): Promise<string> {
  const image = join(folder, name);
  const root = join(image, 'root');
  const users = join(image, 'users');
  return withLock(join(folder, '.lock'), async () => {
    mkdirSync(users, { recursive: true });
    writeFileSync(join(users, `${process.pid}`), '');
    if (!existsSync(root)) {
      const begun = join(image, 'begun');
      rmSync(begun, { recursive: true, force: true });
      await make(begun);
      renameSync(begun, root);
    }
    const now = new Date();
    utimesSync(image, now, now);
    removeOld(folder);
    return root;
  });
}

function removeOld(folder: string): void {
  const unused = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))
    .filter((image) => statSync(image).uid === process.getuid?.() && !isUsed(image))
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const image of unused.slice(MOST_UNUSED)) rmSync(image, { recursive: true, force: true });
}

/** A pid that another process has got since only keeps the image longer. */
function isUsed(image: string): boolean {
  const users = join(image, 'users');
  return existsSync(users) && readdirSync(users).some((pid) => existsSync(`/proc/${pid}`));
}
