import { version } from '../../../package.json';
import { readSettings, SettingsError, type OperatorSettings } from '../../../operator/settings/read';
import type { Parsed } from '../../command';
import { compositionError } from '../../compositions';
import { UsageError } from '../../errors';
import type { Io } from '../../io';

/** Runs `inferno operator` until a signal comes. @returns the exit code */
export async function operator({ values }: Parsed, io: Io): Promise<number> {
  const { compositionFiles, builtin, ...settings } = read(values, io);
  const { chosenCompositions, runOperator } =
    require('../../cluster/kubernetes') as typeof import('../../cluster/kubernetes');
  const compositions = await chosenCompositions({ compositionFiles, builtin }, io.cwd).catch((error: unknown) => {
    throw compositionError(error);
  });
  return runOperator({ ...settings, compositions, version }, { write: (line) => io.stderr.write(line) });
}

function read(flags: Parsed['values'], { env }: Io): OperatorSettings {
  try {
    return readSettings({ flags, env });
  } catch (error) {
    throw error instanceof SettingsError ? new UsageError(error.message) : error;
  }
}
