import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build';
import { BINARIES, type Binary, type GoModule, MODULES, VERSION } from './modules';
import { userCache } from './user-cache';
import { isExecutable } from './which';

export interface FindBinariesOptions {
  /** @default process.env */
  readonly env?: NodeJS.ProcessEnv;
  /** Receives a line of progress now and then. @default standard error */
  readonly log?: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** Paths of the programs that were asked for. */
export type Binaries<B extends Binary> = { readonly [binary in B]: string };

/**
 * Finds the programs: in the folder that `KUBEBUILDER_ASSETS` names, else in the cache, else builds them into the cache.
 *
 * @throws Error which says what is missing and what to do, where that folder lacks one or where there is no Go
 */
export async function findBinaries<B extends Binary>(
  needed: readonly B[],
  options: FindBinariesOptions = {},
): Promise<Binaries<B>> {
  const env = options.env ?? process.env;
  const assets = env['KUBEBUILDER_ASSETS'];
  const folder = assets === undefined || assets === '' ? cacheFolder(env) : assets;
  const missing = needed.filter((name) => !isExecutable(join(folder, name)));
  if (missing.length > 0) {
    if (folder === assets) throw new Error(missingAssets(assets, missing));
    const log = options.log ?? ((line: string) => void process.stderr.write(`${line}\n`));
    const { signal } = options;
    await build(folder, inOrder(missing), { env, log, ...(signal === undefined ? {} : { signal }) });
  }
  return Object.fromEntries(needed.map((name) => [name, join(folder, name)])) as Binaries<B>;
}

/** Where built programs are kept, named after all that they are made from. */
export function cacheFolder(env: NodeJS.ProcessEnv, modules: readonly GoModule[] = MODULES): string {
  const hash = createHash('sha256');
  for (const module of modules) {
    for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(join(module.folder, file))).update('\0');
    hash.update(JSON.stringify(module.flags));
  }
  const key = [VERSION, process.platform, process.arch, hash.digest('hex').slice(0, 12)].join('-');
  return join(userCache(env), `control-plane-${key}`);
}

function inOrder(missing: readonly Binary[]): readonly Binary[] {
  return BINARIES.filter((name) => missing.includes(name));
}

function missingAssets(assets: string, missing: readonly Binary[]): string {
  const what = existsSync(assets) ? `lacks ${missing.join(', ')}` : 'does not exist';
  return (
    `KUBEBUILDER_ASSETS is ${assets}, which ${what}.\n` +
    `Put executable files of these names there (needed: ${missing.join(', ')}), or unset KUBEBUILDER_ASSETS to have ` +
    `them built with Go. The archives of setup-envtest hold etcd, kube-apiserver and kubectl only.`
  );
}
