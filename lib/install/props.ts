import type {
  Affinity,
  EnvVar,
  LocalObjectReference,
  ResourceRequirements,
  Toleration,
  TopologySpreadConstraint,
} from '../../imports/k8s';
import type { Composition } from '../composition';
import type { LogLevel } from '../settings/types';

/** How much the operator logs: `error`, `info` or `debug`. */
export type OperatorLogLevel = LogLevel;

/** When a node pulls an image. */
export type ImagePullPolicy = 'Always' | 'IfNotPresent' | 'Never';

/** How the operator is installed. Nothing has to be said. */
export interface InfernoProps {
  /**
   * The namespace of the operator. Keep model servers out of it: it goes when the operator is uninstalled.
   *
   * @default - the chart's, or else inferno-system
   */
  readonly namespace?: string;
  /**
   * Whether the namespace is made, with Pod Security `restricted` enforced. Without it, it has to be there.
   *
   * @default true
   */
  readonly createNamespace?: boolean;
  /**
   * The image of the operator: one whose entry point is the command `inferno`.
   *
   * @default - this project's image of the same version
   */
  readonly image?: string;
  /**
   * When the image is pulled.
   *
   * @default - as Kubernetes decides: Always for the tag latest, else IfNotPresent
   */
  readonly imagePullPolicy?: ImagePullPolicy;
  /**
   * Secrets in the operator's namespace with which the image is pulled.
   *
   * @default - none
   */
  readonly imagePullSecrets?: readonly LocalObjectReference[];
  /**
   * How many operators run. One works, the others wait for its Lease, which is used with one replica too, so that two never
   * write at once while a new version takes over.
   *
   * @default 1
   */
  readonly replicas?: number;
  /**
   * The namespaces that the operator watches. It gets a Role in each of them, which have to be there, instead of a
   * ClusterRole.
   *
   * @default - all
   */
  readonly watchNamespaces?: readonly string[];
  /**
   * How much the operator logs: error, info or debug.
   *
   * @default info
   */
  readonly logLevel?: OperatorLogLevel;
  /**
   * CPU and memory of the operator. With 250 InferenceServices it takes some 130 MB, with 1,000 some 170 MB.
   *
   * @default - requests of 100m CPU and 192Mi memory, a limit of 512Mi memory
   */
  readonly resources?: ResourceRequirements;
  /**
   * Whether the operator gets a PriorityClass of its own, above workloads that name none and far below the system's. It lets
   * the operator in where models have taken a whole node.
   *
   * @default true
   */
  readonly priorityClass?: boolean;
  /**
   * A PriorityClass that is there already, to be used instead of one of its own.
   *
   * @default - none
   */
  readonly priorityClassName?: string;
  /**
   * Whether there is a PodDisruptionBudget: one operator may be away at a time, so a drain is never blocked, and of
   * several one stays.
   *
   * @default true
   */
  readonly podDisruptionBudget?: boolean;
  /**
   * Whether a NetworkPolicy keeps all but Prometheus from the metrics: pods of namespaces with the label
   * `metrics: enabled`.
   *
   * @default true
   */
  readonly networkPolicy?: boolean;
  /**
   * Whether there are ServiceMonitors and alerts, for which the Prometheus operator's definitions have to be in the
   * cluster.
   *
   * @default false
   */
  readonly monitoring?: boolean;
  /**
   * Further labels of the monitoring objects, for a Prometheus that selects by them.
   *
   * @default - none
   */
  readonly monitoringLabels?: Readonly<Record<string, string>>;
  /**
   * Whether the CustomResourceDefinitions are in it, with the policies that refuse their deletion.
   *
   * @default true
   */
  readonly crds?: boolean;
  /**
   * What the operator runs; its permissions come from them. Those beside InferenceService have to be in the image, and
   * `args` has to name them: `--composition=/path/in/image.js`.
   *
   * @default - InferenceService
   */
  readonly compositions?: readonly Composition[];
  /**
   * Labels that a node has to have.
   *
   * @default - none
   */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /**
   * Taints that are tolerated.
   *
   * @default - none
   */
  readonly tolerations?: readonly Toleration[];
  /**
   * What draws the operator to nodes and pods, or away from them.
   *
   * @default - none
   */
  readonly affinity?: Affinity;
  /**
   * How the operators are spread.
   *
   * @default - over nodes where there is a choice, if there are several
   */
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  /**
   * Further labels of the pods.
   *
   * @default - none
   */
  readonly podLabels?: Readonly<Record<string, string>>;
  /**
   * Annotations of the pods.
   *
   * @default - none
   */
  readonly podAnnotations?: Readonly<Record<string, string>>;
  /**
   * Further flags of `inferno operator`, such as `--max-concurrent-reconciles=8`.
   *
   * @default - none
   */
  readonly args?: readonly string[];
  /**
   * Environment variables, such as a proxy's.
   *
   * @default - none
   */
  readonly env?: readonly EnvVar[];
}
