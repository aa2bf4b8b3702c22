import { groupOf, type Manifest } from './manifest';
import { fieldsOf, objectsIn, textOf, type Fields } from './objects';

/** Whether an object is what it was applied for; `message` follows "is not ready: ". */
export type Readiness = { readonly ready: true } | { readonly ready: false; readonly message: string };

/**
 * Whether a live object is ready, as kstatus says (https://github.com/kubernetes-sigs/cli-utils), so as Flux
 * does. Pure.
 *
 * Two kinds take more than kstatus asks, as what depends on them needs it: a Job is ready once it is complete, not while
 * it runs, and a Pod that failed is not ready. Kinds that are not known are ready unless their conditions or their
 * `observedGeneration` say otherwise.
 */
export function readinessOf(object: Manifest): Readiness {
  const [spec, status] = [fieldsOf(object['spec']), fieldsOf(object['status'])];
  const conditions = objectsIn(status['conditions']);
  const condition = (type: string): Fields | undefined => conditions.find((each) => each['type'] === type);
  if (object.metadata.deletionTimestamp !== undefined) return not('it is being deleted');
  const { generation } = object.metadata;
  const seen = status['observedGeneration'];
  if (typeof seen === 'number' && generation !== undefined && seen !== generation) {
    return not('its controller has not seen its newest version yet');
  }
  const trouble = conditions.find(
    ({ type, status: is }) => (type === 'Reconciling' || type === 'Stalled') && is === 'True',
  );
  if (trouble !== undefined) return not(said(trouble, String(trouble['type'])));
  return judgeKind(object, spec, status, condition) ?? judgeReady(condition('Ready'));
}

/** The readiness by a kind's own rules; undefined where its conditions decide. */
function judgeKind(
  { apiVersion, kind, metadata }: Manifest,
  spec: Fields,
  status: Fields,
  condition: (type: string) => Fields | undefined,
): Readiness | undefined {
  const count = (name: string): number => number(status[name]) ?? 0;
  const wanted = number(spec['replicas']) ?? 1;
  switch (`${groupOf(apiVersion)}/${kind}`) {
    case 'apps/Deployment': {
      const progress = condition('Progressing');
      if (progress?.['reason'] === 'ProgressDeadlineExceeded') return not(said(progress, 'ProgressDeadlineExceeded'));
      const judged = judgePods({
        wanted,
        present: count('replicas'),
        updated: count('updatedReplicas'),
        available: Math.min(count('availableReplicas'), count('readyReplicas')),
      });
      const isTimed =
        number(spec['progressDeadlineSeconds']) !== undefined && spec['progressDeadlineSeconds'] !== NEVER;
      const isOver = progress?.['status'] === 'True' && progress['reason'] === 'NewReplicaSetAvailable';
      if (!judged.ready || ((isOver || !isTimed) && condition('Available')?.['status'] === 'True')) return judged;
      return not('its rollout is not over');
    }
    case 'apps/StatefulSet': {
      const update = fieldsOf(spec['updateStrategy']);
      if (update['type'] === 'OnDelete') return READY;
      const partition = number(fieldsOf(update['rollingUpdate'])['partition']);
      const judged = judgePods({
        wanted,
        present: count('replicas'),
        updated: partition === undefined ? wanted : count('updatedReplicas') + partition,
        available: count('readyReplicas'),
      });
      if (!judged.ready || partition !== undefined) return judged;
      const isOver = count('currentReplicas') >= wanted && status['currentRevision'] === status['updateRevision'];
      return isOver ? READY : not('its rollout is not over');
    }
    case 'apps/DaemonSet': {
      const nodes = number(status['desiredNumberScheduled']);
      if (metadata.generation === undefined || status['observedGeneration'] === undefined || nodes === undefined) {
        return not('its controller has not seen it yet');
      }
      return judgePods({
        wanted: nodes,
        present: Math.min(nodes, count('currentNumberScheduled')),
        updated: count('updatedNumberScheduled'),
        available: Math.min(count('numberAvailable'), count('numberReady')),
      });
    }
    case 'apps/ReplicaSet':
      if (condition('ReplicaFailure')?.['status'] === 'True') return not('its pods cannot be made');
      return judgePods({
        wanted,
        present: Math.max(count('replicas'), wanted),
        updated: count('fullyLabeledReplicas'),
        available: Math.min(count('availableReplicas'), count('readyReplicas')),
      });
    case '/Pod': {
      const phase = textOf(status['phase']);
      if (phase === 'Succeeded') return READY;
      return phase === 'Running' ? judgeStated(condition('Ready'), phase) : not(phase || 'Pending');
    }
    case 'batch/Job':
      return judgeStated(condition('Complete'), said(condition('Failed') ?? {}, 'it is not complete'));
    case '/PersistentVolumeClaim':
      return status['phase'] === 'Bound' ? READY : not('it is not bound to a volume');
    case '/Service':
      return spec['type'] === 'LoadBalancer' && textOf(spec['clusterIP']) === '' ? not('it has no address yet') : READY;
    case '/ConfigMap':
    case '/Secret':
    case 'batch/CronJob':
    case 'policy/PodDisruptionBudget':
      return READY;
    default:
      return undefined;
  }
}

const READY: Readiness = { ready: true };
/** With this deadline a Deployment does not say how its rollout goes. */
const NEVER = 2 ** 31 - 1;

function not(message: string): Readiness {
  return { ready: false, message };
}

function judgeReady(condition: Fields | undefined): Readiness {
  return condition === undefined ? READY : judgeStated(condition, 'it is not Ready');
}

function judgeStated(condition: Fields | undefined, otherwise: string): Readiness {
  return condition?.['status'] === 'True' ? READY : not(said(condition ?? {}, otherwise));
}

/** What all that run pods have in common. */
function judgePods(counts: {
  readonly wanted: number;
  readonly present: number;
  readonly updated: number;
  readonly available: number;
}): Readiness {
  const { wanted, present, updated, available } = counts;
  if (available < wanted || present < wanted) return not(`${Math.min(available, present)} of ${wanted} pods are ready`);
  if (updated < wanted) return not(`${updated} of ${wanted} pods are of the newest version`);
  return present > wanted ? not(`${present - wanted} older pods are still there`) : READY;
}

function said(condition: Fields, otherwise: string): string {
  return textOf(condition['message']) || textOf(condition['reason']) || otherwise;
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
