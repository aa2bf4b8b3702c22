import { formerVariablesOf, settings, variableOf, type Setting } from '../settings/settings';

/** What an installation gives itself, or what does not exist: it has to be left out. */
interface Refused {
  readonly given: string;
  /** In words that follow the name of the prop. */
  readonly expected: string;
}

const flagsOf = ({ flag, short, aliases = [], former = [] }: Setting): readonly string[] => [
  `--${flag}`,
  ...(short === undefined ? [] : [`-${short}`]),
  ...aliases.map((alias) => `--${alias}`),
  ...former,
];
const byFlag = new Map(settings.flatMap((setting) => flagsOf(setting).map((flag) => [flag, setting] as const)));

/** Flags of `inferno operator` that `args` may give. */
export const FURTHER_FLAGS: readonly string[] = [...byFlag].flatMap(([flag, { installed }]) =>
  installed === undefined ? [flag] : [],
);

const reservedVariables = new Map(
  settings.flatMap((setting) =>
    setting.installed === undefined
      ? []
      : [variableOf(setting), ...formerVariablesOf(setting)].map((name) => [name, setting.installed] as const),
  ),
);

/** The environment variables that say what an installation says by flags: `env` may not set them. */
export const RESERVED_VARIABLES: readonly string[] = [...reservedVariables.keys()];

/** The first of these arguments of `inferno operator` that cannot be. A value may be part of one: `-nteam`. */
export function refusedArgument(args: readonly string[]): Refused | undefined {
  let isValue = false;
  for (const given of args) {
    if (isValue) {
      isValue = false;
      continue;
    }
    const [name = given] = /^(--[^=]+|-[^-])/.exec(given) ?? [];
    const setting = byFlag.get(name);
    if (setting === undefined) return { given, expected: 'must have only flags of inferno operator' };
    if (setting.installed !== undefined) return { given, expected: leaveAlone(name, setting.installed) };
    isValue = setting.value !== undefined && name === given;
  }
  return undefined;
}

/** Why a variable cannot be; undefined if it can. */
export function variableFault(name: string): string | undefined {
  const why = reservedVariables.get(name);
  return why === undefined ? undefined : leaveAlone(name, why);
}

function leaveAlone(name: string, why: string): string {
  return `must leave ${name} alone, as ${why}`;
}
