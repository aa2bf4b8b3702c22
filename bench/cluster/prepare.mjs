import { require } from '../../scripts/start/typescript.mjs';

/** Has everything there that has to be downloaded or built, as there is no network where the cluster runs. */
export async function run() {
  const { BINARIES, findBinaries } = require('../../test/cluster/index.ts');
  const { containerProgram } = require('../../test/cluster/node/runtime/programs.ts');
  await findBinaries(BINARIES);
  await containerProgram();
}
