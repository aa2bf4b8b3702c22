import { type Container, ImageFolder } from '../image/container';
import { imageConfig } from '../../tools/image';
import { serviceYaml } from '../cli/support';
import { version } from '../../package.json';

let image: ImageFolder;

beforeAll(() => {
  image = new ImageFolder();
});
afterAll(() => image?.remove());

const node = ['/nodejs/bin/node'];

/** Runs JavaScript as the image runs its program. */
async function evaluate(code: string, env: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const {
    code: exit,
    stdout,
    stderr,
  } = await image.run(['-p', `JSON.stringify((() => {${code}})())`], {
    entrypoint: node,
    env,
  });
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** The JSON lines that a container has written so far. */
function log(container: Container): readonly Readonly<Record<string, unknown>>[] {
  return container.output
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('the program is process 1 without rights, an environment or a place to write to', async () => {
  expect(
    await evaluate(`
      const fs = require('node:fs');
      const status = fs.readFileSync('/proc/self/status', 'utf8');
      const field = (name) => new RegExp('^' + name + ':[ \\\\t]*(.*)$', 'm').exec(status)[1].split(/\\s+/).join(' ');
      const written = ['/', '/app', '/nodejs', '/nodejs/bin', '/tmp', '/dev', '/dev/shm', '/var/run', '/usr/lib'].filter((folder) => {
        try { fs.writeFileSync(folder + '/x', ''); return true; } catch { return false; }
      });
      const mounts = fs.readFileSync('/proc/self/mounts', 'utf8').split('\\n').map((line) => line.split(' '));
      const root = mounts.filter(([, path]) => path === '/').at(-1)[3].split(',')[0];
      const capabilities = ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'].map(field);
      return { pid: process.pid, uid: field('Uid'), gid: field('Gid'), groups: field('Groups'), capabilities,
        noNewPrivs: field('NoNewPrivs'), environment: Object.keys(process.env), cwd: process.cwd(), root, written };
    `),
  ).toEqual({
    ...{ pid: 1, uid: '65532 65532 65532 65532', gid: '65532 65532 65532 65532', groups: '' },
    capabilities: Array.from({ length: 4 }, () => '0000000000000000'),
    ...{ noNewPrivs: '1', environment: [], cwd: '/app', root: 'ro', written: [] },
  });
});

describe.each([
  ['nothing in the environment', () => ({})],
  ['the environment of the image', () => imageConfig.env],
])('with %s', (_, environment) => {
  test('it says its version, and nothing else', async () => {
    const ended = await image.run(['--version'], { env: environment() });
    expect(ended).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('it renders a resource from standard input', async () => {
    const ended = await image.run(['render', '-f', '-'], { env: environment(), input: { text: serviceYaml('chat') } });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain('kind: Deployment');
  });

  test('it validates a resource from standard input', async () => {
    const input = { text: serviceYaml('chat').replace('framework: ', 'framwork: ') };
    const ended = await image.run(['validate', '-f', '-'], { env: environment(), input });
    expect(ended.code).toBe(1);
    expect(ended.stdout + ended.stderr).toContain('framwork: is not a known field');
  });

  test('the fake server answers, and ends with 0 on SIGTERM', async () => {
    const server = image.start(['fake-server'], { env: environment() });
    await server.says('"msg":"listening"');
    const get = "fetch('http://127.0.0.1:8000/health').then((answer) => console.log(answer.status))";
    expect(server.inNetwork(process.execPath, '-e', get)).toEqual({ code: 0, stdout: '200\n', stderr: '' });
    server.signal('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
    expect(log(server).at(-1)).toMatchObject({ level: 'info', msg: 'stopped' });
  });

  test('the operator says that it knows no cluster', async () => {
    const ended = await image.run(['operator'], { env: environment() });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(JSON.parse(ended.stderr)).toMatchObject({
      level: 'error',
      error: expect.stringMatching(/^found no cluster: /),
    });
  });
});

test('in a pod, the operator says that it cannot reach the API server, and ends with 0 on SIGTERM', async () => {
  const account = 'var/run/secrets/kubernetes.io/serviceaccount';
  image.add(`${account}/token`, 'not.a.token');
  image.add(`${account}/namespace`, 'inferno-system');
  image.add(`${account}/ca.crt`, '');
  const env = { ...imageConfig.env, KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
  const operator = image.start(['operator'], { env });
  await operator.says('ECONNREFUSED');
  operator.signal('SIGTERM');
  expect(await operator.ended).toMatchObject({ code: 0, stdout: '' });
  expect(log(operator).at(-1)).toMatchObject({ level: 'info' });
});

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('a command that does not listen to %s ends by it all the same', async (signal, code) => {
  const waiting = image.start(['validate', '-f', '-'], { input: 'open' });
  await waiting.started('/nodejs/bin/node');
  // again and again, as nothing shows when its program is loaded, and before that a signal is lost
  const timer = setInterval(() => waiting.signal(signal), 100);
  const late = setTimeout(() => void waiting.kill(), 10_000);
  await waiting.ended;
  clearInterval(timer);
  clearTimeout(late);
  expect(await waiting.ended).toEqual({ code, stdout: '', stderr: '' });
});
