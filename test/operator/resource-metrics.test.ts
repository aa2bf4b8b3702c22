import type { Manifest, Observed, Resource, ResourceGauge } from '../../lib/composition';
import { Metrics } from '../../operator/report/metrics';
import { ResourceMetrics } from '../../operator/report/resource-metrics';

const nothing: Observed = { get: () => undefined, list: () => [] };

function resource(name: string, conditions: unknown, namespace: string | undefined = 'models'): Manifest {
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
  return { apiVersion: 'example.com/v1', kind: 'Cache', metadata, status: { conditions } };
}

function gauge(name: string, value: ResourceGauge<Resource>['value']): ResourceGauge<Resource> {
  return { name, help: `Help for ${name}.`, value };
}

function textOf(resources: readonly Manifest[], gauges: readonly ResourceGauge<Resource>[] = []): string {
  const metrics = new ResourceMetrics();
  metrics.watch({ controller: 'cache', gauges, resources: () => resources, observedOf: () => nothing });
  return metrics.text();
}

function samples(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

test('each condition is a number, with the time at which it changed', () => {
  const lastTransitionTime = '2026-01-01T00:00:30Z';
  const text = textOf([
    resource('a', [
      { type: 'Ready', status: 'False', lastTransitionTime },
      { type: 'Synced', status: 'True', lastTransitionTime },
      { type: 'Strange', status: 'Unknown' },
    ]),
  ]);
  expect(text)
    .toBe(`# HELP inferno_resource_condition Conditions in the status of each resource: 1 for True, 0 for False, -1 for Unknown.
# TYPE inferno_resource_condition gauge
inferno_resource_condition{controller="cache",namespace="models",name="a",condition="Ready"} 0
inferno_resource_condition{controller="cache",namespace="models",name="a",condition="Synced"} 1
inferno_resource_condition{controller="cache",namespace="models",name="a",condition="Strange"} -1
# HELP inferno_resource_condition_since_seconds Unix time at which the condition changed last.
# TYPE inferno_resource_condition_since_seconds gauge
inferno_resource_condition_since_seconds{controller="cache",namespace="models",name="a",condition="Ready"} 1767225630
inferno_resource_condition_since_seconds{controller="cache",namespace="models",name="a",condition="Synced"} 1767225630
`);
});

test.each([
  [undefined],
  [null],
  ['text'],
  [[null, 1, { type: 1, status: 'True' }, { type: 'A', status: 'maybe' }]],
  [[{ type: 'a'.repeat(317), status: 'True' }]],
])('conditions that are none, as %j, are left out', (conditions) => {
  expect(samples(textOf([resource('a', conditions)]))).toEqual([]);
});

test('what a resource or a composition calls itself cannot break the text', () => {
  const text = textOf([resource('a', [{ type: 'A"\\\n', status: 'True' }], '')]);
  expect(samples(text)).toEqual([
    'inferno_resource_condition{controller="cache",namespace="",name="a",condition="A\\"\\\\\\n"} 1',
  ]);
});

test("a composition's own figures stand beside them; one that fails takes no other away", () => {
  const gauges = [
    gauge('cache_bad', () => {
      throw new Error('a fault');
    }),
    gauge('cache_size', ({ metadata }) => (metadata.name === 'b' ? undefined : 7)),
  ];
  const text = textOf([resource('a', []), resource('b', [])], gauges);
  expect(samples(text)).toEqual(['cache_size{controller="cache",namespace="models",name="a"} 7']);
  expect(text).toContain('# HELP cache_size Help for cache_size.\n# TYPE cache_size gauge\n');
});

test('a family that two compositions have stands once in the text', () => {
  const metrics = new ResourceMetrics();
  for (const controller of ['one', 'two']) {
    const gauges = [gauge('shared', () => 1)];
    metrics.watch({ controller, gauges, resources: () => [resource('a', [])], observedOf: () => nothing });
  }
  expect(metrics.text().match(/# TYPE shared gauge/g)).toHaveLength(1);
  expect(samples(metrics.text())).toHaveLength(2);
});

test('a resource that is gone has no figures any more', async () => {
  const metrics = new Metrics();
  const there = [resource('a', [{ type: 'Ready', status: 'True' }])];
  metrics.controller('cache').watchResources({ gauges: [], resources: () => there, observedOf: () => nothing });
  expect(await metrics.text()).toContain('name="a",condition="Ready"} 1\n');
  there.pop();
  expect(await metrics.text()).not.toContain('name="a"');
});
