import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { poll } from '../../poll';
import type { Image } from '../image';
import type { ContainerRequest, RunningContainer } from '../runtime-types';
import { LightRuntime } from './light-runtime';
import { runtimePrograms } from './programs';
import { restricted } from './testing/restricted';

jest.setTimeout(60_000);

const image: Image = { kind: 'light', name: 'test.local/light:1' };
const PORT = '18099';

let folder: string;
let runtime: LightRuntime;
const running = new Set<RunningContainer>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'inferno-light-'));
  runtime = new LightRuntime(folder, (await runtimePrograms(folder)).light);
});

afterEach(async () => {
  for (const container of running) container.signal('SIGKILL');
  await Promise.all([...running].map((container) => container.exited));
  running.clear();
});

afterAll(() => {
  runtime?.close();
  rmSync(folder, { recursive: true, force: true });
});

let count = 0;

async function start(
  address: string,
  env: Readonly<Record<string, string>> = {},
  more: Partial<ContainerRequest> = {},
) {
  count += 1;
  const container = await runtime.start({
    ...restricted,
    id: `light-${count}`,
    image,
    command: ['fake-server'],
    env: { HOST: '::', PORT, ...env },
    hostname: 'light',
    logFile: join(folder, `${address}.log`),
    address,
    ...more,
  });
  running.add(container);
  return container;
}

function ask(address: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(`http://${address}:${PORT}${path}`, { agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => resolve(text));
      response.on('error', reject);
    }).on('error', reject);
  });
}

const ready = (address: string): Promise<string> =>
  poll(`${address} to answer`, () => ask(address, '/version').catch(() => undefined), { seconds: 10 });

test('each listens at its own address only, with its own settings and log', async () => {
  await start('127.1.0.1', { MODEL_NAME: 'one' });
  await start('127.1.0.2', { MODEL_NAME: 'two' });
  expect(JSON.parse(await ready('127.1.0.1'))).toMatchObject({ model: 'one' });
  expect(JSON.parse(await ready('127.1.0.2'))).toMatchObject({ model: 'two' });
  await expect(ask('127.1.0.3', '/version')).rejects.toThrow('ECONNREFUSED');
  expect(readFileSync(join(folder, '127.1.0.2.log'), 'utf8')).toContain('"msg":"listening","host":"127.1.0.2"');
});

test('SIGTERM lets running answers end, and the others run on', async () => {
  const stopped = await start('127.1.1.1', { INFERNO_FAKE_TOKEN_MS: '50', INFERNO_FAKE_ANSWER_TOKENS: '10' });
  await start('127.1.1.2');
  await Promise.all([ready('127.1.1.1'), ready('127.1.1.2')]);
  const answer = fetch(`http://127.1.1.1:${PORT}/v1/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'fake', prompt: 'x' }),
  }).then(async (response) => (await response.json()) as object);
  await poll('the answer to run', async () => (await ask('127.1.1.1', '/load')) === '{"server_load":1}');
  stopped.signal('SIGTERM');
  expect(await answer).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
  expect(await stopped.exited).toEqual({ exitCode: 0 });
  await expect(ask('127.1.1.1', '/health')).rejects.toThrow('ECONNREFUSED');
  expect(await ask('127.1.1.2', '/health')).toBe('');
});

test('SIGKILL closes at once, in the middle of an answer and without a last word', async () => {
  const killed = await start('127.1.2.1', { INFERNO_FAKE_TOKEN_MS: '1000' });
  await ready('127.1.2.1');
  const answer = fetch(`http://127.1.2.1:${PORT}/v1/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'fake', prompt: 'x', stream: true }),
  }).then((response) => response.text());
  const failed = answer.catch((error: Error) => error.message);
  await poll('the answer to run', async () => (await ask('127.1.2.1', '/load')) === '{"server_load":1}');
  const started = Date.now();
  killed.signal('SIGKILL');
  expect(await killed.exited).toEqual({ exitCode: 137, signal: 9 });
  expect(await failed).toBe('terminated');
  expect(Date.now() - started).toBeLessThan(1000);
  expect(readFileSync(join(folder, '127.1.2.1.log'), 'utf8')).not.toContain('SIGTERM');
});

test('SIGKILL also ends one that still loads', async () => {
  const loading = await start('127.1.3.1', { INFERNO_FAKE_LOAD_SECONDS: '600' });
  loading.signal('SIGKILL');
  expect(await loading.exited).toEqual({ exitCode: 137, signal: 9 });
});

test('a wrong setting ends it as it ends the real one', async () => {
  const wrong = await start('127.1.4.1', { PORT: 'x' });
  expect(await wrong.exited).toEqual({ exitCode: 2 });
  expect(readFileSync(join(folder, '127.1.4.1.log'), 'utf8')).toContain('PORT: must be a whole number');
});

test.each<[string, Partial<ContainerRequest>, string]>([
  ['other commands', { command: ['sh'] }, 'only runs the args ["fake-server"] here, without a command, got ["sh"]'],
  ['further args', { command: ['fake-server', '--port', '1'] }, 'got ["fake-server","--port","1"]'],
  ['volumes', { mounts: [{ source: '/x', path: '/data', readOnly: true }] }, 'takes no volumes here, got one at /data'],
  ['an address of its own', { env: { HOST: '127.0.0.1' } }, 'only listens at HOST "::" here, got "127.0.0.1"'],
])('refuses %s', async (_, request, message) => {
  await expect(start('127.1.5.1', {}, request)).rejects.toMatchObject({
    name: 'UnsupportedError',
    message: expect.stringContaining(message) as string,
  });
});

test('refuses what needs a process of its own', async () => {
  const container = await start('127.1.6.1');
  expect(() => container.signal('SIGSTOP')).toThrow('SIGSTOP to a light container, which has no process of its own');
  await expect(container.exec(['true'], 1)).rejects.toThrow('exec in a light container');
});

test('a thousand take less than 500 MB together', async () => {
  const addresses = Array.from({ length: 1000 }, (_, index) => `127.2.${Math.floor(index / 250)}.${(index % 250) + 1}`);
  await Promise.all(addresses.map((address) => start(address)));
  await Promise.all(addresses.map(ready));
  const rss = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${runtime.pid}/status`, 'utf8'))?.[1];
  expect(Number(rss) / 1024).toBeLessThan(500);
});

test('when their process is killed all of them end, and the next one starts another', async () => {
  const lost = await start('127.1.7.1');
  runtime.close();
  expect(await lost.exited).toEqual({ exitCode: 137, signal: 9 });
  lost.signal('SIGTERM');
  await start('127.1.7.2');
  expect(await ready('127.1.7.2')).toContain('"model"');
});
