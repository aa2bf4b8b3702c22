import type { Manifest } from '../composition';
import { clusterName, managerName, operatorLabels } from './names';

/** A rank above what names none (0) and far below the system's (2,000,000,000). It can never be changed. */
const PRIORITY = 1_000_000;

/** The PriorityClass of the operator: models that fill a node do not keep out what repairs them. */
export function priorityClass(namespace: string): Manifest {
  return {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: clusterName(namespace), labels: operatorLabels },
    value: PRIORITY,
    description: 'Only for the operator of Inferno.',
  };
}

/** One operator may be away: a drain is never blocked, and of several one stays. */
export function podDisruptionBudget(namespace: string): Manifest {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: managerName, namespace, labels: operatorLabels },
    // An operator that is not ready is not a reason to keep a node either.
    spec: { maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow', selector: { matchLabels: operatorLabels } },
  };
}
