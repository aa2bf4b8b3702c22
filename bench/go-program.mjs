import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { root, succeed } from './measure.mjs';

/**
 * A program to compare with: the one that the variable names, else one that is built from its Go module in bench/modules
 * once and kept outside the repository.
 *
 * @param {{ name: string, path: string, variable: string }} program `path` is the package in the module
 */
export function goProgram({ name, path, variable }) {
  const { [variable]: given, XDG_CACHE_HOME, HOME } = process.env;
  if (given) return given;
  const module = `${root}/bench/modules/${name}`;
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
    // At low priority, as nobody waits for it but this benchmark
    succeed('nice', ['go', 'build', '-trimpath', '-ldflags=-s -w', '-o', join(temporary, name), path], {
      cwd: module,
      env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' },
      timeout: 1_800_000,
    });
    // Appears whole or not at all, and once where two build it
    renameSync(join(temporary, name), file);
  } catch (error) {
    throw new Error(`${name} cannot be built; install Go, or set ${variable} to such a program`, { cause: error });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
