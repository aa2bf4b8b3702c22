import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../run';
import { withLock } from './lock';
import { userCache } from './user-cache';
import { isExecutable, which } from './which';

/** A Go module of this repository, and what its programs are built with. */
export interface GoModule<Name extends string> {
  readonly folder: string;
  readonly flags: readonly string[];
  /** The packages of its programs. */
  readonly packages: { readonly [name in Name]?: string };
}

/** Programs that are built once and kept outside the repository, unless a variable names others. */
export interface GoPrograms<Name extends string> {
  /** What they are, as a sentence about them begins: `The control plane`. */
  readonly what: string;
  /** Begins the name of their folder in the cache. */
  readonly key: string;
  /** In the order in which they are built. */
  readonly modules: readonly GoModule<Name>[];
  /** The variable that names the folder with programs to use instead, or the only program's file. @default none */
  readonly variable?: { readonly name: string; readonly is: 'folder' | 'file'; readonly hint?: string };
  /** What building them takes. @default nothing worth a word */
  readonly cost?: string;
}

export interface FindOptions {
  /** @default process.env */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Receives a line of progress now and then. @default standard error */
  readonly log?: ((line: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Paths of the programs that were asked for. */
export type Found<Name extends string> = { readonly [name in Name]: string };

const FLAGS = ['-trimpath', '-ldflags=-s -w'] as const;
const TEMPORARY = '.building-';

/** A program in a module of its own, in a folder of its name. */
export function singleProgram<Name extends string>(
  name: Name,
  modules: string,
  more: Partial<GoPrograms<Name>> & { readonly path?: string } = {},
): GoPrograms<Name> {
  const { path = '.', ...rest } = more;
  const packages = { [name]: path } as GoModule<Name>['packages'];
  return { what: name, key: name, modules: [{ folder: join(modules, name), flags: FLAGS, packages }], ...rest };
}

/**
 * Finds programs: where their variable says, else in the cache, else builds them into the cache. Only one process builds
 * at a time; the others wait and find what it has built.
 *
 * @throws Error which says what is missing and what to do, where the variable's folder lacks one or where there is no Go
 */
export async function findPrograms<Name extends string, Needed extends Name>(
  programs: GoPrograms<Name>,
  needed: readonly Needed[],
  options: FindOptions = {},
): Promise<Found<Needed>> {
  const { env = process.env } = options;
  const { variable } = programs;
  const given = variable === undefined ? '' : (env[variable.name] ?? '');
  const folder = given === '' ? cacheFolder(programs, env) : given;
  const pathOf = (name: Needed): string => (given !== '' && variable?.is === 'file' ? given : join(folder, name));
  const missing = needed.filter((name) => !isExecutable(pathOf(name)));
  if (missing.length > 0) {
    if (given !== '') throw new Error(missingThere(programs, given, missing));
    await build(programs, folder, missing, options);
  }
  return Object.fromEntries(needed.map((name) => [name, pathOf(name)])) as Found<Needed>;
}

/** Where built programs are kept, named after all that they are made from. */
export function cacheFolder(programs: GoPrograms<string>, env: NodeJS.ProcessEnv): string {
  const hash = createHash('sha256');
  for (const { flags, folder } of programs.modules) {
    for (const file of readdirSync(folder).toSorted()) hash.update(readFileSync(join(folder, file))).update('\0');
    hash.update(JSON.stringify(flags));
  }
  const key = [programs.key, process.platform, process.arch, hash.digest('hex').slice(0, 12)].join('-');
  return join(userCache(env), key);
}

/** The oldest Go that all modules can be built with. */
export function goVersion(modules: readonly GoModule<string>[]): string {
  const versions = modules.map(
    ({ folder }) => /^go (\S+)$/m.exec(readFileSync(join(folder, 'go.mod'), 'utf8'))?.[1] ?? '',
  );
  return versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1) ?? '';
}

async function build<Name extends string>(
  programs: GoPrograms<Name>,
  folder: string,
  names: readonly Name[],
  { env = process.env, log = toStandardError, signal }: FindOptions,
): Promise<void> {
  const go = await findGo(programs, names, env);
  const work = async (): Promise<void> => {
    // Left over from a build that was killed: nobody else builds now.
    for (const name of readdirSync(folder)) {
      if (name.startsWith(TEMPORARY)) rmSync(join(folder, name), { recursive: true, force: true });
    }
    const missing = programs.modules
      .flatMap((module) =>
        Object.entries<string | undefined>(module.packages).map(([name, path]) => ({ module, name, path })),
      )
      .filter(({ name }) => names.some((needed) => needed === name) && !existsSync(join(folder, name)));
    const temporary = mkdtempSync(join(folder, TEMPORARY));
    try {
      for (const [index, { module, name, path = '' }] of missing.entries()) {
        const position = missing.length === 1 ? '' : `${index + 1} of ${missing.length}, `;
        const args = ['build', ...module.flags, '-o', join(temporary, name), path];
        await progressing(name, position, log, () =>
          run(go, args, {
            cwd: module.folder,
            env: { ...env, CGO_ENABLED: '0', GOWORK: 'off' },
            signal,
          }),
        ).catch((error: unknown) => {
          signal?.throwIfAborted();
          throw new Error(failure(programs, name, module.folder, error), { cause: error });
        });
        renameSync(join(temporary, name), join(folder, name));
      }
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
  };
  mkdirSync(folder, { recursive: true });
  await withLock(`${folder}.lock`, work, { log, signal });
}

async function progressing(
  name: string,
  position: string,
  log: (line: string) => void,
  work: () => Promise<unknown>,
): Promise<void> {
  const started = Date.now();
  const progress = (): void => log(`building ${name} … ${position}${elapsed(Date.now() - started)}`);
  progress();
  const timer = setInterval(progress, 3000);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  log(`built ${name} in ${elapsed(Date.now() - started)}`);
}

/** Finds a Go that can build the modules. */
async function findGo(programs: GoPrograms<string>, names: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { cost, modules, what } = programs;
  const takes = cost === undefined ? '' : `, which takes ${cost}`;
  const remedy = `Install Go ${goVersion(modules)} or newer (https://go.dev/doc/install) to have it built once${takes}${instead(programs, names)}.`;
  const go = which('go', env);
  if (go === undefined) {
    throw new Error(`${what} needs ${names.join(', ')}, and there is no go in PATH to build that.\n${remedy}`);
  }
  // Run in the module, so that an older Go either gets itself the right toolchain or says that it may not.
  for (const { folder } of modules) {
    await run(go, ['version'], { cwd: folder, env, timeout: 120_000 }).catch((error: unknown) => {
      throw new Error(`${what} cannot be built with ${go}: ${messageOf(error)}\n${remedy}`, { cause: error });
    });
  }
  return go;
}

function failure(programs: GoPrograms<string>, name: string, folder: string, error: unknown): string {
  return (
    `Building ${name} failed in ${folder}: ${messageOf(error).slice(-8000)}\n` +
    'Go downloads the modules that it does not have: check the network and GOPROXY where it names one of them' +
    `${instead(programs, [name])}.`
  );
}

/** What would do without Go, to go on a sentence with. */
function instead({ variable }: GoPrograms<string>, names: readonly string[]): string {
  if (variable === undefined) return '';
  return `, or set ${variable.name} to ${variable.is === 'file' ? 'a' : 'a folder that holds'} ${names.join(', ')}`;
}

function missingThere({ variable }: GoPrograms<string>, given: string, missing: readonly string[]): string {
  const { hint, is, name } = variable ?? { hint: undefined, is: 'folder', name: '' };
  if (is === 'file') return `${name} is ${given}, which is not a file that can be run; name one, or unset ${name}`;
  const what = existsSync(given) ? `lacks ${missing.join(', ')}` : 'does not exist';
  return (
    `${name} is ${given}, which ${what}.\nPut executable files of these names there (needed: ${missing.join(', ')}), or ` +
    `unset ${name} to have them built with Go.${hint === undefined ? '' : ` ${hint}`}`
  );
}

function toStandardError(line: string): void {
  process.stderr.write(`${line}\n`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Milliseconds as a person reads them: `9s`, `1m20s`. */
function elapsed(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds}s` : `${minutes}m${String(seconds % 60).padStart(2, '0')}s`;
}
