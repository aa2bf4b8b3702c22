import { helpFlag } from '../../command';
import type { Command, Flag } from '../../command';

/** A word that fits, and what it means. */
export interface Candidate {
  readonly word: string;
  readonly description: string;
}

/** What a shell can put at the cursor. Files are the shell's own job, as it knows its quoting and its `~`. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  readonly paths: 'file' | 'folder' | 'none';
}

const nothing: Completion = { candidates: [], paths: 'none' };

/**
 * Completes a command line.
 * @param words those before the cursor, without the program's name; the last is the one to complete, and may be empty
 */
export function complete(words: readonly string[], commands: readonly Command[]): Completion {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const [name, ...rest] = before;
  if (name === undefined || (name === 'help' && rest.length === 0))
    return completeCommand(current, commands, name === undefined);
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) return nothing;
  const flags = [...command.flags, helpFlag];
  const open = openFlag(rest, flags);
  if (open !== undefined) return completeValue(open, current, '');
  const [, given, value] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  if (given !== undefined) {
    const flag = flags.find((candidate) => `--${candidate.name}` === given);
    return flag === undefined ? nothing : completeValue(flag, value ?? '', `${given}=`);
  }
  if (current.startsWith('-')) return completeFlag(current, rest, flags);
  return completeArgument(command, current, rest, flags);
}

function completeCommand(current: string, commands: readonly Command[], isFirst: boolean): Completion {
  const names = commands.map(({ name, summary }) => ({ word: name, description: summary }));
  const flags = [
    { word: '--help', description: 'Show the help.' },
    { word: '--version', description: 'Print the version.' },
  ];
  return fitting(current, current.startsWith('-') && isFirst ? flags : names);
}

function completeFlag(current: string, before: readonly string[], flags: readonly Flag[]): Completion {
  const rest = flags.filter(({ name, short, repeatable }) => {
    const isGiven = before.some(
      (word) => word === `--${name}` || word.startsWith(`--${name}=`) || word === `-${short}`,
    );
    return repeatable === true || !isGiven;
  });
  const long = rest.map(({ name, description }) => ({ word: `--${name}`, description }));
  const isShort = current.length === 2 && !current.startsWith('--');
  const short = rest.flatMap((flag) =>
    flag.short === undefined ? [] : [{ word: `-${flag.short}`, description: flag.description }],
  );
  return fitting(current, isShort ? short : long);
}

function completeArgument(
  command: Command,
  current: string,
  rest: readonly string[],
  flags: readonly Flag[],
): Completion {
  const { argument } = command;
  const isGiven = rest.some(
    (word, index) => !word.startsWith('-') && openFlag(rest.slice(0, index), flags) === undefined,
  );
  if (argument !== undefined && 'values' in argument && !isGiven) {
    return fitting(
      current,
      argument.values.map((word) => ({ word, description: '' })),
    );
  }
  return current === '' ? completeFlag('--', rest, flags) : nothing;
}

function completeValue(flag: Flag, current: string, prefix: string): Completion {
  const values = (flag.values ?? []).map((value) => ({ word: `${prefix}${value}`, description: '' }));
  return { ...fitting(`${prefix}${current}`, values), paths: flag.completes ?? 'none' };
}

/** The flag that the last word opens, and whose value comes next. */
function openFlag(words: readonly string[], flags: readonly Flag[]): Flag | undefined {
  const last = words.at(-1);
  const flag = flags.find(({ name, short }) => last === `--${name}` || (short !== undefined && last === `-${short}`));
  if (flag?.value === undefined) return undefined;
  // In `-f -n`, -n is the value of -f.
  return openFlag(words.slice(0, -1), flags) === undefined ? flag : undefined;
}

function fitting(current: string, candidates: readonly Candidate[]): Completion {
  return { candidates: candidates.filter(({ word }) => word.startsWith(current)), paths: 'none' };
}
