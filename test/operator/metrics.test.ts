import { readFileSync } from 'node:fs';
import type { ChildKind } from '../../lib/composition';
import { inferenceServiceComposition } from '../../lib/inference';
import type { KubeClient } from '../../operator/cluster/kube';
import { Informers } from '../../operator/watch/informers';
import { Metrics } from '../../operator/report/metrics';
import { WorkQueue } from '../../operator/reconcile/queue';
import { FakeClock } from './fake-clock';

async function valueOf(metrics: Metrics, series: string): Promise<string | undefined> {
  const line = (await metrics.text()).split('\n').find((each) => each.startsWith(`${series} `));
  return line?.split(' ').at(-1);
}

test.each([
  'controller_runtime_reconcile_total{controller="x",result="success"}',
  'controller_runtime_reconcile_total{controller="x",result="error"}',
  'controller_runtime_reconcile_errors_total{controller="x"}',
  'controller_runtime_terminal_reconcile_errors_total{controller="x"}',
  'controller_runtime_reconcile_panics_total{controller="x"}',
  'controller_runtime_reconcile_time_seconds_count{controller="x"}',
  'controller_runtime_max_concurrent_reconciles{controller="x"}',
  'controller_runtime_active_workers{controller="x"}',
  'workqueue_depth{name="x",controller="x"}',
  'workqueue_adds_total{name="x",controller="x"}',
  'workqueue_queue_duration_seconds_count{name="x",controller="x"}',
  'workqueue_work_duration_seconds_count{name="x",controller="x"}',
  'workqueue_unfinished_work_seconds{name="x",controller="x"}',
  'workqueue_longest_running_processor_seconds{name="x",controller="x"}',
  'workqueue_retries_total{name="x",controller="x"}',
  'leader_election_master_status{name="x"}',
  'rest_client_requests_total{code="200",method="GET",host="h"}',
  'rest_client_request_duration_seconds_count{verb="GET",host="h"}',
])('%s is there, as a Go operator has it', async (series) => {
  const metrics = new Metrics();
  const controller = metrics.controller('x');
  const queue = new WorkQueue({ clock: new FakeClock(), observer: controller.queue });
  controller.watchQueue(queue, 4);
  queue.add('a');
  const key = await queue.take();
  controller.working(1);
  controller.reconciled('success', 1);
  controller.working(0);
  queue.addRateLimited('b');
  queue.done(key ?? '');
  metrics.leading('x', true);
  metrics.requests.answered('GET', 'h', '200', 0.1);
  expect(await valueOf(metrics, series)).toMatch(/^\d/);
});

test('the queue is measured at the moment of asking', async () => {
  const [metrics, clock] = [new Metrics(), new FakeClock()];
  const queue = new WorkQueue({ clock });
  metrics.controller('x').watchQueue(queue, 1);
  queue.add('a');
  queue.add('b');
  expect(await valueOf(metrics, 'workqueue_depth{name="x",controller="x"}')).toBe('2');
  await queue.take();
  await clock.advance(3000);
  expect(await valueOf(metrics, 'workqueue_depth{name="x",controller="x"}')).toBe('1');
  expect(await valueOf(metrics, 'workqueue_longest_running_processor_seconds{name="x",controller="x"}')).toBe('3');
});

test('the caches of a kind are synced when all of them are', async () => {
  const [metrics, clock] = [new Metrics(), new FakeClock()];
  let fails = true;
  const client = {
    list: async (_kind: ChildKind, { labelSelector }: { labelSelector?: string }) => {
      if (fails && labelSelector !== undefined) throw new Error('not yet');
      return { items: [], resourceVersion: '1', next: undefined };
    },
    // oxlint-disable-next-line require-yield -- a watch on which nothing happens
    async *watch(_kind: ChildKind, _selection: unknown, { signal }: { signal: AbortSignal }) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  } as unknown as KubeClient;
  const informers = new Informers({ client, clock, namespaces: [] });
  const kind = { apiVersion: 'apps/v1', kind: 'Deployment', plural: 'deployments' };
  metrics.controller('x').watchCaches([informers.of({ kind }), informers.of({ kind, labelSelector: 'a=b' })]);
  const stop = new AbortController();
  const running = informers.run(stop.signal);
  const series = 'inferno_reflector_synced{controller="x",kind="deployments.apps"}';
  await clock.advance(10);
  expect(await valueOf(metrics, series)).toBe('0');
  fails = false;
  await clock.advance(5000);
  expect(await valueOf(metrics, series)).toBe('1');
  expect(await valueOf(metrics, 'inferno_cache_objects{controller="x",kind="deployments.apps"}')).toBe('0');
  expect(
    Number(await valueOf(metrics, 'inferno_reflector_silent_seconds{controller="x",kind="deployments.apps"}')),
  ).toBeGreaterThan(4);
  stop.abort();
  await running;
});

test('the documentation has each metric with its labels, and no other', async () => {
  const metrics = new Metrics();
  metrics.leading('x', true);
  metrics.controller('x').watchResources({
    gauges: (inferenceServiceComposition.gauges ?? []).map((gauge) => ({ ...gauge, value: () => 1 })),
    resources: () => [resource],
    observedOf: () => ({ get: () => undefined, list: () => [] }),
  });
  const text = await metrics.text();
  const ours = [...text.matchAll(/^# TYPE (\S+)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => !/^(nodejs|process)_/.test(name));
  const rows = [...readFileSync('docs/monitoring.md', 'utf8').matchAll(/^\| (`[a-z_`, ]+`) *\| (`[a-z_`, ]+`) *\|/gm)];
  const documented = rows.flatMap(([, names = '', labels = '']) => {
    const texts = (cell: string): readonly string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, each = '']) => each);
    return texts(names).map((name) => ({ name, labels: texts(labels) }));
  });
  expect(documented.map(({ name }) => name).toSorted()).toEqual(ours.toSorted());
  for (const { name, labels } of documented) {
    expect({ name, labels }).toEqual({ name, labels: labelNames(metrics, name) ?? labelsIn(text, name) });
  }
});

const resource = {
  apiVersion: 'example.com/v1',
  kind: 'X',
  metadata: { name: 'a' },
  status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }] },
};

/** Of what prom-client keeps. */
function labelNames(metrics: Metrics, name: string): readonly string[] | undefined {
  const metric: object | undefined = metrics.registry.getSingleMetric(name);
  if (metric === undefined) return undefined;
  return 'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames : [];
}

/** Of what is made at the moment of asking. */
function labelsIn(text: string, name: string): readonly string[] {
  const [, labels = ''] = new RegExp(`^${name}\\{(.*)\\} `, 'm').exec(text) ?? [];
  return [...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label);
}
