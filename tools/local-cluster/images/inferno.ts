import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { infernoImage as name } from '../../../lib/inference/engines/fake';
import type { ProcessImage } from '../node/image';
import { outside, takesUsers } from '../node/runtime/users';
import { userCache } from '../../go/user-cache';
import { assembleImage, imageConfig, imageFiles } from '../../image';
import { keptRoot } from './kept';
import { libraries } from './libraries';

const repository = join(__dirname, '..', '..', '..');
const node = join(repository, 'node_modules', 'node', 'bin', 'node');

/** This project's own image, made from what `npm run build` has built. Its files are kept while the build is the same. */
export async function infernoImage(): Promise<ProcessImage> {
  const { entrypoint, env, user, workingDir } = imageConfig;
  // Who the files belong to depends on who makes them.
  const key = `${outside(process.getuid?.() ?? 0)}-${digest()}`;
  const root = await keptRoot(join(userCache(process.env), 'images'), key, async (made) => {
    assembleImage(made);
    shareNode(join(made, 'nodejs', 'bin', 'node'));
    addBase(made, user);
  });
  return {
    kind: 'process',
    name,
    root,
    entrypoint,
    // What the base image brings.
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...env },
    user,
    workingDir,
    host: libraries(),
  };
}

/** Saves the 100 MB of a copy where both are on one file system; the image's files are never written to. */
function shareNode(copy: string): void {
  const link = `${copy}.link`;
  try {
    linkSync(node, link);
    renameSync(link, copy);
  } catch {
    // Then there are two.
  }
}

/** What a base image without a shell has besides the libraries. */
function addBase(root: string, user: number): void {
  const home = join(root, 'home', 'nonroot');
  for (const folder of ['etc', 'tmp', 'root', 'home/nonroot']) mkdirSync(join(root, folder), { recursive: true });
  chmodSync(join(root, 'tmp'), 0o1777);
  chmodSync(home, 0o700);
  if (takesUsers()) chownSync(home, user, user);
  const users = [
    `root:x:0:0:root:/root:/sbin/nologin`,
    `nonroot:x:${user}:${user}:nonroot:/home/nonroot:/sbin/nologin`,
  ];
  writeFileSync(join(root, 'etc', 'passwd'), users.map((line) => `${line}\n`).join(''), { mode: 0o644 });
  writeFileSync(join(root, 'etc', 'group'), `root:x:0:\nnonroot:x:${user}:\n`, { mode: 0o644 });
}

/** Named after what the files are made from. Node is too large to be read for it. */
function digest(): string {
  const hash = createHash('sha256').update(JSON.stringify([imageConfig, imageFiles]));
  for (const file of Object.values(imageFiles).map((path) => join(repository, path))) {
    if (!existsSync(file)) throw new Error(`${file} is not there: run npm run build first`);
    const { mtimeMs, size } = statSync(file);
    hash.update(file === node ? JSON.stringify([node, mtimeMs, size]) : readFileSync(file));
  }
  return hash.digest('hex').slice(0, 12);
}
