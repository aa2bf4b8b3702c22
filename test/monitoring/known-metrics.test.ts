import { readFileSync } from 'node:fs';
import { Metrics as ServerMetrics } from '../../fake-server/metrics';
import type { Observed } from '../../lib/composition';
import { inferenceServiceComposition } from '../../lib/inference';
import { alertGroups } from '../../lib/install/monitoring/alerts';
import { Metrics } from '../../operator/report/metrics';
import { expressions } from './expressions';

/** Triton's, by its documentation: it cannot be run here. */
const TRITON = ['nv_inference_pending_request_count', 'nv_inference_request_success', 'nv_inference_request_failure'];

/** The names of series in a text of metrics. */
function seriesOf(text: string): readonly string[] {
  return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
}

/** The names of series in a query: words that are no function, no operator, no label. */
function namesIn(expr: string): readonly string[] {
  const bare = expr
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\b(by|on) \([^)]*\)/g, '')
    .replaceAll(/\[[^\]]*\]/g, '');
  const words = [...bare.matchAll(/[a-zA-Z_:][a-zA-Z0-9_:]*(?!\w|:|\s*\()/g)].map(([word]) => word);
  return words.filter((word) => !['and', 'or', 'unless'].includes(word));
}

async function operatorSeries(): Promise<readonly string[]> {
  const metrics = new Metrics();
  const observed: Observed = { get: () => undefined, list: () => [] };
  const gauges = inferenceServiceComposition.gauges ?? [];
  metrics.controller('x').watchResources({ gauges, resources: () => [], observedOf: () => observed });
  return seriesOf(await metrics.text());
}

test('alerts and dashboard name no series that nobody has', async () => {
  const server = new ServerMetrics().render('m', { running: 0, waiting: 0, capacity: 1 });
  const known = new Set(['up', ...(await operatorSeries()), ...seriesOf(server), ...TRITON]);
  const asked = [...expressions(), ...alertGroups().flatMap(({ alerts }) => alerts.map(({ expr }) => expr))];
  const names = new Set(asked.flatMap(namesIn));
  expect(names.size).toBeGreaterThan(30);
  expect([...names].filter((name) => !known.has(name))).toEqual([]);
});

test('each alert has a runbook in the documentation, and each runbook an alert', () => {
  const page = readFileSync('docs/monitoring.md', 'utf8');
  const runbooks = [...page.matchAll(/^### (Inferno\w+)$/gm)].map(([, name]) => name);
  const alerts = alertGroups().flatMap((group) => group.alerts);
  expect(runbooks).toEqual(alerts.map(({ name }) => name));
});

test('each alert says how soon to look, what is the matter and what to run next', () => {
  for (const { name, severity, summary, description } of alertGroups().flatMap((group) => group.alerts)) {
    expect(['critical', 'warning']).toContain(severity);
    expect([name, summary]).toEqual([name, expect.stringMatching(/\.$/)]);
    expect([name, description]).toEqual([name, expect.stringMatching(/ Next: kubectl \S/)]);
  }
});
