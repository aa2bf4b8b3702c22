import { inferno, serviceYaml, type Outcome, type World } from '../cli/support';
import { poll, startControlPlane, type ControlPlane } from '../../tools/local-cluster';
import { foreignAutoscaler, isSynced, Objects } from './cli-cluster';

let cluster: ControlPlane;
let objects: Objects;

beforeAll(async () => {
  cluster = await startControlPlane({ controllerManager: true, crds: ['crds/inferenceservice.yaml'] });
  objects = new Objects(cluster);
}, 600_000);
afterAll(() => cluster?.stop(), 60_000);

function status(args: readonly string[] = [], world: World = {}): Promise<Outcome> {
  return inferno(['status', '--kubeconfig', cluster.kubeconfig, ...args], world);
}

async function podOf(name: string): Promise<string> {
  return poll(`a pod of ${name}`, async () => {
    const path = `/api/v1/namespaces/default/pods?labelSelector=app%3D${name}`;
    const { body } = await cluster.request<{ items: { metadata: { name: string } }[] }>('GET', path);
    return body.items[0]?.metadata.name;
  });
}

test('an empty namespace is reported on standard error, with exit code 0', async () => {
  expect(await status()).toEqual({
    code: 0,
    stdout: '',
    stderr: 'there is no InferenceService in namespace default\n',
  });
});

test('a tree shows the resource, its children and its pods, with what each waits for', async () => {
  const text = `${serviceYaml('chat')}  autoscaling: { enabled: true }\n`;
  await cluster.kubectl(['apply', '-f', '-'], { input: text });
  await objects.operate('chat', isSynced);
  const pod = await podOf('chat');
  const conditions = [
    {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message: '0/3 nodes are available: 3 Insufficient nvidia.com/gpu.',
    },
  ];
  await objects.patch('Pod', pod, { status: { conditions } }, '/status');
  const { code, stdout } = await status(['chat']);
  expect(code).toBe(0);
  const shown = stdout.replaceAll(pod, 'POD').replaceAll(/ClusterIP [\d.]+/g, 'ClusterIP IP');
  expect(shown.split('\n')[0]).toBe('… InferenceService default/chat  Pending, Unschedulable');
  expect(shown).toMatch(/├─… Deployment chat {2}0\/1 ready\n/);
  expect(shown).toMatch(/│ └─… Pod POD {2}no node\n│ {5}Unschedulable: 0\/3 nodes are available/);
  expect(shown).toMatch(/[├└]─✓ Service chat {2}ClusterIP IP port 80\n/);
  expect(shown).toMatch(/─. HorizontalPodAutoscaler chat {2}1 to 2, now \d/);
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
}, 60_000);

test('a container that crashes and a resource that is Ready are shown apart, and --exit-status says it', async () => {
  await cluster.kubectl(['apply', '-f', '-'], { input: serviceYaml('crash') });
  await objects.operate('crash', isSynced);
  const waiting = { reason: 'CrashLoopBackOff', message: 'back-off 5m0s restarting failed container' };
  const terminated = { exitCode: 137, reason: 'OOMKilled' };
  await objects.patch(
    'Pod',
    await podOf('crash'),
    {
      status: {
        phase: 'Running',
        containerStatuses: [
          {
            name: 'inference-server',
            image: 'i',
            imageID: '',
            ready: false,
            restartCount: 4,
            state: { waiting },
            lastState: { terminated },
          },
        ],
      },
    },
    '/status',
  );
  const { code, stdout } = await status(['crash', '--exit-status']);
  expect(code).toBe(3);
  expect(stdout).toContain('✗ InferenceService default/crash  Failed, ContainerCrashes');
  expect(stdout).toContain('Running, 4 restarts');
  expect(stdout).toContain('CrashLoopBackOff: exit code 137 (OOMKilled)');

  await cluster.kubectl(['apply', '-f', '-'], { input: serviceYaml('parked', { replicas: '{min: 0, max: 0}' }) });
  await objects.operate('parked', isSynced);
  const parked = await poll('a parked service', async () => {
    const outcome = await status(['parked', '--exit-status']);
    return outcome.code === 0 ? outcome : undefined;
  });
  expect(parked.stdout).toContain('✓ InferenceService default/parked  Running, Parked');
}, 60_000);

test('without an operator it says what is not done yet', async () => {
  await cluster.kubectl(['apply', '-f', '-'], { input: serviceYaml('alone') });
  const { stdout } = await status(['alone']);
  expect(stdout).toContain('Deployment alone is not there yet');
  expect(stdout).toContain('The operator has written no status yet');
  const json = (await status(['alone', '-o', 'json'])).stdout;
  expect(json).toContain('"NotAppliedYet"');
  expect(json).not.toContain('"Applied"');
});

test('as JSON it is a list that programs read', async () => {
  const { stdout } = await status(['-l', 'none=such', '-A', '-o', 'json']);
  expect(JSON.parse(stdout)).toEqual([]);
  const named = await status(['chat', '-o', 'json']);
  expect(JSON.parse(named.stdout)).toMatchObject([
    {
      kind: 'InferenceService',
      namespace: 'default',
      name: 'chat',
      isReady: false,
      children: [{ kind: 'Deployment' }, {}, {}],
    },
  ]);
});

test('a name that is not there is an error', async () => {
  expect(await status(['chat', 'gone'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'error: there is no InferenceService gone in namespace default\n',
  });
});

test('watching appends what has changed where there is no terminal, and ends on Ctrl-C', async () => {
  const stop = new AbortController();
  const watching = status(['parked', '--watch'], { interrupted: stop.signal });
  await new Promise((resolve) => setTimeout(resolve, 2500));
  await objects.patch('InferenceService', 'parked', { spec: { replicas: { min: 1, max: 1 } } });
  await new Promise((resolve) => setTimeout(resolve, 3500));
  stop.abort();
  const { code, stdout } = await watching;
  expect(code).toBe(130);
  expect(stdout.match(/InferenceService default\/parked/g)).toHaveLength(2);
  expect(stdout).toContain('Deployment parked is not as the resource says yet');
}, 30_000);

test('a missing CustomResourceDefinition is named', async () => {
  const bare = await startControlPlane();
  try {
    const { code, stderr } = await inferno(['status', '--kubeconfig', bare.kubeconfig]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'error: the cluster has no CustomResourceDefinition inferenceservices.inference.inferno.io\n',
    });
  } finally {
    await bare.stop();
  }
}, 120_000);

test('somebody else’s autoscaler of the Deployment is reported, also where the operator has not looked yet', async () => {
  await cluster.kubectl(['apply', '-f', '-'], { input: serviceYaml('rival') });
  await objects.operate('rival', isSynced);
  await objects.create(foreignAutoscaler('rival'));
  await objects.patch('Deployment', 'rival', { spec: { replicas: 3 } }, '/scale');
  const { stdout } = await status(['rival', '-o', 'json']);
  expect(JSON.stringify(JSON.parse(stdout))).toMatch(
    /"type":"AutoscalerActive","status":"False","reason":"AnotherAuto/,
  );
  expect(JSON.stringify(JSON.parse(stdout))).toMatch(/"type":"Synced","status":"False","reason":"ScaledByAnother/);
}, 60_000);
