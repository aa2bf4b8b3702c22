import type { Manifest } from '../composition';
import { keepAnnotations } from './crds';
import { namespaceLabels } from './names';

const LEVEL = 'restricted';

/**
 * The operator's namespace, in which Kubernetes admits no pod that could do harm to its node. Somebody may have put other
 * things into it, so it is kept as the definitions are, only without a policy.
 */
export function namespace(name: string): Manifest {
  const modes = ['enforce', 'audit', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, LEVEL]);
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { ...namespaceLabels, ...Object.fromEntries(modes) }, annotations: keepAnnotations },
  };
}
