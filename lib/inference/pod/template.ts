import type { Container, Lifecycle, LifecycleHandler, PodSpec, PodTemplateSpec } from '../../../imports/k8s';
import { mergeArguments, type MergedArguments } from './args';
import { engines, type Engine, type EngineContext } from '../engines';
import { environment } from './env';
import { defined } from '../../composition/objects';
import { childLabels } from '../labels';
import { portNumber, serverPorts } from './ports';
import { probes } from './probes';
import { httpPort, serverContainer, type AdmittedInferenceService, type AdmittedSpec } from '../admitted';
import { resourceRequirements, wholeDevices } from './resources';
import { terminationGracePeriod } from './rollout';
import { containerSecurity, podSecurity } from './security';
import { modelSource } from '../sources';
import { volumes } from './volumes';

/** The pods of a resource. */
export function podTemplate(resource: AdmittedInferenceService): PodTemplateSpec {
  const { labels, annotations } = resource.spec.podMetadata ?? {};
  return {
    metadata: {
      labels: { ...labels, ...childLabels(resource) },
      ...(annotations && Object.keys(annotations).length > 0 ? { annotations } : {}),
    },
    spec: podSpec(resource),
  };
}

/** The arguments of the server, and the generated ones that gave way to the user's. */
export function serverArguments(resource: AdmittedInferenceService): MergedArguments {
  const { spec } = resource;
  const user = spec.args ?? [];
  if (!generatesArguments(spec)) return { args: user, replaced: [] };
  const engine = engines[spec.model.framework];
  return mergeArguments(engine.args(engineContext(resource, engine)), user, engine.syntax);
}

/** Whether the engine's arguments stand before the user's. */
export function generatesArguments(spec: AdmittedSpec): boolean {
  return (spec.argsPolicy ?? (spec.command === undefined ? 'Append' : 'Replace')) === 'Append';
}

function podSpec(resource: AdmittedInferenceService): PodSpec {
  const { spec } = resource;
  const engine = engines[spec.model.framework];
  const { containers: [serverOverlay] = [], os, ...further } = spec.podTemplate?.spec ?? {};
  const server = overlayServer(serverOf(resource, engine), serverOverlay);
  return defined<PodSpec>({
    ...further,
    os: os && { name: os.name ?? 'linux' },
    automountServiceAccountToken: spec.automountServiceAccountToken,
    enableServiceLinks: spec.enableServiceLinks,
    serviceAccountName: spec.serviceAccountName,
    imagePullSecrets: filled(spec.imagePullSecrets),
    securityContext: podSecurity(spec, engine),
    terminationGracePeriodSeconds: terminationGracePeriod(spec),
    nodeSelector: spec.nodeSelector,
    tolerations: filled(spec.tolerations),
    affinity: spec.affinity,
    topologySpreadConstraints: filled(spec.topologySpreadConstraints),
    runtimeClassName: spec.runtimeClassName,
    priorityClassName: spec.priorityClassName,
    schedulerName: spec.schedulerName,
    resourceClaims: filled(spec.resourceClaims),
    initContainers: filled(spec.initContainers),
    containers: [server, ...(spec.sidecars ?? [])],
    volumes: filled(volumes(spec, engine, modelSource(spec.model)).volumes),
  });
}

function serverOf(resource: AdmittedInferenceService, engine: Engine): Container {
  const { spec } = resource;
  const context = engineContext(resource, engine);
  return defined<Container>({
    name: serverContainer,
    image: spec.image ?? engine.image,
    imagePullPolicy: spec.imagePullPolicy,
    command: filled(spec.command ?? engine.command),
    args: filled(serverArguments(resource).args),
    env: environment(context, engine),
    envFrom: filled(spec.envFrom),
    ports: serverPorts(spec, engine),
    resources: resourceRequirements(spec, engine),
    ...probes(spec, engine),
    lifecycle: lifecycle(spec),
    securityContext: containerSecurity(spec, engine),
    volumeMounts: filled(volumes(spec, engine, context.source).volumeMounts),
  });
}

function engineContext(resource: AdmittedInferenceService, engine: Engine): EngineContext {
  const { metadata, spec } = resource;
  return {
    name: metadata.name,
    spec,
    source: modelSource(spec.model),
    devices: wholeDevices(spec),
    port: (name) => portNumber(spec, engine, name),
  };
}

/** Traffic still arrives for a while after a pod began to end: first wait, then stop. */
function lifecycle({ drain }: AdmittedSpec): Lifecycle | undefined {
  return drain.preStopSeconds > 0 ? { preStop: { sleep: { seconds: drain.preStopSeconds } } } : undefined;
}

type ServerOverlay = NonNullable<NonNullable<NonNullable<AdmittedSpec['podTemplate']>['spec']>['containers']>[number];
type HandlerOverlay = NonNullable<NonNullable<ServerOverlay['lifecycle']>['preStop']>;

function overlayServer(server: Container, patch: ServerOverlay | undefined): Container {
  if (!patch) return server;
  const { lifecycle: hooks, volumeDevices, ...further } = patch;
  return defined<Container>({
    ...server,
    ...further,
    volumeDevices: volumeDevices?.map(({ devicePath, name = '' }) => ({ devicePath, name })),
    lifecycle: hooks
      ? defined<Lifecycle>({
          postStart: hooks.postStart && hookOf(hooks.postStart),
          preStop: hooks.preStop ? hookOf(hooks.preStop) : server.lifecycle?.preStop,
        })
      : server.lifecycle,
  });
}

/** The user's hook in place of ours, never beside it: Kubernetes refuses a hook of two kinds. */
function hookOf({ exec, httpGet, sleep, tcpSocket }: HandlerOverlay): LifecycleHandler {
  return defined<LifecycleHandler>({
    exec,
    httpGet: httpGet && { port: httpPort, ...httpGet },
    sleep: sleep && { seconds: 0, ...sleep },
    tcpSocket: tcpSocket && { port: httpPort, ...tcpSocket },
  });
}

function filled<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list && list.length > 0 ? list : undefined;
}
