/** One generated argument of a server's command line. */
export type Argument =
  | { readonly kind: 'positional'; readonly text: string }
  | {
      readonly kind: 'flag';
      readonly flag: string;
      readonly value: string;
      /** Further flags that make this one wrong: given by the user, they too leave it out. */
      readonly unless: readonly string[];
    };

/** How an engine reads its command line. */
export interface FlagSyntax {
  /** The full name of the flag that a word of the command line gives, or undefined where the word is no flag that is known. */
  flagOf(word: string): string | undefined;
}

/** What became of the generated arguments and the user's. */
export interface MergedArguments {
  readonly args: readonly string[];
  /** The generated arguments that gave way. */
  readonly replaced: readonly { readonly generated: string; readonly by: string }[];
}

/** A generated argument without a flag. */
export function positional(text: string): Argument {
  return { kind: 'positional', text };
}

/** A generated flag with a value. */
export function flag(name: string, value: string | number, unless: readonly string[] = []): Argument {
  return { kind: 'flag', flag: name, value: String(value), unless };
}

/**
 * Generated arguments, then the user's as they are. A generated flag that the user gives too, in any of its spellings,
 * is left out: most engines would take the last one, but some refuse a flag that is given twice.
 */
export function mergeArguments(
  generated: readonly Argument[],
  user: readonly string[],
  syntax: FlagSyntax,
): MergedArguments {
  const given = new Map<string, string>();
  for (const word of flagWords(user)) {
    const name = syntax.flagOf(word);
    if (name !== undefined && !given.has(name)) given.set(name, word);
  }
  const kept: string[] = [];
  const replaced: { generated: string; by: string }[] = [];
  for (const argument of generated) {
    const text = argumentText(argument);
    const by =
      argument.kind === 'flag'
        ? [argument.flag, ...argument.unless].map((name) => given.get(name)).find((word) => word !== undefined)
        : undefined;
    if (by === undefined) kept.push(text);
    else replaced.push({ generated: text, by });
  }
  return { args: [...kept, ...user], replaced };
}

/** The words of a command line that may be flags: those that start with a dash, up to `--`. */
export function flagWords(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).filter((word) => /^-(?![0-9.]|$)/.test(word));
}

/**
 * The value that the user's arguments give a flag, as `--flag=value` or `--flag value`; the last one wins. Undefined
 * where the flag is not given.
 */
export function userValue(args: readonly string[], name: string, syntax: FlagSyntax): string | undefined {
  const index = args.findLastIndex((word) => word.startsWith('-') && syntax.flagOf(word) === name);
  const word = args[index];
  if (word === undefined) return undefined;
  const equals = word.indexOf('=');
  return equals < 0 ? args[index + 1] : word.slice(equals + 1);
}

function argumentText(argument: Argument): string {
  return argument.kind === 'positional' ? argument.text : `${argument.flag}=${argument.value}`;
}
