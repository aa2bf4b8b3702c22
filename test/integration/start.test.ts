import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { namespaceRefusal } from '../../tools/namespace.mjs';
import { findBinaries } from '../../tools/local-cluster';
import { type Process, processesBelow, runs } from './start-processes';

jest.setTimeout(180_000);

const root = join(__dirname, '..', '..');
const where = namespaceRefusal() === undefined ? test : test.skip;
let folder: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inferno-start-'));
});

afterEach(async () => {
  // those of a test that failed
  for (const child of children.splice(0).filter(({ exitCode, signalCode }) => (exitCode ?? signalCode) === null)) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the script behind `npm start`, with temporary files in `folder`. */
function start(options: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, ['tools/start.mjs', ...options], {
    cwd: root,
    env: { ...process.env, TMPDIR: folder, NODE_DISABLE_COMPILE_CACHE: '1', TSX_DISABLE_CACHE: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const said = { text: '' };
  const listeners = new Set<() => void>();
  const hear = (chunk: Buffer): void => {
    said.text += chunk.toString();
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, text: said.text }));
  const says = (what: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (said.text.includes(what)) resolve(said.text);
      };
      listeners.add(look);
      void ended.then(({ text }) => reject(new Error(`it has ended without saying "${what}":\n${text}`)));
      look();
    });
  const below = (): readonly Process[] => processesBelow(child.pid ?? 0);
  return { child, ended, says, below };
}

/** Waits until processes and folders are gone. The image's files stay, as they are used again. */
async function expectNothingLeft(processes: readonly Process[], seconds = 0): Promise<void> {
  const left = (): readonly string[] => [
    ...processes.filter(runs).map(({ command }) => command),
    ...readdirSync(folder).filter((name) => !/^inferno-.*image-\d/.test(name)),
  ];
  const deadline = Date.now() + seconds * 1000;
  while (left().length > 0 && Date.now() < deadline) await sleep(50);
  expect(left()).toEqual([]);
}

where('npm start -- --once shows a model server that runs and its answer, ends with 0 and leaves nothing', async () => {
  const { below, ended, says } = start(['--once']);
  await says('hello has answered');
  const processes = below();
  const commands = processes.map(({ command }) => command).join('\n');
  for (const each of [/etcd /, /kube-apiserver /, /inferno.cjs operator/, /inferno.cjs fake-server/]) {
    expect(commands).toMatch(each);
  }
  const { code, text } = await ended;
  expect(text).not.toContain('error:');
  expect(code).toBe(0);
  expect(text).toMatch(
    /✓ InferenceService default\/hello .+\n.+\n.+✓ Deployment hello +1\/1 ready\n.+✓ Pod hello-.+ready/,
  );
  expect(text).toMatch(/✓ InferenceService default\/night-batch .+Parked/);
  expect(text).toMatch(/^default +hello-\S+ +1\/1 +Running +0 +\S+ +10\.244\.1\.\d+ +node-1$/m);
  expect(text).toMatch(/^inferno-system +inferno-controller-manager-\S+ +1\/1 +Running/m);
  expect(text).toMatch(/^You: .+\?\nhello: (\w+ )+\w+$/m);
  // no colours without a terminal
  expect(text).not.toContain('\u001b');
  await expectNothingLeft(processes);
});

where('npm start waits until Ctrl-C, all that it says to try works from outside, and it leaves nothing', async () => {
  const { below, child, ended, says } = start();
  const text = await says('Ctrl-C ends it');
  expect(child.exitCode).toBeNull();
  const { kubectl } = await findBinaries(['kubectl']);
  const home = mkdtempSync(join(folder, 'home-'));
  const env = { ...process.env, PATH: `${process.env['PATH']}:${dirname(kubectl)}`, HOME: home };
  const told = text.slice(text.indexOf('The API server listens on'));
  const lines = [...told.matchAll(/^ {2}((?:.+\\\n)?.+)$/gm)].map(([, line = '']) => line);
  const [settings = '', ...commands] = lines.filter((line) => !/^export PATH| edit |--watch/.test(line));
  const kubeconfig = settings.replace('export KUBECONFIG=', '');
  expect(kubeconfig.startsWith(folder)).toBe(true);
  expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(kubeconfig)).mode & 0o777).toBe(0o700);
  // all in one shell, as kubectl proxy runs beside the others
  const script = [settings, ...commands.map((line) => (line.endsWith('&') ? `${line}\nsleep 1` : line)), 'kill $!'];
  const { stdout } = await promisify(execFile)('sh', ['-c', script.join('\n')], { cwd: root, env, timeout: 60_000 });
  for (const each of [
    /^default +hello +Running/m,
    /^pod\/hello-\S+ +1\/1 +Running/m,
    /✓ Pod hello-.+ready/,
    /^inferenceservice\S+hello patched$/m,
    /^-.*min: 3$/m,
    /"msg":"listening"/,
    /"msg":"Applied children"/,
    /"object": ?"model"/,
    /"object":"chat.completion"/,
  ]) {
    expect(stdout).toMatch(each);
  }
  rmSync(home, { recursive: true, force: true });
  const processes = below();
  child.kill('SIGINT');
  expect((await ended).code).toBe(0);
  await expectNothingLeft(processes);
});

for (const step of ['rendering the samples', 'starting kube-apiserver', 'installing the operator', 'waiting for the']) {
  where(`Ctrl-C after "${step}" ends npm start soon and leaves nothing`, async () => {
    const { below, child, ended, says } = start();
    await says(step);
    await sleep(300);
    const processes = below();
    const time = Date.now();
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(Date.now() - time).toBeLessThan(10_000);
    await expectNothingLeft(processes);
  });
}

where('where npm start is killed, its cluster goes with it', async () => {
  const { below, child, says } = start();
  await says('waiting for the operator');
  await sleep(2000);
  const processes = below();
  expect(processes.length).toBeGreaterThan(5);
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  await expectNothingLeft(processes, 10);
});

test('where no namespace can be had, npm start says what it takes and what works without', async () => {
  const { code, text } = await start([], { PATH: folder }).ended;
  expect(text).toMatch(/^error: there is no unshare on the PATH; npm start .+ network namespace[^]*npx inferno render/);
  expect(code).toBe(1);
});

test('npm start says what it does without doing it, and refuses options that it does not know', async () => {
  expect(await start(['--help']).ended).toMatchObject({ code: 0, text: expect.stringMatching(/^Usage: npm start/) });
  expect(await start(['--onse']).ended).toMatchObject({
    code: 2,
    text: expect.stringMatching(/^error: Unknown option/),
  });
});
