import {
  formerVariablesOf,
  settings,
  SETTINGS,
  variableOf,
  type Setting,
  type SettingValues,
} from '../../lib/settings/settings';
import { leaseFault, type LeaseTimes } from '../lead/lease-times';

/** What flags and environment say about an operator: {@link readSettings}. */
export interface OperatorSettings extends Omit<SettingValues, 'kubeApiQps' | 'kubeApiBurst'> {
  /** Requests per second, and how many at once above it. @default no limit */
  readonly limit?: { readonly perSecond: number; readonly burst: number };
}

/** Where values of settings come from. */
export interface SettingSources {
  /** Values of flags, by the flag's name without dashes; those of a switch are `true` and `false`. */
  readonly flags: ReadonlyMap<string, readonly string[]>;
  readonly env: { readonly [name: string]: string | undefined };
}

/** A flag or a variable that makes no sense; the message begins with its name. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/**
 * The values that flags, then the environment, then defaults give. Pure. An empty variable counts as not set.
 *
 * @throws SettingsError
 */
export function readSettings(sources: SettingSources): OperatorSettings {
  for (const setting of settings) refuseFormer(setting, sources);
  const read = Object.entries<Setting>(SETTINGS).flatMap(([name, setting]) => {
    const value = valueOf(setting, sources);
    return value === undefined ? [] : [[name, value] as const];
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each value is of its own setting's type
  const { kubeApiQps, kubeApiBurst, ...values } = Object.fromEntries(read) as unknown as SettingValues;
  if (!values.builtin && values.compositionFiles.length === 0) {
    throw new SettingsError(
      '--no-builtin leaves nothing to run; expected at least one --composition FILE.js beside it',
    );
  }
  checkLeaseTimes(values);
  if (kubeApiQps > 0) {
    return { ...values, limit: { perSecond: kubeApiQps, burst: kubeApiBurst ?? Math.ceil(kubeApiQps * 1.5) } };
  }
  if (kubeApiBurst === undefined) return values;
  throw new SettingsError('--kube-api-burst has no meaning without --kube-api-qps above 0');
}

interface Given {
  readonly text: string;
  /** The flag or the variable. */
  readonly source: string;
}

/** Undefined where nothing is given and there is no default. */
function valueOf(setting: Setting, sources: SettingSources): unknown {
  const given = givenFor(setting, sources);
  if (setting.list === true) {
    const values = given.flatMap(({ text, source }) =>
      text.split(',').map((part) => parse(setting, { text: part.trim(), source })),
    );
    return [...new Set(values)];
  }
  const last = given.at(-1);
  if (last !== undefined) return parse(setting, last);
  return setting.default === undefined ? undefined : setting.type.parse(setting.default);
}

function givenFor(setting: Setting, { flags, env }: SettingSources): readonly Given[] {
  const values = flags.get(setting.flag);
  if (values !== undefined) return values.map((text) => ({ text, source: `--${setting.flag}` }));
  const source = variableOf(setting);
  const text = env[source] ?? '';
  return text === '' ? [] : [{ text, source }];
}

function parse({ type }: Setting, { text, source }: Given): unknown {
  const value = text === '' ? undefined : type.parse(text);
  if (value !== undefined) return value;
  const expected = text === '' ? 'must not be empty' : type.expected;
  throw new SettingsError(`${source} ${expected}, but came as ${JSON.stringify(text)}`);
}

/** If a former name were ignored, an operator would work on what it was kept from. */
function refuseFormer(setting: Setting, { env }: SettingSources): void {
  const given = formerVariablesOf(setting).find((name) => (env[name] ?? '') !== '');
  if (given !== undefined) throw new SettingsError(`${given} is unknown: it is ${variableOf(setting)} now`);
}

/** @throws SettingsError */
function checkLeaseTimes(times: LeaseTimes): void {
  const fault = leaseFault(times);
  if (fault === undefined) return;
  const flag = (time: keyof LeaseTimes): string => `--${SETTINGS[time].flag}`;
  throw new SettingsError(`${flag(fault.time)} ${fault.expected(flag)}, but is ${times[fault.time]} ms`);
}
