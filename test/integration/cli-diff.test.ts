import { folderWith, inferno, removeFolders, serviceYaml, type Outcome, type World } from '../cli/support';
import { startControlPlane, type ControlPlane } from '../../tools/local-cluster';
import { foreignAutoscaler, isSynced, Objects } from './cli-cluster';

let cluster: ControlPlane;
let objects: Objects;

beforeAll(async () => {
  cluster = await startControlPlane({ controllerManager: true, crds: ['crds/inferenceservice.yaml'] });
  objects = new Objects(cluster);
}, 600_000);
afterAll(() => cluster?.stop(), 60_000);
afterEach(removeFolders);

function diff(text: string, flags: readonly string[] = [], world: World = {}): Promise<Outcome> {
  return inferno(['diff', '-f', '-', '--kubeconfig', cluster.kubeconfig, ...flags], { stdin: text, ...world });
}

const scaledYaml = (name: string): string => `${serviceYaml(name)}  autoscaling: { enabled: true }\n`;

test('a resource that is not in the cluster is created with its children, and nothing is written', async () => {
  const before = await objects.versions();
  const { code, stdout, stderr } = await diff(scaledYaml('fresh'));
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout.match(/^\+\+\+ .*$/gm)).toEqual([
    '+++ wanted/inference.inferno.io.v1alpha1.InferenceService.default.fresh',
    '+++ wanted/apps.v1.Deployment.default.fresh',
    '+++ wanted/v1.Service.default.fresh',
    '+++ wanted/autoscaling.v2.HorizontalPodAutoscaler.default.fresh',
  ]);
  expect(stdout.match(/^--- \/dev\/null$/gm)).toHaveLength(4);
  expect(stdout).not.toMatch(/^-[^-]/m);
  expect(stdout).toContain('\n+apiVersion: apps/v1\n+kind: Deployment\n+metadata:\n+  name: fresh\n');
  expect(stdout).not.toMatch(/managedFields|resourceVersion|ownerReferences|applied-hash|status:/);
  expect(await objects.versions()).toBe(before);
});

test('what the operator has done is no difference; a change shows only in the resource and in its child', async () => {
  const text = scaledYaml('settled');
  await cluster.kubectl(['apply', '-f', '-'], { input: text });
  await objects.operate('settled', isSynced);
  expect(await diff(text)).toEqual({ code: 0, stdout: '', stderr: '' });

  const { code, stdout } = await diff(text.replace('version: "1"', 'version: "2"'));
  expect(code).toBe(1);
  expect(stdout.match(/^[-+][^-+].*$/gm)).toEqual([
    '-    version: "1"',
    '+    version: "2"',
    expect.stringMatching(/^-.*"1"$/),
    expect.stringMatching(/^\+.*"2"$/),
    ...(stdout.match(/^[-+][^-+].*$/gm)?.slice(4) ?? []),
  ]);
  expect(stdout.match(/^--- .*$/gm)).toEqual([
    '--- live/inference.inferno.io.v1alpha1.InferenceService.default.settled',
    '--- live/apps.v1.Deployment.default.settled',
  ]);
}, 60_000);

test('a field that is no longer written goes, after kubectl apply on the client and on the server', async () => {
  for (const [name, args] of [
    ['client-side', ['apply']],
    ['server-side', ['apply', '--server-side']],
  ] as const) {
    await cluster.kubectl([...args, '-f', '-'], { input: `${serviceYaml(name)}  priorityClassName: high\n` });
    await objects.operate(name, isSynced);
    const { code, stdout } = await diff(serviceYaml(name));
    expect({ name, code }).toEqual({ name, code: 1 });
    expect(stdout.match(/^[-+][^-+].*$/gm)).toEqual(['-  priorityClassName: high', '-      priorityClassName: high']);
  }
}, 60_000);

test('switching the autoscaler off is a pruning; switching it on leaves the number of replicas as it is', async () => {
  // More than the 1 that the API server falls back to when a field is dropped.
  const off = serviceYaml('swing', { replicas: '{min: 3, max: 5}' });
  const on = `${off}  autoscaling: { enabled: true }\n`;
  await cluster.kubectl(['apply', '-f', '-'], { input: on });
  await objects.operate('swing', isSynced);
  const pruned = await diff(off);
  expect(pruned.code).toBe(1);
  expect(pruned.stdout).toContain('--- live/autoscaling.v2.HorizontalPodAutoscaler.default.swing\n+++ /dev/null\n');
  await cluster.kubectl(['apply', '-f', '-'], { input: off });
  await objects.operate('swing', isSynced);
  const handedOver = await diff(on);
  expect(handedOver.stdout).toContain(
    '--- /dev/null\n+++ wanted/autoscaling.v2.HorizontalPodAutoscaler.default.swing\n',
  );
  expect(handedOver.stdout).not.toContain('apps.v1.Deployment');
}, 60_000);

test('drift shows, and what others own does not', async () => {
  const text = serviceYaml('drifted');
  await cluster.kubectl(['apply', '-f', '-'], { input: text });
  await objects.operate('drifted', isSynced);
  await objects.patch('Deployment', 'drifted', {
    metadata: { labels: { foreign: 'yes' } },
    spec: { minReadySeconds: 7 },
  });
  await objects.patch('InferenceService', 'drifted', { metadata: { annotations: { foreign: 'yes' } } });
  expect(await diff(text)).toEqual({ code: 0, stdout: '', stderr: '' });
  await objects.patch('Service', 'drifted', { spec: { selector: { app: 'other' } } });
  const { code, stdout } = await diff(text);
  expect(code).toBe(1);
  expect(stdout.match(/^[-+][^-+].*$/gm)).toEqual(['-    app: other', '+    app: drifted']);
}, 60_000);

test('a name that somebody else has is refused with exit code 2, and the rest is still shown', async () => {
  await objects.create({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'taken' },
    spec: { ports: [{ port: 1 }] },
  } as never);
  const { code, stdout, stderr } = await diff(serviceYaml('taken'));
  expect(code).toBe(2);
  expect(stderr).toContain('refused: Service default/taken exists and has no controller');
  expect(stdout).toContain('+++ wanted/apps.v1.Deployment.default.taken');
  expect(stdout).not.toContain('v1.Service.default.taken');
});

test('what the API server refuses is said with exit code 2', async () => {
  const { code, stderr } = await diff(serviceYaml('nowhere', { namespace: 'missing' }));
  expect(code).toBe(2);
  expect(stderr).toContain('namespaces "missing" not found');
});

test('an invalid document hides no other, and a resource of another kind is not compared', async () => {
  const invalid = serviceYaml('bad', { replicas: '{min: 3, max: 2}' });
  const { code, stdout, stderr } = await diff(
    `${invalid}---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n---\n${serviceYaml('good')}`,
  );
  expect(code).toBe(2);
  expect(stderr).toContain('InferenceService/bad');
  expect(stderr).toContain('1 resource of another kind, not compared');
  expect(stdout).toContain('wanted/apps.v1.Deployment.default.good');
});

test('colours only on a terminal', async () => {
  expect((await diff(serviceYaml('colour'))).stdout).not.toContain('\u001b');
  const { stdout } = await diff(serviceYaml('colour'), [], { terminal: true });
  expect(stdout).toContain('\u001b[32m+kind: Deployment\u001b[0m\n');
  expect(stdout).toContain('\u001b[36m@@ -0,0 +1,');
});

test('a cluster that cannot be reached, or a kubeconfig that is not there, gives exit code 2 and a reason', async () => {
  const cwd = folderWith({
    config: JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'c',
      users: [{ name: 'u', user: {} }],
    }),
  });
  const unreachable = await inferno(['diff', '-f', '-', '--kubeconfig', `${cwd}/config`], { stdin: serviceYaml('x') });
  expect(unreachable.code).toBe(2);
  expect(unreachable.stderr).toMatch(/^error: .*ECONNREFUSED/);
  const missing = await inferno(['diff', '-f', '-', '--kubeconfig', `${cwd}/none`], { stdin: serviceYaml('x') });
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain('none');
  const context = await diff(serviceYaml('x'), ['--context', 'nope']);
  expect(context.code).toBe(2);
  expect(context.stderr).toContain('the kubeconfig has no context nope');
});

test('a number of replicas that somebody else’s autoscaler chose is no difference', async () => {
  const text = serviceYaml('rival');
  await cluster.kubectl(['apply', '-f', '-'], { input: text });
  await objects.operate('rival', isSynced);
  await objects.create(foreignAutoscaler('rival'));
  await objects.patch('Deployment', 'rival', { spec: { replicas: 3 } }, '/scale');
  expect(await diff(text)).toEqual({ code: 0, stdout: '', stderr: '' });
  await objects.delete('HorizontalPodAutoscaler', 'rival-theirs');
  expect((await diff(text)).stdout.match(/^[-+][^-+].*$/gm)).toEqual(['-  replicas: 3', '+  replicas: 1']);
}, 60_000);
