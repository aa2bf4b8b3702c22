import { type ContainerRecord, type Records, shown } from './containers';
import type { Condition, Container, ContainerStatus, Pod, PodStatus, Terminated } from './pod';
import { seconds } from './texts';

/** What a pod's status says besides its containers. */
export interface PodFacts {
  readonly hostIP: string;
  /** Undefined until the pod has one. It stays when the pod has ended. */
  readonly podIP: string | undefined;
  /** Whether its network namespace and its volumes are there. */
  readonly sandbox: boolean;
  readonly startTime: string;
  /** Nothing runs any more, and the node starts none of its containers again. */
  readonly ended: boolean;
  /** The pod was refused: why. */
  readonly refused?: { readonly reason: string; readonly message: string };
}

type Phase = NonNullable<PodStatus['phase']>;

/** The pod's status as a kubelet would write it. `old` is the status before, of which times of change are kept. */
export function podStatus(pod: Pod, records: Records, facts: PodFacts, old: PodStatus, now: Date): PodStatus {
  const statusOf = (container: Container): ContainerStatus => containerStatus(container, records.get(container.name));
  const initContainerStatuses = (pod.spec.initContainers ?? []).map(statusOf);
  const containerStatuses = pod.spec.containers.map(statusOf);
  const phase =
    facts.refused === undefined ? phaseOf(pod, initContainerStatuses, containerStatuses, facts.ended) : 'Failed';
  const time = seconds(now);
  const generation = pod.metadata.generation;
  const conditions =
    facts.refused === undefined ? conditionsOf(facts, phase, initContainerStatuses, containerStatuses, old) : [];
  return {
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    phase,
    conditions: conditions.map((condition) => {
      const before = old.conditions?.find(({ type }) => type === condition.type);
      const same = before?.status === condition.status ? before.lastTransitionTime : undefined;
      return {
        ...condition,
        lastTransitionTime: same ?? time,
        ...(generation === undefined ? {} : { observedGeneration: generation }),
      };
    }),
    ...facts.refused,
    hostIP: facts.hostIP,
    hostIPs: [{ ip: facts.hostIP }],
    ...(facts.podIP === undefined ? {} : { podIP: facts.podIP, podIPs: [{ ip: facts.podIP }] }),
    startTime: facts.startTime,
    ...(facts.refused !== undefined
      ? {}
      : {
          ...(initContainerStatuses.length === 0 ? {} : { initContainerStatuses }),
          containerStatuses,
        }),
  };
}

function containerStatus(container: Container, record: ContainerRecord | undefined): ContainerStatus {
  const state = record?.state;
  const restarts = record?.restarts ?? 0;
  const done = state?.is === 'exited' && record?.init === true && state.terminated.exitCode === 0;
  const id =
    state?.is === 'running'
      ? containerId(state.id)
      : state?.is === 'exited'
        ? state.terminated.containerID
        : record?.last?.containerID;
  const known = id === undefined ? '' : `test-node://${container.image}`;
  return {
    name: container.name,
    state: record === undefined ? {} : shown(record),
    // The run before the one that `state` is about.
    lastState: record?.last === undefined ? {} : { terminated: record.last },
    ready: done || (state?.is === 'running' && record?.init === false && state.ready),
    restartCount: restarts,
    image: container.image,
    imageID: known,
    ...(id === undefined ? {} : { containerID: id }),
    started: state?.is === 'running' && (record?.init === true || state.started),
  };
}

export function containerId(id: string): string {
  return `test-node://${id}`;
}

function phaseOf(pod: Pod, init: readonly ContainerStatus[], main: readonly ContainerStatus[], ended: boolean): Phase {
  const policy = pod.spec.restartPolicy ?? 'Always';
  const endOf = (status: ContainerStatus): Terminated | undefined =>
    status.state.terminated ?? (status.state.waiting === undefined ? undefined : status.lastState.terminated);
  const allSucceeded = main.every((status) => status.state.terminated?.exitCode === 0);
  if (ended) return allSucceeded ? 'Succeeded' : 'Failed';
  if (policy === 'Never' && init.some((status) => (endOf(status)?.exitCode ?? 0) !== 0)) return 'Failed';
  if (init.some((status) => endOf(status) === undefined)) return 'Pending';
  if (main.some((status) => status.state.running === undefined && endOf(status) === undefined)) return 'Pending';
  if (main.some((status) => status.state.running !== undefined) || policy === 'Always') return 'Running';
  if (allSucceeded) return 'Succeeded';
  return policy === 'Never' ? 'Failed' : 'Running';
}

function conditionsOf(
  facts: PodFacts,
  phase: Phase,
  init: readonly ContainerStatus[],
  main: readonly ContainerStatus[],
  old: PodStatus,
): readonly Condition[] {
  const waitingFor = init.filter((status) => !status.ready).map((status) => status.name);
  const begun = main.some((status) => status.started === true || status.containerID !== undefined);
  const initialized =
    phase === 'Succeeded'
      ? yes('Initialized', 'PodCompleted')
      : begun || waitingFor.length === 0 || isTrue(old, 'Initialized')
        ? yes('Initialized')
        : no('Initialized', 'ContainersNotInitialized', `containers with incomplete status: [${waitingFor.join(' ')}]`);
  const ready = (type: string): Condition => {
    const unready = main.filter((status) => !status.ready).map((status) => status.name);
    if (phase === 'Succeeded') return no(type, 'PodCompleted');
    if (phase === 'Failed') return no(type, 'PodFailed');
    if (unready.length === 0) return yes(type);
    return no(type, 'ContainersNotReady', `containers with unready status: [${unready.join(' ')}]`);
  };
  return [
    facts.sandbox ? yes('PodReadyToStartContainers') : no('PodReadyToStartContainers'),
    initialized,
    ready('Ready'),
    ready('ContainersReady'),
    yes('PodScheduled'),
  ];
}

function isTrue(status: PodStatus, type: string): boolean {
  return status.conditions?.some((condition) => condition.type === type && condition.status === 'True') === true;
}

function yes(type: string, reason?: string): Condition {
  return { type, status: 'True', ...(reason === undefined ? {} : { reason }) };
}

function no(type: string, reason?: string, message?: string): Condition {
  return {
    type,
    status: 'False',
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
  };
}
