import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { startFakeServer } from '../../fake-server/index';
import { call, chat, events, eventually, streamedText } from './client';

const path = '/v1/chat/completions';
const folder = mkdtempSync(join(tmpdir(), 'fake-server-'));
const program = join(folder, 'program.cjs');
const children: ChildProcess[] = [];

// The program as the command line runs it: environment in, exit code out, one bundle.
beforeAll(() => {
  const entry = join(folder, 'program.ts');
  writeFileSync(
    entry,
    `import { runFakeServer } from ${JSON.stringify(resolve(__dirname, '../../fake-server/index.ts'))};
     void runFakeServer(process.env, process).then((code) => { process.exitCode = code; });`,
  );
  buildSync({ entryPoints: [entry], outfile: program, bundle: true, platform: 'node', format: 'cjs' });
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

afterAll(() => rmSync(folder, { recursive: true }));

interface Running {
  readonly child: ChildProcess;
  readonly lines: () => readonly { readonly msg: string; readonly [field: string]: unknown }[];
  readonly output: () => string;
  readonly errors: () => string;
  readonly exit: Promise<number | string>;
}

function run(env: { readonly [name: string]: string }, command: readonly string[] = []): Running {
  const [file, ...args] = command.length === 0 ? [process.execPath, program] : [...command, process.execPath, program];
  const child = spawn(file ?? process.execPath, args, {
    env: { PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const exit = new Promise<number | string>((done) => {
    child.on('close', (code, signal) => done(code ?? signal ?? 'unknown'));
  });
  const lines = (): { msg: string }[] =>
    output
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { msg: string });
  return { child, lines, output: () => output, errors: () => errors, exit };
}

async function listening(server: Running): Promise<number> {
  await eventually(() => server.lines().some(({ msg }) => msg === 'listening'));
  return Number(server.lines().find(({ msg }) => msg === 'listening')?.['port']);
}

test('50 streams that run at SIGTERM all reach their end, then the process exits with 0', async () => {
  const server = run({ INFERNO_FAKE_TOKEN_MS: '20', INFERNO_FAKE_ANSWER_TOKENS: '40' });
  const port = await listening(server);
  let begun = 0;
  const calls = Array.from({ length: 50 }, (_, index) => {
    let first = true;
    return call({
      port,
      path,
      body: chat({ stream: true, messages: [{ role: 'user', content: `stream ${index}` }] }),
      onData: () => {
        if (first) begun += 1;
        first = false;
      },
    });
  });
  await eventually(() => begun === 50);
  server.child.kill('SIGTERM');
  const answers = await Promise.all(calls);
  for (const answer of answers) {
    const list = events(answer.text);
    expect(list.at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
    expect(streamedText(list).split(' ')).toHaveLength(40);
  }
  expect(await server.exit).toBe(0);
  expect(server.lines().at(-1)).toMatchObject({ level: 'info', msg: 'stopped', cutOff: 0 });
});

test('the port refuses connections until the model is loaded', async () => {
  const taken = await startFakeServer({ port: 0 });
  const { port } = taken;
  await taken.close();
  const begun = Date.now();
  const server = run({ PORT: String(port), INFERNO_FAKE_LOAD_SECONDS: '0.7' });
  await eventually(() => server.lines().some(({ msg }) => msg === 'loading'));
  await expect(call({ port, path: '/health' })).rejects.toThrow('ECONNREFUSED');
  await listening(server);
  expect(Date.now() - begun).toBeGreaterThanOrEqual(700);
  expect(await call({ port, path: '/health' })).toMatchObject({ status: 200 });
});

test('SIGTERM while the model is loaded ends the process at once with 0', async () => {
  const server = run({ INFERNO_FAKE_LOAD_SECONDS: '3600' });
  await eventually(() => server.lines().some(({ msg }) => msg === 'loading'));
  server.child.kill('SIGTERM');
  expect(await server.exit).toBe(0);
});

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('a second signal, here %s, ends the process at once with %i', async (signal, code) => {
  const server = run({ INFERNO_FAKE_FIRST_TOKEN_MS: '60000' });
  const port = await listening(server);
  const outcome = call({ port, path, body: chat() }).then(
    () => 'answered',
    () => 'lost',
  );
  await eventually(async () => JSON.parse((await call({ port, path: '/load' })).text).server_load === 1);
  server.child.kill('SIGTERM');
  await eventually(() => server.lines().some(({ msg }) => msg === 'stopping'));
  server.child.kill(signal);
  expect(await server.exit).toBe(code);
  expect(await outcome).toBe('lost');
});

const unshare = ['unshare', '--map-root-user', '--fork', '--pid', '--kill-child'] as const;
const namespaces = spawnSync(unshare[0], [...unshare.slice(1), 'true']).status === 0;

// oxlint-disable jest/no-standalone-expect -- it does not see that this is a test
(namespaces ? test : test.skip)('as process 1 of a container it ends on SIGTERM with 0 (needs unshare)', async () => {
  const server = run({}, unshare);
  const port = await listening(server);
  expect(await call({ port, path: '/health' })).toMatchObject({ status: 200 });
  const outer = server.child.pid;
  const inner = Number(readFileSync(`/proc/${outer}/task/${outer}/children`, 'utf8'));
  expect(readFileSync(`/proc/${inner}/status`, 'utf8')).toMatch(/^NSpid:\t\d+\t1$/m);
  process.kill(inner, 'SIGTERM');
  expect(await server.exit).toBe(0);
});

// oxlint-enable jest/no-standalone-expect

test('answers that had to be cut off make the exit code 1', async () => {
  const server = run({ INFERNO_FAKE_TOKEN_MS: '50', INFERNO_FAKE_SHUTDOWN_SECONDS: '0.2' });
  const port = await listening(server);
  const stream = call({ port, path, body: chat({ stream: true, ignore_eos: true, max_tokens: 1000 }) });
  await eventually(async () => JSON.parse((await call({ port, path: '/load' })).text).server_load === 1);
  server.child.kill('SIGINT');
  expect(events((await stream).text).at(-1)).toMatchObject({ choices: [{ finish_reason: 'abort' }] });
  expect(await server.exit).toBe(1);
  expect(server.lines().at(-1)).toMatchObject({ level: 'error', msg: 'stopped', cutOff: 1 });
});

test('wrong variables are all named on standard error, with exit code 2', async () => {
  const server = run({ PORT: 'eighty', INFERNO_FAKE_TOKEN_MS: 'fast' });
  expect(await server.exit).toBe(2);
  expect(server.errors()).toBe(
    'inferno fake-server: PORT: must be a whole number from 0 to 65535, got "eighty"\n' +
      'inferno fake-server: INFERNO_FAKE_TOKEN_MS: must be a number of milliseconds from 0 to 86400000, got "fast"\n',
  );
  expect(server.output()).toBe('');
});

test('a port that is taken is reported with its number, with exit code 1', async () => {
  const other = await startFakeServer({ port: 0 });
  const server = run({ PORT: String(other.port) });
  expect(await server.exit).toBe(1);
  expect(server.errors()).toMatch(
    new RegExp(`^inferno fake-server: cannot listen on HOST 127.0.0.1, PORT ${other.port}: .*EADDRINUSE`),
  );
  other.destroy();
});

test('the log is JSON, a line for each answer, and has no word of a prompt or an answer', async () => {
  const server = run({ MODEL_URI: 'hf://org/fake' });
  const port = await listening(server);
  const body = chat({ messages: [{ role: 'user', content: 'xylophone' }], max_tokens: 3 });
  const { text } = await call({ port, path, body });
  await call({ port, path, body: '{"xylophone":' });
  await call({ port, path: '/health' });
  server.child.kill('SIGTERM');
  await server.exit;
  expect(server.lines().map(({ msg }) => msg)).toEqual([
    'loading',
    'listening',
    'request finished',
    'signal received',
    'stopping',
    'stopped',
  ]);
  expect(server.lines()[2]).toEqual({
    ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    level: 'info',
    msg: 'request finished',
    id: (JSON.parse(text) as { id: string }).id,
    path,
    stream: false,
    finishReason: 'length',
    promptTokens: 2,
    completionTokens: 3,
    milliseconds: expect.any(Number),
  });
  expect(server.output()).not.toContain('xylophone');
  const { content } = (JSON.parse(text) as { choices: [{ message: { content: string } }] }).choices[0].message;
  expect(server.output()).not.toContain(content);
});
