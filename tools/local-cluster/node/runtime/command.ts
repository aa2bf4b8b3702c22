import type { Image } from '../image';
import type { Container } from '../pod';
import { ConfigError } from '../runtime-types';
import { expand } from './expand';

/**
 * The program and its arguments: `command` replaces the image's ENTRYPOINT and CMD, `args` only its CMD.
 *
 * @param env what `resolveEnv` gave
 * @throws ConfigError where nothing is left to run
 */
export function resolveCommand(
  image: Image,
  container: Container,
  env: Readonly<Record<string, string>>,
): readonly string[] {
  const own = image.kind === 'process' ? image : { entrypoint: [], command: [], env: {} };
  const declared = new Set(container.env?.map(({ name }) => name));
  // The kubelet knows nothing of the variables that the image and the runtime bring.
  const known = (name: string): string | undefined =>
    declared.has(name) || !(name === 'HOSTNAME' || Object.hasOwn(own.env ?? {}, name)) ? env[name] : undefined;
  const expanded = (words: readonly string[]): readonly string[] => words.map((word) => expand(word, known));
  const { command = [], args = [] } = container;
  const entrypoint = command.length > 0 ? expanded(command) : own.entrypoint;
  const rest = args.length > 0 ? expanded(args) : command.length > 0 ? [] : (own.command ?? []);
  const result = [...entrypoint, ...rest];
  if (result.length === 0) throw new ConfigError(`no command specified, and image ${image.name} has none`);
  return result;
}
