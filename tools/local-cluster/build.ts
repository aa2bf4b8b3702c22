import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { withLock } from './lock';
import { type Binary, type GoModule, goVersion, MODULES } from './modules';
import { which } from './which';

export interface BuildOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal;
}

const TEMPORARY = '.building-';

/**
 * Builds programs into a folder, each of which appears there whole or not at all. Only one process builds at a time;
 * the others wait and find what it has built.
 */
export async function build(folder: string, names: readonly Binary[], options: BuildOptions): Promise<void> {
  const go = await findGo(names, options.env);
  const work = async (): Promise<void> => {
    // Left over from a build that was killed: nobody else builds now.
    for (const name of readdirSync(folder)) {
      if (name.startsWith(TEMPORARY)) rmSync(join(folder, name), { recursive: true, force: true });
    }
    const missing = names.filter((name) => !existsSync(join(folder, name)));
    const temporary = mkdtempSync(join(folder, TEMPORARY));
    try {
      for (const [index, name] of missing.entries()) {
        await buildOne(go, name, temporary, `${index + 1} of ${missing.length}`, options);
        renameSync(join(temporary, name), join(folder, name));
      }
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
  };
  mkdirSync(folder, { recursive: true });
  await withLock(`${folder}.lock`, work, options);
}

async function buildOne(
  go: string,
  name: Binary,
  folder: string,
  position: string,
  options: BuildOptions,
): Promise<void> {
  const { module, path } = moduleOf(name);
  const started = Date.now();
  const progress = (): void => options.log(`building ${name} … ${position}, ${elapsed(Date.now() - started)}`);
  progress();
  const timer = setInterval(progress, 3000);
  const args = ['build', ...module.flags, '-o', join(folder, name), path];
  try {
    await run(go, args, module.folder, { ...options.env, CGO_ENABLED: '0', GOWORK: 'off' }, options.signal);
  } catch (error) {
    options.signal?.throwIfAborted();
    const output = error instanceof Error ? error.message : String(error);
    throw new Error(
      `Building ${name} failed: go ${args.join(' ')} in ${module.folder} said\n${output}\n` +
        'Go downloads the modules that it does not have: check the network and GOPROXY where it names one of them. ' +
        `Or set KUBEBUILDER_ASSETS to a folder that holds ${name}.`,
      { cause: error },
    );
  } finally {
    clearInterval(timer);
  }
  options.log(`built ${name} in ${elapsed(Date.now() - started)}`);
}

/** Finds a Go that can build the modules. */
async function findGo(names: readonly Binary[], env: NodeJS.ProcessEnv): Promise<string> {
  const needed = goVersion();
  const remedy =
    `Install Go ${needed} or newer (https://go.dev/doc/install) to have them built once, which takes about 6 minutes ` +
    `and 5 GB in Go's caches, or set KUBEBUILDER_ASSETS to a folder that holds ${names.join(', ')}.`;
  const go = which('go', env);
  if (go === undefined) {
    throw new Error(
      `The control plane needs ${names.join(', ')}, and there is no go in PATH to build them.\n${remedy}`,
    );
  }
  // Run in the module, so that an older Go either gets itself the right toolchain or says that it may not.
  for (const { folder } of MODULES) {
    const said = await complaint(go, ['version'], folder, env);
    if (said !== undefined) throw new Error(`The control plane cannot be built with ${go}: ${said}\n${remedy}`);
  }
  return go;
}

function moduleOf(name: Binary): { readonly module: GoModule; readonly path: string } {
  for (const module of MODULES) {
    const path = module.packages[name];
    if (path !== undefined) return { module, path };
  }
  throw new Error(`no module of ${MODULES.map(({ folder }) => basename(folder)).join(', ')} builds ${name}`);
}

/** Undefined when the command succeeds, else what it said. */
function complaint(
  file: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(file, args, { cwd, env, timeout: 120_000 }, (error, _stdout, stderr) => {
      resolve(error === null ? undefined : stderr.trim() || error.message);
    });
  });
}

/** Runs a command quietly; what it said is in the error when it fails. */
function run(
  file: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], ...(signal ? { signal } : {}) });
    let said = '';
    const hear = (chunk: Buffer): void => {
      said = (said + chunk.toString()).slice(-8000);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('error', reject);
    child.once('close', (code, killed) => {
      if (code === 0) resolve();
      else reject(new Error(said.trim() || `ended with ${killed ?? `exit code ${code}`}`));
    });
  });
}

/** Milliseconds as a person reads them: `9s`, `1m20s`. */
export function elapsed(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds}s` : `${minutes}m${String(seconds % 60).padStart(2, '0')}s`;
}
