import type { ContainerStatus, Pod, PodStatus } from '../../../imports/k8s';
import type { Observation, Observed } from '../../composition/composition';
import type { ChildKind } from '../../composition/kinds';
import type { Manifest } from '../../composition/manifest';
import { MANAGED_BY, MANAGED_BY_LABEL } from '../../composition/ownership';
import { defined } from '../../composition/objects';
import { cutText } from '../../composition/text';

const Pods: ChildKind<Pod> = Object.freeze({ apiVersion: 'v1', kind: 'Pod', plural: 'pods' });

/** Set by the Deployment controller: which version of the pod template a pod was made from. */
const TEMPLATE_LABEL = 'pod-template-hash';

/** Pods of Deployments, cut to what the functions below read. */
export const podObservation: Observation = {
  kind: Pods,
  labelSelector: `operator=inferno,${MANAGED_BY_LABEL}=${MANAGED_BY}`,
  resourceName: ({ metadata }) => metadata.labels?.['app'],
  slim: (object) => {
    const { metadata, status } = asPod(object);
    const { name, namespace, uid, resourceVersion, deletionTimestamp, labels, creationTimestamp } = object.metadata;
    const kept = Object.entries(labels ?? {}).filter(([key]) => key === 'app' || key === TEMPLATE_LABEL);
    return {
      apiVersion: object.apiVersion,
      kind: object.kind,
      metadata: defined({
        name,
        namespace,
        uid,
        resourceVersion,
        deletionTimestamp,
        creationTimestamp: creationTimestamp ?? metadata?.creationTimestamp,
        labels: Object.fromEntries(kept),
      }),
      status: defined({
        phase: status?.phase,
        reason: status?.reason,
        message: status?.message,
        conditions: status?.conditions?.filter(({ type }) => type === 'Ready' || type === 'PodScheduled'),
        initContainerStatuses: status?.initContainerStatuses?.map(slimContainer),
        containerStatuses: status?.containerStatuses?.map(slimContainer),
      }),
    };
  },
};

/** What keeps a pod from being ready. `lasting` says that it will hardly go by itself. */
export interface PodTrouble {
  readonly reason: string;
  readonly message: string;
  readonly lasting: boolean;
}

/** Reasons for which a container waits that a person has to look into. */
const LASTING: Readonly<Record<string, string>> = {
  CrashLoopBackOff: 'ContainerCrashes',
  CreateContainerConfigError: 'ContainerCannotStart',
  CreateContainerError: 'ContainerCannotStart',
  ErrImageNeverPull: 'ImageCannotBePulled',
  ErrImagePull: 'ImageCannotBePulled',
  ImagePullBackOff: 'ImageCannotBePulled',
  InvalidImageName: 'ImageCannotBePulled',
  RunContainerError: 'ContainerCannotStart',
};

/** A container that ended so often counts as crashing, also while it runs for the moment. */
const LASTING_RESTARTS = 2;
/** Characters of what a container said last. */
const LONGEST_LAST_WORDS = 512;

/**
 * The worst trouble among the pods of a resource; undefined where all are well or just starting. Only pods of the newest
 * template count: older ones are on their way out.
 */
export function podTrouble(observed: Observed): PodTrouble | undefined {
  const troubles = newestPods(observed).flatMap((pod) => troubleOf(pod) ?? []);
  return troubles.find(({ lasting }) => lasting) ?? troubles[0];
}

/** How many pods of the newest template are ready. */
export function readyOfNewest(observed: Observed): number {
  return newestPods(observed).filter(({ status }) =>
    status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True'),
  ).length;
}

/**
 * Which pod of the newest template is not ready, and what it waits for; undefined where none does. That is not a trouble by
 * itself, as a model may take long to load. The oldest such pod is named, as the others will follow it.
 */
export function podToWaitFor(observed: Observed): string | undefined {
  return newestPods(observed)
    .flatMap((pod) => waitOf(pod) ?? [])
    .at(-1);
}

function waitOf({ metadata, status }: Pod): string | undefined {
  const name = metadata?.name ?? '';
  const initial = status?.initContainerStatuses?.find(runsUnready);
  if (initial !== undefined) return `pod ${name} waits for its init container ${initial.name}`;
  const container = status?.containerStatuses?.find(runsUnready);
  if (container !== undefined) {
    const probe = container.started === true ? 'readiness' : 'startup';
    return `pod ${name}, container ${container.name} waits for its ${probe} probe`;
  }
  if (!status?.conditions?.some(({ type }) => type === 'PodScheduled')) {
    return status?.containerStatuses === undefined ? `pod ${name} waits for its scheduler` : undefined;
  }
  // What keeps a node from it, such as a volume that cannot be mounted, is in no field of a pod, only in its events.
  return isSetUp(status)
    ? undefined
    : `pod ${name} waits for its node to set it up (image, volumes): kubectl describe pod ${name}`;
}

/** Reasons for which a container waits while the node prepares what it needs. */
const SETTING_UP: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);

function isSetUp({ containerStatuses, initContainerStatuses = [] }: PodStatus): boolean {
  if (containerStatuses === undefined) return false;
  return ![...initContainerStatuses, ...containerStatuses].some(({ state }) =>
    SETTING_UP.has(state?.waiting?.reason ?? ''),
  );
}

function runsUnready({ ready, state }: ContainerStatus): boolean {
  return ready === false && state?.running !== undefined;
}

/** The pods of the newest template that are to stay, the newest first. */
function newestPods(observed: Observed): readonly Pod[] {
  const pods = observed
    .list(Pods)
    .filter(({ metadata, status }) => metadata?.deletionTimestamp === undefined && status?.phase !== 'Succeeded')
    .toSorted((a, b) => ((a.metadata?.creationTimestamp ?? '') < (b.metadata?.creationTimestamp ?? '') ? 1 : -1));
  const newest = templateOf(pods[0]);
  return pods.filter((pod) => templateOf(pod) === newest);
}

/**
 * Unix time in seconds since which the pod that has not been ready for longest is not; undefined where all are. A pod that
 * was never ready counts from when it was taken up by its node, or made where none has yet.
 */
export function unreadySince(observed: Observed): number | undefined {
  const times = observed.list(Pods).flatMap((pod) => {
    const { metadata, status } = pod;
    if (metadata?.deletionTimestamp !== undefined || ENDED.has(status?.phase ?? '')) return [];
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    if (ready?.status === 'True') return [];
    const seconds = Date.parse(ready?.lastTransitionTime ?? metadata?.creationTimestamp ?? '') / 1000;
    return Number.isNaN(seconds) ? [] : [seconds];
  });
  return times.length === 0 ? undefined : Math.min(...times);
}

const ENDED: ReadonlySet<string> = new Set(['Succeeded', 'Failed']);

function templateOf(pod: Pod | undefined): string | undefined {
  return pod?.metadata?.labels?.[TEMPLATE_LABEL];
}

function troubleOf(pod: Pod): PodTrouble | undefined {
  const { status } = pod;
  const name = pod.metadata?.name ?? '';
  // Such a pod is replaced; what became of its containers is of no more interest.
  if (status?.phase === 'Failed') {
    const why = status.message === undefined || status.message === '' ? 'failed' : status.message;
    return { reason: reasonOr(status.reason, 'PodFailed'), message: `Pod ${name}: ${why}`, lasting: false };
  }
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False') {
    return {
      reason: reasonOr(scheduled.reason, 'Unschedulable'),
      message: `Pod ${name}: ${scheduled.message ?? 'no node takes it'}`,
      lasting: false,
    };
  }
  if (isOnLostNode(pod)) {
    const message = `Pod ${name}: its node does not answer, so that it may not run any more: kubectl get nodes`;
    return { reason: 'NodeNotReady', message, lasting: false };
  }
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const troubles = containers.flatMap((container) => {
    const trouble = containerTrouble(container);
    return trouble === undefined
      ? []
      : [{ ...trouble, message: `Pod ${name}, container ${container.name}: ${trouble.message}` }];
  });
  return troubles.find(({ lasting }) => lasting) ?? troubles[0];
}

/**
 * Whether it was the node controller that took the readiness of a pod away. It touches nothing else and gives no reason,
 * which a kubelet always does.
 */
function isOnLostNode({ status }: Pod): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const containers = status?.containerStatuses ?? [];
  return (
    ready?.status === 'False' &&
    (ready.reason ?? '') === '' &&
    containers.length > 0 &&
    containers.every((container) => container.ready === true)
  );
}

function containerTrouble(container: ContainerStatus): PodTrouble | undefined {
  const { lastState, ready, restartCount, state } = container;
  const waiting = state?.waiting;
  const reason = waiting?.reason === undefined ? undefined : LASTING[waiting.reason];
  if (waiting !== undefined && reason !== undefined) {
    const message = reason === 'ContainerCrashes' ? exit(container) : (waiting.message ?? waiting.reason ?? '');
    return { reason, message, lasting: true };
  }
  // One that has started again is not well before it is ready.
  const ended = state?.terminated ?? (ready === true ? undefined : lastState?.terminated);
  return ended === undefined || ended.exitCode === 0
    ? undefined
    : { reason: 'ContainerCrashes', message: exit(container), lasting: restartCount >= LASTING_RESTARTS };
}

/** How a container ended last, without counts and times, which would change with every restart. */
function exit({ state, lastState }: ContainerStatus): string {
  const ended = state?.terminated ?? lastState?.terminated;
  if (ended === undefined) return 'crashes again and again';
  const said = lastWords(ended.message ?? '');
  // A server that a probe has ended may have ended well.
  const how = ended.exitCode === 0 ? 'ends, by itself or because a probe failed,' : 'crashes';
  return `${how} with exit code ${ended.exitCode}${ended.reason === undefined ? '' : ` (${ended.reason})`}${said}`;
}

/** The end of what a container said, where errors stand; tokens are left out. */
function lastWords(text: string): string {
  const open = text.replaceAll(TOKEN, '***').trim();
  if (open === '') return '';
  // Turned around so that it is the beginning that is cut.
  const turned = cutText([...open].toReversed().join(''), LONGEST_LAST_WORDS);
  return `: ${[...turned].toReversed().join('')}`;
}

/** Tokens of Hugging Face and OpenAI's kind, bearer tokens, and JSON Web Tokens. */
const TOKEN = /\b(hf_|sk-)[A-Za-z0-9_-]{8,}|\bBearer +[^\s"']{8,}|\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g;

function reasonOr(reason: string | undefined, otherwise: string): string {
  return reason === undefined || reason === '' ? otherwise : reason;
}

function slimContainer(container: ContainerStatus): object {
  const { lastState, name, ready, restartCount, started, state } = container;
  return defined({ name, ready, started, restartCount, state, lastState });
}

function asPod(object: Manifest): Pod {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API server answers with the kind it was asked for
  return object as unknown as Pod;
}
