import { helpFlag } from './command';
import type { Argument, Command, Flag } from './command';

/** The help of the program: what `inferno` and `inferno --help` print. */
export function programHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    'Model servers on Kubernetes, as typed manifests.',
    '',
    'Usage:',
    '  inferno COMMAND [FLAGS]',
    '',
    'Commands:',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'Flags:',
    '  -h, --help     Show this help, or that of a command.',
    '      --version  Print the version.',
    '',
    'Examples:',
    '  # See what would be applied to the cluster',
    '  inferno render -f service.yaml',
    '',
    '  # Apply it',
    '  inferno render -f service.yaml | kubectl apply -f -',
    '',
    'Exit codes: 0 success, 1 invalid input or a cluster that cannot be used, 2 wrong usage.',
    "Use 'inferno COMMAND --help' for more about a command.",
    '',
  ].join('\n');
}

/** The help of one command. */
export function commandHelp(command: Command): string {
  const { argument } = command;
  const flags = [...command.flags, helpFlag];
  const width = Math.max(...flags.map((flag) => flagHead(flag).length));
  return [
    command.description,
    '',
    'Usage:',
    `  inferno ${command.name}${argument === undefined ? '' : ` ${argumentText(argument)}`} [FLAGS]`,
    '',
    ...(argument === undefined ? [] : [`${argument.name} is ${meaning(argument)}.`, '']),
    'Examples:',
    ...command.examples.flatMap(({ comment, command: line }) => [`  # ${comment}`, `  ${line}`, '']),
    'Flags:',
    ...flags.map((flag) => `  ${flagHead(flag).padEnd(width)}  ${wrap(flagText(flag), 96 - width, width + 4)}`),
    '',
    ...(command.more === undefined ? [] : [command.more()]),
  ].join('\n');
}

function argumentText(argument: Argument): string {
  return 'values' in argument ? argument.name : `[${argument.name}…]`;
}

function meaning(argument: Argument): string {
  return 'values' in argument ? `one of ${argument.values.join(', ')}` : argument.description;
}

/** Breaks a text between words; further lines are indented. */
function wrap(text: string, columns: number, indent: number): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}

function flagHead({ name, short, value, values }: Flag): string {
  const head = `${short === undefined ? '    ' : `-${short}, `}--${name}`;
  return value === undefined ? head : `${head} ${values === undefined ? value : values.join('|')}`;
}

function flagText({ description, repeatable, default: standard, variable }: Flag): string {
  return [
    description,
    ...(repeatable === true ? ['May be given more than once.'] : []),
    ...(standard === undefined ? [] : [`Default: ${standard}.`]),
    ...(variable === undefined ? [] : [`[${variable}]`]),
  ].join(' ');
}
