import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { infernoImage as name } from '../../../lib/inference/engines/fake';
import type { ProcessImage } from '../node/image';
import { outside, takesUsers } from '../node/runtime/users';
import { libraries } from './libraries';

const repository = join(__dirname, '..', '..', '..');
const node = join(repository, 'node_modules', 'node', 'bin', 'node');
const PREFIX = 'inferno-test-image-';
const owner = process.getuid?.() ?? 0;
/** Milliseconds after which an image of an older build counts as not used any more. */
const UNUSED = 24 * 3600_000;

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
  const root = join(tmpdir(), `${PREFIX}${outside(owner)}-${digest()}`);
  const config = existsSync(root) ? await image([]) : await assemble(root);
  const now = new Date();
  utimesSync(root, now, now);
  return {
    kind: 'process',
    name,
    root,
    entrypoint: config.entrypoint,
    command: config.command,
    // What the base image brings.
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...config.env },
    user: Number(config.user.split(':')[0]),
    workingDir: config.workingDir,
    host: libraries(),
  };
}

async function assemble(root: string): Promise<Config> {
  removeUnused();
  const temporary = mkdtempSync(join(tmpdir(), `${PREFIX}new-`));
  try {
    const files = join(temporary, 'root');
    const config = await image(['--out', files]);
    shareNode(join(files, 'nodejs', 'bin', 'node'));
    addBase(files, Number(config.user.split(':')[0]));
    try {
      renameSync(files, root);
    } catch (error) {
      // Somebody else has made the same.
      if (!existsSync(root)) throw error;
    }
    return config;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
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

function removeUnused(): void {
  for (const entry of readdirSync(tmpdir())) {
    if (!entry.startsWith(PREFIX)) continue;
    const path = join(tmpdir(), entry);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.uid === owner && Date.now() - stat.mtimeMs > UNUSED) rmSync(path, { recursive: true, force: true });
  }
}
