import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { poll } from '../../tools/local-cluster/poll';
import { freePort } from '../../tools/local-cluster/ports';
import { configMapYaml, folderWith, removeFolders, serviceYaml } from './support';

let folder = '';
let program = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'inferno-bin-'));
  program = join(folder, 'inferno.cjs');
  const [platform, format] = ['node', 'cjs'] as const;
  await build({ bundle: true, platform, format, entryPoints: ['cli/main.ts'], outfile: program, logLevel: 'error' });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(removeFolders);

function inferno(argv: readonly string[], input = '', cwd = folder): { code: unknown; stdout: string; stderr: string } {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [program, ...argv], {
    input,
    cwd,
    encoding: 'utf8',
  });
  return { code: signal ?? status, stdout, stderr };
}

/** A kubeconfig of a cluster that is not there. */
const unreachable = JSON.stringify({
  clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
  users: [{ name: 'u', user: { token: 't' } }],
  contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  'current-context': 'x',
});

const many = Array.from({ length: 3000 }, (_, index) => configMapYaml.replace('settings', `s${index}`)).join('---\n');

test('the program reads standard input, writes standard output, and exits with 0', () => {
  const { code, stdout, stderr } = inferno(['render', '-f', '-'], serviceYaml('a'));
  expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^apiVersion: apps\/v1\nkind: Deployment\n/);
});

test.each([
  [['validate', '-f', '-'], 1],
  [['validate'], 2],
  [['--help'], 0],
])('%j exits with %d', (argv, code) => {
  expect(inferno(argv, 'a: [')).toMatchObject({ code });
});

test('what it renders, it reads again and writes the same', () => {
  const { stdout } = inferno(['render', '-f', '-'], many);
  expect(inferno(['render', '-f', '-'], stdout).stdout).toBe(stdout);
  expect(stdout.match(/^---$/gm)).toHaveLength(2999);
});

test('a file without permission is named', () => {
  const cwd = folderWith({ 'a.yaml': serviceYaml('a') });
  chmodSync(join(cwd, 'a.yaml'), 0);
  for (const path of [cwd, folder]) chmodSync(path, 0o755);
  // root may read everything, so there another user has to look.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const argv = [program, 'validate', '-f', 'a.yaml'];
  const { status, stdout } = spawnSync(process.execPath, argv, { cwd, encoding: 'utf8', ...user });
  expect({ status, stdout }).toStrictEqual({
    status: 1,
    stdout: 'a.yaml:1: permission denied\n1 resource: 1 invalid\n',
  });
});

test('a reader that stops early ends it quietly', () => {
  const cwd = folderWith({ 'many.yaml': many });
  const line = `set -o pipefail; ${quote(process.execPath)} ${quote(program)} render -f many.yaml | head -1; echo "$?"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', line], { cwd, encoding: 'utf8' });
  expect({ stdout, stderr }).toStrictEqual({ stdout: 'apiVersion: v1\n0\n', stderr: '' });
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s while it writes leaves no temporary files',
  async (signal) => {
    const cwd = folderWith({ 'many.yaml': many });
    const child = spawn(process.execPath, [program, 'render', '-f', 'many.yaml', '--out-dir', 'out'], {
      cwd,
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.once('exit', (code, killer) => resolve(killer ?? code)));
    const deadline = Date.now() + 30_000;
    const isWriting = (): boolean => existsSync(join(cwd, 'out')) && readdirSync(join(cwd, 'out')).length > 5;
    while (!isWriting() && child.exitCode === null && Date.now() < deadline) {
      // oxlint-disable-next-line no-await-in-loop -- looks again and again
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    child.kill(signal);
    expect(await ended).toBe(130);
    expect(readdirSync(join(cwd, 'out'))).toStrictEqual([]);
  },
  60_000,
);

test('a full disk behind standard output is an error in one line', () => {
  const full = openSync('/dev/full', 'w');
  const argv = [program, 'render', '-f', '-'];
  const { status, stderr } = spawnSync(process.execPath, argv, {
    input: serviceYaml('a'),
    stdio: ['pipe', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  expect({ status, stderr }).toStrictEqual({
    status: 1,
    stderr: 'error: standard output: cannot be written: no space left on the device\n',
  });
});

test('an operator whose log is on a full disk goes on, and ends as it should', async () => {
  const full = openSync('/dev/full', 'w');
  const config = join(folderWith({ config: unreachable }), 'config');
  const health = `127.0.0.1:${await freePort()}`;
  const argv = ['operator', '--kubeconfig', config, '--metrics-bind-address=0', '--health-probe-bind-address', health];
  const child = spawn(process.execPath, [program, ...argv], { stdio: ['ignore', 'ignore', full] });
  closeSync(full);
  const ended = new Promise((resolve) => child.once('exit', (code, killer) => resolve(killer ?? code)));
  const isUp = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`it ended with exit code ${child.exitCode}`);
    return fetch(`http://${health}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  await poll('the operator to be healthy', isUp);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
}, 60_000);

test('in a folder that was removed, absolute paths still work', () => {
  const file = join(folderWith({ 'a.yaml': serviceYaml('a') }), 'a.yaml');
  const script = `mkdir gone && cd gone && rmdir ../gone && exec ${quote(process.execPath)} ${quote(program)} validate -f ${quote(file)}`;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8' });
  expect({ status, all: stdout + stderr }).toStrictEqual({ status: 0, all: '1 resource: 1 valid\n' });
});

test.each([
  ['a device', `-f /dev/zero`],
  ['standard input', '-f - < /dev/zero'],
])('%s that never ends is read up to a limit', (_what, source) => {
  const script = `exec ${quote(process.execPath)} ${quote(program)} validate ${source}`;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8', timeout: 30_000 });
  expect(status).toBe(1);
  expect(stdout + stderr).toContain('is more than 104857600 bytes long; at most 104857600 are read');
});

test('the fake server starts, answers and ends on Ctrl-C', async () => {
  const child = spawn(process.execPath, [program, 'fake-server', '--port', '0', '--host', '127.0.0.1'], {
    cwd: folder,
  });
  const ended = new Promise((resolve) => child.once('exit', (code, killer) => resolve(killer ?? code)));
  let log = '';
  const port = await new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      const match = /"msg":"listening".*"port":(\d+)/.exec(log);
      if (match?.[1] !== undefined) resolve(match[1]);
    });
  });
  const response = await fetch(`http://127.0.0.1:${port}/health`);
  expect(response.status).toBe(200);
  child.kill('SIGINT');
  expect(await ended).toBe(0);
}, 60_000);

function quote(text: string): string {
  return `'${text}'`;
}
