import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { folderWith, removeFolders, serviceYaml } from '../cli/support';
import { poll, startControlPlane, type ControlPlane } from '../../tools/local-cluster';
import { isSynced, Objects } from './cli-cluster';

let cluster: ControlPlane;
let objects: Objects;
let folder = '';
let program = '';
const children: ChildProcess[] = [];

beforeAll(async () => {
  cluster = await startControlPlane({ controllerManager: true, crds: ['crds/inferenceservice.yaml'] });
  objects = new Objects(cluster);
  folder = mkdtempSync(join(tmpdir(), 'inferno-operator-'));
  program = join(folder, 'inferno.cjs');
  const [platform, format] = ['node', 'cjs'] as const;
  await build({ bundle: true, platform, format, entryPoints: ['cli/main.ts'], outfile: program, logLevel: 'error' });
}, 600_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await cluster?.stop();
}, 60_000);
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  removeFolders();
});

interface Running {
  readonly child: ChildProcess;
  /** The parsed lines of its log so far. */
  readonly log: () => readonly { readonly [field: string]: unknown }[];
  readonly ended: Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }>;
}

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = folder): Running {
  const child = spawn(process.execPath, [program, 'operator', ...args], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
  });
  children.push(child);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) =>
    child.once('close', (code, signal) => resolve({ code: signal ?? code, stdout, stderr })),
  );
  const log = () =>
    stderr
      .slice(0, stderr.lastIndexOf('\n') + 1)
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { readonly [field: string]: unknown });
  return { child, log, ended };
}

const noPorts = ['--metrics-bind-address', '0', '--health-probe-bind-address', '0'];

test.each(['SIGTERM', 'SIGINT'] as const)(
  'it does its work, and ends on %s with exit code 0',
  async (signal) => {
    const name = signal.toLowerCase();
    const { child, log, ended } = start(['--kubeconfig', cluster.kubeconfig, ...noPorts]);
    await cluster.kubectl(['apply', '-f', '-'], { input: serviceYaml(name) });
    await poll('a Deployment', () => objects.get('Deployment', name));
    await poll('a status', async () => {
      const service = await objects.get('InferenceService', name);
      return service !== undefined && isSynced(service);
    });
    child.kill(signal);
    const { code, stdout } = await ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(log().filter(({ level }) => level === 'error')).toEqual([]);
    expect(log().at(-1)).toMatchObject({ level: 'info', msg: 'Stopped' });
  },
  60_000,
);

test('flags come from the environment, too, and each of its ports answers', async () => {
  const { child, log, ended } = start([], {
    INFERNO_KUBECONFIG: cluster.kubeconfig,
    INFERNO_METRICS_BIND_ADDRESS: '127.0.0.1:0',
    INFERNO_HEALTH_PROBE_BIND_ADDRESS: '127.0.0.1:0',
    INFERNO_LEADER_ELECT: 'true',
    INFERNO_LEADER_ELECTION_ID: 'by-variable',
    INFERNO_LEADER_ELECTION_NAMESPACE: 'default',
  });
  const started = await poll('its start', async () => log().find(({ msg }) => msg === 'Started'));
  const addresses = started['addresses'] as readonly string[];
  await poll('readiness', async () => (await answers(addresses, '/readyz')).includes(200));
  expect(await answers(addresses, '/healthz')).toContain(200);
  expect(await answers(addresses, '/metrics')).toContain(200);
  await poll('its leadership', async () => log().some(({ msg }) => msg === 'Became leader'));
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
  const { stdout } = await cluster.kubectl(['get', 'lease', 'by-variable', '-o', 'jsonpath={.spec.holderIdentity}']);
  expect(stdout).toBe('');
}, 60_000);

function answers(addresses: readonly string[], path: string): Promise<readonly number[]> {
  return Promise.all(addresses.map(async (address) => (await fetch(`http://${address}${path}`)).status));
}

test("a user's composition runs beside InferenceService, from a file of JavaScript", async () => {
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'notes.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Note', plural: 'notes', singular: 'note', listKind: 'NoteList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: { type: 'object', properties: { text: { type: 'string' } } },
                status: { type: 'object', properties: { length: { type: 'integer' } } },
              },
            },
          },
        },
      ],
    },
  };
  const cwd = folderWith({
    'crd.json': JSON.stringify(crd),
    'notes.cjs': `
      const { ApiObject } = require(${JSON.stringify(require.resolve('cdk8s'))});
      exports.notes = {
        crd: require('./crd.json'),
        children: [{ apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps' }],
        compose(scope, { metadata, spec }) {
          new ApiObject(scope, 'text', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: metadata.name }, data: { text: spec.text } });
        },
        project: ({ spec }) => ({ length: spec.text.length }),
      };`,
  });
  await cluster.installCrds([join(cwd, 'crd.json')]);
  const args = ['--kubeconfig', cluster.kubeconfig, '--composition', './notes.cjs', ...noPorts];
  const { child, log, ended } = start(args, {}, cwd);
  const note = { apiVersion: 'example.com/v1', kind: 'Note', metadata: { name: 'hello' }, spec: { text: 'hello' } };
  await cluster.kubectl(['apply', '-f', '-'], { input: JSON.stringify(note) });
  await cluster.kubectl(['apply', '-f', '-'], { input: serviceYaml('beside') });
  await poll('its ConfigMap', async () =>
    cluster.kubectl(['get', 'configmap', 'hello']).then(
      () => true,
      () => false,
    ),
  );
  await poll(
    'its status',
    async () => (await cluster.kubectl(['get', 'note', 'hello', '-o', 'jsonpath={.status.length}'])).stdout === '5',
  );
  await poll('a Deployment beside it', () => objects.get('Deployment', 'beside'));
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
  expect(log().filter(({ level }) => level === 'error')).toEqual([]);
}, 60_000);

test.each([
  ['a kubeconfig that is not there', ['--kubeconfig', '/nonexistent'], {}, 1, '/nonexistent'],
  ['a port that is no port', ['--metrics-bind-address', ':http'], {}, 2, '--metrics-bind-address must be HOST:PORT'],
  ['a composition that is not there', ['--composition', 'x.cjs'], {}, 1, 'x.cjs does not exist'],
  ['a variable that makes no sense', [], { INFERNO_SYNC_PERIOD: 'x' }, 2, 'INFERNO_SYNC_PERIOD must be a time'],
])(
  '%s ends it at once, with a message',
  async (_, args, env, code, message) => {
    const outcome = await start([...args, ...(code === 2 ? [] : noPorts)], env).ended;
    expect({ code: outcome.code, stdout: outcome.stdout }).toEqual({ code, stdout: '' });
    expect(outcome.stderr).toContain(message);
  },
  30_000,
);

test('a port that somebody else has ends it with a message that names it', async () => {
  const first = start([
    '--kubeconfig',
    cluster.kubeconfig,
    '--metrics-bind-address',
    '127.0.0.1:0',
    '--health-probe-bind-address',
    '0',
  ]);
  const started = await poll('its start', async () => first.log().find(({ msg }) => msg === 'Started'));
  const [address = ''] = started['addresses'] as readonly string[];
  const second = start([
    '--kubeconfig',
    cluster.kubeconfig,
    '--metrics-bind-address',
    address,
    '--health-probe-bind-address',
    '0',
  ]);
  const { code, stderr } = await second.ended;
  expect(code).toBe(1);
  expect(stderr).toContain('EADDRINUSE');
  expect(stderr).toContain(address);
}, 30_000);
