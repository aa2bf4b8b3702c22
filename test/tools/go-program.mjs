import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * A program to compare or to test with: the one that the variable names, else one that is built from its Go module once and
 * kept outside the repository.
 *
 * @param {{ name: string, path: string, variable: string, modules: string }} program `path` is the package in the module,
 *   which is a folder called as the program in the folder `modules`
 * @returns {string} its file
 */
export function goProgram({ name, path, variable, modules }) {
  const { [variable]: given, XDG_CACHE_HOME, HOME } = process.env;
  if (given) return given;
  const module = join(modules, name);
  const hash = createHash('sha256');
  for (const file of readdirSync(module).toSorted()) hash.update(readFileSync(join(module, file)));
  const key = `${name}-${process.platform}-${process.arch}-${hash.digest('hex').slice(0, 12)}`;
  const folder = join(XDG_CACHE_HOME || join(HOME ?? homedir(), '.cache'), 'inferno', key);
  const file = join(folder, name);
  if (!existsSync(file)) build({ name, path, variable, module, folder, file });
  return file;
}

function build({ name, path, variable, module, folder, file }) {
  console.error(`building ${name} from its Go module, once; this takes some minutes …`);
  mkdirSync(folder, { recursive: true });
  const temporary = mkdtempSync(join(folder, '.building-'));
  try {
    // At low priority, as nobody else waits for it
    const args = ['go', 'build', '-trimpath', '-ldflags=-s -w', '-o', join(temporary, name), path];
    const env = { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' };
    const { status, stderr, error } = spawnSync('nice', args, {
      cwd: module,
      env,
      encoding: 'utf8',
      timeout: 1_800_000,
    });
    if (error) throw error;
    if (status !== 0) throw new Error(`go build ended with ${status}: ${stderr}`);
    // Appears whole or not at all, and once where two build it
    renameSync(join(temporary, name), file);
  } catch (error) {
    throw new Error(`${name} cannot be built; install Go, or set ${variable} to such a program`, { cause: error });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
