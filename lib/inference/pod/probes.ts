import type { Probe } from '../../../imports/k8s';
import { seconds } from '../duration';
import type { Engine, ProbeHandler } from '../engines';
import { defined } from '../../composition/objects';
import { portNumber } from './ports';
import { httpPort, type AdmittedSpec } from '../admitted';

/** What a user may say about a probe. */
type UserProbe = NonNullable<AdmittedSpec['startupProbe']>;
type Timing = Omit<Probe, keyof ProbeHandler>;

const handlerKinds = ['exec', 'grpc', 'httpGet', 'tcpSocket'] as const;
const largestInt32 = 2 ** 31 - 1;

const readinessTiming: Timing = { periodSeconds: 5, timeoutSeconds: 5, failureThreshold: 3 };
// Slower than readiness: a busy server is taken out of the Service, not killed.
const livenessTiming: Timing = { periodSeconds: 10, timeoutSeconds: 10, failureThreshold: 6 };

/** The probes of the server's container: the engine's, with the user's laid over them. */
export interface Probes {
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
}

/** The probes of the server's container. Nothing but the startup probe waits for the model to load. */
export function probes(spec: AdmittedSpec, engine: Engine): Probes {
  const { startup, readiness, liveness } = engine.probes;
  return defined<Probes>({
    startupProbe: probe(spec, engine, startup, startupTiming(spec), spec.startupProbe),
    readinessProbe: probe(spec, engine, readiness, readinessTiming, spec.readinessProbe),
    livenessProbe: probe(spec, engine, liveness, livenessTiming, spec.livenessProbe),
  });
}

/** Seconds that a pod may take to start, before its startup probe gives up. */
export function startupSeconds(spec: AdmittedSpec): number {
  const { startupProbe } = spec;
  if (startupProbe?.enabled === false || startupProbe?.failureThreshold === undefined) {
    return seconds(spec.startupBudget);
  }
  const { periodSeconds = 0 } = startupTiming(spec);
  const tries = startupProbe.failureThreshold * (startupProbe.periodSeconds ?? periodSeconds);
  return tries + (startupProbe.initialDelaySeconds ?? 0);
}

function startupTiming(spec: AdmittedSpec): Timing {
  const periodSeconds = 5;
  const period = spec.startupProbe?.periodSeconds ?? periodSeconds;
  const failureThreshold = Math.max(1, Math.ceil(seconds(spec.startupBudget) / period));
  return { periodSeconds, timeoutSeconds: 5, failureThreshold: Math.min(failureThreshold, largestInt32) };
}

function probe(
  spec: AdmittedSpec,
  engine: Engine,
  handler: ProbeHandler,
  timing: Timing,
  user: UserProbe | undefined,
): Probe | undefined {
  if (!user) return { ...handler, ...timing };
  const { enabled, exec, grpc, httpGet, tcpSocket, ...userTiming } = user;
  if (!enabled) return undefined;
  const own = defined<UserHandler>({ exec, grpc, httpGet, tcpSocket });
  return { ...handlerFor(spec, engine, handler, own), ...timing, ...userTiming };
}

type UserHandler = Pick<UserProbe, 'exec' | 'grpc' | 'httpGet' | 'tcpSocket'>;

/** Only the user's kind of check, with what it leaves out taken from the engine's check of that kind, or from `http`. */
function handlerFor(spec: AdmittedSpec, engine: Engine, handler: ProbeHandler, user: UserHandler): ProbeHandler {
  if (handlerKinds.every((kind) => user[kind] === undefined)) return handler;
  const { exec, httpGet, tcpSocket, grpc } = user;
  const grpcPort = engine.ports.some(({ name }) => name === 'grpc') ? portNumber(spec, engine, 'grpc') : spec.port;
  return defined<ProbeHandler>({
    exec,
    httpGet: httpGet && { port: httpPort, ...handler.httpGet, ...httpGet },
    tcpSocket: tcpSocket && { port: httpPort, ...handler.tcpSocket, ...tcpSocket },
    grpc: grpc && { port: grpcPort, ...handler.grpc, ...grpc },
  });
}
