/** A setting of the operator, as the command line, the environment and the documentation name it. */
export interface Setting {
  /** The flag, without its dashes. */
  readonly flag: string;
  readonly short?: string;
  /** Other spellings of the flag. @default none */
  readonly aliases?: readonly string[];
  /** What its value is called; undefined for a switch. */
  readonly value?: string;
  /** Whether it may be given more than once, or as a list with commas. @default false */
  readonly list?: boolean;
  readonly description: string;
  /** As a user would write it. @default none */
  readonly default?: string;
}

/**
 * All settings, in the order of the help. Names and defaults are controller-runtime's where it has them.
 *
 * This file is read whenever the command line starts, so it imports nothing.
 */
export const SETTINGS = [
  {
    flag: 'composition',
    value: 'FILE.js',
    list: true,
    description: 'Module with compositions made by defineComposition, to run beside InferenceService.',
  },
  { flag: 'no-builtin', description: 'Leave InferenceService to another operator.' },
  {
    flag: 'namespace',
    short: 'n',
    value: 'NAMESPACE',
    list: true,
    description: 'Look at these namespaces alone.',
    default: 'all namespaces',
  },
  {
    flag: 'selector',
    short: 'l',
    value: 'SELECTOR',
    description: "Look at resources with these labels alone, such as team=a,tier!=test (kubectl's -l).",
    default: 'all resources',
  },
  {
    flag: 'kubeconfig',
    value: 'FILE',
    description: "Kubeconfig of the cluster. Without one: $KUBECONFIG, the pod's service account, ~/.kube/config.",
  },
  { flag: 'context', value: 'NAME', description: 'Context of the kubeconfig.', default: 'its current one' },
  {
    flag: 'leader-elect',
    description: 'Act only while holding a Lease, so that several operators take turns.',
    default: 'false',
  },
  {
    flag: 'leader-election-id',
    value: 'NAME',
    description: 'Name of the Lease.',
    default: 'inferno-operator.inferno.io',
  },
  {
    flag: 'leader-election-namespace',
    value: 'NAMESPACE',
    description: 'Namespace of the Lease.',
    default: "the pod's own, or the kubeconfig's",
  },
  {
    flag: 'leader-election-lease-duration',
    value: 'DURATION',
    description: 'How long the others wait for a leader that no longer renews its Lease.',
    default: '15s',
  },
  {
    flag: 'leader-election-renew-deadline',
    value: 'DURATION',
    description: 'How long a leader that cannot renew its Lease goes on; 1s less than the lease duration, or shorter.',
    default: '10s',
  },
  {
    flag: 'leader-election-retry-period',
    value: 'DURATION',
    description: 'Time between two tries to get or renew the Lease; 1.2 times it is less than the renew deadline.',
    default: '2s',
  },
  {
    flag: 'max-concurrent-reconciles',
    value: 'COUNT',
    description: 'Resources of one kind that are worked on at once, 1 to 1000.',
    default: '4',
  },
  {
    flag: 'metrics-bind-address',
    value: 'ADDRESS',
    description: 'Where /metrics is served: HOST:PORT, :PORT for all addresses, or 0 for nowhere.',
    default: '127.0.0.1:8080',
  },
  {
    flag: 'health-probe-bind-address',
    value: 'ADDRESS',
    description: 'Where /healthz and /readyz are served: HOST:PORT, :PORT for all addresses, or 0 for nowhere.',
    default: '127.0.0.1:8081',
  },
  {
    flag: 'pprof-bind-address',
    value: 'ADDRESS',
    description: 'Where /debug/profile and /debug/heap are served, on loopback alone: HOST:PORT, or 0 for nowhere.',
    default: '0',
  },
  {
    flag: 'kube-api-qps',
    value: 'NUMBER',
    description: 'Requests a second to the API server; 0 for no limit, as the API server has its own.',
    default: '0',
  },
  {
    flag: 'kube-api-burst',
    value: 'COUNT',
    description: 'Requests at once above --kube-api-qps.',
    default: '1.5 times the rate',
  },
  {
    flag: 'sync-period',
    value: 'DURATION',
    description: 'Every resource is looked at again after about this time (s, m, h), though nothing was heard.',
    default: '10h',
  },
  {
    flag: 'graceful-shutdown-timeout',
    value: 'DURATION',
    description: 'How long running work may take after SIGTERM or Ctrl-C (s, m, h).',
    default: '30s',
  },
  {
    flag: 'log-level',
    aliases: ['zap-log-level'],
    value: 'LEVEL',
    description: 'error, info or debug. Also spelled --zap-log-level.',
    default: 'info',
  },
] as const satisfies readonly Setting[];

/** The flag of a setting. */
export type SettingName = (typeof SETTINGS)[number]['flag'];

/** The environment variable of a setting; its flag wins over it. */
export function variableOf(flag: string): string {
  return `INFERNO_${flag.toUpperCase().replaceAll('-', '_')}`;
}
