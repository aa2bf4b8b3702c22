import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleProgram } from '../../bundle';
import { withLock } from '../../lock';
import { userCache } from '../../user-cache';
import { which } from '../../which';
import type { RuntimePrograms } from './index';

const sources = join(__dirname, '..', '..', 'modules', 'container');

/**
 * What a runtime needs besides its own code. The process that starts the nodes makes it; a node gets the paths.
 *
 * @param folder where the light server's code is put
 */
export async function runtimePrograms(folder: string, log?: (line: string) => void): Promise<RuntimePrograms> {
  const light = join(folder, 'light-server.cjs');
  const [container] = await Promise.all([
    containerProgram(log),
    bundleProgram(join(__dirname, 'light-server.ts'), light),
  ]);
  return { container, light };
}

/** Path of the program that makes containers, a Go program that is built once and kept outside the repository. */
export async function containerProgram(log?: (line: string) => void): Promise<string> {
  if (process.platform !== 'linux') {
    throw new Error(
      `The nodes of the test cluster need Linux, whose namespaces are their containers; this is ${process.platform}.`,
    );
  }
  const folder = cacheFolder(process.env);
  const file = join(folder, 'container');
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  await withLock(`${folder}.lock`, () => buildInto(folder, file, log), log === undefined ? {} : { log });
  return file;
}

async function buildInto(folder: string, file: string, log?: (line: string) => void): Promise<void> {
  if (existsSync(file)) return;
  const go = which('go', process.env);
  if (go === undefined) {
    throw new Error(
      'The nodes of the test cluster need a program that is built with Go, and there is no go in PATH: install Go ' +
        '(https://go.dev/doc/install).',
    );
  }
  log?.('building the program that makes containers …');
  const temporary = mkdtempSync(join(folder, '.building-'));
  const made = join(temporary, 'container');
  try {
    await promisify(execFile)(go, ['build', '-trimpath', '-ldflags=-s -w', '-o', made, '.'], {
      cwd: sources,
      env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' },
      timeout: 600_000,
    });
    renameSync(made, file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The program that makes the containers of the test cluster cannot be built: ${reason}`, {
      cause: error,
    });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Named after all that the program is made from. */
function cacheFolder(env: NodeJS.ProcessEnv): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(sources).toSorted()) hash.update(name).update(readFileSync(join(sources, name)));
  const key = `container-${process.platform}-${process.arch}-${hash.digest('hex').slice(0, 12)}`;
  return join(userCache(env), key);
}
