import type { Manifest } from '../../lib/composition';

/** An object, and whether it is ready for what depends on it. */
export interface ReadinessCase {
  readonly what: string;
  readonly object: Manifest;
  readonly ready: boolean;
  /** Where kstatus says otherwise. */
  readonly kstatus?: boolean;
}

type Row = readonly [what: string, ready: boolean, fields: object, kstatus?: boolean];

function cases(apiVersion: string, kind: string, rows: readonly Row[]): readonly ReadinessCase[] {
  return rows.map(([what, ready, fields, kstatus]) => ({
    what: `a ${kind} ${what}`,
    object: {
      apiVersion,
      kind,
      ...fields,
      metadata: {
        name: 'a',
        namespace: 'team',
        generation: 2,
        ...('metadata' in fields ? (fields.metadata as object) : {}),
      },
    },
    ready,
    ...(kstatus === undefined ? {} : { kstatus }),
  }));
}

const is = (type: string, status: string, reason = 'Because'): object => ({
  type,
  status,
  reason,
  message: `${type}!`,
});

const available = is('Available', 'True');
const complete = is('Progressing', 'True', 'NewReplicaSetAvailable');
const rolled = { observedGeneration: 2, replicas: 2, updatedReplicas: 2, availableReplicas: 2, readyReplicas: 2 };
const two = { replicas: 2, progressDeadlineSeconds: 600 };
const deployment = (change: object, spec: object = two, conditions: readonly object[] = [available, complete]) => ({
  spec,
  status: { ...rolled, conditions, ...change },
});

const set = { observedGeneration: 2, replicas: 2, readyReplicas: 2, currentReplicas: 2, updatedReplicas: 2 };
const revisions = { currentRevision: 'a', updateRevision: 'a' };
const statefulSet = (change: object, updateStrategy: object = {}) => ({
  spec: { replicas: 2, updateStrategy },
  status: { ...set, ...revisions, ...change },
});

const spread = {
  observedGeneration: 2,
  desiredNumberScheduled: 2,
  currentNumberScheduled: 2,
  updatedNumberScheduled: 2,
  numberAvailable: 2,
  numberReady: 2,
};
const daemonSet = (change: object) => ({ status: { ...spread, ...change } });

const full = { observedGeneration: 2, replicas: 2, fullyLabeledReplicas: 2, availableReplicas: 2, readyReplicas: 2 };
const replicaSet = (change: object) => ({ spec: { replicas: 2 }, status: { ...full, ...change } });

const pod = (phase: string, ...conditions: readonly object[]) => ({ status: { phase, conditions } });

/** Every rule of readiness, both ways. */
export const readinessCases: readonly ReadinessCase[] = [
  ...cases('apps/v1', 'Deployment', [
    ['that is rolled out', true, deployment({})],
    [
      'that wants no pods',
      true,
      deployment(
        { ...rolled, replicas: 0, updatedReplicas: 0, availableReplicas: 0, readyReplicas: 0 },
        { ...two, replicas: 0 },
      ),
    ],
    [
      'of one pod, as none are said',
      true,
      deployment(
        { replicas: 1, updatedReplicas: 1, availableReplicas: 1, readyReplicas: 1 },
        { progressDeadlineSeconds: 600 },
      ),
    ],
    ['that nobody has seen', false, { spec: two }],
    ['whose newest version nobody has seen', false, deployment({ observedGeneration: 1 })],
    ['with too few pods', false, deployment({ replicas: 1 })],
    ['with older pods only', false, deployment({ updatedReplicas: 1 })],
    ['with older pods beside the new ones', false, deployment({ replicas: 3 })],
    ['with pods that are not available', false, deployment({ availableReplicas: 1 })],
    ['with pods that are not ready', false, deployment({ readyReplicas: 1 })],
    ['that is late', false, deployment({}, two, [available, is('Progressing', 'False', 'ProgressDeadlineExceeded')])],
    ['that does not say that it is available', false, deployment({}, two, [complete])],
    ['that is not available', false, deployment({}, two, [is('Available', 'False'), complete])],
    [
      'whose new ReplicaSet is not available',
      false,
      deployment({}, two, [available, is('Progressing', 'True', 'ReplicaSetUpdated')]),
    ],
    ['without a deadline, which says nothing of its progress', true, deployment({}, { replicas: 2 }, [available])],
    ['with an endless deadline', true, deployment({}, { ...two, progressDeadlineSeconds: 2_147_483_647 }, [available])],
    ['that ends', false, { ...deployment({}), metadata: { deletionTimestamp: '2026-11-30T12:00:00Z' } }],
    ['of another group, whose conditions decide', true, { apiVersion: 'example.com/v1', spec: two }],
  ]),
  ...cases('apps/v1', 'StatefulSet', [
    ['that is rolled out', true, statefulSet({})],
    ['with too few pods', false, statefulSet({ replicas: 1 })],
    ['with pods that are not ready', false, statefulSet({ readyReplicas: 1 })],
    ['with pods that are to end', false, statefulSet({ replicas: 3, readyReplicas: 3 })],
    ['with too few current pods', false, statefulSet({ currentReplicas: 1 })],
    ['with a newer revision', false, statefulSet({ updateRevision: 'b' })],
    ['that is updated by hand', true, statefulSet({ readyReplicas: 0, updateRevision: 'b' }, { type: 'OnDelete' })],
    [
      'that is updated down to a partition',
      true,
      statefulSet({ currentReplicas: 1, updatedReplicas: 1, updateRevision: 'b' }, { rollingUpdate: { partition: 1 } }),
    ],
    [
      'that is not yet updated down to a partition',
      false,
      statefulSet({ updatedReplicas: 0 }, { rollingUpdate: { partition: 1 } }),
    ],
    [
      'that is not yet updated down to partition 0',
      false,
      statefulSet({ updatedReplicas: 1 }, { rollingUpdate: { partition: 0 } }),
    ],
    [
      'with a partition and pods that are not ready',
      false,
      statefulSet({ readyReplicas: 1 }, { rollingUpdate: { partition: 1 } }),
    ],
    ['that nobody has seen', false, { spec: { replicas: 2 } }],
  ]),
  ...cases('apps/v1', 'DaemonSet', [
    ['that is rolled out', true, daemonSet({})],
    [
      'for no node',
      true,
      daemonSet({
        desiredNumberScheduled: 0,
        currentNumberScheduled: 0,
        updatedNumberScheduled: 0,
        numberAvailable: 0,
        numberReady: 0,
      }),
    ],
    ['that nobody has seen', false, { status: { desiredNumberScheduled: 0 } }],
    ['that does not say how many nodes it is for', false, { status: { observedGeneration: 2 } }],
    ['that is not on each node', false, daemonSet({ currentNumberScheduled: 1 })],
    ['that is older on a node', false, daemonSet({ updatedNumberScheduled: 1 })],
    ['that is not available on a node', false, daemonSet({ numberAvailable: 1 })],
    ['that is not ready on a node', false, daemonSet({ numberReady: 1 })],
    ['that is on a node too many', true, daemonSet({ currentNumberScheduled: 3 })],
  ]),
  ...cases('apps/v1', 'ReplicaSet', [
    ['with all its pods', true, replicaSet({})],
    ['whose pods are refused', false, replicaSet({ conditions: [is('ReplicaFailure', 'True')] })],
    ['with pods that are not labelled', false, replicaSet({ fullyLabeledReplicas: 1 })],
    ['with pods that are not available', false, replicaSet({ availableReplicas: 1 })],
    ['with pods that are not ready', false, replicaSet({ readyReplicas: 1 })],
    ['with a pod too many', false, replicaSet({ replicas: 3 })],
  ]),
  ...cases('v1', 'Pod', [
    ['that is ready', true, pod('Running', is('Ready', 'True'))],
    ['that is done', true, pod('Succeeded', is('Ready', 'False'))],
    ['that runs and is not ready', false, pod('Running', is('Ready', 'False'))],
    ['that runs and says nothing', false, pod('Running')],
    ['that is pending', false, pod('Pending', is('PodScheduled', 'False', 'Unschedulable'))],
    ['without a phase', false, {}],
    ['that failed', false, pod('Failed'), true],
  ]),
  ...cases('batch/v1', 'Job', [
    ['that is complete', true, { status: { startTime: 'now', conditions: [is('Complete', 'True')] } }],
    ['that has not started', false, {}],
    ['that runs', false, { status: { startTime: 'now', active: 1 } }, true],
    ['that failed', false, { status: { startTime: 'now', conditions: [is('Failed', 'True')] } }],
    [
      'that is about to be complete',
      false,
      { status: { startTime: 'now', conditions: [is('SuccessCriteriaMet', 'True')] } },
      true,
    ],
  ]),
  ...cases('v1', 'PersistentVolumeClaim', [
    ['that is bound', true, { status: { phase: 'Bound' } }],
    ['that is pending', false, { status: { phase: 'Pending' } }],
    ['that nobody has seen', false, {}],
  ]),
  ...cases('v1', 'Service', [
    ['within the cluster', true, { spec: { type: 'ClusterIP' } }],
    ['for the outside with an address', true, { spec: { type: 'LoadBalancer', clusterIP: '10.0.0.1' } }],
    ['for the outside without an address', false, { spec: { type: 'LoadBalancer' } }],
  ]),
  ...cases('policy/v1', 'PodDisruptionBudget', [
    ['that was seen, whatever pods are healthy', true, { status: { observedGeneration: 2, desiredHealthy: 2 } }],
    ['whose newest version nobody has seen', false, { status: { observedGeneration: 1 } }],
  ]),
  ...cases('v1', 'ConfigMap', [['', true, {}]]),
  ...cases('v1', 'Secret', [['', true, {}]]),
  ...cases('batch/v1', 'CronJob', [['that has never run', true, { status: { conditions: [is('Ready', 'False')] } }]]),
  ...cases('autoscaling/v2', 'HorizontalPodAutoscaler', [
    ['', true, { status: { conditions: [is('ScalingActive', 'False')] } }],
  ]),
  ...cases('networking.k8s.io/v1', 'Ingress', [['', true, {}]]),
  ...cases('example.com/v1', 'Cache', [
    ['that says nothing', true, {}],
    ['that is Ready', true, { status: { conditions: [is('Ready', 'True')] } }],
    ['that is not Ready', false, { status: { conditions: [is('Ready', 'False')] } }],
    ['of which it is not known', false, { status: { conditions: [is('Ready', 'Unknown')] } }],
    [
      'that is Ready of an older version',
      false,
      { status: { observedGeneration: 1, conditions: [is('Ready', 'True')] } },
    ],
    [
      'that is Ready of a version to come',
      false,
      { status: { observedGeneration: 3, conditions: [is('Ready', 'True')] } },
    ],
    ['that reconciles', false, { status: { conditions: [is('Reconciling', 'True'), is('Ready', 'True')] } }],
    ['that has reconciled', true, { status: { conditions: [is('Reconciling', 'False'), is('Stalled', 'False')] } }],
    ['that is stalled', false, { status: { conditions: [is('Stalled', 'True')] } }],
    ['that ends', false, { metadata: { deletionTimestamp: '2026-11-30T12:00:00Z' } }],
  ]),
];
