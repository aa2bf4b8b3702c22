import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startFakeServer, type FakeServer } from '../../fake-server';
import { installManifests } from '../../lib/install';
import { alertRules } from '../../lib/install/monitoring/alerts';
import { scrapeConfigs } from '../../lib/install/monitoring/scraping';
import { poll } from '../../tools/local-cluster';
import { bundleOperator, type OperatorBundle, type OperatorProcess } from '../faults/operator-process';
import { expressions } from '../monitoring/expressions';
import { findPrometheus } from '../tools/prometheus';
import { Prometheus, type Target } from '../tools/prometheus-server';
import { Bench, type Live, type Space } from './operator-support';

// No kubelet is there: pods run only by their status, with addresses that no EndpointSlice refuses, and Prometheus finds
// what answers for them on loopback, at the same port.
const PODS = '10.99.0';
const NODE = 'node';
const NAMESPACE = 'inferno-system';

let bench: Bench;
let space: Space;
let bundle: OperatorBundle;
let operator: OperatorProcess;
let prometheus: Prometheus;
let model: FakeServer;
const servers: Server[] = [];
/** Paths that were asked of ports which nobody should ask. */
const disturbed: string[] = [];
let addresses = 0;

beforeAll(async () => {
  await findPrometheus();
  // Nobody renews the node's lease.
  const patience = ['--node-monitor-grace-period=2h', '--node-startup-grace-period=2h'];
  bench = await Bench.start({ flags: { 'kube-controller-manager': patience } });
  const { cluster } = bench;
  space = await bench.space();
  await cluster.kubectl(['create', 'namespace', NAMESPACE]);
  const ready = [{ type: 'Ready', status: 'True', lastHeartbeatTime: new Date().toISOString() }];
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: NODE }, status: { conditions: ready } };
  expect((await cluster.request('POST', '/api/v1/nodes', node)).status).toBe(201);
  bundle = await bundleOperator();
  operator = bundle.start({
    kubeconfig: cluster.kubeconfig,
    metricsBindAddress: '127.0.0.1:0',
    leaderElect: true,
    leaderElectionNamespace: NAMESPACE,
  });
  await poll('the operator to lead', async () => operator.has('Became leader'));
  await announceOperator();
  prometheus = await Prometheus.start(await discovery(), shortRules());
}, 1_800_000);
afterAll(async () => {
  await prometheus?.stop();
  await bundle?.remove();
  model?.destroy();
  for (const server of servers) server.close();
  await bench?.stop();
}, 60_000);

/** The operator's pod and its Service, as they are where it is installed. */
async function announceOperator(): Promise<void> {
  const started = operator.lines.find((line) => line.includes('"msg":"Started"')) ?? '{}';
  const [address = ''] = (JSON.parse(started) as { readonly addresses: readonly string[] }).addresses;
  const service = installManifests({ namespace: NAMESPACE }).find(({ kind }) => kind === 'Service');
  await bench.cluster.kubectl(['apply', '-f', '-'], { input: JSON.stringify(service) });
  const name = 'inferno-controller-manager-0';
  const container = { name: 'manager', image: 'inferno', ports: [{ name: 'metrics', containerPort: portOf(address) }] };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: service?.metadata.labels },
    spec: { containers: [container] },
  };
  const path = `/api/v1/namespaces/${NAMESPACE}/pods`;
  await poll('the namespace to take pods', async () => (await bench.cluster.request('POST', path, pod)).status === 201);
  await run(`${path}/${name}`);
}

function portOf(address: string): number {
  return Number(address.slice(address.lastIndexOf(':') + 1));
}

/** Binds a pod to the node and gives it the status that a kubelet would. */
async function run(path: string): Promise<void> {
  const target = { apiVersion: 'v1', kind: 'Node', name: NODE };
  const name = path.slice(path.lastIndexOf('/') + 1);
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target };
  expect((await bench.cluster.request('POST', `${path}/binding`, binding)).status).toBe(201);
  const ip = `${PODS}.${++addresses}`;
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: new Date().toISOString() }];
  const status = { phase: 'Running', podIP: ip, podIPs: [{ ip }], conditions };
  const type = { 'content-type': 'application/merge-patch+json' };
  const answer = await bench.cluster.request('PATCH', `${path}/status`, { status }, type);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
}

/** The project's settings, with the rights that the documentation asks for. */
async function discovery(): Promise<readonly object[]> {
  const [, rights = ''] =
    /```yaml\n(apiVersion: rbac[^`]*kind: ClusterRole\n[^`]*)```/.exec(readFileSync('docs/monitoring.md', 'utf8')) ??
    [];
  await bench.cluster.kubectl(['apply', '-f', '-'], { input: rights });
  await bench.cluster.kubectl(['create', 'serviceaccount', 'prometheus']);
  const binding = ['create', 'clusterrolebinding', 'prometheus', '--clusterrole=prometheus-inferno'];
  await bench.cluster.kubectl([...binding, '--serviceaccount=default:prometheus']);
  const kubeconfig = await bench.cluster.kubeconfigFor({ serviceAccount: 'prometheus', namespace: 'default' });
  const toLoopback = {
    source_labels: ['__address__'],
    regex: `${PODS.replaceAll('.', '\\.')}\\.\\d+:(\\d+)`,
    target_label: '__address__',
    replacement: '127.0.0.1:$1',
  };
  interface Job {
    readonly kubernetes_sd_configs: readonly object[];
    readonly relabel_configs: readonly object[];
  }
  return (scrapeConfigs(NAMESPACE) as readonly Job[]).map((job) => ({
    ...job,
    kubernetes_sd_configs: job.kubernetes_sd_configs.map((each) => ({ ...each, kubeconfig_file: kubeconfig })),
    relabel_configs: [...job.relabel_configs, toLoopback],
  }));
}

/** The alerts with their minutes made seconds. */
function shortRules(): object {
  interface Group {
    readonly rules: readonly object[];
  }
  const { groups } = alertRules({ notReadySeconds: 3, coldStartSeconds: 3, atMaximumSeconds: 1 });
  return {
    groups: (groups as readonly Group[]).map((group) => ({
      ...group,
      rules: group.rules.map((rule) => ({ ...rule, for: '1s' })),
    })),
  };
}

/** A server that answers every request so, on a free port. */
async function serve(answer: (path: string) => string | undefined): Promise<number> {
  const server = createServer(({ url = '' }, response) => {
    const text = answer(url);
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'text/plain; version=0.0.4' });
    response.end(text);
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

const silent = (): Promise<number> =>
  serve((path) => {
    disturbed.push(path);
    return undefined;
  });

/** Makes a resource and, once its pod is there, lets that run. */
async function running(name: string, spec: object): Promise<void> {
  await space.service(name, spec);
  const pod = await poll(`a pod of ${name}`, async () =>
    (await space.list('pod')).find(({ metadata }: Live) => metadata.labels?.['app'] === name),
  );
  await run(space.path('pod', pod.metadata.name));
}

function modelTargets(targets: readonly Target[]): readonly Target[] {
  return targets.filter(({ scrapePool }) => scrapePool === 'inferno-model-servers');
}

test('each engine is scraped where its metrics are, and nowhere else', async () => {
  model = await startFakeServer({ port: 0 });
  const triton = await serve((path) =>
    path === '/metrics'
      ? ['pending_request_count', 'request_success', 'request_failure']
          .map((each) => `nv_inference_${each} 1\n`)
          .join('')
      : undefined,
  );
  const own = await serve((path) => (path === '/metrics' ? 'own_requests 1\n' : undefined));
  const replicas = { min: 1, max: 1 };
  const of = (framework: string, uri: string, more: object): object => ({
    model: { uri, framework, version: '1' },
    replicas,
    ...more,
  });
  const metrics = (containerPort: number): object => ({ ports: [{ name: 'metrics', containerPort }] });
  const image = 'registry.example.com/server:1';
  const autoscaling = { enabled: true, minReplicas: 1, maxReplicas: 2 };
  await running('fake', of('fake', 'demo', { port: model.port, replicas: { min: 1, max: 2 }, autoscaling }));
  // vLLM's image under another name: nothing is guessed from images.
  await running('vllm', of('vllm', 'hf://a/b', { port: model.port, image }));
  await running('triton', of('triton', 's3://a/b', { port: await silent(), image, ...metrics(triton) }));
  await running('custom', of('custom', 'demo', { port: await silent(), image }));
  await running('own', of('custom', 'demo', { port: await silent(), image, ...metrics(own) }));

  const wanted = { fake: model.port, own, triton, vllm: model.port };
  let found: readonly Target[] = [];
  await poll(
    'four model servers to be scraped',
    async () => {
      found = modelTargets(await prometheus.targets());
      return found.length === 4 && found.every(({ health }) => health === 'up');
    },
    { seconds: 60, interval: 200 },
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}, there are ${JSON.stringify(found)}`);
  });
  const scraped = found.map(({ labels, scrapeUrl }) => [labels['inferenceservice'], Number(new URL(scrapeUrl).port)]);
  expect(Object.fromEntries(scraped)).toEqual(wanted);
  for (const { labels } of found) {
    const { inferenceservice = '', framework } = labels;
    expect(labels).toMatchObject({ job: 'inferno-model-servers', namespace: space.name });
    expect(labels['pod']).toMatch(new RegExp(`^${inferenceservice}-`));
    expect(framework).toBe(inferenceservice === 'own' ? 'custom' : inferenceservice);
  }
  expect(disturbed).toEqual([]);
}, 120_000);

test("the operator's figures keep the namespaces of their resources", async () => {
  const series = await poll('a condition', async () => {
    const found = await prometheus.query('inferno_resource_condition{name="fake",condition="Synced"}');
    return found.length > 0 ? found : undefined;
  });
  expect(series).toHaveLength(1);
  expect(series[0]?.metric).toMatchObject({ job: 'inferno-operator', namespace: space.name });
}, 60_000);

test('a model that never gets ready is reported, with what to run next', async () => {
  await space.service('stuck');
  const labels = { namespace: space.name, name: 'stuck' };
  const { annotations } = await prometheus.fires('InfernoModelNotReady', labels);
  expect(annotations['description']).toMatch(`Next: kubectl describe inferenceservice -n ${space.name} stuck`);
  expect(annotations['runbook_url']).toMatch(/docs\/monitoring\.md#infernomodelnotready$/);
  await prometheus.fires('InfernoModelUnavailable', labels);
  await prometheus.fires('InfernoColdStartSlow', labels);
  const others = (await prometheus.alerts()).filter(({ labels: each }) => each['alertname'] === 'InfernoColdStartSlow');
  expect(others.map(({ labels: each }) => each['name'])).toEqual(['stuck']);
}, 120_000);

test('every query of the dashboard finds something', async () => {
  // The answers to two scrapes with requests between them
  await new Promise((resolve) => {
    setTimeout(resolve, 3000);
  });
  for (const expr of expressions()) {
    const samples = await poll(`something for ${expr}`, async () => {
      const found = await prometheus.query(expr);
      return found.length > 0 ? found : undefined;
    });
    expect(samples.length).toBeGreaterThan(0);
  }
}, 120_000);

test('an autoscaler at its maximum is reported', async () => {
  const conditions = [{ type: 'ScalingLimited', status: 'True', reason: 'TooManyReplicas', message: 'as a test says' }];
  await space.patch('hpa', 'fake', { status: { desiredReplicas: 2, conditions } }, '/status');
  await prometheus.fires('InfernoAutoscalerAtMaximum', { namespace: space.name, name: 'fake' });
}, 120_000);

test('an operator that is gone is reported, and nothing of it was reported before', async () => {
  const before = (await prometheus.alerts()).map(({ labels }) => labels['alertname'] ?? '');
  expect(before.filter((name) => !/^Inferno(Model|ColdStart|Autoscaler)/.test(name))).toEqual([]);
  await operator.kill('SIGKILL');
  await prometheus.fires('InfernoOperatorDown');
}, 120_000);
