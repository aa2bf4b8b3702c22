import type { Cluster } from '../../cli/cluster/cluster';
import { Snapshot } from '../../cli/cluster/snapshot';
import type { InferenceServiceStatus } from '../../imports/inference-service';
import type { DeploymentStatus, PodStatus } from '../../imports/k8s';
import { isOfKind, ownerOf, synthesize, type Manifest, type SyncOutcome } from '../../lib/composition';
import { inferenceServiceComposition, type AdmittedInferenceService } from '../../lib/inference';
import { inferenceServiceSchema } from '../../lib/inference/crd';
import { planned } from '../composition/fixtures';
import { resource, models, type SpecChange } from '../inference/support';

export const now = '2026-11-30T12:00:00Z';

const three: SpecChange = { model: models.fake, replicas: { min: 3, max: 3 } };
const scaled: SpecChange = { model: models.fake, replicas: { min: 1, max: 9 }, autoscaling: { enabled: true } };
const parked: SpecChange = { model: models.fake, replicas: { min: 0, max: 0 } };

/** What the cluster has of a resource, as a test wants it. */
interface Scene {
  readonly spec?: SpecChange;
  /** Of the Deployment, which has generation 2. @default three pods of three are ready */
  readonly deployment?: DeploymentStatus;
  /** How the Deployment differs from the rendered one. */
  readonly change?: (deployment: Manifest) => Manifest | undefined;
  readonly autoscaler?: readonly object[];
  readonly pods?: readonly PodStatus[];
  readonly others?: readonly Manifest[];
  /** What became of the children. @default all are applied */
  readonly sync?: SyncOutcome;
}

/** A resource with the status that the operator gives it. */
export interface Recorded {
  readonly resource: Manifest;
  /** What `inferno status` sees beside it. */
  readonly snapshot: Snapshot;
}

const finished = { observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 3, readyReplicas: 3 };
const starting = { ...finished, availableReplicas: 0, readyReplicas: 0 };

function pod(...states: readonly object[]): PodStatus {
  return {
    phase: 'Pending',
    containerStatuses: states.map((state) => ({
      ...{ name: 'inference-server', image: 'i', imageID: '', ready: false, restartCount: 1 },
      ...state,
    })),
  };
}

function waiting(reason: string): PodStatus {
  return pod({ state: { waiting: { reason, message: `why ${reason}` } } });
}

const crashed = { terminated: { exitCode: 3, reason: 'Error' } };
const unschedulable = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes' };
const deadline = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: 'timed out' };
const quota = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'exceeded quota' };
const able = { type: 'AbleToScale', status: 'True', reason: 'SucceededGetScale', message: 'ok' };
const noMetric = { type: 'ScalingActive', status: 'False', reason: 'FailedGetPodsMetric', message: 'no metrics' };

function withFields(fields: object): (deployment: Manifest) => Manifest {
  return (deployment) => ({ ...deployment, spec: { ...(deployment['spec'] as object), ...fields } });
}

function withMetadata(fields: object): (deployment: Manifest) => Manifest {
  return (deployment) => ({ ...deployment, metadata: { ...deployment.metadata, ...fields } });
}

const rival: Manifest = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'theirs', namespace: 'default', uid: 'theirs' },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'demo' } },
};

/** A state that a resource can be in, for each reason that its status can give. */
export const scenes: Readonly<Record<'good' | 'waiting' | 'paused' | 'bad', Readonly<Record<string, Scene>>>> = {
  good: {
    'all pods are ready': {},
    'it is parked': { spec: parked, deployment: { observedGeneration: 2 } },
    'its autoscaler has no metric': { spec: scaled, autoscaler: [able, noMetric] },
    'the API server keeps other values': {
      change: withFields({ progressDeadlineSeconds: 600 }),
      sync: { state: 'altered', reason: 'FieldsNotKept', message: 'did not keep spec.progressDeadlineSeconds' },
    },
    'somebody else scales it': {
      others: [rival],
      deployment: { ...finished, replicas: 5, updatedReplicas: 5, availableReplicas: 5, readyReplicas: 5 },
      change: withFields({ replicas: 5 }),
      sync: { state: 'altered', reason: 'ScaledByAnother', message: 'theirs' },
    },
  },
  waiting: {
    'its Deployment is not there': {
      change: () => undefined,
      sync: { state: 'waiting', reason: 'SeenLate', message: 'soon' },
    },
    'an older child is still ending': {
      change: withMetadata({ deletionTimestamp: now }),
      sync: { state: 'waiting', reason: 'WaitingForDeletion', message: 'the Deployment is being deleted' },
    },
    'nobody has looked at the Deployment': { deployment: { ...finished, observedGeneration: 1 } },
    'pods start': { deployment: starting },
    'older pods are left': { deployment: { ...finished, replicas: 4 } },
    'pods are to end': { deployment: { ...finished, replicas: 4, updatedReplicas: 4 } },
    'no node takes a pod': { deployment: starting, pods: [{ phase: 'Pending', conditions: [unschedulable] }] },
    'a node is lost': {
      deployment: starting,
      pods: [{ ...pod({ ready: true, state: { running: {} } }), conditions: [{ type: 'Ready', status: 'False' }] }],
    },
    'a pod was evicted': { deployment: starting, pods: [{ phase: 'Failed', reason: 'Evicted', message: 'memory' }] },
    'a pod failed without a word': { deployment: starting, pods: [{ phase: 'Failed' }] },
    'a container crashed once': { deployment: starting, pods: [pod({ state: { running: {} }, lastState: crashed })] },
  },
  paused: {
    'somebody paused the rollout': {
      deployment: { ...finished, updatedReplicas: 0 },
      change: withFields({ paused: true }),
    },
  },
  bad: {
    'a container crashes': {
      deployment: starting,
      pods: [pod({ state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: crashed })],
    },
    'a container crashed three times': { deployment: starting, pods: [pod({ state: crashed, restartCount: 3 })] },
    'the image is not there': { deployment: starting, pods: [waiting('ImagePullBackOff')] },
    'a Secret is missing': { deployment: starting, pods: [waiting('CreateContainerConfigError')] },
    'a quota refuses the pods': { deployment: { ...starting, conditions: [quota] } },
    'the rollout takes too long': { deployment: { ...starting, conditions: [deadline] } },
    'somebody scaled it to zero': {
      spec: scaled,
      deployment: { observedGeneration: 2 },
      change: withFields({ replicas: 0 }),
    },
    'a child has the name of a foreign object': {
      change: withMetadata({ ownerReferences: [] }),
      sync: { state: 'refused', reason: 'NameTaken', message: 'Deployment demo exists' },
    },
    'the API server refuses a child': {
      change: () => undefined,
      sync: { state: 'refused', reason: 'Forbidden', message: 'no rights' },
    },
    'its spec is not valid': {
      spec: { ...three, replicas: { min: 3, max: 1 } },
      sync: {
        state: 'invalid',
        errors: [{ code: 'rule', path: ['spec', 'replicas', 'min'], message: 'must be no more than replicas.max' }],
      },
    },
  },
};

/** Makes the state as it is in a cluster, and lets the composition say what it is. */
export async function record({ spec = three, sync = { state: 'applied' }, ...scene }: Scene): Promise<Recorded> {
  const uid = 'demo';
  const bare = resource(spec) as Manifest;
  const admission = inferenceServiceSchema.admit<AdmittedInferenceService>(bare);
  const admitted = (admission.valid ? admission.resource : bare) as AdmittedInferenceService & Manifest;
  const live = { ...admitted, metadata: { ...admitted.metadata, uid, generation: 7 } };
  const children = childrenOf(live).flatMap((child): readonly Manifest[] => {
    if (child.kind === 'HorizontalPodAutoscaler') return [{ ...child, status: { conditions: scene.autoscaler ?? [] } }];
    if (child.kind !== 'Deployment') return [child];
    const replicas = (child['spec'] as { replicas?: number }).replicas ?? 3;
    const deployment = {
      ...child,
      metadata: { ...child.metadata, generation: 2 },
      spec: { ...(child['spec'] as object), replicas },
      status: scene.deployment ?? finished,
    };
    const changed = scene.change === undefined ? deployment : scene.change(deployment);
    return changed === undefined ? [] : [changed];
  });
  const pods = (scene.pods ?? []).map((status, index) => ({
    ...{ apiVersion: 'v1', kind: 'Pod', status },
    metadata: { name: `demo-${index}`, namespace: 'default', uid: `pod-${index}`, labels: { app: 'demo' } },
  }));
  const cluster = clusterOf([...children, ...pods, ...(scene.others ?? [])]);
  const snapshot = await Snapshot.take(cluster, inferenceServiceComposition, 'default');
  const { observed } = await snapshot.viewOf(live);
  // An autoscaler is not believed before the pods have been ready once
  const [first] = [0, 1].reduce<readonly (InferenceServiceStatus | undefined)[]>(
    ([before]) => {
      const seen = before === undefined ? live : { ...live, status: before };
      return [inferenceServiceComposition.project(seen, observed, { now, sync })];
    },
    [undefined],
  );
  return { resource: { ...live, status: first }, snapshot };
}

/** The children as the operator has applied them; none where the resource is not valid. */
function childrenOf(live: AdmittedInferenceService & Manifest): readonly Manifest[] {
  const synthesis = synthesize(inferenceServiceComposition, live);
  if (!synthesis.valid) return [];
  return planned(synthesis, [], ownerOf(inferenceServiceComposition, live)).flatMap((step) =>
    step.action === 'create'
      ? [{ ...step.manifest, metadata: { ...step.manifest.metadata, uid: step.manifest.kind } }]
      : [],
  );
}

/** A cluster that has these objects, of which a selector finds all. */
function clusterOf(objects: readonly Manifest[]): Cluster {
  const client = {
    list: async (kind: { readonly apiVersion: string; readonly kind: string }) => ({
      items: objects.filter((object) => isOfKind(object, kind)),
    }),
    get: async (kind: { readonly apiVersion: string; readonly kind: string }, _: unknown, name: string) =>
      objects.find((object) => isOfKind(object, kind) && object.metadata.name === name),
  };
  // nothing but these two is called
  return { client, namespace: 'default' } as unknown as Cluster;
}
