import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { App, Chart } from 'cdk8s';
import type { Manifest } from '../../lib/composition';
import { Monitoring } from '../../lib/install/monitoring';
import { startControlPlane, type ControlPlane } from '../../tools/local-cluster';

/** The Prometheus operator, whose Go module has its definitions in it; the newest one that has. */
const MODULE = 'github.com/prometheus-operator/prometheus-operator';
const [VERSION, SUM] = ['v0.85.0', 'h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s='];
const PLURALS = { ServiceMonitor: 'servicemonitors', PrometheusRule: 'prometheusrules' } as const;

let cluster: ControlPlane;

beforeAll(async () => {
  const folder = join(await moduleFolder(), 'example', 'prometheus-operator-crd');
  const crds = Object.values(PLURALS).map((plural) => join(folder, `monitoring.coreos.com_${plural}.yaml`));
  cluster = await startControlPlane({ crds });
  await cluster.kubectl(['create', 'namespace', 'inferno-system']);
}, 600_000);
afterAll(() => cluster?.stop(), 60_000);

async function moduleFolder(): Promise<string> {
  const { stdout } = await promisify(execFile)('go', ['mod', 'download', '-json', `${MODULE}@${VERSION}`], {
    cwd: tmpdir(),
    timeout: 300_000,
  });
  const { Dir, Sum } = JSON.parse(stdout) as { readonly Dir: string; readonly Sum: string };
  if (Sum !== SUM) throw new Error(`${MODULE}@${VERSION} has the checksum ${Sum}, expected ${SUM}`);
  return Dir;
}

function rendered(): readonly Manifest[] {
  const chart = new Chart(new App(), 'chart');
  new Monitoring(chart, 'monitoring', {
    namespace: 'inferno-system',
    watchNamespaces: ['team-a', 'team-b'],
    labels: { release: 'kube-prometheus-stack' },
  });
  return chart.toJson() as readonly Manifest[];
}

async function apply(object: Manifest): Promise<{ readonly status: number; readonly body: unknown }> {
  const plural = PLURALS[object.kind as keyof typeof PLURALS];
  const path = `/apis/${object.apiVersion}/namespaces/inferno-system/${plural}/${object.metadata.name}`;
  return cluster.request('PATCH', `${path}?fieldManager=test&fieldValidation=Strict&force=true`, object);
}

test('a cluster with the definitions of the Prometheus operator takes each object as it is', async () => {
  const objects = rendered();
  expect(objects.map(({ kind }) => kind).toSorted()).toEqual(['PrometheusRule', 'ServiceMonitor', 'ServiceMonitor']);
  for (const object of objects) {
    const { status, body } = await apply(object);
    expect([status, body]).toEqual([201, expect.objectContaining({ spec: object['spec'] })]);
  }
});

test('a field that they do not have would be refused', async () => {
  const [object] = rendered();
  if (object === undefined) throw new Error('nothing is rendered');
  const spec = { ...(object['spec'] as object), endpoint: [] };
  expect((await apply({ ...object, spec })).status).not.toBe(201);
});
