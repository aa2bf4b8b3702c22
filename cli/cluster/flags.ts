import { defined } from '../../lib/composition/objects';
import type { ConfigSource } from '../../operator/cluster/config-source';
import type { Flag, Parsed } from '../command';

/** Compositions of a user, for commands that render. */
export const compositionFlag: Flag = {
  name: 'composition',
  value: 'FILE.js',
  completes: 'file',
  repeatable: true,
  description: 'Module with compositions made by defineComposition, beside InferenceService.',
};

/** The flags of commands that talk to a cluster. */
export const clusterFlags: readonly Flag[] = [
  {
    name: 'kubeconfig',
    value: 'FILE',
    completes: 'file',
    description: "Kubeconfig of the cluster. Without one: $KUBECONFIG, the pod's service account, ~/.kube/config.",
  },
  { name: 'context', value: 'NAME', default: 'its current one', description: 'Context of the kubeconfig.' },
  compositionFlag,
];

/** How to find the cluster, as `connect` takes it. */
export function connectionOptions({ values }: Parsed): ConfigSource {
  return defined<ConfigSource>({ kubeconfig: values.get('kubeconfig')?.[0], context: values.get('context')?.[0] });
}
