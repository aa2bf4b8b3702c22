import type { FindOptions } from '../go/programs';
import { which } from '../go/which';
import { BINARIES, findBinaries } from './control-plane-programs';
import { containerProgram } from './node/runtime/programs';

/**
 * Jest's global set-up for the tests that need a control plane: has the binaries built before the first test starts,
 * where the progress can be seen and no test's time limit runs.
 */
export default async function prepare(): Promise<void> {
  await findBinaries(BINARIES);
  // Without Go the few tests that need it say so.
  if (process.platform === 'linux' && which('go', process.env) !== undefined) await containerProgram();
}

/** Has everything there that a cluster needs, before one goes where there is no network to download anything from. */
export async function prepareCluster(options: FindOptions = {}): Promise<void> {
  await findBinaries(BINARIES, options);
  options.signal?.throwIfAborted();
  await containerProgram(options);
}
