import type { EnvVar, PodSecurityContext, Probe, SecurityContext } from '../../../imports/k8s';
import type { Argument, FlagSyntax } from '../pod/args';
import type { AdmittedSpec } from '../admitted';
import type { ModelSource } from '../sources';

/** The name of an engine, as in `spec.model.framework`. */
export type Framework = AdmittedSpec['model']['framework'];

/** How a probe asks. */
export type ProbeHandler = Pick<Probe, 'exec' | 'grpc' | 'httpGet' | 'tcpSocket'>;

/** A port that an engine has beside `http`. */
export interface EnginePort {
  readonly name: string;
  readonly containerPort: number;
}

/** What the arguments and variables of an engine depend on. */
export interface EngineContext {
  /** The name of the resource. */
  readonly name: string;
  readonly spec: AdmittedSpec;
  readonly source: ModelSource;
  /** Whole devices per pod that a model can be split over: 0 or 1 for shares of a device. */
  readonly devices: number;
  /** The number of one of the engine's ports, moved by the user or not. */
  readonly port: (name: string) => number;
}

/** Flags that the resource has fields for, or that would take away what the Service and the probes stand on. */
export interface ReservedFlags {
  /** As the user may write them, abbreviations and aliases included. */
  readonly names: readonly string[];
  /** Every flag that begins like this is one, too. */
  readonly beginnings?: readonly string[];
  /** What to use in place of them. */
  readonly message: string;
}

/** What a model server needs. An engine is one file that exports one of these, and its line in ./index. */
export interface Engine {
  /** The image of the version that this release was made for; undefined where the user has to name one. */
  readonly image?: string;
  /** The command of the container; undefined for the image's own. */
  readonly command?: readonly string[];
  /** How its command line is read. */
  readonly syntax: FlagSyntax;
  /** Whether `syntax` knows every flag of the engine, so that another one is a mistake. */
  readonly knowsAllFlags: boolean;
  /** Flags that the CRD refuses in `args`; undefined where there are none. */
  readonly reservedFlags?: ReservedFlags;
  /** The beginnings of the model URIs that it loads, or `any`; the CRD refuses others. */
  readonly uris: readonly string[] | 'any';
  /** Ports beside `http`. */
  readonly ports: readonly EnginePort[];
  readonly probes: {
    readonly startup: ProbeHandler;
    readonly readiness: ProbeHandler;
    readonly liveness: ProbeHandler;
  };
  /** Whether it shares memory between processes, so that /dev/shm is mounted unless the user says otherwise. */
  readonly sharedMemory: boolean;
  /** Whether it writes to /tmp, which is then a volume. */
  readonly scratch: boolean;
  /** Requests where the user says nothing about that resource. */
  readonly requests: { readonly cpu: string; readonly memory: string };
  readonly podSecurityContext: PodSecurityContext;
  readonly securityContext: SecurityContext;
  /** The pods' metric of running requests, as custom.metrics.k8s.io serves it; undefined where none is known. */
  readonly concurrencyMetric?: string;
  /** The flag that limits running requests; a target above it can never be reached. */
  readonly concurrencyLimitFlag?: string;
  /** The port whose /metrics Prometheus can read; undefined where none is known. A port named `metrics` always is one. */
  readonly metricsPort?: string;
  /** Whether it can only speak plain HTTP here, so that a probe with HTTPS must fail. */
  readonly plainHttp: boolean;
  /** The generated arguments. */
  args(context: EngineContext): readonly Argument[];
  /** The generated variables, beside MODEL_URI and MODEL_VERSION. */
  env(context: EngineContext): readonly EnvVar[];
}
