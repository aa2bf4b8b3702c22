import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { root, succeed } from './measure.mjs';

const module = `${root}/bench/modules/helm`;

/**
 * The helm to compare with: the one that HELM names, else one that is built from its Go module once and kept outside the
 * repository.
 */
export async function helm() {
  const { HELM, XDG_CACHE_HOME, HOME } = process.env;
  if (HELM) return HELM;
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(join(module, file)));
  const name = `helm-${process.platform}-${process.arch}-${hash.digest('hex').slice(0, 12)}`;
  const folder = join(XDG_CACHE_HOME || join(HOME ?? homedir(), '.cache'), 'inferno', name);
  const program = join(folder, 'helm');
  if (!existsSync(program)) build(folder, program);
  return program;
}

function build(folder, program) {
  console.error('building helm from its Go module, once; this takes some minutes …');
  mkdirSync(folder, { recursive: true });
  const temporary = mkdtempSync(join(folder, '.building-'));
  try {
    // At low priority, as nobody waits for it but this benchmark
    succeed(
      'nice',
      ['go', 'build', '-trimpath', '-ldflags=-s -w', '-o', join(temporary, 'helm'), 'helm.sh/helm/v4/cmd/helm'],
      { cwd: module, env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' }, timeout: 1_800_000 },
    );
    // Appears whole or not at all, and once where two build it
    renameSync(join(temporary, 'helm'), program);
  } catch (error) {
    throw new Error('helm cannot be built; install Go, or set HELM to a helm program', { cause: error });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
