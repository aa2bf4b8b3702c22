import { App, Chart } from 'cdk8s';
import { synthesize, type Manifest } from '../../lib/composition';
import { inferenceServiceComposition } from '../../lib/inference';
import { engines } from '../../lib/inference/engines';
import { Monitoring, type MonitoringProps } from '../../lib/install/monitoring';
import { monitoringFiles } from '../../lib/install/monitoring/files';

function rendered(props: Partial<MonitoringProps> = {}): readonly Manifest[] {
  const chart = new Chart(new App(), 'chart');
  new Monitoring(chart, 'monitoring', { namespace: 'inferno-system', ...props });
  return chart.toJson() as readonly Manifest[];
}

function specOf(kind: string, name: string, props: Partial<MonitoringProps> = {}): unknown {
  return rendered(props).find((each) => each.kind === kind && each.metadata.name === name)?.['spec'];
}

test('there is a monitor of the operator, one of the model servers, and the rules, beside the operator', () => {
  expect(rendered().map(({ kind, metadata }) => [kind, metadata.namespace, metadata.name])).toEqual([
    ['ServiceMonitor', 'inferno-system', 'inferno-controller-manager'],
    ['ServiceMonitor', 'inferno-system', 'inferno-model-servers'],
    ['PrometheusRule', 'inferno-system', 'inferno'],
  ]);
});

test('labels of the user come to all of them, and never in place of our own', () => {
  const labels = { release: 'stack', 'app.kubernetes.io/name': 'mine' };
  for (const { metadata } of rendered({ labels })) {
    expect(metadata.labels).toMatchObject({ release: 'stack', 'app.kubernetes.io/name': 'inferno' });
  }
});

test.each([
  [undefined, { any: true }],
  [['team-a'], { matchNames: ['team-a'] }],
])('the model servers of namespaces %j are scraped', (watchNamespaces, selector) => {
  const props = watchNamespaces === undefined ? {} : { watchNamespaces };
  expect(specOf('ServiceMonitor', 'inferno-model-servers', props)).toMatchObject({ namespaceSelector: selector });
});

test("the operator's series keep the namespaces that they name", () => {
  expect(specOf('ServiceMonitor', 'inferno-controller-manager')).toMatchObject({
    selector: { matchLabels: { 'app.kubernetes.io/name': 'inferno', 'app.kubernetes.io/component': 'operator' } },
    endpoints: [{ port: 'metrics', honorLabels: true }],
  });
});

test('thresholds, runbooks and the namespace are as the user says', () => {
  const spec = JSON.stringify(
    specOf('PrometheusRule', 'inferno', {
      namespace: 'ops',
      notReadySeconds: 4321,
      coldStartSeconds: 5432,
      atMaximumSeconds: 6543,
      runbookUrl: 'https://wiki.example.com/inferno',
    }),
  );
  for (const text of [
    '> 4321',
    '> 5432',
    '"for":"6543s"',
    'kubectl get pods -n ops',
    'wiki.example.com/inferno#inferno',
  ]) {
    expect(spec).toContain(text);
  }
  expect(spec).not.toContain('docs/monitoring.md');
});

test.each(Object.entries(engines))(
  'the port with metrics of framework %s is one that its Service has',
  (framework, engine) => {
    const image = 'registry.example.com/server:1';
    const uri = framework === 'triton' ? 's3://a/b' : framework === 'vllm' ? 'hf://a/b' : 'demo';
    const synthesis = synthesize(inferenceServiceComposition, {
      apiVersion: 'inference.inferno.io/v1alpha1',
      kind: 'InferenceService',
      metadata: { name: 'a', namespace: 'models' },
      spec: { model: { uri, framework, version: '1' }, image, replicas: { min: 1, max: 1 } },
    });
    if (!synthesis.valid) throw new Error(JSON.stringify(synthesis.errors));
    const service = synthesis.manifests.find(({ kind }) => kind === 'Service');
    const ports =
      (service?.['spec'] as { readonly ports: readonly { readonly name: string }[] } | undefined)?.ports ?? [];
    const { metricsPort } = engine;
    if (metricsPort !== undefined) expect(ports.map(({ name }) => name)).toContain(metricsPort);
    expect(service?.metadata.labels).toMatchObject({ 'inferno.io/framework': framework });
    const deployment = synthesis.manifests.find(({ kind }) => kind === 'Deployment');
    expect(JSON.stringify(deployment)).not.toContain('inferno.io/framework');
  },
);

test('the files for a Prometheus without its operator are three', () => {
  expect(Object.keys(monitoringFiles())).toEqual(['alerts.yaml', 'scrape-configs.yaml', 'dashboard.json']);
});
