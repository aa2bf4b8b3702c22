import { defined } from '../../composition/objects';
import { MODELS_JOB, OPERATOR_JOB } from './scraping';

/** How Grafana writes a figure. */
type Unit = 'short' | 's' | 'ops' | 'reqps' | 'bytes' | 'percentunit';

/** A query and the words for its series. */
interface Query {
  readonly expr: string;
  readonly legend: string;
}

interface Panel {
  readonly title: string;
  readonly description?: string;
  /** `state`: the figure now, green at 1 and red at 0. @default timeseries */
  readonly as?: 'timeseries' | 'state';
  readonly unit?: Unit;
  readonly queries: readonly Query[];
}

interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

const operator = `job="${OPERATOR_JOB}"`;
const resources = 'controller="inferenceservice",namespace=~"$namespace",name=~"$model"';
const services = 'namespace=~"$namespace",name=~"$model"';
const servers = `job="${MODELS_JOB}",namespace=~"$namespace",inferenceservice=~"$model"`;
/** What a model is called in the legend. */
const model = '{{namespace}}/{{inferenceservice}}';
const resource = '{{namespace}}/{{name}}';
/** Every replica of the operator says the same of a resource. */
const each = 'max by (namespace, name)';

/** The time within which the given share of what a histogram counts lies. */
function quantile(share: number, by: string, histogram: string, labels: string): string {
  return `histogram_quantile(${share}, sum by (le, ${by}) (rate(${histogram}_bucket{${labels}}[$__rate_interval])))`;
}

function perSecond(by: string, counter: string, labels: string): string {
  return `sum by (${by}) (rate(${counter}{${labels}}[$__rate_interval]))`;
}

const ofModel = 'namespace, inferenceservice';

const ROWS: readonly Row[] = [
  {
    title: 'Models',
    panels: [
      {
        title: 'Ready',
        as: 'state',
        queries: [{ expr: `${each} (inferno_resource_condition{${resources},condition="Ready"})`, legend: resource }],
      },
      {
        title: 'Pods that are ready',
        queries: [
          { expr: `${each} (inferno_inferenceservice_ready_replicas{${services}})`, legend: `${resource} ready` },
          { expr: `${each} (inferno_inferenceservice_replicas{${services}})`, legend: `${resource} all` },
          {
            expr: `${each} (inferno_inferenceservice_autoscaler_maximum{${services}})`,
            legend: `${resource} autoscaler's maximum`,
          },
        ],
      },
      {
        title: 'Autoscaler at its maximum',
        description: '1 where it wants more pods than it may ask for.',
        queries: [{ expr: `${each} (inferno_inferenceservice_autoscaler_at_maximum{${services}})`, legend: resource }],
      },
      {
        title: 'Waiting for a pod to get ready',
        description: 'How long the pod that has not been ready for longest has been waited for.',
        unit: 's',
        queries: [
          {
            expr: `time() - min by (namespace, name) (inferno_inferenceservice_unready_since_seconds{${services}})`,
            legend: resource,
          },
        ],
      },
      {
        title: 'Requests running and waiting',
        queries: [
          { expr: `sum by (${ofModel}) (vllm:num_requests_running{${servers}})`, legend: `${model} running` },
          { expr: `sum by (${ofModel}) (vllm:num_requests_waiting{${servers}})`, legend: `${model} waiting` },
        ],
      },
      {
        title: 'Requests by how they ended',
        unit: 'reqps',
        queries: [
          {
            expr: perSecond(`${ofModel}, finished_reason`, 'vllm:request_success_total', servers),
            legend: `${model} {{finished_reason}}`,
          },
        ],
      },
      {
        title: 'Tokens per second',
        queries: [
          { expr: perSecond(ofModel, 'vllm:generation_tokens_total', servers), legend: `${model} generated` },
          { expr: perSecond(ofModel, 'vllm:prompt_tokens_total', servers), legend: `${model} prompt` },
        ],
      },
      {
        title: 'Time to the first token',
        unit: 's',
        queries: [
          { expr: quantile(0.5, ofModel, 'vllm:time_to_first_token_seconds', servers), legend: `${model} median` },
          { expr: quantile(0.95, ofModel, 'vllm:time_to_first_token_seconds', servers), legend: `${model} 95 %` },
        ],
      },
      {
        title: 'Time between tokens',
        unit: 's',
        queries: [
          { expr: quantile(0.5, ofModel, 'vllm:inter_token_latency_seconds', servers), legend: `${model} median` },
          { expr: quantile(0.95, ofModel, 'vllm:inter_token_latency_seconds', servers), legend: `${model} 95 %` },
        ],
      },
      {
        title: 'Time of a whole answer, and in the queue',
        unit: 's',
        queries: [
          {
            expr: quantile(0.95, ofModel, 'vllm:e2e_request_latency_seconds', servers),
            legend: `${model} answer 95 %`,
          },
          { expr: quantile(0.95, ofModel, 'vllm:request_queue_time_seconds', servers), legend: `${model} queue 95 %` },
        ],
      },
      {
        title: 'KV cache in use',
        unit: 'percentunit',
        queries: [{ expr: `max by (${ofModel}) (vllm:kv_cache_usage_perc{${servers}})`, legend: model }],
      },
      {
        title: 'Triton: requests that wait, and that ended',
        description: 'Triton counts inference requests, not tokens.',
        queries: [
          {
            expr: `sum by (${ofModel}) (nv_inference_pending_request_count{${servers}})`,
            legend: `${model} waiting`,
          },
          { expr: perSecond(ofModel, 'nv_inference_request_success', servers), legend: `${model} ended per second` },
          { expr: perSecond(ofModel, 'nv_inference_request_failure', servers), legend: `${model} failed per second` },
        ],
      },
    ],
  },
  {
    title: 'Operator',
    panels: [
      { title: 'Up', as: 'state', queries: [{ expr: `up{${operator}}`, legend: '{{instance}}' }] },
      {
        title: 'Leader',
        as: 'state',
        queries: [{ expr: `max by (name) (leader_election_master_status{${operator}})`, legend: '{{name}}' }],
      },
      {
        title: 'Reconciles',
        unit: 'ops',
        queries: [
          {
            expr: perSecond('controller, result', 'controller_runtime_reconcile_total', operator),
            legend: '{{controller}} {{result}}',
          },
        ],
      },
      {
        title: 'Errors',
        unit: 'ops',
        queries: [
          {
            expr: perSecond('controller', 'controller_runtime_reconcile_errors_total', operator),
            legend: '{{controller}} all',
          },
          {
            expr: perSecond('controller', 'controller_runtime_terminal_reconcile_errors_total', operator),
            legend: '{{controller}} in the resource',
          },
          {
            expr: perSecond('controller', 'controller_runtime_reconcile_panics_total', operator),
            legend: '{{controller}} faults of the program',
          },
        ],
      },
      {
        title: 'Time of a reconcile',
        unit: 's',
        queries: [0.5, 0.95].map((share) => ({
          expr: quantile(share, 'controller', 'controller_runtime_reconcile_time_seconds', operator),
          legend: `{{controller}} ${share * 100} %`,
        })),
      },
      {
        title: 'Queue',
        queries: [
          { expr: `workqueue_depth{${operator}}`, legend: '{{controller}} waiting at {{instance}}' },
          { expr: `controller_runtime_active_workers{${operator}}`, legend: '{{controller}} running at {{instance}}' },
        ],
      },
      {
        title: 'Time in the queue',
        unit: 's',
        queries: [
          {
            expr: quantile(0.95, 'controller', 'workqueue_queue_duration_seconds', operator),
            legend: '{{controller}} 95 %',
          },
        ],
      },
      {
        title: 'Requests to the API server',
        unit: 'reqps',
        queries: [
          { expr: perSecond('method, code', 'rest_client_requests_total', operator), legend: '{{method}} {{code}}' },
        ],
      },
      {
        title: 'Time of a request to the API server',
        unit: 's',
        queries: [
          {
            expr: quantile(0.95, 'verb', 'rest_client_request_duration_seconds', operator),
            legend: '{{verb}} 95 %',
          },
        ],
      },
      {
        title: 'Silence of the API server',
        description: 'It says something about each kind every minute.',
        unit: 's',
        queries: [
          {
            expr: `max by (kind, instance) (inferno_reflector_silent_seconds{${operator}})`,
            legend: '{{kind}} at {{instance}}',
          },
        ],
      },
      {
        title: 'Memory',
        unit: 'bytes',
        queries: [{ expr: `process_resident_memory_bytes{${operator}}`, legend: '{{instance}}' }],
      },
      {
        title: 'CPU, and lag of the event loop',
        unit: 's',
        queries: [
          {
            expr: `rate(process_cpu_seconds_total{${operator}}[$__rate_interval])`,
            legend: '{{instance}} CPU seconds per second',
          },
          { expr: `nodejs_eventloop_lag_p99_seconds{${operator}}`, legend: '{{instance}} lag 99 %' },
        ],
      },
    ],
  },
];

const COLUMNS = 3;
const [PANEL_WIDTH, PANEL_HEIGHT] = [24 / COLUMNS, 8];
const datasource = { type: 'prometheus', uid: '${datasource}' };

/** The dashboard, as Grafana imports it. */
export function dashboard(): object {
  return {
    uid: 'inferno',
    title: 'Inferno',
    description: 'Model servers of InferenceServices, and the operator that runs them.',
    tags: ['inferno', 'inference'],
    schemaVersion: 41,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-1h', to: 'now' },
    timezone: 'browser',
    annotations: { list: [] },
    links: [],
    templating: { list: variables() },
    panels: panels(),
  };
}

function variables(): readonly object[] {
  const choice = (name: string, label: string, query: string): object => ({
    name,
    label,
    type: 'query',
    datasource,
    definition: query,
    query: { query, refId: name },
    refresh: 2,
    sort: 1,
    multi: true,
    includeAll: true,
    allValue: '.*',
    current: { text: 'All', value: '$__all' },
  });
  return [
    { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', refresh: 1, current: {} },
    choice('namespace', 'Namespace', 'label_values(inferno_inferenceservice_replicas, namespace)'),
    choice('model', 'Model', 'label_values(inferno_inferenceservice_replicas{namespace=~"$namespace"}, name)'),
  ];
}

function panels(): readonly object[] {
  let [id, y] = [0, 0];
  return ROWS.flatMap(({ title, panels: inRow }) => {
    const row = { id: ++id, type: 'row', title, collapsed: false, panels: [], gridPos: { x: 0, y: y++, w: 24, h: 1 } };
    const placed = inRow.map((panel, index) => ({
      id: ++id,
      ...panelJson(panel),
      gridPos: {
        x: (index % COLUMNS) * PANEL_WIDTH,
        y: y + Math.floor(index / COLUMNS) * PANEL_HEIGHT,
        w: PANEL_WIDTH,
        h: PANEL_HEIGHT,
      },
    }));
    y += Math.ceil(inRow.length / COLUMNS) * PANEL_HEIGHT;
    return [row, ...placed];
  });
}

function panelJson({ title, description, as = 'timeseries', unit = 'short', queries }: Panel): object {
  const targets = queries.map(({ expr, legend }, index) => ({
    refId: String.fromCodePoint(65 + index),
    datasource,
    expr,
    legendFormat: legend,
    ...(as === 'timeseries' ? { range: true } : { instant: true, range: false }),
  }));
  const common = defined({ title, description, datasource, targets });
  return as === 'timeseries'
    ? {
        ...common,
        type: 'timeseries',
        fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
        options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
      }
    : {
        ...common,
        type: 'stat',
        fieldConfig: { defaults: { unit, ...STATE }, overrides: [] },
        options: {
          colorMode: 'background',
          graphMode: 'none',
          textMode: 'value_and_name',
          reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
        },
      };
}

const STATE = {
  mappings: [
    { type: 'value', options: { '1': { text: 'yes', index: 0 }, '0': { text: 'no', index: 1 } } },
    { type: 'value', options: { '-1': { text: 'unknown', index: 2 } } },
  ],
  thresholds: {
    mode: 'absolute',
    steps: [
      { color: 'orange', value: null },
      { color: 'red', value: 0 },
      { color: 'green', value: 1 },
    ],
  },
};
