import { version } from '../package.json';
import { parseArguments } from './arguments';
import { exitCodes } from './command';
import type { Command } from './command';
import { commands } from './commands';
import { answer } from './commands/completion/protocol';
import { ClusterError, InputError, Interrupted, UsageError } from './errors';
import { commandHelp, programHelp } from './help';
import { painter, printable } from './io';
import type { Io } from './io';
import { nearest } from './nearest';

/**
 * Runs one command line.
 * @param argv without the program
 * @returns the exit code: 0 success, 1 invalid input, 2 wrong usage, 70 a bug, 130 ended by Ctrl-C
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const command = commands.find(({ name }) => name === argv[0]);
  try {
    return command === undefined ? runProgram(argv, io) : await runCommand(command, argv.slice(1), io);
  } catch (error) {
    return report(error, command, io);
  }
}

async function runCommand(command: Command, args: readonly string[], io: Io): Promise<number> {
  const parsed = parseArguments(command, args);
  return parsed.switches.has('help') ? showHelp(command, io) : command.run(parsed, io);
}

function runProgram([first, ...rest]: readonly string[], io: Io): number {
  if (first === '--version') {
    io.stdout.write(`${version}\n`);
    return 0;
  }
  if (first === '__complete') {
    io.stdout.write(answer(rest, commands));
    return 0;
  }
  if (first === undefined || first === '--help' || first === '-h') return showHelp(undefined, io);
  if (first === 'help') {
    const command = commands.find(({ name }) => name === rest[0]);
    if (rest[0] === undefined || command !== undefined) return showHelp(command, io);
    throw unknownCommand(rest[0]);
  }
  if (first.startsWith('-'))
    throw new UsageError(`the command comes first, but ${first} came`, 'such as: inferno render -f FILE');
  throw unknownCommand(first);
}

function unknownCommand(name: string): UsageError {
  const meant = nearest(
    name,
    commands.map((command) => command.name),
  );
  return new UsageError(`unknown command "${name}"`, meant === undefined ? undefined : `did you mean ${meant}?`);
}

function showHelp(command: Command | undefined, io: Io): number {
  io.stdout.write(command === undefined ? programHelp(commands) : commandHelp(command));
  return 0;
}

function report(error: unknown, command: Command | undefined, io: Io): number {
  const head = painter(io.stderr, io.env)('red', 'error:');
  if (error instanceof Interrupted) return exitCodes.interrupted;
  if (error instanceof UsageError) {
    const hint = error.hint === undefined ? '' : `${printable(error.hint)}\n`;
    const help = command === undefined ? 'inferno --help' : `inferno ${command.name} --help`;
    io.stderr.write(`${head} ${printable(error.message)}\n${hint}See '${help}'.\n`);
    return exitCodes.usage;
  }
  if (error instanceof InputError) {
    const { place } = error;
    const where = place === undefined ? '' : `${place.file}${place.line === undefined ? '' : `:${place.line}`}: `;
    io.stderr.write(`${head} ${printable(where + error.message)}\n`);
    return command?.failure ?? exitCodes.invalid;
  }
  if (error instanceof ClusterError) {
    io.stderr.write(`${head} ${printable(error.message)}\n`);
    return command?.failure ?? exitCodes.invalid;
  }
  const message = error instanceof Error ? error.message : String(error);
  const trace = error instanceof Error && (io.env['INFERNO_TRACE'] ?? '') !== '' ? error.stack : undefined;
  io.stderr.write(`${head} this is a bug in inferno: ${printable(message)}\n`);
  io.stderr.write(trace === undefined ? 'Set INFERNO_TRACE=1 to see where, and please report it.\n' : `${trace}\n`);
  return exitCodes.bug;
}
