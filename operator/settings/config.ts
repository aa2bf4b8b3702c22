import { parseBindAddress } from '../serve/http';
import { leaseFault, type LeaseTimes } from '../lead/lease-times';
import { LOG_LEVELS, type LogLevel } from '../report/log';
import { isLoopback } from '../serve/loopback';
import { SETTINGS, variableOf, type SettingName } from './settings';

/** What an operator is told to do by flags and environment: {@link readConfig}. */
export interface OperatorSettings extends LeaseTimes {
  /** Modules with the user's compositions, as the user named them. */
  readonly compositionFiles: readonly string[];
  /** Whether it runs InferenceService, too. */
  readonly builtin: boolean;
  /** Namespaces it looks at; empty means all. */
  readonly namespaces: readonly string[];
  /** Only resources with these labels. @default all */
  readonly selector?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly leaderElect: boolean;
  readonly leaderElectionId: string;
  /** @default the pod's own, or the kubeconfig's */
  readonly leaderElectionNamespace?: string;
  readonly maxConcurrentReconciles: number;
  readonly metricsBindAddress: string;
  readonly healthProbeBindAddress: string;
  readonly pprofBindAddress: string;
  /** Requests per second, and how many at once above it. @default no limit */
  readonly limit?: { readonly perSecond: number; readonly burst: number };
  /** Milliseconds. */
  readonly resyncMs: number;
  /** Milliseconds. */
  readonly shutdownMs: number;
  readonly logLevel: LogLevel;
}

/** Where values of settings come from. */
export interface ConfigSources {
  /** Values of flags, by the flag's name without dashes; those of a switch are `true` and `false`. */
  readonly flags: ReadonlyMap<string, readonly string[]>;
  readonly env: { readonly [name: string]: string | undefined };
}

/** A flag or a variable that makes no sense; the message begins with its name. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * The configuration that flags, then the environment, then defaults give. Pure. An empty variable counts as not set.
 *
 * @throws ConfigError
 */
export function readConfig(sources: ConfigSources): OperatorSettings {
  const read = new Reader(sources);
  const selector = read.text('selector', isSelector);
  const kubeconfig = read.text('kubeconfig');
  const context = read.text('context');
  const leaseNamespace = read.text('leader-election-namespace', isNamespace);
  const limit = readLimit(read);
  const compositionFiles = read.list('composition');
  const builtin = !read.isOn('no-builtin');
  if (!builtin && compositionFiles.length === 0) {
    throw new ConfigError('--no-builtin leaves nothing to run; expected at least one --composition FILE.js beside it');
  }
  return {
    compositionFiles,
    builtin,
    namespaces: [...new Set(read.list('namespace', isNamespace))],
    ...(selector === undefined ? {} : { selector }),
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
    leaderElect: read.isOn('leader-elect'),
    leaderElectionId: read.text('leader-election-id', isObjectName) ?? standard('leader-election-id'),
    ...(leaseNamespace === undefined ? {} : { leaderElectionNamespace: leaseNamespace }),
    ...readLeaseTimes(read),
    maxConcurrentReconciles: read.number('max-concurrent-reconciles', { least: 1, most: 1000, whole: true }) ?? 4,
    metricsBindAddress: read.text('metrics-bind-address', isBindAddress) ?? standard('metrics-bind-address'),
    healthProbeBindAddress:
      read.text('health-probe-bind-address', isBindAddress) ?? standard('health-probe-bind-address'),
    pprofBindAddress: read.text('pprof-bind-address', isLoopbackAddress) ?? standard('pprof-bind-address'),
    ...(limit === undefined ? {} : { limit }),
    resyncMs: read.duration('sync-period'),
    shutdownMs: read.duration('graceful-shutdown-timeout'),
    logLevel: readLogLevel(read),
  };
}

/** A complaint about a text, or nothing where it is fine. */
type Check = (text: string) => string | undefined;

class Reader {
  readonly #sources: ConfigSources;

  constructor(sources: ConfigSources) {
    this.#sources = sources;
  }

  text(name: SettingName, check: Check = () => undefined): string | undefined {
    const [given] = this.#given(name);
    if (given === undefined) return undefined;
    this.#check(given, check);
    return given.text;
  }

  list(name: SettingName, check: Check = () => undefined): readonly string[] {
    return this.#given(name).flatMap(({ text, source }) =>
      text.split(',').map((part) => {
        const entry = { text: part.trim(), source };
        this.#check(entry, check);
        return entry.text;
      }),
    );
  }

  isOn(name: SettingName): boolean {
    const given = this.#given(name).at(-1);
    if (given === undefined) return false;
    if (['true', '1'].includes(given.text)) return true;
    if (['false', '0'].includes(given.text)) return false;
    throw complaint(given, 'must be true or false');
  }

  number(
    name: SettingName,
    { least, most, whole }: { readonly least: number; readonly most: number; readonly whole: boolean },
  ): number | undefined {
    const [given] = this.#given(name);
    if (given === undefined) return undefined;
    const number = /^\d+(\.\d+)?$/.test(given.text) ? Number(given.text) : Number.NaN;
    if (number >= least && number <= most && (!whole || Number.isInteger(number))) return number;
    throw complaint(given, `must be ${whole ? 'a whole number' : 'a number'} from ${least} to ${most}`);
  }

  /** Milliseconds. */
  duration(name: SettingName): number {
    const [given] = this.#given(name);
    const milliseconds = parseDuration(given?.text ?? standard(name));
    if (milliseconds !== undefined && milliseconds <= LONGEST_MS) return milliseconds;
    throw complaint(given ?? { text: '', source: name }, 'must be a time of at most 24 days such as 90s, 10m or 1h30m');
  }

  #given(name: SettingName): readonly Given[] {
    const flags = this.#sources.flags.get(name);
    if (flags !== undefined) return flags.map((text) => ({ text, source: `--${name}` }));
    const variable = variableOf(name);
    const text = this.#sources.env[variable];
    return text === undefined || text === '' ? [] : [{ text, source: variable }];
  }

  #check(given: Given, check: Check): void {
    const trouble = given.text === '' ? 'must not be empty' : check(given.text);
    if (trouble !== undefined) throw complaint(given, trouble);
  }

  level(): Given | undefined {
    return this.#given('log-level')[0];
  }
}

interface Given {
  readonly text: string;
  /** The flag or the variable. */
  readonly source: string;
}

function complaint({ text, source }: Given, expected: string): ConfigError {
  return new ConfigError(`${source} ${expected}, but came as ${JSON.stringify(text)}`);
}

function standard(name: SettingName): string {
  const setting = SETTINGS.find(({ flag }) => flag === name);
  return setting !== undefined && 'default' in setting ? setting.default : '';
}

function readLimit(read: Reader): OperatorSettings['limit'] {
  const most = 100_000;
  const perSecond = read.number('kube-api-qps', { least: 0, most, whole: false }) ?? 0;
  const burst = read.number('kube-api-burst', { least: 1, most, whole: true });
  if (perSecond > 0) return { perSecond, burst: burst ?? Math.ceil(perSecond * 1.5) };
  if (burst !== undefined) throw new ConfigError('--kube-api-burst has no meaning without --kube-api-qps above 0');
  return undefined;
}

/** The flag of each time. */
const LEASE_FLAGS = {
  leaseMs: 'leader-election-lease-duration',
  renewDeadlineMs: 'leader-election-renew-deadline',
  retryPeriodMs: 'leader-election-retry-period',
} as const satisfies Readonly<Record<keyof LeaseTimes, SettingName>>;

function readLeaseTimes(read: Reader): LeaseTimes {
  const times = {
    leaseMs: read.duration(LEASE_FLAGS.leaseMs),
    renewDeadlineMs: read.duration(LEASE_FLAGS.renewDeadlineMs),
    retryPeriodMs: read.duration(LEASE_FLAGS.retryPeriodMs),
  };
  const fault = leaseFault(times);
  if (fault === undefined) return times;
  throw new ConfigError(
    `--${LEASE_FLAGS[fault.time]} ${fault.expected((time) => `--${LEASE_FLAGS[time]}`)}, but is ${times[fault.time]} ms`,
  );
}

/** Zap's numbers count upwards from info: what is above 0 is talkative. */
function readLogLevel(read: Reader): LogLevel {
  const given = read.level();
  if (given === undefined) return 'info';
  const text = /^\d+$/.test(given.text) ? (Number(given.text) > 0 ? 'debug' : 'info') : given.text;
  const level = LOG_LEVELS.find((known) => known === text);
  if (level === undefined) throw complaint(given, `must be ${LOG_LEVELS.join(', ')} or a number`);
  return level;
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);
/** Timers of Node go no further. */
const LONGEST_MS = 24 * 86_400_000;

/** Milliseconds of a Go duration that is longer than nothing. */
function parseDuration(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  const sum = parts.reduce((total, [, count, unit]) => total + Number(count) * (UNITS.get(unit ?? '') ?? 0), 0);
  return sum > 0 ? sum : undefined;
}

function isNamespace(text: string): string | undefined {
  return /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text)
    ? undefined
    : 'must be a namespace: at most 63 of a-z, 0-9 and "-", a letter or digit at both ends';
}

function isObjectName(text: string): string | undefined {
  return text.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text)
    ? undefined
    : 'must be a name: at most 253 of a-z, 0-9, "-" and ".", a letter or digit at both ends of each part';
}

/** A rough look, for a message before anything runs; the API server has the last word. */
function isSelector(text: string): string | undefined {
  const key = '(?:[A-Za-z0-9.-]+/)?[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?';
  const value = '([A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?)?';
  const term = `\\s*(!?${key}|${key}\\s*(=|==|!=)\\s*${value}|${key}\\s+(in|notin)\\s*\\(\\s*${value}(\\s*,\\s*${value})*\\s*\\))\\s*`;
  return new RegExp(`^${term}(,${term})*$`).test(text)
    ? undefined
    : 'must be a label selector such as team=a,tier!=test or "team in (a, b)"';
}

function isBindAddress(text: string): string | undefined {
  try {
    parseBindAddress(text);
    return undefined;
  } catch {
    return 'must be HOST:PORT, :PORT or 0 for nowhere';
  }
}

/** What is in memory is for those on the same machine alone. */
function isLoopbackAddress(text: string): string | undefined {
  try {
    const address = parseBindAddress(text);
    if (address === undefined || isLoopback(address.host ?? '')) return undefined;
  } catch {
    // the same complaint
  }
  return 'must be HOST:PORT on loopback, such as 127.0.0.1:8083, or 0 for nowhere';
}
