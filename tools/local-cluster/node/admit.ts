import type { Image } from './image';
import type { Container, Handler, Pod, Probe } from './pod';

/** Fields of a pod's spec that the node honours, or that concern only the scheduler and the API server. */
const POD_FIELDS = new Set([
  'affinity', 'automountServiceAccountToken', 'containers', 'dnsPolicy', 'enableServiceLinks', 'hostname',
  'initContainers', 'nodeName', 'nodeSelector', 'os', 'preemptionPolicy', 'priority', 'priorityClassName',
  'restartPolicy', 'schedulerName', 'schedulingGates', 'securityContext', 'serviceAccount', 'serviceAccountName',
  'terminationGracePeriodSeconds', 'tolerations', 'topologySpreadConstraints', 'volumes', 'imagePullSecrets',
  'runtimeClassName',
]); // prettier-ignore
const CONTAINER_FIELDS = new Set([
  'args', 'command', 'env', 'envFrom', 'image', 'imagePullPolicy', 'lifecycle', 'livenessProbe', 'name', 'ports',
  'readinessProbe', 'resources', 'securityContext', 'startupProbe', 'terminationMessagePath',
  'terminationMessagePolicy', 'volumeMounts', 'workingDir',
]); // prettier-ignore
const POD_SECURITY = new Set([
  'fsGroup', 'fsGroupChangePolicy', 'runAsGroup', 'runAsNonRoot', 'runAsUser', 'seccompProfile', 'supplementalGroups',
]); // prettier-ignore
const SECURITY = new Set([
  'allowPrivilegeEscalation', 'capabilities', 'privileged', 'readOnlyRootFilesystem', 'runAsGroup', 'runAsNonRoot',
  'runAsUser', 'seccompProfile',
]); // prettier-ignore
const PROBES = ['startupProbe', 'livenessProbe', 'readinessProbe'] as const;
/** What a probe may be beside its handler. */
const HANDLERS = { probe: ['httpGet', 'tcpSocket', 'exec', 'grpc'], preStop: ['httpGet', 'exec', 'sleep'] } as const;

/**
 * Says why the node cannot run a pod as it is: the field and what it has. Undefined for a pod that it can run. Volumes
 * are checked where they are made.
 */
export function refusal(pod: Pod, imageOf: (name: string) => Image | undefined): string | undefined {
  return [...faults(pod, imageOf)][0];
}

function* faults(pod: Pod, imageOf: (name: string) => Image | undefined): Generator<string> {
  const { spec } = pod;
  yield* others('spec', spec, POD_FIELDS);
  yield* others('spec.securityContext', spec.securityContext, POD_SECURITY);
  yield* seccomp('spec.securityContext', spec.securityContext?.['seccompProfile']);
  const containers = [
    ...(spec.initContainers ?? []).map((one, index) => [`spec.initContainers[${index}]`, one] as const),
    ...spec.containers.map((one, index) => [`spec.containers[${index}]`, one] as const),
  ];
  for (const [path, container] of containers) yield* containerFaults(path, container);
  const kinds = new Set(containers.map(([, { image }]) => imageOf(image)?.kind ?? 'process'));
  if (kinds.size > 1) yield 'spec.containers: containers of a light image and others cannot share a pod';
}

function* containerFaults(path: string, container: Container): Generator<string> {
  if (container.restartPolicy === 'Always') {
    yield `${path}.restartPolicy: a sidecar among the init containers is not supported`;
  }
  yield* others(path, container, CONTAINER_FIELDS);
  const security = container.securityContext;
  yield* others(`${path}.securityContext`, security, SECURITY);
  yield* seccomp(`${path}.securityContext`, security?.['seccompProfile']);
  if (security?.['privileged'] === true) yield `${path}.securityContext.privileged: true is not supported`;
  const { add = [], drop = [] } = security?.capabilities ?? {};
  if (add.length > 0) yield `${path}.securityContext.capabilities.add: is not supported, got ${add.join(', ')}`;
  if (drop.some((name) => name !== 'ALL')) {
    yield `${path}.securityContext.capabilities.drop: only ALL is supported, got ${drop.join(', ')}`;
  }
  for (const mount of container.volumeMounts ?? []) {
    const known = new Set(['name', 'mountPath', 'readOnly', 'subPath']);
    yield* others(`${path}.volumeMounts(${mount.name})`, mount, known);
  }
  for (const kind of PROBES) {
    const probe: Probe | undefined = container[kind];
    if (probe !== undefined) yield* handlerFaults(`${path}.${kind}`, probe, 'probe');
  }
  const { preStop, ...rest } = container.lifecycle ?? {};
  for (const field of Object.keys(rest)) yield `${path}.lifecycle.${field}: is not supported`;
  if (preStop !== undefined) yield* handlerFaults(`${path}.lifecycle.preStop`, preStop, 'preStop');
}

function* handlerFaults(path: string, handler: Handler, where: keyof typeof HANDLERS): Generator<string> {
  const known: readonly string[] = HANDLERS[where];
  if (!known.some((kind) => kind in handler)) {
    yield `${path}: must have one of ${known.join(', ')}, got ${Object.keys(handler).join(', ')}`;
  }
  const { httpGet } = handler;
  if (httpGet !== undefined)
    yield* others(`${path}.httpGet`, httpGet, new Set(['path', 'port', 'host', 'scheme', 'httpHeaders']));
}

function* seccomp(path: string, profile: unknown): Generator<string> {
  const type = (profile as { readonly type?: unknown } | undefined)?.type;
  if (type === 'Localhost') yield `${path}.seccompProfile.type: Localhost is not supported`;
}

function* others(path: string, value: object | undefined, known: ReadonlySet<string>): Generator<string> {
  for (const [field, content] of Object.entries(value ?? {})) {
    if (!known.has(field) && content !== undefined && content !== false) yield `${path}.${field}: is not supported`;
  }
}
