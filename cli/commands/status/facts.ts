import type { Manifest } from '../../../lib/composition';
import { conditionsIn, type ConditionText } from '../../../lib/composition/conditions';
import { fieldsOf, numberOf, objectsIn, textOf, type Fields } from '../../../lib/composition/objects';
import type { Health, StatusNode } from './node';

type Facts = Pick<StatusNode, 'health' | 'summary' | 'messages'>;

/** What an object says of itself. Of other kinds it is what their conditions say. */
export function factsOf(object: Manifest): Facts {
  const [spec, status] = [fieldsOf(object['spec']), fieldsOf(object['status'])];
  if (object.metadata.deletionTimestamp !== undefined) return facts('waiting', 'is being deleted');
  switch (object.kind) {
    case 'Deployment':
    case 'StatefulSet':
    case 'ReplicaSet':
      return workload(spec, status, object);
    case 'HorizontalPodAutoscaler':
      return autoscaler(spec, status, object);
    case 'Service':
      return service(spec);
    case 'Pod':
      return pod(status, object);
    default:
      return byConditions(object);
  }
}

function workload(spec: Fields, status: Fields, object: Manifest): Facts {
  const wanted = numberOf(spec['replicas'] ?? 1);
  const [ready, updated] = [numberOf(status['readyReplicas']), numberOf(status['updatedReplicas'])];
  const older = Math.max(0, numberOf(status['replicas']) - updated);
  const isSeen = numberOf(status['observedGeneration']) >= (object.metadata.generation ?? 0);
  const failures = conditionsIn(object['status']).filter(
    ({ type, status: state, reason }) =>
      (type === 'ReplicaFailure' && state === 'True') ||
      (type === 'Progressing' && reason === 'ProgressDeadlineExceeded'),
  );
  const summary = [
    `${ready}/${wanted} ready`,
    ...(updated < wanted ? [`${updated} updated`] : []),
    ...(older > 0 ? [`${older} older`] : []),
    ...(isSeen ? [] : ['not seen by its controller yet']),
  ].join(', ');
  const isDone = isSeen && ready >= wanted && updated >= wanted && older === 0;
  return facts(failures.length > 0 ? 'bad' : isDone ? 'good' : 'waiting', summary, failures.map(said));
}

function autoscaler(spec: Fields, status: Fields, object: Manifest): Facts {
  const troubles = conditionsIn(object['status']).filter(
    ({ type, status: state, reason }) =>
      (type === 'AbleToScale' || type === 'ScalingActive') && state === 'False' && reason !== 'ScalingDisabled',
  );
  const summary = `${numberOf(spec['minReplicas'] ?? 1)} to ${numberOf(spec['maxReplicas'])}, now ${numberOf(status['currentReplicas'])}`;
  const hasSpoken = conditionsIn(object['status']).length > 0;
  return facts(troubles.length > 0 ? 'bad' : hasSpoken ? 'good' : 'waiting', summary, troubles.map(said));
}

function service(spec: Fields): Facts {
  const ports = objectsIn(spec['ports']).map((port) => `${numberOf(port['port'])}`);
  const address = textOf(spec['clusterIP']) || textOf(spec['externalName']);
  return facts('good', [textOf(spec['type']) || 'ClusterIP', address, `port ${ports.join(', ')}`].join(' ').trim());
}

function pod(status: Fields, object: Manifest): Facts {
  const conditions = conditionsIn(object['status']);
  const unscheduled = conditions.find(({ type, status: state }) => type === 'PodScheduled' && state === 'False');
  if (unscheduled !== undefined) return facts('waiting', 'no node', [said(unscheduled)]);
  const containers = [...objectsIn(status['initContainerStatuses']), ...objectsIn(status['containerStatuses'])];
  const troubles = containers.flatMap(containerTrouble);
  const isReady = conditions.some(({ type, status: state }) => type === 'Ready' && state === 'True');
  const restarts = containers.reduce((sum, container) => sum + numberOf(container['restartCount']), 0);
  const summary = [
    isReady ? 'ready' : textOf(status['phase']) || 'Pending',
    ...(restarts > 0 ? [`${restarts} ${restarts === 1 ? 'restart' : 'restarts'}`] : []),
  ].join(', ');
  return facts(isReady ? 'good' : troubles.length > 0 ? 'bad' : 'waiting', summary, isReady ? [] : troubles);
}

function containerTrouble(container: Fields): readonly string[] {
  const waiting = fieldsOf(fieldsOf(container['state'])['waiting']);
  const ended = [fieldsOf(container['state']), fieldsOf(container['lastState'])]
    .map((state) => fieldsOf(state['terminated']))
    .find((state) => numberOf(state['exitCode']) !== 0);
  const reason = textOf(waiting['reason']);
  const exit =
    ended === undefined ? [] : [`exit code ${numberOf(ended['exitCode'])} (${textOf(ended['reason']) || 'Error'})`];
  const isStarting = ['', 'ContainerCreating', 'PodInitializing'].includes(reason);
  const words = [...(isStarting ? [] : [reason]), ...exit, ...(isStarting ? [] : [textOf(waiting['message'])])];
  const trouble = words.filter((word) => word !== '').join(': ');
  return trouble === '' ? [] : [`${textOf(container['name'])}: ${trouble}`];
}

function byConditions(object: Manifest): Facts {
  const conditions = conditionsIn(object['status']);
  const main = ['Ready', 'Available', 'Complete', 'Accepted']
    .map((type) => conditions.find((condition) => condition.type === type))
    .find((condition) => condition !== undefined);
  if (main === undefined) return facts('unknown', '');
  if (main.status === 'True') return facts('good', main.type);
  return facts('waiting', main.reason || `not ${main.type}`, main.message === '' ? [] : [main.message]);
}

function facts(health: Health, summary: string, messages: readonly string[] = []): Facts {
  return { health, summary, messages };
}

function said({ reason, message }: ConditionText): string {
  return [reason, message].filter((part) => part !== '').join(': ');
}
