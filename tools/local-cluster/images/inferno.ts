import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { infernoImage as name } from '../../../lib/inference/engines/fake';
import type { ProcessImage } from '../node/image';
import { outside, takesUsers } from '../node/runtime/users';
import { userCache } from '../../go/user-cache';
import { keptRoot } from './kept';
import { libraries } from './libraries';

const repository = join(__dirname, '..', '..', '..');
const node = join(repository, 'node_modules', 'node', 'bin', 'node');

/** The parts of an image's config that are used here, as scripts/image.mjs prints them. */
interface Config {
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly workingDir: string;
}

/** This project's own image, made from what `npm run build` has built. Its files are kept while the build is the same. */
export async function infernoImage(): Promise<ProcessImage> {
  const config = await image([]);
  const user = Number(config.user.split(':')[0]);
  // Who the files belong to depends on who makes them.
  const key = `${outside(process.getuid?.() ?? 0)}-${digest()}`;
  const root = await keptRoot(join(userCache(process.env), 'images'), key, (made) => assemble(made, user));
  return {
    kind: 'process',
    name,
    root,
    entrypoint: config.entrypoint,
    command: config.command,
    // What the base image brings.
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...config.env },
    user,
    workingDir: config.workingDir,
    host: libraries(),
  };
}

async function assemble(root: string, user: number): Promise<void> {
  await image(['--out', root]);
  shareNode(join(root, 'nodejs', 'bin', 'node'));
  addBase(root, user);
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

async function image(args: readonly string[]): Promise<Config> {
  const script = join(repository, 'scripts', 'image.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], { timeout: 60_000 });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own script prints it
  return JSON.parse(stdout) as Config;
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
  const hash = createHash('sha256');
  for (const file of ['Dockerfile', 'LICENSE', ...built()])
    hash.update(file).update(readFileSync(join(repository, file)));
  const { mtimeMs, size } = statSync(node);
  return hash
    .update(JSON.stringify([node, mtimeMs, size]))
    .digest('hex')
    .slice(0, 12);
}

function built(): readonly string[] {
  const folder = join(repository, 'build', 'bin');
  if (!existsSync(folder)) throw new Error(`${folder} is not there: run npm run build first`);
  return readdirSync(folder)
    .toSorted()
    .map((file) => `build/bin/${file}`);
}
