import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

jest.setTimeout(120_000);

const root = join(__dirname, '..', '..');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inferno-start-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the script behind `npm start`, with temporary files in `folder`. */
function start(...options: readonly string[]) {
  const child = spawn(process.execPath, ['scripts/start.mjs', ...options], {
    cwd: root,
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { text: '' };
  const listeners = new Set<() => void>();
  const hear = (chunk: Buffer): void => {
    said.text += chunk.toString();
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, text: said.text }));
  const says = (what: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (said.text.includes(what)) resolve();
      };
      listeners.add(look);
      void ended.then(({ text }) => reject(new Error(`it has ended without saying "${what}":\n${text}`)));
      look();
    });
  return { child, ended, says };
}

test('npm start -- --once shows all samples on the API server, ends with 0 and leaves nothing', async () => {
  const { code, text } = await start('--once').ended;
  expect(text).not.toContain('error:');
  expect(code).toBe(0);
  const samples = readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.yaml'));
  expect(text.match(/├─ Deployment .+: (parked|\d+ of \d+ pods made, waiting for a node)/g)).toHaveLength(
    samples.length,
  );
  expect(text.match(/─ Service .+ ports 80 → http/g)).toHaveLength(samples.length);
  expect(readdirSync(folder)).toEqual([]);
});

test('npm start waits with a kubeconfig that works, until Ctrl-C, and leaves nothing', async () => {
  const { child, ended, says } = start();
  await says('Ctrl-C ends it');
  expect(child.exitCode).toBeNull();
  child.kill('SIGINT');
  const { code, text } = await ended;
  const command = /^ {2}(\S+) --kubeconfig (\S+) get inferenceservices -A$/m.exec(text);
  expect(command?.[1]).toMatch(/\/kubectl$/);
  expect(command?.[2]?.startsWith(folder)).toBe(true);
  expect(code).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
});

for (const step of ['rendering the samples', 'starting kube-apiserver', 'applying the']) {
  test(`Ctrl-C after "${step}" ends npm start soon and leaves nothing`, async () => {
    const { child, ended, says } = start();
    await says(step);
    const time = Date.now();
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(Date.now() - time).toBeLessThan(10_000);
    expect(readdirSync(folder)).toEqual([]);
  });
}

test('npm start says what it does without doing it, and refuses options that it does not know', async () => {
  expect(await start('--help').ended).toMatchObject({ code: 0, text: expect.stringMatching(/^Usage: npm start/) });
  expect(await start('--onse').ended).toMatchObject({ code: 2, text: expect.stringMatching(/^error: Unknown option/) });
});
