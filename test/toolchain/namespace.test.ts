import { spawn, spawnSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { inNamespace, namespaceRefusal } from '../../tools/namespace.mjs';

const refusal = namespaceRefusal();
const where = refusal === undefined ? test : test.skip;

function run(script: string): { readonly status: number | null; readonly stdout: string } {
  const { file, args } = inNamespace(process.execPath, ['-e', script]);
  return spawnSync(file, args, { encoding: 'utf8' });
}

test('root gets a network namespace, others a user namespace around it', () => {
  expect(inNamespace('jest', ['-t', 'a b'], 0).args[0]).toBe('-n');
  expect(inNamespace('jest', ['-t', 'a b'], 1000).args[0]).toBe('-rn');
  expect(inNamespace('jest', ['-t', 'a b'], 0).args.slice(-3)).toEqual(['jest', '-t', 'a b']);
});

test('another system than Linux is refused with what is needed', () => {
  expect(namespaceRefusal({ platform: 'darwin' })).toMatch(
    /^this is darwin; .*network namespace[^]*root, or user namespaces/,
  );
});

test('a missing unshare is reported', () => {
  const env = { PATH: '/nowhere' };
  expect(namespaceRefusal({ platform: 'linux', env })).toMatch(/^there is no unshare on the PATH; [^]*util-linux/);
});

where('a command in the namespace sees loopback, up, and nothing else', () => {
  const { stdout } = run("console.log(Object.keys(require('node:os').networkInterfaces()).join())");
  expect(stdout).toBe('lo\n');
});

where('the exit code of the command comes through', () => {
  expect(run('process.exit(7)').status).toBe(7);
});

where('the command is killed with the process that started it', async () => {
  const { file, args } = inNamespace(process.execPath, ['-e', 'console.log(process.pid); setInterval(() => {}, 1000)']);
  const starter = `require('node:child_process').spawn(${JSON.stringify(file)}, ${JSON.stringify(args)}, { stdio: 'inherit' })`;
  const child = spawn(process.execPath, ['-e', starter], { stdio: ['ignore', 'pipe', 'inherit'] });
  const pid = Number(await new Promise<Buffer>((resolve) => child.stdout.once('data', resolve)));
  expect(readlinkSync(`/proc/${pid}/ns/net`)).not.toBe(readlinkSync('/proc/self/ns/net'));
  child.kill('SIGKILL');
  for (let tries = 0; tries < 100 && alive(pid); tries += 1) await sleep(50);
  const left = alive(pid);
  if (left) process.kill(pid, 'SIGKILL');
  expect(left).toBe(false);
});

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
