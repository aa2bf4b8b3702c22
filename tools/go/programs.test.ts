import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { controlPlanePrograms, findBinaries, VERSION } from '../local-cluster/control-plane-programs';
import { cacheFolder as folderOf, findPrograms, type GoModule, goVersion, singleProgram } from './programs';

let folder: string;
const cacheFolder = (env: NodeJS.ProcessEnv): string => folderOf(controlPlanePrograms, env);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inferno-binaries-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** An executable file. */
function program(path: string, text = ''): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

/** An environment with an empty cache and a `go` that does what the text says; `$4` of a build is its output. */
function withGo(text: string): { readonly PATH: string; readonly XDG_CACHE_HOME: string } {
  program(join(folder, 'bin', 'go'), `[ "$1" = version ] && exit 0\n${text}`);
  return { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, XDG_CACHE_HOME: join(folder, 'cache') };
}

test('programs in KUBEBUILDER_ASSETS are used as they are, without Go', async () => {
  for (const name of ['etcd', 'kube-apiserver']) program(join(folder, name));
  const found = await findBinaries(['etcd', 'kube-apiserver'], { env: { KUBEBUILDER_ASSETS: folder } });
  expect(found).toEqual({ etcd: join(folder, 'etcd'), 'kube-apiserver': join(folder, 'kube-apiserver') });
});

test('a program that KUBEBUILDER_ASSETS lacks is named, and nothing is built in its place', async () => {
  program(join(folder, 'etcd'));
  writeFileSync(join(folder, 'kubectl'), 'not executable');
  const env = { ...withGo('exit 1'), KUBEBUILDER_ASSETS: folder };
  await expect(findBinaries(['etcd', 'kubectl', 'kube-scheduler'], { env })).rejects.toThrow(
    `KUBEBUILDER_ASSETS is ${folder}, which lacks kubectl, kube-scheduler.`,
  );
});

test('a variable that names one program names its file', async () => {
  const programs = singleProgram('helm', folder, { variable: { name: 'HELM', is: 'file' } });
  const env = { HELM: join(folder, 'my-helm') };
  await expect(findPrograms(programs, ['helm'], { env })).rejects.toThrow(
    /^HELM is .+, which is not a file that can be run/,
  );
  program(env.HELM);
  expect(await findPrograms(programs, ['helm'], { env })).toEqual({ helm: env.HELM });
});

test('a KUBEBUILDER_ASSETS that does not exist is an error that says so', async () => {
  const env = { KUBEBUILDER_ASSETS: join(folder, 'nowhere') };
  await expect(findBinaries(['etcd'], { env })).rejects.toThrow('nowhere, which does not exist');
});

test('without programs and without Go the error says which Go is needed and what else would do', async () => {
  const env = { PATH: join(folder, 'empty'), XDG_CACHE_HOME: folder };
  await expect(findBinaries(['etcd', 'kubectl'], { env })).rejects.toThrow(
    /needs etcd, kubectl, and there is no go in PATH[^]+Install Go 1\.\d+\.\d+ or newer[^]+set KUBEBUILDER_ASSETS to a folder that holds etcd, kubectl/,
  );
});

test('a Go that is too old is an error with what it says and the remedy', async () => {
  const env = withGo('');
  program(join(folder, 'bin', 'go'), 'echo "go.mod requires go >= 99" >&2; exit 1');
  await expect(findBinaries(['etcd'], { env })).rejects.toThrow(
    /cannot be built with [^]+: [^]+\ngo\.mod requires go >= 99\nInstall Go 1\./,
  );
});

test('programs are built one by one in the cache, with progress, and found there from then on', async () => {
  const lines: string[] = [];
  const env = withGo(`echo "$PWD $*" >> ${join(folder, 'calls')}; printf '#!/bin/sh' > "$5"; chmod +x "$5"`);
  const find = () => findBinaries(['kubectl', 'etcd'], { env, log: (line) => lines.push(line) });
  const found = await find();
  expect(await find()).toEqual(found);
  expect(found.etcd).toBe(join(cacheFolder(env), 'etcd'));
  expect(readdirSync(cacheFolder(env)).toSorted()).toEqual(['etcd', 'kubectl']);
  expect(existsSync(`${cacheFolder(env)}.lock`)).toBe(false);
  expect(lines).toEqual([
    expect.stringMatching(/^building etcd … 1 of 2, 0s$/),
    expect.stringMatching(/^built etcd in \ds$/),
    expect.stringMatching(/^building kubectl … 2 of 2, 0s$/),
    expect.stringMatching(/^built kubectl in \ds$/),
  ]);
  expect(readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')).toEqual([
    expect.stringMatching(/modules\/etcd build -trimpath .+ go\.etcd\.io\/etcd\/server\/v3$/),
    expect.stringMatching(/modules\/controlplane build -trimpath .+ k8s\.io\/kubernetes\/cmd\/kubectl$/),
  ]);
});

test('two that need the same program at once build it once', async () => {
  const env = withGo(`echo x >> ${join(folder, 'calls')}; sleep 1; printf '#!/bin/sh' > "$5"; chmod +x "$5"`);
  const lines: string[] = [];
  const find = () => findBinaries(['etcd'], { env, log: (line) => lines.push(line) });
  await Promise.all([find(), find()]);
  expect(readFileSync(join(folder, 'calls'), 'utf8')).toBe('x\n');
  expect(lines).toContainEqual(expect.stringMatching(/^waiting for process \d+, which holds .+\.lock$/));
});

test('a build that fails shows what Go said and leaves nothing behind', async () => {
  const env = withGo('echo "cannot load module" >&2; echo half > "$5"; exit 1');
  await expect(findBinaries(['etcd'], { env, log: () => undefined })).rejects.toThrow(
    /^Building etcd failed in .+go build [^]+cannot load module\n[^]+KUBEBUILDER_ASSETS/,
  );
  expect(readdirSync(cacheFolder(env))).toEqual([]);
  expect(existsSync(`${cacheFolder(env)}.lock`)).toBe(false);
});

test('what a killed build left behind is removed by the next one', async () => {
  const env = withGo(`printf '#!/bin/sh' > "$5"; chmod +x "$5"`);
  mkdirSync(join(cacheFolder(env), '.building-x'), { recursive: true });
  await findBinaries(['etcd'], { env, log: () => undefined });
  expect(readdirSync(cacheFolder(env))).toEqual(['etcd']);
});

test('a build that is aborted ends at once and leaves nothing behind', async () => {
  const env = withGo('exec sleep 60');
  const signal = AbortSignal.timeout(300);
  await expect(findBinaries(['etcd'], { env, signal, log: () => undefined })).rejects.toThrow(/abort/);
  expect(readdirSync(cacheFolder(env))).toEqual([]);
});

test('the cache is in XDG_CACHE_HOME, else in the home folder, named after the version and the platform', () => {
  expect(dirname(cacheFolder({ XDG_CACHE_HOME: '/x' }))).toBe('/x/inferno');
  expect(dirname(cacheFolder({ XDG_CACHE_HOME: '', HOME: '/home/a' }))).toBe('/home/a/.cache/inferno');
  const name = `control-plane-${VERSION}-${process.platform}-${process.arch}-`;
  expect(basename(cacheFolder({ HOME: '/home/a' }))).toMatch(new RegExp(`^${name}[0-9a-f]{12}$`));
});

test('another go.mod, go.sum or flag means another folder in the cache', () => {
  const module = (mod: string, sum: string, flags: readonly string[]): GoModule<string> => {
    const path = mkdtempSync(join(folder, 'module-'));
    writeFileSync(join(path, 'go.mod'), mod);
    writeFileSync(join(path, 'go.sum'), sum);
    return { folder: path, flags, packages: {} };
  };
  const folderWith = (each: GoModule<string>): string =>
    folderOf({ ...controlPlanePrograms, modules: [each] }, { HOME: '/home/a' });
  const folders = [
    module('a', 'b', ['-c']),
    module('A', 'b', ['-c']),
    module('a', 'B', ['-c']),
    module('a', 'b', ['-C']),
    module('ab', '', ['-c']),
  ].map((each) => folderWith(each));
  expect(new Set(folders).size).toBe(folders.length);
  expect(folderWith(module('a', 'b', ['-c']))).toBe(folders[0]);
});

test('the Go that is asked for is the newest that a module asks for', () => {
  const module = (go: string): GoModule<string> => {
    const path = mkdtempSync(join(folder, 'module-'));
    writeFileSync(join(path, 'go.mod'), `module x\n\ngo ${go}\n`);
    return { folder: path, flags: [], packages: {} };
  };
  expect(goVersion([module('1.9.0'), module('1.26.1'), module('1.26.0')])).toBe('1.26.1');
  expect(goVersion(controlPlanePrograms.modules)).toMatch(/^1\.\d+\.\d+$/);
});
