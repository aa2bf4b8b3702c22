// The files that the Dockerfile puts on its base, for those who run them without a container engine. A test checks that
// the Dockerfile says the same.
import { chmodSync, constants, copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(__dirname, '..');

/** How the image's program is run. */
export const imageConfig = {
  entrypoint: ['/nodejs/bin/node', '/app/inferno.cjs'],
  user: 65532,
  workingDir: '/app',
  env: { NODE_ENV: 'production', NODE_DISABLE_COMPILE_CACHE: '1' },
} as const;

/** The files of the image by their paths in it, as files of the repository. Of Node's licence only an engine knows. */
export const imageFiles: Readonly<Record<string, string>> = {
  '/nodejs/bin/node': 'node_modules/node/bin/node',
  '/app/LICENSE': 'LICENSE',
  '/app/NOTICES.txt': 'build/bin/NOTICES.txt',
  '/app/inferno.cjs': 'build/bin/inferno.cjs',
  '/app/cli.cjs': 'build/bin/cli.cjs',
  '/app/operator.cjs': 'build/bin/operator.cjs',
  '/app/cel.cjs': 'build/bin/cel.cjs',
  '/app/re2.cjs': 'build/bin/re2.cjs',
};

/**
 * Puts the files into a folder, which becomes the root of the image without its base.
 *
 * @param folder must be empty or not there yet
 * @throws Error which says what has not been built yet
 */
export function assembleImage(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new Error(`${folder} has to be empty, but holds ${readdirSync(folder).slice(0, 3).join(', ')}`);
  }
  const missing = Object.values(imageFiles).filter((file) => !existsSync(join(root, file)));
  if (missing.length > 0) throw new Error(`${missing.join(', ')} is not there: run npm ci and npm run build first`);
  makeFolder(folder);
  for (const [path, file] of Object.entries(imageFiles)) {
    const target = join(folder, path);
    makeFolder(dirname(target));
    // where the file system can, without copying: Node has more than 100 MB
    copyFileSync(join(root, file), target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    chmodSync(target, path === imageConfig.entrypoint[0] ? 0o755 : 0o644);
  }
}

/** Readable to all, with any umask. */
function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) chmodSync(made, 0o755);
}
