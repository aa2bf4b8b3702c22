import {
  bindAddress,
  count,
  duration,
  inverse,
  logLevel,
  loopbackAddress,
  namespace,
  number,
  objectName,
  selector,
  text,
  toggle,
  type SettingType,
} from './types';

/** A setting of the operator, as the command line, the environment and the documentation name it. */
export interface Setting {
  /** The flag, without its dashes. */
  readonly flag: string;
  readonly short?: string;
  /** Other spellings of the flag. @default none */
  readonly aliases?: readonly string[];
  /** How the flag was called before, with its dashes: such a one is refused, and the new one named. @default none */
  readonly former?: readonly string[];
  readonly type: SettingType<unknown>;
  /** What its value is called; undefined for a switch. */
  readonly value?: string;
  /** Whether it may be given more than once, or as a list with commas. @default false */
  readonly list?: boolean;
  readonly description: string;
  /** As a user would write it. @default none */
  readonly default?: string;
  /** What applies where it is not given, if that is not a plain value. @default nothing */
  readonly otherwise?: string;
  /** Why an installation's further arguments may not set it. @default they may */
  readonly installed?: string;
}

const fixed = 'other objects of the installation rely on it';
const most = 100_000;

/**
 * All settings of the operator, in the order of the help, by their names in its options. Names and defaults are
 * controller-runtime's where it has them. Parsing, help, documentation, the operator's own defaults and what an
 * installation refuses come from here.
 *
 * This file is read each time the command line starts, so it is cheap to load.
 */
export const SETTINGS = {
  compositionFiles: {
    flag: 'composition',
    type: text,
    value: 'FILE.js',
    list: true,
    description: 'Module with compositions made by defineComposition, to run beside InferenceService.',
  },
  builtin: {
    flag: 'no-builtin',
    type: inverse,
    description: 'Leave InferenceService to another operator.',
    default: 'false',
  },
  watchNamespaces: {
    flag: 'watch-namespace',
    former: ['--namespace', '-n'],
    type: namespace,
    value: 'NAMESPACE',
    list: true,
    description: 'Watch only these namespaces.',
    otherwise: 'all namespaces',
    installed: 'it is watchNamespaces',
  },
  selector: {
    flag: 'selector',
    short: 'l',
    type: selector,
    value: 'SELECTOR',
    description: "Watch only resources with these labels, such as team=a,tier!=test (kubectl's -l).",
    otherwise: 'all resources',
  },
  kubeconfig: {
    flag: 'kubeconfig',
    type: text,
    value: 'FILE',
    description: "Kubeconfig of the cluster. Without one: $KUBECONFIG, the pod's service account, ~/.kube/config.",
  },
  context: {
    flag: 'context',
    type: text,
    value: 'NAME',
    description: 'Context of the kubeconfig.',
    otherwise: 'its current one',
  },
  leaderElect: {
    flag: 'leader-elect',
    type: toggle,
    description: 'Act only while leading by a Lease, so that several operators take turns.',
    default: 'false',
    installed: fixed,
  },
  leaderElectionId: {
    flag: 'leader-election-id',
    type: objectName,
    value: 'NAME',
    description: 'Name of the Lease.',
    default: 'inferno-operator.inferno.io',
    installed: fixed,
  },
  leaderElectionNamespace: {
    flag: 'leader-election-namespace',
    type: namespace,
    value: 'NAMESPACE',
    description: 'Namespace of the Lease.',
    otherwise: "the pod's own, or the kubeconfig's",
    installed: fixed,
  },
  leaseMs: {
    flag: 'leader-election-lease-duration',
    type: duration,
    value: 'DURATION',
    description: 'How long the others wait for a leader that no longer renews its Lease.',
    default: '15s',
  },
  renewDeadlineMs: {
    flag: 'leader-election-renew-deadline',
    type: duration,
    value: 'DURATION',
    description: 'How long a leader that cannot renew its Lease goes on; 1s less than the lease duration, or shorter.',
    default: '10s',
  },
  retryPeriodMs: {
    flag: 'leader-election-retry-period',
    type: duration,
    value: 'DURATION',
    description: 'Time between two tries to acquire or renew the Lease; 1.2 times it is less than the renew deadline.',
    default: '2s',
  },
  maxConcurrentReconciles: {
    flag: 'max-concurrent-reconciles',
    type: count(1, 1000),
    value: 'COUNT',
    description: 'Resources of one kind that are worked on at once, 1 to 1000.',
    default: '4',
  },
  metricsBindAddress: {
    flag: 'metrics-bind-address',
    type: bindAddress,
    value: 'ADDRESS',
    description: 'Where /metrics is served: HOST:PORT, :PORT for all addresses, or 0 for nowhere.',
    default: '127.0.0.1:8080',
    installed: fixed,
  },
  healthProbeBindAddress: {
    flag: 'health-probe-bind-address',
    type: bindAddress,
    value: 'ADDRESS',
    description: 'Where /healthz and /readyz are served: HOST:PORT, :PORT for all addresses, or 0 for nowhere.',
    default: '127.0.0.1:8081',
    installed: fixed,
  },
  pprofBindAddress: {
    flag: 'pprof-bind-address',
    type: loopbackAddress,
    value: 'ADDRESS',
    description: 'Where /debug/profile and /debug/heap are served, only on loopback: HOST:PORT, or 0 for nowhere.',
    default: '0',
  },
  kubeApiQps: {
    flag: 'kube-api-qps',
    type: number(0, most),
    value: 'NUMBER',
    description: 'Requests a second to the API server; 0 for no limit, as the API server has its own.',
    default: '0',
  },
  kubeApiBurst: {
    flag: 'kube-api-burst',
    type: count(1, most),
    value: 'COUNT',
    description: 'Requests at once above --kube-api-qps.',
    otherwise: '1.5 times the rate',
  },
  resyncMs: {
    flag: 'sync-period',
    type: duration,
    value: 'DURATION',
    description: 'Every resource is looked at again after about this time (s, m, h), though nothing was heard.',
    default: '10h',
  },
  shutdownMs: {
    flag: 'graceful-shutdown-timeout',
    type: duration,
    value: 'DURATION',
    description: 'How long running work may take after SIGTERM or Ctrl-C (s, m, h).',
    default: '30s',
  },
  logLevel: {
    flag: 'log-level',
    aliases: ['zap-log-level'],
    type: logLevel,
    value: 'LEVEL',
    description: 'error, info or debug. Also spelled --zap-log-level.',
    default: 'info',
    installed: 'it is logLevel',
  },
} as const satisfies Readonly<Record<string, Setting>>;

/** The same as a list. */
export const settings: readonly Setting[] = Object.values(SETTINGS);

/** The environment variable of a setting; its flag wins over it. */
export function variableOf({ flag }: Pick<Setting, 'flag'>): string {
  return variable(`--${flag}`);
}

/** The variables of a setting's former names. */
export function formerVariablesOf({ former = [] }: Pick<Setting, 'former'>): readonly string[] {
  return former.filter((name) => name.startsWith('--')).map(variable);
}

function variable(flag: string): string {
  return `INFERNO_${flag.slice(2).toUpperCase().replaceAll('-', '_')}`;
}

type Table = typeof SETTINGS;
type ValueOf<S> = S extends { readonly type: SettingType<infer T> }
  ? S extends { readonly list: true }
    ? readonly T[]
    : T
  : never;
/** What always has a value. */
type Certain = {
  [Name in keyof Table]: Table[Name] extends { readonly default: string } | { readonly list: true } ? Name : never;
}[keyof Table];

/** The values of all settings. */
export type SettingValues = { readonly [Name in Certain]: ValueOf<Table[Name]> } & {
  readonly [Name in Exclude<keyof Table, Certain>]?: ValueOf<Table[Name]>;
};
