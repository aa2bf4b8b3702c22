import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Component, type ControlPlane, poll, startControlPlane } from '../../tools/local-cluster';

jest.setTimeout(120_000);

const COMPONENTS: readonly Component[] = ['etcd', 'kube-apiserver', 'kube-controller-manager'];
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kept' }, data: { a: 'b' } };

let controlPlane: ControlPlane;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'inferno-test-'));
  controlPlane = await startControlPlane({ controllerManager: true, users: { jane: ['developers'] }, audit: true });
});

afterAll(async () => {
  await controlPlane?.stop();
  rmSync(folder, { recursive: true });
});

test('kubectl works, and the controllers make pods for a Deployment', async () => {
  const { stdout } = await controlPlane.kubectl(['create', 'deployment', 'web', '--image=registry.example.com/web']);
  expect(stdout).toBe('deployment.apps/web created\n');
  const pods = await poll('a pod', async () => {
    const { body } = await controlPlane.request<{ items: readonly unknown[] }>(
      'GET',
      '/api/v1/namespaces/default/pods',
    );
    return body.items.length > 0 && body.items;
  });
  expect(pods).toHaveLength(1);
});

test('kubectl that fails is an error with what it said', async () => {
  await expect(controlPlane.kubectl(['get', 'pod', 'nobody'])).rejects.toMatchObject({
    code: 1,
    stderr: 'Error from server (NotFound): pods "nobody" not found\n',
  });
});

test('refused requests are answers, and warnings are handed on', async () => {
  const path = '/api/v1/namespaces/default/configmaps';
  const typo = { ...configMap, metadata: { name: 'typo' }, dato: {} };
  expect(await controlPlane.request('POST', `${path}?fieldValidation=Warn`, typo)).toMatchObject({
    status: 201,
    warnings: ['unknown field "dato"'],
  });
  expect(await controlPlane.request('POST', `${path}?fieldValidation=Strict`, typo)).toMatchObject({
    status: 400,
    body: { reason: 'BadRequest' },
  });
});

test('a plain user may do nothing until RBAC lets them', async () => {
  const kubeconfig = await controlPlane.kubeconfigFor({ user: 'jane' });
  const get = () => controlPlane.kubectl(['get', 'secrets'], { kubeconfig });
  await expect(get()).rejects.toThrow('User "jane" cannot list resource "secrets"');
  await controlPlane.kubectl(['create', 'rolebinding', 'jane', '--clusterrole=edit', '--group=developers']);
  expect((await get()).stderr).toContain('No resources found');
});

test('a user that nobody named is an error that says whom there is', async () => {
  await expect(controlPlane.kubeconfigFor({ user: 'joe' })).rejects.toThrow('user joe is not known');
});

test('a ServiceAccount has a kubeconfig in its own namespace', async () => {
  const kubeconfig = await controlPlane.kubeconfigFor({ serviceAccount: 'default', namespace: 'kube-system' });
  const { stdout } = await controlPlane.kubectl(['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}'], {
    kubeconfig,
  });
  expect(stdout).toBe('system:serviceaccount:kube-system:default');
});

test('the audit log has each request with its user and its outcome', async () => {
  await controlPlane.request('GET', '/api/v1/namespaces/default/pods/audited');
  const event = await poll('the request in the audit log', async () =>
    controlPlane
      .auditEvents()
      .find(({ objectRef, stage }) => objectRef?.name === 'audited' && stage === 'ResponseComplete'),
  );
  expect(event).toMatchObject({ verb: 'get', user: { username: 'admin' }, responseStatus: { code: 404 } });
});

test('a paused API server answers nothing, and goes on where it was when it is resumed', async () => {
  await controlPlane.pause('kube-apiserver');
  let answered = false;
  const answer = controlPlane.request('GET', '/readyz').then((response) => {
    answered = true;
    return response.status;
  });
  await sleep(300);
  expect(answered).toBe(false);
  await controlPlane.resume('kube-apiserver');
  expect(await answer).toBe(200);
});

for (const component of ['kube-apiserver', 'etcd'] as const) {
  test(`${component} keeps its data and its port over a restart`, async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    await controlPlane.request('POST', path, configMap);
    const before = controlPlane.pid(component);
    await controlPlane.restart(component);
    expect(controlPlane.pid(component)).not.toBe(before);
    expect((await controlPlane.request('GET', `${path}/kept`)).body).toMatchObject({ data: { a: 'b' } });
  });
}

test('a component that was not started is named when somebody asks for it', () => {
  expect(() => controlPlane.log('kube-scheduler')).toThrow(
    'started without kube-scheduler; it has etcd, kube-apiserver',
  );
});

test('two run at once apart from each other, and one that is stopped leaves nothing', async () => {
  const other = await startControlPlane();
  const pids = pidsOf(other);
  try {
    expect(other.url).not.toBe(controlPlane.url);
    await controlPlane.request('POST', '/api/v1/namespaces/default/configmaps', configMap);
    expect((await other.request('GET', '/api/v1/namespaces/default/configmaps/kept')).status).toBe(404);
  } finally {
    await other.stop();
  }
  await other.stop();
  await gone(pids, other.folder);
  expect((await controlPlane.request('GET', '/readyz')).status).toBe(200);
});

test('a component that does not start is an error with the end of its log, and leaves nothing', async () => {
  const start = startControlPlane({ flags: { 'kube-apiserver': ['--no-such-flag'] }, parentFolder: folder });
  const error: unknown = await start.catch((reason: unknown) => reason);
  expect(String(error)).toMatch(
    /kube-apiserver does not start: it has ended with exit code 1; its log ends with[^]+unknown flag: --no-such-flag/,
  );
  expect(readdirSync(folder)).toEqual([]);
});

test('a temporary folder with too long a path is an error that says so', async () => {
  const parentFolder = join(folder, 'long'.repeat(20));
  mkdirSync(parentFolder);
  await expect(startControlPlane({ parentFolder })).rejects.toThrow('too long for a socket (103 bytes): set TMPDIR');
  expect(readdirSync(parentFolder)).toEqual([]);
  rmSync(parentFolder, { recursive: true });
});

test('a start that is aborted leaves nothing', async () => {
  const abort = new AbortController();
  const log = (line: string): void => {
    if (line === 'starting kube-apiserver') setTimeout(() => abort.abort(), 300);
  };
  await expect(startControlPlane({ signal: abort.signal, log, parentFolder: folder })).rejects.toThrow(/abort/);
  expect(readdirSync(folder)).toEqual([]);
});

for (const signal of ['SIGKILL', 'SIGTERM', 'SIGINT'] as const) {
  test(`when the owner ends by ${signal}, its control plane goes with it`, async () => {
    const { owner, pids, folder: own } = await owned();
    owner.kill(signal);
    await once(owner, 'exit');
    await gone(pids, own);
  });
}

test('when somebody kills the supervisor, the owner ends what it ran', async () => {
  const { owner, pids, folder: own, supervisor } = await owned();
  try {
    process.kill(supervisor, 'SIGKILL');
    await gone(pids);
    expect(existsSync(own)).toBe(true);
  } finally {
    owner.kill('SIGKILL');
    rmSync(own, { recursive: true });
  }
});

interface Owned {
  readonly pids: readonly number[];
  readonly supervisor: number;
  readonly folder: string;
}

/** A control plane that belongs to a process of its own. */
async function owned(): Promise<Owned & { readonly owner: ReturnType<typeof spawn> }> {
  const script = `
    import { startControlPlane } from './tools/local-cluster/index.ts';
    const controlPlane = await startControlPlane();
    const { supervisor, folder } = controlPlane;
    const pids = [supervisor, controlPlane.pid('etcd'), controlPlane.pid('kube-apiserver')];
    console.log(JSON.stringify({ pids, supervisor, folder }));
    setInterval(() => undefined, 1000);`;
  const owner = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: join(__dirname, '..', '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(owner.stdout, 'data')) as [Buffer];
  const told = JSON.parse(line.toString()) as Owned;
  expect(told.pids.filter(isAlive)).toEqual(told.pids);
  return { ...told, owner };
}

function pidsOf(of: ControlPlane): readonly number[] {
  return [of.supervisor, ...COMPONENTS.map((component) => of.pid(component))].filter((pid) => pid !== undefined);
}

/** Waits until none of the processes is there any more, nor the folder. */
async function gone(pids: readonly number[], own?: string): Promise<void> {
  expect(pids.length).toBeGreaterThanOrEqual(3);
  await poll(`${pids.join(', ')} to end`, async () => !pids.some(isAlive), { seconds: 20 });
  if (own !== undefined) expect(existsSync(own)).toBe(false);
}

/** Whether a process runs; a zombie, which nobody has waited for yet, does not. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !existsSync(`/proc/${pid}/stat`) || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}
