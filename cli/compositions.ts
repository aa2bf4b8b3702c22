import type { Composition } from '../lib/composition';
import { inferenceServiceComposition } from '../lib/inference';
import { InputError } from './errors';
import type { Io } from './io';

/** What the command line renders. */
export const compositions: readonly Composition[] = [inferenceServiceComposition];

/**
 * What the command line renders, and the compositions of these modules.
 *
 * @throws InputError
 */
export async function compositionsWith(files: readonly string[] | undefined, io: Io): Promise<readonly Composition[]> {
  if (files === undefined || files.length === 0) return compositions;
  const { chosenCompositions } =
    require('../operator/settings/load-composition') as typeof import('../operator/settings/load-composition');
  try {
    return await chosenCompositions({ compositionFiles: files, builtin: true }, io.cwd);
  } catch (error) {
    throw compositionError(error);
  }
}

/** A fault of a user's module as one of the input. It may be of another bundle, so its name says it. */
export function compositionError(error: unknown): unknown {
  return error instanceof Error && error.name === 'CompositionFileError' ? new InputError(error.message) : error;
}
