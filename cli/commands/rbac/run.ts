import { OPERATOR_NAMESPACE } from '../../../lib/install/names';
import { operatorRbac } from '../../../lib/install/rbac';
import type { Parsed } from '../../command';
import { compositionsWith } from '../../compositions';
import { readNamespace } from '../../input/flags';
import { printObjects, readWatchNamespaces } from '../../installation';
import type { Io } from '../../io';

/** Runs `inferno rbac`. @returns the exit code */
export async function rbac(parsed: Parsed, io: Io): Promise<number> {
  const { values } = parsed;
  const namespace = values.get('namespace')?.[0] ?? OPERATOR_NAMESPACE;
  readNamespace('namespace', namespace);
  const serviceAccount = values.get('service-account')?.[0];
  const leaderElectionId = values.get('leader-election-id')?.[0];
  const namespaces = readWatchNamespaces(parsed);
  const objects = operatorRbac({
    compositions: await compositionsWith(values.get('composition'), io),
    namespace,
    namespaces,
    ...(serviceAccount === undefined ? {} : { serviceAccount }),
    ...(leaderElectionId === undefined ? {} : { leaderElectionId }),
  });
  printObjects(objects, parsed, io);
  return 0;
}
