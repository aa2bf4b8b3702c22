import { parseArgs } from 'node:util';
import { helpFlag } from './command';
import type { Command, Flag, Parsed } from './command';
import { UsageError } from './errors';
import { nearest } from './nearest';
import { defined } from '../lib/composition/objects';

/**
 * Reads the arguments of a command. The library is Node's own parseArgs; the checks are here, as its messages know
 * neither the values allowed nor what was probably meant.
 * @throws UsageError
 */
export function parseArguments(command: Command, args: readonly string[]): Parsed {
  const flags = [...command.flags, helpFlag];
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    options: Object.fromEntries(
      flags.flatMap((flag) => {
        const type = flag.value === undefined ? ('boolean' as const) : ('string' as const);
        return [
          [flag.name, { type, ...defined({ short: flag.short }) }],
          ...(flag.aliases ?? []).map((alias) => [alias, { type }]),
        ];
      }),
    ),
  });
  const switches = new Set<string>();
  const values = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const flag = flags.find(({ name, aliases }) => name === token.name || aliases?.includes(token.name) === true);
    if (flag === undefined) throw unknownFlag(token.rawName, flags);
    if (flag.value === undefined) {
      readSwitch(flag, token.value, switches);
      values.set(flag.name, [String(switches.has(flag.name))]);
    } else values.set(flag.name, [...(values.get(flag.name) ?? []), readValue(flag, token)]);
  }
  for (const { name, repeatable } of flags) {
    if (repeatable !== true && (values.get(name)?.length ?? 0) > 1) throw new UsageError(`--${name} is given twice`);
  }
  return { switches, values, arguments: switches.has('help') ? [] : readArguments(command, positionals) };
}

function unknownFlag(given: string, flags: readonly Flag[]): UsageError {
  if (given === '-k' || given === '--kustomize') {
    return new UsageError(`unknown flag ${given}`, 'pipe it instead: kubectl kustomize FOLDER | inferno … -f -');
  }
  const renamed = flags.find(({ former }) => former?.includes(given) === true);
  if (renamed !== undefined) return new UsageError(`unknown flag ${given}`, `it is --${renamed.name} now`);
  const names = flags.flatMap(({ name, short }) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]);
  const meant = nearest(given, names);
  return new UsageError(`unknown flag ${given}`, meant === undefined ? undefined : `did you mean ${meant}?`);
}

function readSwitch(flag: Flag, value: string | undefined, switches: Set<string>): void {
  if (value !== undefined && value !== 'true' && value !== 'false') {
    throw new UsageError(`--${flag.name} takes no value, but came with "${value}"`);
  }
  if (value === 'false') switches.delete(flag.name);
  else switches.add(flag.name);
}

function readValue(flag: Flag, token: { readonly rawName: string; readonly value: string | undefined }): string {
  if (token.value === undefined) throw new UsageError(`${token.rawName} needs a value: ${token.rawName} ${flag.value}`);
  // -o=json is -o json to kubectl
  const value = token.rawName.startsWith('--') ? token.value : token.value.replace(/^=/, '');
  if (flag.values === undefined || flag.values.includes(value)) return value;
  const meant = nearest(value, flag.values);
  throw new UsageError(
    `--${flag.name} must be ${flag.values.join(' or ')}, but came as "${value}"`,
    meant === undefined ? undefined : `did you mean ${meant}?`,
  );
}

function readArguments({ name, argument }: Command, positionals: readonly string[]): readonly string[] {
  if (argument !== undefined && !('values' in argument)) return positionals;
  const [first, second] = positionals;
  const surplus = argument === undefined ? first : second;
  if (surplus !== undefined) {
    const hint = argument === undefined && /[./\\]/.test(surplus) ? `did you mean -f ${surplus}?` : undefined;
    throw new UsageError(`unexpected argument "${surplus}"`, hint);
  }
  if (argument === undefined) return [];
  const choice = argument.values.join(', ');
  if (first === undefined)
    throw new UsageError(`needs an argument: inferno ${name} ${argument.name}, one of ${choice}`);
  if (argument.values.includes(first)) return [first];
  const meant = nearest(first, argument.values);
  throw new UsageError(
    `${argument.name} must be one of ${choice}, but came as "${first}"`,
    meant === undefined ? undefined : `did you mean ${meant}?`,
  );
}
