import { findBinaries } from './binaries';
import { containerProgram } from './node/runtime/programs';
import { which } from './which';

/**
 * Jest's global set-up for the tests that need a control plane: has the binaries built before the first test starts,
 * where the progress can be seen and no test's time limit runs.
 */
export default async function prepare(): Promise<void> {
  await findBinaries(['etcd', 'kube-apiserver', 'kubectl', 'kube-controller-manager', 'kube-scheduler']);
  // Without Go the few tests that need it say so.
  if (process.platform === 'linux' && which('go', process.env) !== undefined) await containerProgram();
}
