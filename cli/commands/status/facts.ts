import type { Manifest } from '../../../lib/composition';
import type { Health, StatusNode } from './node';

type Facts = Pick<StatusNode, 'health' | 'summary' | 'messages'>;

interface Fields {
  readonly [field: string]: unknown;
}

/** A condition as all kinds have it, or nearly so. */
export interface SeenCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** What an object says of itself. Kinds that are not known are told by their conditions. */
export function factsOf(object: Manifest): Facts {
  const [spec, status] = [record(object['spec']), record(object['status'])];
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

/** The conditions of an object. */
export function conditionsOf(object: Manifest): readonly SeenCondition[] {
  return list(record(object['status'])['conditions']).map((entry) => ({
    type: text(entry['type']),
    status: text(entry['status']),
    reason: text(entry['reason']),
    message: text(entry['message']),
  }));
}

function workload(spec: Fields, status: Fields, object: Manifest): Facts {
  const wanted = number(spec['replicas'] ?? 1);
  const [ready, updated] = [number(status['readyReplicas']), number(status['updatedReplicas'])];
  const older = Math.max(0, number(status['replicas']) - updated);
  const isSeen = number(status['observedGeneration']) >= (object.metadata.generation ?? 0);
  const failures = conditionsOf(object).filter(
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
  const troubles = conditionsOf(object).filter(
    ({ type, status: state, reason }) =>
      (type === 'AbleToScale' || type === 'ScalingActive') && state === 'False' && reason !== 'ScalingDisabled',
  );
  const summary = `${number(spec['minReplicas'] ?? 1)} to ${number(spec['maxReplicas'])}, now ${number(status['currentReplicas'])}`;
  const hasSpoken = conditionsOf(object).length > 0;
  return facts(troubles.length > 0 ? 'bad' : hasSpoken ? 'good' : 'waiting', summary, troubles.map(said));
}

function service(spec: Fields): Facts {
  const ports = list(spec['ports']).map((port) => `${number(port['port'])}`);
  const address = text(spec['clusterIP']) || text(spec['externalName']);
  return facts('good', [text(spec['type']) || 'ClusterIP', address, `port ${ports.join(', ')}`].join(' ').trim());
}

function pod(status: Fields, object: Manifest): Facts {
  const conditions = conditionsOf(object);
  const unscheduled = conditions.find(({ type, status: state }) => type === 'PodScheduled' && state === 'False');
  if (unscheduled !== undefined) return facts('waiting', 'no node', [said(unscheduled)]);
  const containers = [...list(status['initContainerStatuses']), ...list(status['containerStatuses'])];
  const troubles = containers.flatMap(containerTrouble);
  const isReady = conditions.some(({ type, status: state }) => type === 'Ready' && state === 'True');
  const restarts = containers.reduce((sum, container) => sum + number(container['restartCount']), 0);
  const summary = [
    isReady ? 'ready' : text(status['phase']) || 'Pending',
    ...(restarts > 0 ? [`${restarts} ${restarts === 1 ? 'restart' : 'restarts'}`] : []),
  ].join(', ');
  return facts(isReady ? 'good' : troubles.length > 0 ? 'bad' : 'waiting', summary, isReady ? [] : troubles);
}

function containerTrouble(container: Fields): readonly string[] {
  const waiting = record(record(container['state'])['waiting']);
  const ended = [record(container['state']), record(container['lastState'])]
    .map((state) => record(state['terminated']))
    .find((state) => number(state['exitCode']) !== 0);
  const reason = text(waiting['reason']);
  const exit =
    ended === undefined ? [] : [`exit code ${number(ended['exitCode'])} (${text(ended['reason']) || 'Error'})`];
  const isStarting = ['', 'ContainerCreating', 'PodInitializing'].includes(reason);
  const words = [...(isStarting ? [] : [reason]), ...exit, ...(isStarting ? [] : [text(waiting['message'])])];
  const trouble = words.filter((word) => word !== '').join(': ');
  return trouble === '' ? [] : [`${text(container['name'])}: ${trouble}`];
}

function byConditions(object: Manifest): Facts {
  const conditions = conditionsOf(object);
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

function said({ reason, message }: SeenCondition): string {
  return [reason, message].filter((part) => part !== '').join(': ');
}

function record(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(record) : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
