import { stringify } from 'yaml';
import { alertGroups } from '../../lib/install/monitoring/alerts';
import { monitoringFiles } from '../../lib/install/monitoring/files';
import { expressions } from '../monitoring/expressions';
import { findPrometheus } from '../tools/prometheus';
import { promtool, type PromtoolResult } from '../tools/promtool';

const files = monitoringFiles();

beforeAll(() => findPrometheus(), 1_800_000);

test('promtool takes the rules', async () => {
  expect(await promtool(['check', 'rules', 'alerts.yaml'], files)).toEqual({
    ok: true,
    said: expect.stringContaining('SUCCESS: 12 rules found'),
  });
});

test('promtool takes the scrape settings, with the rules beside them', async () => {
  const config = `rule_files: [alerts.yaml]\n${files['scrape-configs.yaml']}`;
  expect(await promtool(['check', 'config', 'prometheus.yaml'], { ...files, 'prometheus.yaml': config })).toEqual({
    ok: true,
    said: expect.stringContaining('SUCCESS'),
  });
});

test('every query of the dashboard is one that Prometheus can read', async () => {
  const rules = expressions().map((expr, index) => ({ record: `panel:${index}`, expr }));
  expect(rules.length).toBeGreaterThan(30);
  const file = stringify({ groups: [{ name: 'dashboard', rules }] });
  expect(await promtool(['check', 'rules', 'dashboard.yaml'], { 'dashboard.yaml': file })).toEqual({
    ok: true,
    said: expect.stringContaining(`SUCCESS: ${rules.length} rules found`),
  });
});

type Series = Readonly<Record<string, string>>;

/** What Prometheus sees, a value each minute, and which series an alert has then at some minute. */
interface Case {
  readonly alert: string;
  readonly says: string;
  readonly series: Series;
  readonly minute: number;
  /** Labels of what fires. */
  readonly fires: readonly Series[];
}

const job = 'job="inferno-operator"';
const [pod, other] = [`${job},instance="a:8080"`, `${job},instance="b:8080"`];
const one = `controller="inferenceservice",namespace="models",name="chat"`;
const controller = { controller: 'inferenceservice' };
const chat = { namespace: 'models', name: 'chat' };
const at = (labels: string, by: string): string => `{${labels},${by}}`;
const reconciles = (errors: string, terminal: string, total: string): Series => ({
  [`controller_runtime_reconcile_errors_total{${pod},controller="inferenceservice"}`]: errors,
  [`controller_runtime_terminal_reconcile_errors_total{${pod},controller="inferenceservice"}`]: terminal,
  [`controller_runtime_reconcile_total{${pod},controller="inferenceservice",result="success"}`]: total,
  [`controller_runtime_reconcile_total{${pod},controller="inferenceservice",result="error"}`]: errors,
});
const queue = (leads: string): Series => ({
  [`workqueue_depth{${pod},controller="inferenceservice",name="inferenceservice"}`]: '3x40',
  [`workqueue_work_duration_seconds_count{${pod},controller="inferenceservice",name="inferenceservice"}`]: '7x40',
  [`leader_election_master_status{${pod},name="lease"}`]: leads,
});
/** Both replicas of the operator, one of which leads, say it. */
const twice = (metric: string, labels: string, values: string): Series => ({
  [metric + at(pod, labels)]: values,
  [metric + at(other, labels)]: values,
});
const ready = (status: string, since: string): Series => ({
  ...twice('inferno_resource_condition', `${one},condition="Ready"`, status),
  ...twice('inferno_resource_condition_since_seconds', `${one},condition="Ready"`, since),
});

const CASES: readonly Case[] = [
  {
    alert: 'InfernoOperatorDown',
    says: 'fires when none answers',
    series: { [`up{${pod}}`]: '1 1 1 0x40' },
    minute: 10,
    fires: [{}],
  },
  {
    alert: 'InfernoOperatorDown',
    says: 'fires when none is there any more',
    series: { [`up{${pod}}`]: '1 1 1 stale' },
    minute: 10,
    fires: [{}],
  },
  {
    alert: 'InfernoOperatorDown',
    says: 'is silent as long as one of two answers',
    series: { [`up{${pod}}`]: '0x40', [`up{${other}}`]: '1x40' },
    minute: 30,
    fires: [],
  },
  {
    alert: 'InfernoNoLeader',
    says: 'fires when all wait',
    series: {
      [`leader_election_master_status{${pod},name="lease"}`]: '0x40',
      [`leader_election_master_status{${other},name="lease"}`]: '1 1 0x40',
    },
    minute: 10,
    fires: [{ name: 'lease' }],
  },
  {
    alert: 'InfernoNoLeader',
    says: 'is silent while one leads',
    series: {
      [`leader_election_master_status{${pod},name="lease"}`]: '0x40',
      [`leader_election_master_status{${other},name="lease"}`]: '1x40',
    },
    minute: 30,
    fires: [],
  },
  {
    alert: 'InfernoReconcileErrors',
    says: 'fires when a fifth fails',
    series: reconciles('0+20x60', '0x60', '0+80x60'),
    minute: 40,
    fires: [controller],
  },
  {
    alert: 'InfernoReconcileErrors',
    says: 'is silent about resources that say something wrong',
    series: reconciles('0+20x60', '0+20x60', '0+80x60'),
    minute: 40,
    fires: [],
  },
  {
    alert: 'InfernoReconcileErrors',
    says: 'is silent when a twentieth fails',
    series: reconciles('0+5x60', '0x60', '0+95x60'),
    minute: 40,
    fires: [],
  },
  {
    alert: 'InfernoReconcilePanics',
    says: 'fires at the first one',
    series: { [`controller_runtime_reconcile_panics_total{${pod},controller="inferenceservice"}`]: '0 0 1x40' },
    minute: 5,
    fires: [controller],
  },
  {
    alert: 'InfernoReconcilePanics',
    says: 'is silent a while after the last one',
    series: { [`controller_runtime_reconcile_panics_total{${pod},controller="inferenceservice"}`]: '0 0 1x40' },
    minute: 30,
    fires: [],
  },
  {
    alert: 'InfernoQueueStuck',
    says: 'fires when work waits and none gets done',
    series: queue('1x40'),
    minute: 30,
    fires: [{ ...controller, instance: 'a:8080' }],
  },
  {
    alert: 'InfernoQueueStuck',
    says: 'is silent about one that waits for leadership',
    series: queue('0x40'),
    minute: 30,
    fires: [],
  },
  {
    alert: 'InfernoQueueStuck',
    says: 'is silent about a queue that is long and moves',
    series: {
      ...queue('1x40'),
      [`workqueue_work_duration_seconds_count{${pod},controller="inferenceservice",name="inferenceservice"}`]: '7+9x40',
    },
    minute: 30,
    fires: [],
  },
  {
    alert: 'InfernoQueueStuck',
    says: 'fires when a reconcile hangs, also without leader election',
    series: {
      [`workqueue_longest_running_processor_seconds{${pod},controller="inferenceservice",name="inferenceservice"}`]:
        '0+60x40',
    },
    minute: 12,
    fires: [{ ...controller, instance: 'a:8080' }],
  },
  {
    alert: 'InfernoWatchSilent',
    says: 'is silent about a short break',
    series: {
      [`inferno_reflector_silent_seconds{${pod},controller="inferenceservice",kind="pods"}`]: '0+60x6 0x40',
    },
    minute: 9,
    fires: [],
  },
  {
    alert: 'InfernoCacheNotFilled',
    says: 'is silent while it starts',
    series: { [`inferno_reflector_synced{${pod},controller="inferenceservice",kind="pods"}`]: '0x8 1x40' },
    minute: 12,
    fires: [],
  },
  {
    alert: 'InfernoWatchSilent',
    says: 'fires for the kind that nothing is heard of',
    series: {
      [`inferno_reflector_silent_seconds{${pod},controller="inferenceservice",kind="pods"}`]: '0+60x40',
      [`inferno_reflector_silent_seconds{${pod},controller="inferenceservice",kind="services"}`]: '30x40',
    },
    minute: 15,
    fires: [{ ...controller, kind: 'pods', instance: 'a:8080' }],
  },
  {
    alert: 'InfernoCacheNotFilled',
    says: 'fires for the kind that cannot be read',
    series: {
      [`inferno_reflector_synced{${pod},controller="inferenceservice",kind="pods"}`]: '0x40',
      [`inferno_reflector_synced{${pod},controller="inferenceservice",kind="services"}`]: '0 0 1x40',
    },
    minute: 15,
    fires: [{ ...controller, kind: 'pods', instance: 'a:8080' }],
  },
  {
    alert: 'InfernoModelUnavailable',
    says: 'fires once for two operators when no pod is ready',
    series: {
      ...ready('0x60', '60x60'),
      ...twice('inferno_inferenceservice_ready_replicas', one, '0x60'),
    },
    minute: 20,
    fires: [chat],
  },
  {
    alert: 'InfernoModelUnavailable',
    says: 'is silent while an older pod answers',
    series: {
      ...ready('0x60', '60x60'),
      ...twice('inferno_inferenceservice_ready_replicas', one, '1x60'),
    },
    minute: 40,
    fires: [],
  },
  {
    alert: 'InfernoModelUnavailable',
    says: 'is silent about one that is parked',
    series: {
      ...ready('1x60', '60x60'),
      ...twice('inferno_inferenceservice_ready_replicas', one, '0x60'),
    },
    minute: 40,
    fires: [],
  },
  {
    alert: 'InfernoModelNotReady',
    says: 'fires after 15 minutes, whatever became of the operator meanwhile',
    series: {
      // Only the other replica is there after a while.
      [`inferno_resource_condition${at(pod, `${one},condition="Ready"`)}`]: '0x10 _x30',
      [`inferno_resource_condition_since_seconds${at(pod, `${one},condition="Ready"`)}`]: '60x10 _x30',
      [`inferno_resource_condition${at(other, `${one},condition="Ready"`)}`]: '_x13 0x40',
      [`inferno_resource_condition_since_seconds${at(other, `${one},condition="Ready"`)}`]: '_x13 60x40',
    },
    minute: 18,
    fires: [chat],
  },
  {
    alert: 'InfernoModelNotReady',
    says: 'is silent before 15 minutes',
    series: ready('0x60', '60x60'),
    minute: 15,
    fires: [],
  },
  {
    alert: 'InfernoModelNotReady',
    says: 'is silent about one that has been ready for long',
    series: ready('1x60', '60x60'),
    minute: 50,
    fires: [],
  },
  {
    alert: 'InfernoModelFailed',
    says: 'fires when it is stalled',
    series: twice('inferno_resource_condition', `${one},condition="Stalled"`, '1x40'),
    minute: 7,
    fires: [chat],
  },
  {
    alert: 'InfernoModelFailed',
    says: 'is silent when it soon goes on',
    series: twice('inferno_resource_condition', `${one},condition="Stalled"`, '1 1 1 _x40'),
    minute: 12,
    fires: [],
  },
  {
    alert: 'InfernoAutoscalerAtMaximum',
    says: 'fires after 15 minutes',
    series: twice('inferno_inferenceservice_autoscaler_at_maximum', one, '1x40'),
    minute: 16,
    fires: [chat],
  },
  {
    alert: 'InfernoAutoscalerAtMaximum',
    says: 'is silent about a peak',
    series: twice('inferno_inferenceservice_autoscaler_at_maximum', one, '1x10 0 1x40'),
    minute: 16,
    fires: [],
  },
  {
    alert: 'InfernoColdStartSlow',
    says: 'fires for a pod that has loaded for more than 20 minutes',
    series: twice('inferno_inferenceservice_unready_since_seconds', one, '60x60'),
    minute: 24,
    fires: [chat],
  },
  {
    alert: 'InfernoColdStartSlow',
    says: 'is silent when one pod after the other starts',
    series: twice('inferno_inferenceservice_unready_since_seconds', one, '60x10 660x10 1260x10 1860x20'),
    minute: 45,
    fires: [],
  },
];

/** The rules without their texts, which promtool would want to hear in full. */
const bare = stringify({
  groups: alertGroups().map(({ name, alerts: rules }) => ({
    name,
    rules: rules.map(({ name: alert, expr, forSeconds }) => ({ alert, expr, for: `${forSeconds}s` })),
  })),
});

async function fired({ alert, series, minute, fires }: Case): Promise<PromtoolResult> {
  const test = {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [
      { alertname: alert, eval_time: `${minute}m`, exp_alerts: fires.map((labels) => ({ exp_labels: labels })) },
    ],
  };
  return promtool(['test', 'rules', 'test.yaml'], {
    'alerts.yaml': bare,
    'test.yaml': stringify({ rule_files: ['alerts.yaml'], evaluation_interval: '1m', tests: [test] }),
  });
}

test.each(CASES)('$alert $says', async (which) => {
  expect(await fired(which)).toEqual({ ok: true, said: expect.stringContaining('SUCCESS') });
});

test('each alert is seen firing and silent', () => {
  for (const { name } of alertGroups().flatMap((group) => group.alerts)) {
    const seen = CASES.filter(({ alert }) => alert === name).map(({ fires }) => fires.length > 0);
    expect({ name, seen: new Set(seen) }).toEqual({ name, seen: new Set([true, false]) });
  }
});
