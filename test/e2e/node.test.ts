// The nodes of the test cluster themselves: whether they treat pods as a kubelet does.
import { rmSync } from 'node:fs';
import { get as httpGet } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, poll, startCluster } from '../../tools/local-cluster';
import { infernoImage, testImages } from '../../tools/local-cluster/images';
import type { Container, ContainerStatus, Pod, PodSpec } from '../../tools/local-cluster/node/pod';

jest.setTimeout(40_000);

const SHELL = 'test.local/shell:1';
const FOREVER = 'exec sleep 1000';
const LIGHT = 'test.local/light:1';
let cluster: Cluster;
let inferno: string;

beforeAll(async () => {
  const image = await infernoImage();
  inferno = image.name;
  cluster = await startCluster({
    nodes: [
      { name: 'one', backoffSeconds: 1 },
      { name: 'gpu', extended: { 'nvidia.com/gpu': '2' }, taints: [{ key: 'nvidia.com/gpu', effect: 'NoSchedule' }] },
    ],
    images: [image, ...testImages(), { kind: 'light', name: LIGHT }],
  });
}, 120_000);

afterAll(async () => {
  await cluster?.stop();
});

describe('a pod', () => {
  test('runs with an address, a hostname and the status that a kubelet writes', async () => {
    await create('hello', shell('echo "hello from $HOSTNAME"; exec sleep 1000'));
    const pod = await ready('hello');
    const state = { running: { startedAt: expect.any(String) } };
    expect(pod.status).toMatchObject({
      phase: 'Running',
      hostIP: '10.244.0.1',
      podIP: expect.stringMatching(/^10\.244\.1\.\d+$/),
      containerStatuses: [{ name: 'main', ready: true, started: true, restartCount: 0, state, lastState: {} }],
    });
    const conditions = pod.status?.conditions?.map(({ reason, status, type }) => `${type}=${status} ${reason}`);
    expect(conditions?.toSorted()).toEqual([
      'ContainersReady=True undefined',
      'Initialized=True undefined',
      'PodReadyToStartContainers=True undefined',
      'PodScheduled=True undefined',
      'Ready=True undefined',
    ]);
    expect(cluster.podLog('default', 'hello')).toBe('hello from hello\n');
    expect(await reasons('hello')).toEqual(['Created', 'Pulled', 'Scheduled', 'Started']);
  });

  test('that is killed starts again, and its logs are there for kubectl', async () => {
    await create('killed', shell('echo run; cat /proc/sys/kernel/random/uuid; exec sleep 1000'));
    await ready('killed');
    await poll('its words', async () => cluster.podLog('default', 'killed').split('\n').length === 3);
    process.kill(cluster.pid('default', 'killed') ?? 0, 'SIGKILL');
    const status = await until(
      'killed',
      ({ restartCount, state }) => restartCount === 1 && state.running !== undefined,
    );
    expect(status.lastState.terminated).toMatchObject({ exitCode: 137, reason: 'Error' });
    await poll('its words', async () => cluster.podLog('default', 'killed').split('\n').length === 5);
    const [, first, , second] = cluster.podLog('default', 'killed').split('\n');
    const logs = async (...options: readonly string[]): Promise<string> =>
      (await cluster.controlPlane.kubectl(['logs', 'killed', ...options])).stdout;
    expect(await logs()).toBe(`run\n${second}\n`);
    expect(await logs('--tail=1')).toBe(`${second}\n`);
    expect(await logs('--previous')).toBe(`run\n${first}\n`);
  });

  test('that crashes waits longer and longer', async () => {
    await create('crash', { containers: [{ name: 'main', image: 'test.local/crash:1' }] });
    const status = await until('crash', ({ restartCount, state }) => restartCount === 2 && state.waiting !== undefined);
    expect(status.state.waiting).toMatchObject({
      reason: 'CrashLoopBackOff',
      message: expect.stringMatching(/^back-off 2s restarting failed container=main pod=crash_default\(/),
    });
    expect(status.lastState.terminated).toMatchObject({ exitCode: 3, reason: 'Error' });
    expect((await read('crash')).status?.phase).toBe('Running');
    expect(await reasons('crash')).toContain('BackOff');
  });

  test('that is deleted runs its preStop hook, and is killed when its grace period is over', async () => {
    const main = { ...container('trap "echo terminated" TERM; while :; do sleep 0.1; done') };
    const preStop = { exec: { command: ['sh', '-c', 'echo "preStop" > /proc/1/fd/1'] } };
    await create('stubborn', { containers: [{ ...main, lifecycle: { preStop } }] });
    await ready('stubborn');
    const began = Date.now();
    await remove('stubborn', 3);
    await gone('stubborn');
    expect((Date.now() - began) / 1000).toBeGreaterThan(2.8);
    expect((Date.now() - began) / 1000).toBeLessThan(5);
    expect(cluster.podLog('default', 'stubborn')).toBe('preStop\nterminated\n');
    expect(await reasons('stubborn')).toContain('Killing');
  });

  test('sleeps before SIGTERM where preStop says so, and stays Ready meanwhile', async () => {
    await create('sleeps', {
      terminationGracePeriodSeconds: 30,
      containers: [
        {
          ...container('trap "exit 0" TERM; while :; do sleep 0.1; done'),
          lifecycle: { preStop: { sleep: { seconds: 2 } } },
        },
      ],
    });
    await ready('sleeps');
    const began = Date.now();
    await remove('sleeps');
    await sleep(1000);
    expect(conditionOf(await read('sleeps'), 'Ready')).toBe('True');
    await gone('sleeps');
    expect((Date.now() - began) / 1000).toBeGreaterThan(1.9);
    expect((Date.now() - began) / 1000).toBeLessThan(5);
  });

  test('that is deleted by force is killed at once', async () => {
    await create('forced', { containers: [{ name: 'main', image: 'test.local/ignores-sigterm:1' }] });
    await ready('forced');
    await poll('it to listen', async () => cluster.podLog('default', 'forced').includes('deaf to SIGTERM'));
    const pid = cluster.pid('default', 'forced');
    await remove('forced', 0);
    await poll('its process to end', async () => cluster.pid('default', 'forced') === undefined, { seconds: 1.5 });
    expect(pid).toBeGreaterThan(0);
  });

  test.each([
    ['Succeeded', 'exit 0', 'PodCompleted'],
    ['Failed', 'exit 4', 'PodFailed'],
  ])('that is not restarted ends as %s', async (phase, script, reason) => {
    const name = `once-${phase.toLowerCase()}`;
    await create(name, { ...shell(script), restartPolicy: 'Never' });
    const pod = await poll(phase, async () => {
      const found = await read(name);
      return found.status?.phase === phase ? found : undefined;
    });
    expect(pod.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'False', reason }));
    await remove(name);
    await gone(name);
  });

  test('that the node cannot run is refused with the field, and the node says so', async () => {
    await create('host', { ...shell(FOREVER), hostNetwork: true });
    const pod = await poll('Failed', async () => {
      const found = await read('host');
      return found.status?.phase === 'Failed' ? found : undefined;
    });
    expect(pod.status).toMatchObject({
      reason: 'UnsupportedByTestNode',
      message: 'spec.hostNetwork: is not supported',
    });
    const said = cluster
      .nodeLog('one')
      .split('\n')
      .filter((line) => line.includes('"level":"error"'));
    expect(said).toEqual([expect.stringContaining('spec.hostNetwork')]);
    await remove('host');
    await gone('host');
  });
});

describe('containers', () => {
  test('run after the init containers, one after the other, and share volumes with them', async () => {
    const volumeMounts = [{ name: 'shared', mountPath: '/shared' }];
    await create('init', {
      volumes: [{ name: 'shared', emptyDir: {} }],
      initContainers: [
        { ...container('echo first >> /shared/file'), name: 'first', volumeMounts },
        {
          ...container('[ -e /shared/again ] || { touch /shared/again; exit 1; }; echo second >> /shared/file'),
          name: 'second',
          volumeMounts,
        },
      ],
      containers: [{ ...container(`cat /shared/file; ${FOREVER}`), volumeMounts }],
    });
    const pod = await ready('init');
    expect(cluster.podLog('default', 'init', 'main')).toBe('first\nsecond\n');
    const statuses = pod.status?.initContainerStatuses?.map(({ ready: ended, restartCount }) => [ended, restartCount]);
    expect(statuses).toEqual([
      [true, 0],
      [true, 1],
    ]);
  });

  test('get their environment, and wait for a Secret that is not there yet', async () => {
    const { controlPlane } = cluster;
    await create('env', {
      containers: [
        {
          ...container(`echo "$ADDRESS $KEY"; ${FOREVER}`),
          env: [
            { name: 'ADDRESS', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
            { name: 'KEY', valueFrom: { secretKeyRef: { name: 'late', key: 'key' } } },
          ],
        },
      ],
    });
    const status = await until('env', ({ state }) => state.waiting?.reason === 'CreateContainerConfigError');
    expect(status.state.waiting?.message).toBe('secret "late" not found');
    await controlPlane.kubectl(['create', 'secret', 'generic', 'late', '--from-literal=key=value']);
    const pod = await ready('env');
    expect(cluster.podLog('default', 'env')).toBe(`${pod.status?.podIP} value\n`);
  });

  test('with an image that nobody has wait for it', async () => {
    await create('image', { containers: [{ name: 'main', image: 'nobody.local/has-it:1' }] });
    const status = await until('image', ({ state }) => state.waiting?.reason === 'ImagePullBackOff');
    expect(status.state.waiting?.message).toBe('Back-off pulling image "nobody.local/has-it:1"');
    expect((await read('image')).status?.phase).toBe('Pending');
    await remove('image', 1);
    await gone('image');
  });

  test('that must not be root are not started as root', async () => {
    await create('root', { ...shell(FOREVER), securityContext: { runAsNonRoot: true } });
    const status = await until('root', ({ state }) => state.waiting?.reason === 'CreateContainerConfigError');
    expect(status.state.waiting?.message).toMatch(/^container has runAsNonRoot and image will run as root/);
  });

  test('reach the API server as pods do', async () => {
    const script =
      'const t = require("fs").readFileSync("/var/run/secrets/kubernetes.io/serviceaccount/token", "utf8");' +
      'const ca = require("fs").readFileSync("/var/run/secrets/kubernetes.io/serviceaccount/ca.crt");' +
      'const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env;' +
      'const headers = { authorization: `Bearer ${t}` };' +
      'const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";' +
      'const body = JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" });' +
      'headers["content-type"] = "application/json";' +
      'const r = require("https").request({ host, port, path, ca, headers, method: "POST" }, (a) => a.pipe(process.stdout));' +
      'r.end(body)';
    await create('api', {
      restartPolicy: 'Never',
      containers: [{ name: 'main', image: SHELL, command: [process.execPath, '-e', script] }],
    });
    await until('api', ({ state }) => state.terminated !== undefined);
    expect(cluster.podLog('default', 'api')).toContain('"username":"system:serviceaccount:default:default"');
  });
});

describe('probes', () => {
  test('make a pod ready once they succeed, at the same port in every pod', async () => {
    const env = [
      { name: 'PORT', value: '8000' },
      { name: 'HOST', value: '::' },
    ];
    const health = { httpGet: { path: '/health', port: 'http' }, periodSeconds: 1 };
    const server = {
      name: 'main', image: inferno, args: ['fake-server'], env, ports: [{ name: 'http', containerPort: 8000 }],
      startupProbe: health, readinessProbe: health, livenessProbe: health,
    }; // prettier-ignore
    await Promise.all(['server-a', 'server-b'].map((name) => create(name, { containers: [server] })));
    const pods = await Promise.all(['server-a', 'server-b'].map((name) => ready(name)));
    const answers = await Promise.all(pods.map(({ status }) => fetchText(`http://${status?.podIP}:8000/health`)));
    expect(answers).toEqual([200, 200]);
  });

  test('that fail keep a pod unready, and kill it where they ask whether it lives', async () => {
    await create('unhealthy', {
      terminationGracePeriodSeconds: 1,
      containers: [
        {
          ...container('touch /tmp/alive; while :; do sleep 0.1; done'),
          volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
          readinessProbe: { tcpSocket: { port: 9 }, periodSeconds: 1 },
          livenessProbe: { exec: { command: ['cat', '/tmp/alive'] }, periodSeconds: 1, failureThreshold: 1 },
        },
      ],
      volumes: [{ name: 'tmp', emptyDir: {} }],
    });
    await until('unhealthy', ({ state }) => state.running !== undefined);
    await sleep(2500);
    const before = await read('unhealthy');
    expect(before.status?.containerStatuses?.[0]).toMatchObject({ ready: false, restartCount: 0 });
    // Process 1 of the container sees the same volume.
    const pid = cluster.pid('default', 'unhealthy') ?? 0;
    rmSync(`/proc/${pid}/root/tmp/alive`);
    await until('unhealthy', ({ restartCount, state }) => restartCount === 1 && state.running !== undefined);
    const events = await messages('unhealthy');
    expect(events).toContain('Container main failed liveness probe, will be restarted');
    expect(events).toContain('Liveness probe failed: cat: /tmp/alive: No such file or directory');
    expect(
      events.some((message) => /^Readiness probe failed: dial tcp .*:9: connect: connection refused$/.test(message)),
    ).toBe(true);
  });

  test('wait until the startup probe has succeeded, which may take its time', async () => {
    const ok = { exec: { command: ['true'] }, periodSeconds: 1 };
    const main = container(`sleep 3; touch /tmp/started; ${FOREVER}`);
    await create('slow', {
      volumes: [{ name: 'tmp', emptyDir: {} }],
      containers: [
        {
          ...main,
          volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
          startupProbe: { exec: { command: ['cat', '/tmp/started'] }, periodSeconds: 1, failureThreshold: 10 },
          readinessProbe: ok,
        },
      ],
    });
    const status = await until('slow', ({ state }) => state.running !== undefined);
    expect(status).toMatchObject({ ready: false, started: false });
    const pod = await ready('slow');
    expect(pod.status?.containerStatuses?.[0]).toMatchObject({ started: true, restartCount: 0 });
  });
});

test('light pods run by the dozen', async () => {
  const env = [
    { name: 'PORT', value: '8000' },
    { name: 'HOST', value: '::' },
  ];
  const health = { httpGet: { path: '/health', port: 8000 }, periodSeconds: 1 };
  const spec = { containers: [{ name: 'main', image: LIGHT, args: ['fake-server'], env, readinessProbe: health }] };
  const names = Array.from({ length: 12 }, (_, index) => `light-${index}`);
  await Promise.all(names.map((name) => create(name, { ...spec, automountServiceAccountToken: false })));
  const pods = await Promise.all(names.map((name) => ready(name)));
  expect(new Set(pods.map(({ status }) => status?.podIP)).size).toBe(12);
  expect(await fetchText(`http://${pods[7]?.status?.podIP}:8000/health`)).toBe(200);
  await Promise.all(names.map((name) => remove(name, 2)));
  await Promise.all(names.map((name) => gone(name)));
});

test('the scheduler counts GPUs', async () => {
  const tolerations = [{ key: 'nvidia.com/gpu', operator: 'Exists' }];
  const resources = { limits: { 'nvidia.com/gpu': '1' } };
  const spec = { tolerations, containers: [{ ...container(FOREVER), resources }] };
  for (const name of ['gpu-a', 'gpu-b', 'gpu-c']) await create(name, spec);
  const nodes = await Promise.all(['gpu-a', 'gpu-b'].map(async (name) => (await ready(name)).spec.nodeName));
  expect(nodes).toEqual(['gpu', 'gpu']);
  const waiting = await poll('a verdict', async () => {
    const found = (await read('gpu-c')).status?.conditions?.find(({ type }) => type === 'PodScheduled');
    return found?.message === undefined ? undefined : found;
  });
  expect(waiting).toMatchObject({
    reason: 'Unschedulable',
    message: expect.stringContaining('Insufficient nvidia.com/gpu'),
  });
});

test('a node that lost power takes its processes with it, and starts its pods again when it is back', async () => {
  const pid = cluster.pid('default', 'gpu-a') ?? 0;
  await cluster.stopNode('gpu');
  await poll('the process to be gone', async () => !alive(pid), { seconds: 5 });
  await cluster.startNode('gpu');
  const status = await until('gpu-a', ({ restartCount, state }) => restartCount === 1 && state.running !== undefined);
  expect(status.lastState.terminated).toMatchObject({ reason: 'Unknown', exitCode: 255 });
  await ready('gpu-a');
});

test('an API server that is away for a while changes nothing', async () => {
  await create('keeps', shell('trap "exit 0" TERM; while :; do sleep 0.1; done'));
  const before = (await ready('keeps')).status?.containerStatuses;
  await cluster.controlPlane.stopComponent('kube-apiserver');
  await sleep(2000);
  await cluster.controlPlane.startComponent('kube-apiserver');
  expect((await read('keeps')).status?.containerStatuses).toEqual(before);
  await remove('keeps');
  await gone('keeps');
  await create('comes', shell(FOREVER));
  await ready('comes');
});

test('the nodes have nothing to complain about but what they refused', () => {
  const said = ['one', 'gpu'].flatMap((node) => cluster.nodeLog(node).split('\n'));
  const complaints = said.filter((line) => line !== '' && !line.startsWith('{"level":"info"'));
  expect(complaints.filter((line) => !line.includes('the test node does not run this pod'))).toEqual([]);
});

function shell(script: string): PodSpec {
  return { terminationGracePeriodSeconds: 1, containers: [container(script)] };
}

function container(script: string): Container {
  return { name: 'main', image: SHELL, command: ['sh', '-c', script] };
}

async function create(name: string, spec: object): Promise<void> {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec };
  const path = '/api/v1/namespaces/default/pods';
  const { body, status } = await cluster.controlPlane.request('POST', path, pod);
  if (status !== 201) throw new Error(`POST ${path}: ${status}: ${JSON.stringify(body)}`);
}

async function read(name: string): Promise<Pod> {
  const { body, status } = await cluster.controlPlane.request<Pod>('GET', `/api/v1/namespaces/default/pods/${name}`);
  if (status !== 200) throw new Error(`GET pod ${name}: ${status}: ${JSON.stringify(body)}`);
  return body;
}

async function remove(name: string, gracePeriodSeconds?: number): Promise<void> {
  await cluster.controlPlane.request('DELETE', `/api/v1/namespaces/default/pods/${name}`, { gracePeriodSeconds });
}

async function gone(name: string): Promise<void> {
  const path = `/api/v1/namespaces/default/pods/${name}`;
  await poll(`pod ${name} to be gone`, async () => (await cluster.controlPlane.request('GET', path)).status === 404, {
    seconds: 20,
  });
}

async function ready(name: string): Promise<Pod> {
  return find(name, 'be Ready', async () => {
    const pod = await read(name);
    return conditionOf(pod, 'Ready') === 'True' ? pod : undefined;
  });
}

async function until(name: string, is: (status: ContainerStatus) => boolean): Promise<ContainerStatus> {
  return find(name, 'be as expected', async () => {
    const status = (await read(name)).status?.containerStatuses?.[0];
    return status !== undefined && is(status) ? status : undefined;
  });
}

/** Waits, and shows the pod where that was in vain. */
async function find<T>(name: string, what: string, look: () => Promise<T | undefined>): Promise<T> {
  try {
    return await poll(`pod ${name} to ${what}`, look, { seconds: 25 });
  } catch (error) {
    throw new Error(`${String(error)}\n${JSON.stringify((await read(name)).status, null, 1)}`, { cause: error });
  }
}

function conditionOf(pod: Pod, type: string): string | undefined {
  return pod.status?.conditions?.find((condition) => condition.type === type)?.status;
}

async function eventsOf(name: string): Promise<readonly { readonly reason: string; readonly message: string }[]> {
  const path = `/api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3D${name}`;
  type Events = { readonly items: readonly { readonly reason: string; readonly message: string }[] };
  return (await cluster.controlPlane.request<Events>('GET', path)).body.items;
}

async function reasons(name: string): Promise<readonly string[]> {
  return [...new Set((await eventsOf(name)).map(({ reason }) => reason))].toSorted();
}

async function messages(name: string): Promise<readonly string[]> {
  return (await eventsOf(name)).map(({ message }) => message.trim());
}

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function fetchText(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    httpGet(url, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).once('error', reject);
  });
}
