import { OPERATOR_NAMESPACE } from '../names';
import { OPERATOR_JOB } from './scraping';

/** How soon a person has to look. */
export type Severity = 'critical' | 'warning';

/** An alert, as data: what Prometheus' rules and the documentation are made from. */
export interface Alert {
  readonly name: string;
  readonly severity: Severity;
  /** PromQL; fires for each series that it gives. */
  readonly expr: string;
  /** Seconds for which it has to be so. */
  readonly forSeconds: number;
  readonly summary: string;
  readonly description: string;
}

/** A group of alerts; Prometheus evaluates them together. */
export interface AlertGroup {
  readonly name: string;
  readonly alerts: readonly Alert[];
}

/** What may differ from cluster to cluster. Times are in seconds. */
export interface AlertOptions {
  /** The operator's namespace, for the commands in the descriptions. @default inferno-system */
  readonly namespace?: string;
  /** After which a model that is not ready is worth a look. @default 900 */
  readonly notReadySeconds?: number;
  /** The longest time that a pod may take to get ready. @default 1200 */
  readonly coldStartSeconds?: number;
  /** How long an autoscaler may stay at its maximum. @default 900 */
  readonly atMaximumSeconds?: number;
  /** A page whose anchors are the names of the alerts in small letters. @default this project's docs/monitoring.md */
  readonly runbookUrl?: string;
}

/** Where the alerts' runbooks are, unless another page is named. */
export const RUNBOOK_URL = 'https://github.com/inferno-project/inferno/blob/main/docs/monitoring.md';

/** The alerts. Pure. */
export function alertGroups(options: AlertOptions = {}): readonly AlertGroup[] {
  return [
    { name: 'inferno-operator', alerts: operatorAlerts(options) },
    { name: 'inferno-models', alerts: modelAlerts(options) },
  ];
}

const job = `job="${OPERATOR_JOB}"`;

function operatorAlerts({ namespace = OPERATOR_NAMESPACE }: AlertOptions): readonly Alert[] {
  const logs = `kubectl logs -n ${namespace} -l app.kubernetes.io/name=inferno,app.kubernetes.io/component=operator --tail=-1 --since=1h`;
  return [
    {
      name: 'InfernoOperatorDown',
      severity: 'critical',
      // A target that is gone has no `up` at all.
      expr: `absent(up{${job}} == 1)`,
      forSeconds: 300,
      summary: 'No Inferno operator answers.',
      description: `Prometheus can scrape no operator. Model servers keep running, but nothing follows changes of InferenceServices. Next: kubectl get pods -n ${namespace}`,
    },
    {
      name: 'InfernoNoLeader',
      severity: 'critical',
      expr: `max by (name) (leader_election_master_status{${job}}) == 0`,
      forSeconds: 300,
      summary: 'No Inferno operator leads.',
      description: `Operators run, but none holds the Lease {{ $labels.name }}, so none of them works. Next: kubectl get lease -n ${namespace} {{ $labels.name }} -o yaml`,
    },
    {
      name: 'InfernoReconcileErrors',
      severity: 'warning',
      // What a user's resource says wrongly is reported in its own status, and ends as a terminal error.
      expr: [
        `(sum by (controller) (rate(controller_runtime_reconcile_errors_total{${job}}[10m]))`,
        `  - sum by (controller) (rate(controller_runtime_terminal_reconcile_errors_total{${job}}[10m])))`,
        `/ sum by (controller) (rate(controller_runtime_reconcile_total{${job}}[10m])) > 0.1`,
      ].join('\n'),
      forSeconds: 900,
      summary: 'Reconciles of {{ $labels.controller }} fail.',
      description: `{{ $value | humanizePercentage }} of the reconciles of the last 10 minutes failed for a reason that is not in the resource. Next: ${logs} | grep '"level":"error"'`,
    },
    {
      name: 'InfernoReconcilePanics',
      severity: 'warning',
      expr: `sum by (controller) (increase(controller_runtime_reconcile_panics_total{${job}}[15m])) > 0`,
      forSeconds: 0,
      summary: 'A reconcile of {{ $labels.controller }} ended in a fault of the program.',
      description: `This is a fault of the operator or of a composition, please report it. Next: ${logs} | grep 'Program fault'`,
    },
    {
      name: 'InfernoQueueStuck',
      severity: 'critical',
      // The queue of an operator that waits for leadership fills up and waits with it.
      expr: [
        `(`,
        `  max by (controller, instance) (workqueue_longest_running_processor_seconds{${job}}) > 300`,
        `  or`,
        `  min by (controller, instance) (min_over_time(workqueue_depth{${job}}[10m])) > 0`,
        `    and sum by (controller, instance) (rate(workqueue_work_duration_seconds_count{${job}}[10m])) == 0`,
        `) unless on (instance) leader_election_master_status{${job}} == 0`,
      ].join('\n'),
      forSeconds: 300,
      summary: 'The queue of {{ $labels.controller }} does not move.',
      description: `Work waits at {{ $labels.instance }} and none gets done, or one reconcile hangs. After ten minutes its liveness probe fails and it is started anew. Next: ${logs}`,
    },
    {
      name: 'InfernoWatchSilent',
      severity: 'warning',
      expr: `max by (controller, kind, instance) (inferno_reflector_silent_seconds{${job}}) > 180`,
      forSeconds: 300,
      summary: 'The operator hears nothing of {{ $labels.kind }}.',
      description: `The API server has said nothing about {{ $labels.kind }} to {{ $labels.instance }} for {{ $value | humanizeDuration }}, where it says something each minute: what the operator knows is old. Next: ${logs} | grep {{ $labels.kind }}`,
    },
    {
      name: 'InfernoCacheNotFilled',
      severity: 'warning',
      expr: `min by (controller, kind, instance) (inferno_reflector_synced{${job}}) == 0`,
      forSeconds: 600,
      summary: 'The operator cannot read {{ $labels.kind }}.',
      description: `The kind is not in the cluster, or the operator may not list it, so that nothing of {{ $labels.controller }} is reconciled. Next: kubectl auth can-i list {{ $labels.kind }} -A --as=system:serviceaccount:${namespace}:inferno-controller-manager`,
    },
  ];
}

function modelAlerts(options: AlertOptions): readonly Alert[] {
  const { atMaximumSeconds = 900, coldStartSeconds = 1200, notReadySeconds = 900 } = options;
  // Every replica of the operator says the same of a resource.
  const each = 'max by (namespace, name)';
  const kind = 'controller="inferenceservice"';
  const status = `kubectl describe inferenceservice -n {{ $labels.namespace }} {{ $labels.name }}`;
  const condition = (type: string): string => `inferno_resource_condition{${kind},condition="${type}"}`;
  const since = (type: string): string => `inferno_resource_condition_since_seconds{${kind},condition="${type}"}`;
  return [
    {
      name: 'InfernoModelUnavailable',
      severity: 'critical',
      expr: [
        `${each} (inferno_inferenceservice_ready_replicas) == 0`,
        `and on (namespace, name) ${each} (${condition('Ready')}) == 0`,
        `and on (namespace, name) time() - ${each} (${since('Ready')}) > ${notReadySeconds}`,
      ].join('\n'),
      forSeconds: 60,
      summary: 'Nothing answers for model {{ $labels.namespace }}/{{ $labels.name }}.',
      description: `The InferenceService wants pods and has had none that is ready for some time. Next: ${status}`,
    },
    {
      name: 'InfernoModelNotReady',
      severity: 'warning',
      // The time is the condition's own, so that a restart of the operator or of Prometheus does not begin it anew.
      expr: [
        `(time() - ${each} (${since('Ready')}) > ${notReadySeconds})`,
        `and on (namespace, name) ${each} (${condition('Ready')}) == 0`,
      ].join('\n'),
      forSeconds: 60,
      summary: 'Model {{ $labels.namespace }}/{{ $labels.name }} is not ready.',
      description: `The InferenceService has not been Ready for {{ $value | humanizeDuration }}: its condition says why. Next: ${status}`,
    },
    {
      name: 'InfernoModelFailed',
      severity: 'warning',
      expr: `${each} (${condition('Stalled')}) == 1`,
      forSeconds: 300,
      summary: 'Model {{ $labels.namespace }}/{{ $labels.name }} has failed.',
      description: `The InferenceService is Stalled: it will not get ready without a change. An older version may still answer. Next: ${status}`,
    },
    {
      name: 'InfernoAutoscalerAtMaximum',
      severity: 'warning',
      expr: `${each} (inferno_inferenceservice_autoscaler_at_maximum) == 1`,
      forSeconds: atMaximumSeconds,
      summary: 'Model {{ $labels.namespace }}/{{ $labels.name }} wants more pods than it may have.',
      description:
        'Its autoscaler is at its maximum and would go on: requests wait. Next: kubectl describe hpa -n {{ $labels.namespace }} {{ $labels.name }}',
    },
    {
      name: 'InfernoColdStartSlow',
      severity: 'warning',
      expr: `time() - min by (namespace, name) (inferno_inferenceservice_unready_since_seconds) > ${coldStartSeconds}`,
      forSeconds: 60,
      summary: 'A pod of model {{ $labels.namespace }}/{{ $labels.name }} takes long to get ready.',
      description:
        'A pod has not been ready for {{ $value | humanizeDuration }}: it waits for a node, pulls its image, or loads its model. Next: kubectl get pods -n {{ $labels.namespace }} -l app={{ $labels.name }},operator=inferno -o wide',
    },
  ];
}

/** The alerts as Prometheus reads them: the `groups` of a file of rules and the `spec` of a PrometheusRule. */
export function alertRules(options: AlertOptions = {}): { readonly groups: readonly object[] } {
  const { runbookUrl = RUNBOOK_URL } = options;
  return {
    groups: alertGroups(options).map(({ name, alerts }) => ({
      name,
      rules: alerts.map((alert) => ({
        alert: alert.name,
        expr: alert.expr,
        ...(alert.forSeconds === 0 ? {} : { for: `${alert.forSeconds}s` }),
        labels: { severity: alert.severity },
        annotations: {
          summary: alert.summary,
          description: alert.description,
          runbook_url: `${runbookUrl}#${alert.name.toLowerCase()}`,
        },
      })),
    })),
  };
}
