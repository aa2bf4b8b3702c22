import { defined } from '../../../lib/composition/objects';
import { OPERATOR_NAMESPACE } from '../../../lib/install/names';
import { operatorRbac, type OperatorRbacProps } from '../../../lib/install/rbac';
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
  const props = defined<OperatorRbacProps>({
    compositions: await compositionsWith(values.get('composition'), io),
    namespace,
    watchNamespaces: readWatchNamespaces(parsed),
    serviceAccount: values.get('service-account')?.[0],
    leaderElectionId: values.get('leader-election-id')?.[0],
  });
  printObjects(operatorRbac(props), parsed, io);
  return 0;
}
