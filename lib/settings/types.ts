import { dnsLabelFault, dnsSubdomainFault } from '../composition/schema/names';
import { isLoopback, parseBindAddress } from './address';

/** How the text of a flag or a variable becomes a value. */
export interface SettingType<T> {
  /** What stands in the message after the name. */
  readonly expected: string;
  /** Undefined for a text that makes no sense. */
  readonly parse: (text: string) => T | undefined;
}

/** From the quietest to the most talkative. */
export const LOG_LEVELS = ['error', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Any text. */
export const text: SettingType<string> = { expected: 'must be a text', parse: (given) => given };

const SWITCH = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** On or off. */
export const toggle: SettingType<boolean> = {
  expected: 'must be true or false',
  parse: (given) => SWITCH.get(given),
};

/** Off or on: a switch that takes something away. */
export const inverse: SettingType<boolean> = {
  ...toggle,
  parse: (given) => {
    const isOn = SWITCH.get(given);
    return isOn === undefined ? undefined : !isOn;
  },
};

/** A number from the least to the most. */
export function number(least: number, most: number): SettingType<number> {
  return {
    expected: `must be a number from ${least} to ${most}`,
    parse: (given) => {
      const value = /^\d+(\.\d+)?$/.test(given) ? Number(given) : Number.NaN;
      return value >= least && value <= most ? value : undefined;
    },
  };
}

/** A whole number from the least to the most. */
export function count(least: number, most: number): SettingType<number> {
  const { parse } = number(least, most);
  return {
    expected: `must be a whole number from ${least} to ${most}`,
    parse: (given) => {
      const value = parse(given);
      return Number.isInteger(value) ? value : undefined;
    },
  };
}

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const UNIT = /(\d+(?:\.\d+)?)(ms|s|m|h)/g;
/** Timers of Node go no further. */
const LONGEST_MS = 24 * 86_400_000;

/** A Go duration that is longer than nothing, in milliseconds. */
export const duration: SettingType<number> = {
  expected: 'must be a time of at most 24 days such as 90s, 10m or 1h30m',
  parse: (given) => {
    if (given.replaceAll(UNIT, '') !== '') return undefined;
    let sum = 0;
    for (const [, amount, unit] of given.matchAll(UNIT)) {
      sum += Number(amount) * (unit === 'ms' || unit === 's' || unit === 'm' || unit === 'h' ? UNITS[unit] : 0);
    }
    return sum > 0 && sum <= LONGEST_MS ? sum : undefined;
  },
};

/** A namespace's name. */
export const namespace: SettingType<string> = {
  expected: 'must be a namespace: at most 63 of a-z, 0-9 and "-", a letter or digit at both ends',
  parse: (given) => (dnsLabelFault(given) === undefined ? given : undefined),
};

/** An object's name. */
export const objectName: SettingType<string> = {
  expected: 'must be a name: at most 253 of a-z, 0-9, "-" and ".", a letter or digit at both ends of each part',
  parse: (given) => (dnsSubdomainFault(given) === undefined ? given : undefined),
};

const KEY = '(?:[A-Za-z0-9.-]+/)?[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?';
const VALUE = '([A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?)?';
const TERM = `\\s*(!?${KEY}|${KEY}\\s*(=|==|!=)\\s*${VALUE}|${KEY}\\s+(in|notin)\\s*\\(\\s*${VALUE}(\\s*,\\s*${VALUE})*\\s*\\))\\s*`;

/** A label selector. A rough look, for a message before anything runs; the API server has the last word. */
export const selector: SettingType<string> = {
  expected: 'must be a label selector such as team=a,tier!=test or "team in (a, b)"',
  parse: (given) => (new RegExp(`^${TERM}(,${TERM})*$`).test(given) ? given : undefined),
};

/** An address to listen at, or 0. */
export const bindAddress: SettingType<string> = {
  expected: 'must be HOST:PORT, :PORT or 0 for nowhere',
  parse: (given) => (parseBindAddress(given) === undefined ? undefined : given),
};

/** The same on loopback: what is in memory is only for those on the same machine. */
export const loopbackAddress: SettingType<string> = {
  expected: 'must be HOST:PORT on loopback, such as 127.0.0.1:8083, or 0 for nowhere',
  parse: (given) => {
    const address = parseBindAddress(given);
    return address === 'off' || (address !== undefined && isLoopback(address.host ?? '')) ? given : undefined;
  },
};

/** A level of the log. Zap's numbers count upwards from info: what is above 0 is talkative. */
export const logLevel: SettingType<LogLevel> = {
  expected: `must be ${LOG_LEVELS.join(', ')} or a number`,
  parse: (given) =>
    /^\d+$/.test(given) ? (Number(given) > 0 ? 'debug' : 'info') : LOG_LEVELS.find((level) => level === given),
};
