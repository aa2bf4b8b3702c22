import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withLock } from '../../tools/local-cluster/lock';
import { userCache } from '../../tools/local-cluster/user-cache';
import { isExecutable } from '../../tools/local-cluster/which';

const NAMES = ['prometheus', 'promtool'] as const;
/** Paths of Prometheus' programs. */
export type PrometheusPrograms = { readonly [name in (typeof NAMES)[number]]: string };

const MODULE = join(__dirname, 'modules', 'prometheus');
/** Of the ways to find targets only Kubernetes', which Debian's Prometheus is built without. */
const FLAGS = ['-trimpath', '-tags=remove_all_sd,enable_kubernetes_sd', '-ldflags=-s -w'];
const LONGEST_BUILD_MS = 1_800_000;

/**
 * Finds Prometheus: in the folder that `PROMETHEUS_ASSETS` names, else in the cache, else builds it into the cache from
 * its Go module, which takes about three minutes once.
 *
 * @throws Error which says what is missing and what to do
 */
export async function findPrometheus(env: NodeJS.ProcessEnv = process.env): Promise<PrometheusPrograms> {
  const assets = env['PROMETHEUS_ASSETS'];
  if (assets !== undefined && assets !== '') {
    const missing = missingIn(assets);
    if (missing.length === 0) return inFolder(assets);
    throw new Error(`PROMETHEUS_ASSETS is ${assets}, which lacks ${missing.join(' and ')}; put both there or unset it`);
  }
  const folder = cacheFolder(env);
  if (missingIn(folder).length > 0) {
    mkdirSync(folder, { recursive: true });
    const log = (line: string): void => void process.stderr.write(`${line}\n`);
    await withLock(`${folder}.lock`, () => build(folder, env, log), { timeout: LONGEST_BUILD_MS, log });
  }
  return inFolder(folder);
}

function missingIn(folder: string): readonly string[] {
  return NAMES.filter((name) => !isExecutable(join(folder, name)));
}

function inFolder(folder: string): PrometheusPrograms {
  return { prometheus: join(folder, 'prometheus'), promtool: join(folder, 'promtool') };
}

/** Named after all that the programs are made from. */
function cacheFolder(env: NodeJS.ProcessEnv): string {
  const hash = createHash('sha256').update(JSON.stringify(FLAGS));
  for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(join(MODULE, file)));
  return join(userCache(env), `prometheus-${process.platform}-${process.arch}-${hash.digest('hex').slice(0, 12)}`);
}

async function build(folder: string, env: NodeJS.ProcessEnv, log: (line: string) => void): Promise<void> {
  // Somebody else may have built it while this process waited for the lock.
  if (missingIn(folder).length === 0) return;
  log('building prometheus and promtool from their Go module, once; this takes some minutes …');
  const work = mkdtempSync(join(folder, '.building-'));
  try {
    await promisify(execFile)('go', ['build', ...FLAGS, '-o', `${work}/`, 'tool'], {
      cwd: MODULE,
      env: { ...env, CGO_ENABLED: '0', GOWORK: 'off' },
      timeout: LONGEST_BUILD_MS,
    });
    for (const name of NAMES) renameSync(join(work, name), join(folder, name));
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new Error(
      `Building Prometheus failed: ${said}\n` +
        'Install Go (1.26 or newer), or set PROMETHEUS_ASSETS to a folder that holds prometheus and promtool, with ' +
        'Kubernetes among their ways of discovery.',
      { cause: error },
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
