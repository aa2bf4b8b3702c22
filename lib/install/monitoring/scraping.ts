import { defined } from '../../composition/objects';
import { engines } from '../../inference/engines';
import { frameworkLabel } from '../../inference/labels';
import { httpPort } from '../../inference/admitted';
import { operatorLabels } from '../names';

/** The label `job` of what is scraped from operators. */
export const OPERATOR_JOB = 'inferno-operator';
/** The label `job` of what is scraped from model servers. */
export const MODELS_JOB = 'inferno-model-servers';

/** The port with metrics, of the operator's Service and of every engine that has one of its own for them. */
const metricsPort = 'metrics';

/** The labels of every model server's Service. */
const modelLabels = { 'app.kubernetes.io/component': 'inference-server', 'app.kubernetes.io/managed-by': 'inferno' };

/** How a target is kept and named, with the Prometheus operator's words. */
interface Relabeling {
  readonly sourceLabels?: readonly string[];
  readonly regex?: string;
  /** Always said: what a definition fills in by itself, GitOps tools take for a difference. */
  readonly action: 'keep' | 'replace';
  readonly targetLabel?: string;
  readonly replacement?: string;
}

/** Frameworks whose metrics are on the port that serves the model. */
const onHttp = Object.entries(engines)
  .filter(([, engine]) => engine.metricsPort === httpPort)
  .map(([framework]) => framework)
  .join('|');

const named = (job: string): Relabeling => ({ targetLabel: 'job', replacement: job, action: 'replace' });
/** Made anew each time, or YAML would write the second one as a reference to the first. */
const modelLabelings = (): readonly Relabeling[] => [
  named(MODELS_JOB),
  { sourceLabels: [serviceLabel('app')], targetLabel: 'inferenceservice', action: 'replace' },
  { sourceLabels: [serviceLabel(frameworkLabel)], targetLabel: 'framework', action: 'replace' },
];

/** The spec of the operator's ServiceMonitor. `honorLabels`, as its series name the namespaces of resources. */
export function operatorMonitor(): object {
  return {
    selector: { matchLabels: operatorLabels },
    endpoints: [{ port: metricsPort, path: '/metrics', honorLabels: true, relabelings: [named(OPERATOR_JOB)] }],
  };
}

/**
 * The spec of the model servers' ServiceMonitor: port `metrics` where there is one, and `http` of the frameworks that are
 * known to have their metrics there. It is a ServiceMonitor as pods do not say of which framework they are, and labels
 * that would say so cannot come to them without starting each of them anew.
 */
export function modelMonitor(namespaces: readonly string[]): object {
  return {
    namespaceSelector: namespaces.length === 0 ? { any: true } : { matchNames: namespaces },
    selector: { matchLabels: modelLabels },
    endpoints: [
      {
        port: httpPort,
        path: '/metrics',
        relabelings: [
          { sourceLabels: [serviceLabel(frameworkLabel)], regex: onHttp, action: 'keep' },
          ...modelLabelings(),
        ],
      },
      { port: metricsPort, path: '/metrics', relabelings: modelLabelings() },
    ],
  };
}

/** The same for a Prometheus without its operator: `scrape_configs`. */
export function scrapeConfigs(namespace: string, namespaces: readonly string[] = []): readonly object[] {
  const slicePort = '__meta_kubernetes_endpointslice_port_name';
  const places = (): readonly Relabeling[] => [
    { sourceLabels: ['__meta_kubernetes_namespace'], targetLabel: 'namespace', action: 'replace' },
    { sourceLabels: ['__meta_kubernetes_pod_name'], targetLabel: 'pod', action: 'replace' },
  ];
  return [
    {
      job_name: OPERATOR_JOB,
      honor_labels: true,
      kubernetes_sd_configs: [discovery([namespace], operatorLabels)],
      relabel_configs: [{ sourceLabels: [slicePort], regex: metricsPort, action: 'keep' } as const, ...places()].map(
        plain,
      ),
    },
    {
      job_name: MODELS_JOB,
      kubernetes_sd_configs: [discovery(namespaces, modelLabels)],
      relabel_configs: [
        {
          sourceLabels: [serviceLabel(frameworkLabel), slicePort],
          regex: `(${onHttp});${httpPort}|[^;]*;${metricsPort}`,
          action: 'keep',
        } as const,
        ...places(),
        ...modelLabelings(),
      ].map(plain),
    },
  ];
}

/** EndpointSlices have the labels of their Service, so that Prometheus need not know all others. */
function discovery(namespaces: readonly string[], labels: Readonly<Record<string, string>>): object {
  const label = Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  return {
    role: 'endpointslice',
    ...(namespaces.length === 0 ? {} : { namespaces: { names: namespaces } }),
    selectors: ['endpointslice', 'service', 'pod'].map((role) => ({ role, label })),
  };
}

/** A label of a Service, as Prometheus names it in discovery. */
function serviceLabel(name: string): string {
  return `__meta_kubernetes_service_label_${name.replaceAll(/[^a-zA-Z0-9_]/g, '_')}`;
}

function plain({ sourceLabels, targetLabel, ...rest }: Relabeling): object {
  return defined({ source_labels: sourceLabels, ...rest, target_label: targetLabel });
}
