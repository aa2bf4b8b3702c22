import type { Flag, Parsed } from '../command';
import { UsageError } from '../errors';
import type { SourceSelection } from './sources';
import { isDnsLabel } from '../../lib/composition/schema/names';
import { defined } from '../../lib/composition/objects';

/** What to do with resources of kinds that have no composition. */
export type UnknownKinds = 'pass' | 'refuse';

/** What the flags of commands that read resources say. */
export interface InputOptions extends SourceSelection {
  /** The namespace of resources that name none. @default - they stay without */
  readonly namespace?: string;
  readonly unknownKinds: UnknownKinds;
  /** Whether the user said so, and not the default. */
  readonly unknownKindsGiven: boolean;
}

/** The flags of commands that read resources. */
export const inputFlags: readonly Flag[] = [
  {
    name: 'filename',
    short: 'f',
    value: 'FILE',
    completes: 'file',
    repeatable: true,
    description: 'YAML or JSON file, folder with such files, or - for standard input.',
  },
  { name: 'recursive', short: 'R', description: 'Read the folders inside a folder, too.' },
  {
    name: 'namespace',
    short: 'n',
    value: 'NAMESPACE',
    description: 'Namespace of the InferenceServices that name none.',
  },
  {
    name: 'unknown-kinds',
    value: 'WHAT',
    values: ['pass', 'refuse'],
    default: 'pass',
    description: 'Let resources of other kinds pass, or refuse them.',
  },
];

/** @throws UsageError */
export function readInputFlags({ values, switches }: Parsed): InputOptions {
  const filenames = values.get('filename') ?? [];
  if (filenames.length === 0) throw new UsageError('needs at least one -f FILE', 'for standard input: -f -');
  const namespace = values.get('namespace')?.[0];
  if (namespace !== undefined) readNamespace('namespace', namespace);
  const unknownKinds = values.get('unknown-kinds')?.[0];
  return {
    filenames,
    recursive: switches.has('recursive'),
    ...defined({ namespace }),
    unknownKinds: unknownKinds === 'refuse' ? 'refuse' : 'pass',
    unknownKindsGiven: unknownKinds !== undefined,
  };
}

/** @throws UsageError for what is not a legal name of a namespace */
export function readNamespace(flag: string, namespace: string): void {
  if (isDnsLabel(namespace)) return;
  throw new UsageError(
    `--${flag} must be at most 63 of a-z, 0-9 and "-", and begin and end with a letter or digit, but came as "${namespace}"`,
  );
}
