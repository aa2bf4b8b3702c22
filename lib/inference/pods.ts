import type { ContainerStatus, Pod } from '../../imports/k8s';
import type { Observation, Observed } from '../composition/composition';
import type { Manifest } from '../composition/manifest';
import { MANAGED_BY, MANAGED_BY_LABEL } from '../composition/ownership';
import { cutText } from '../composition/text';

const Pods = Object.freeze({ apiVersion: 'v1', kind: 'Pod', plural: 'pods' });

/** Set by the Deployment controller: which version of the pod template a pod was made from. */
const TEMPLATE_LABEL = 'pod-template-hash';

/** Pods of Deployments, cut to what {@link podTrouble} reads. */
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
      metadata: present({
        name,
        namespace,
        uid,
        resourceVersion,
        deletionTimestamp,
        creationTimestamp: creationTimestamp ?? metadata?.creationTimestamp,
        labels: Object.fromEntries(kept),
      }),
      status: present({
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

/** A container that ended so often crashes for good, also while it runs for the moment. */
const LASTING_RESTARTS = 2;
/** Characters of what a container said last. */
const LONGEST_LAST_WORDS = 512;

/**
 * The worst trouble among the pods of a resource; undefined where all are well or just starting. Only pods of the newest
 * template count: older ones are on their way out, whatever ails them.
 */
export function podTrouble(observed: Observed): PodTrouble | undefined {
  const pods = observed
    .list(Pods)
    .map(asPod)
    .filter(({ metadata, status }) => metadata?.deletionTimestamp === undefined && status?.phase !== 'Succeeded')
    .toSorted((a, b) => ((a.metadata?.creationTimestamp ?? '') < (b.metadata?.creationTimestamp ?? '') ? 1 : -1));
  const newest = templateOf(pods[0]);
  const troubles = pods.filter((pod) => templateOf(pod) === newest).flatMap((pod) => troubleOf(pod) ?? []);
  return troubles.find(({ lasting }) => lasting) ?? troubles[0];
}

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
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const troubles = containers.flatMap((container) => {
    const trouble = containerTrouble(container);
    return trouble === undefined
      ? []
      : [{ ...trouble, message: `Pod ${name}, container ${container.name}: ${trouble.message}` }];
  });
  return troubles.find(({ lasting }) => lasting) ?? troubles[0];
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
  return `crashes with exit code ${ended.exitCode}${ended.reason === undefined ? '' : ` (${ended.reason})`}${said}`;
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
  const { lastState, name, ready, restartCount, state } = container;
  return present({ name, ready, restartCount, state, lastState });
}

function asPod(object: Manifest): Pod {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API server answers with the kind it was asked for
  return object as unknown as Pod;
}

function present<T extends object>(members: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is undefined is left out
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
