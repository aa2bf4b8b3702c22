import type { Manifest } from './manifest';
import { fieldsOf, numberOf, objectsIn, textOf, type Fields } from './objects';

/** Whether an object is what it was applied for; `message` follows "is not ready: ". */
export type Readiness = { readonly ready: true } | { readonly ready: false; readonly message: string };

/**
 * Whether a live object is ready, judged as kstatus judges it (https://github.com/kubernetes-sigs/cli-utils), so as Flux
 * does. A Job is ready once it is complete, as for those who wait for one, such as Flux and Helm. Pure.
 *
 * Kinds that are not known are ready unless their conditions or their `observedGeneration` say otherwise.
 */
export function readinessOf(object: Manifest): Readiness {
  const [spec, status] = [fieldsOf(object['spec']), fieldsOf(object['status'])];
  const conditions = objectsIn(status['conditions']);
  const condition = (type: string): Fields | undefined => conditions.find((each) => each['type'] === type);
  if (object.metadata.deletionTimestamp !== undefined) return not('it is being deleted');
  const { generation } = object.metadata;
  const seen = status['observedGeneration'];
  if (typeof seen === 'number' && generation !== undefined && seen < generation) {
    return not('its controller has not seen its newest version yet');
  }
  for (const type of ['Reconciling', 'Stalled']) {
    const found = condition(type);
    if (found?.['status'] === 'True') return not(said(found, type));
  }
  return judgeKind(object.kind, spec, status, condition) ?? judgeReady(condition('Ready'));
}

/** The verdict of a kind with rules of its own; undefined where its conditions decide. */
function judgeKind(
  kind: string,
  spec: Fields,
  status: Fields,
  condition: (type: string) => Fields | undefined,
): Readiness | undefined {
  const count = (name: string): number => numberOf(status[name]);
  switch (kind) {
    case 'Deployment': {
      const late = condition('Progressing');
      if (late?.['reason'] === 'ProgressDeadlineExceeded') return not(said(late, 'ProgressDeadlineExceeded'));
      if (condition('Available')?.['status'] !== 'True') return not(pods(count('readyReplicas'), wantedOf(spec)));
      return rolledOut(wantedOf(spec), count('replicas'), count('updatedReplicas'), count('availableReplicas'));
    }
    case 'StatefulSet': {
      const update = fieldsOf(spec['updateStrategy']);
      if (update['type'] === 'OnDelete') return READY;
      const partition = numberOf(fieldsOf(update['rollingUpdate'])['partition']);
      const wanted = wantedOf(spec);
      if (partition > 0) return enough(count('updatedReplicas'), wanted - partition);
      if (count('readyReplicas') !== wanted) return not(pods(count('readyReplicas'), wanted));
      return rolledOut(wanted, count('replicas'), count('updatedReplicas'), count('readyReplicas'), status);
    }
    case 'DaemonSet': {
      if (status['observedGeneration'] === undefined) return not('its controller has not seen it yet');
      const wanted = count('desiredNumberScheduled');
      return rolledOut(
        wanted,
        count('currentNumberScheduled'),
        count('updatedNumberScheduled'),
        Math.min(count('numberAvailable'), count('numberReady')),
      );
    }
    case 'ReplicaSet':
      if (condition('ReplicaFailure')?.['status'] === 'True') return not('its pods cannot be made');
      return enough(Math.min(count('availableReplicas'), count('readyReplicas')), wantedOf(spec));
    case 'Pod':
      return status['phase'] === 'Succeeded'
        ? READY
        : judgeStated(condition('Ready'), textOf(status['phase']) || 'Pending');
    case 'Job':
      return judgeStated(condition('Complete'), said(condition('Failed') ?? {}, 'it is not complete'));
    case 'PersistentVolumeClaim':
      return status['phase'] === 'Bound' ? READY : not('it is not bound to a volume');
    case 'PodDisruptionBudget':
      if (count('currentHealthy') < count('desiredHealthy')) {
        return not(`${count('currentHealthy')} of ${count('desiredHealthy')} pods are healthy`);
      }
      return status['observedGeneration'] === undefined ? not('its controller has not seen it yet') : READY;
    case 'Service':
      return spec['type'] === 'LoadBalancer' && textOf(spec['clusterIP']) === '' ? not('it has no address yet') : READY;
    default:
      return undefined;
  }
}

const READY: Readiness = { ready: true };

function not(message: string): Readiness {
  return { ready: false, message };
}

function judgeReady(condition: Fields | undefined): Readiness {
  return condition === undefined ? READY : judgeStated(condition, 'it is not Ready');
}

function judgeStated(condition: Fields | undefined, otherwise: string): Readiness {
  return condition?.['status'] === 'True' ? READY : not(said(condition ?? {}, otherwise));
}

/** What all that run pods have in common once a rollout is over. */
function rolledOut(
  wanted: number,
  present: number,
  updated: number,
  available: number,
  revisions: Fields = {},
): Readiness {
  if (updated < wanted) return not(`${updated} of ${wanted} pods are of the newest version`);
  if (present > wanted) return not(`${present - wanted} older pods are still there`);
  if (available < wanted) return not(pods(available, wanted));
  return revisions['currentRevision'] === revisions['updateRevision'] ? READY : not('its rollout is not over');
}

function enough(ready: number, wanted: number): Readiness {
  return ready >= wanted ? READY : not(pods(ready, wanted));
}

function pods(ready: number, wanted: number): string {
  return `${ready} of ${wanted} pods are ready`;
}

function wantedOf(spec: Fields): number {
  return spec['replicas'] === undefined ? 1 : numberOf(spec['replicas']);
}

function said(condition: Fields, otherwise: string): string {
  return textOf(condition['message']) || textOf(condition['reason']) || otherwise;
}
