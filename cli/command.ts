import type { Io } from './io';

/** A flag of a command, as help, the parser and the shells' completions need it. */
export interface Flag {
  readonly name: string;
  readonly short?: string;
  /** Other spellings, without their dashes. @default - none */
  readonly aliases?: readonly string[];
  /** How it was called before, with dashes: such a one is refused, and the new one named. @default - none */
  readonly former?: readonly string[];
  readonly description: string;
  /** What its value is called in the help, such as FILE. @default - a switch without value */
  readonly value?: string;
  /** The only values allowed. @default - any */
  readonly values?: readonly string[];
  /** What a shell completes its value with. @default - values */
  readonly completes?: 'file' | 'folder';
  /** @default false */
  readonly repeatable?: boolean;
  /** @default - none */
  readonly default?: string;
  /** The environment variable that stands in for it. @default - none */
  readonly variable?: string;
}

/** The positional argument of a command: one of a few words, or any number of names. */
export type Argument =
  | { readonly name: string; readonly values: readonly string[] }
  | { readonly name: string; readonly description: string };

/** A line of a command's examples. */
export interface Example {
  readonly comment: string;
  readonly command: string;
}

/** A subcommand. */
export interface Command {
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  readonly description: string;
  readonly examples: readonly Example[];
  readonly flags: readonly Flag[];
  readonly argument?: Argument;
  /** Text for the end of the help, where it costs something to make. */
  more?(): string;
  /** The exit code for invalid input and for a cluster that cannot be used. @default 1 */
  readonly failure?: number;
  /** @returns the exit code */
  run(parsed: Parsed, io: Io): Promise<number>;
}

/** A command line as its command reads it; the values are checked against the flags. */
export interface Parsed {
  readonly switches: ReadonlySet<string>;
  /** What flags came with; a switch with `true` or `false`. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly arguments: readonly string[];
}

/** The flag that every command has. */
export const helpFlag: Flag = { name: 'help', short: 'h', description: 'Show this help.' };

/** Exit codes; 0 is success. */
export const exitCodes = { invalid: 1, usage: 2, bug: 70, interrupted: 130 } as const;
