// Generated from crds/src by npm run generate. Do not edit.

import type {
  Affinity,
  Condition,
  Container,
  ContainerResizePolicy,
  ContainerRestartRule,
  DeploymentStrategy,
  EnvFromSource,
  EnvVar,
  HTTPHeader,
  HostAlias,
  LocalObjectReference,
  ObjectMeta,
  PodDNSConfig,
  PodReadinessGate,
  PodResourceClaim,
  PodSchedulingGate,
  PodSecurityContext,
  ResourceClaim,
  SecurityContext,
  Toleration,
  TopologySpreadConstraint,
  Volume,
  VolumeMount,
} from './k8s';

/** A model server for one AI model. Its Deployment, Service and autoscaler are rendered from this resource. */
export interface InferenceServiceResource {
  readonly apiVersion: 'inference.inferno.io/v1alpha1';
  readonly kind: 'InferenceService';
  readonly metadata: ObjectMeta & { readonly name: string };
  readonly spec: InferenceServiceSpec;
  readonly status?: InferenceServiceStatus;
}

/** {@link InferenceServiceResource} as the API server stores it: defaults are filled in. */
export interface DefaultedInferenceServiceResource {
  readonly apiVersion: 'inference.inferno.io/v1alpha1';
  readonly kind: 'InferenceService';
  readonly metadata: ObjectMeta & { readonly name: string };
  readonly spec: DefaultedInferenceServiceSpec;
  readonly status?: InferenceServiceStatus;
}

/** The model, the engine that serves it, and how its pods run. */
export interface InferenceServiceSpec {
  /** The model and the engine that serves it. */
  readonly model: InferenceServiceSpecModel;
  /**
   * How many pods. Without an autoscaler there are exactly min. {min: 0, max: 0} parks the service: no pods, no
   * autoscaler; the Service stays.
   */
  readonly replicas: InferenceServiceSpecReplicas;
  /**
   * What the server's container needs. The short form (cpu, memory, gpu) and the full form (requests, limits) may be
   * mixed, but each fact is said once.
   * @default the engine's own request for cpu and memory, without limits
   */
  readonly resources?: InferenceServiceSpecResources;
  /** Claims for dynamically allocated devices that the pod has, as in core/v1. */
  readonly resourceClaims?: readonly PodResourceClaim[];
  /** A HorizontalPodAutoscaler for the pods. Without it, or with enabled false, there are exactly replicas.min. */
  readonly autoscaling?: InferenceServiceSpecAutoscaling;
  /**
   * The server's image.
   * @default the version of the engine's own image that this release was made for; needed with framework custom
   */
  readonly image?: string;
  /**
   * When the image is pulled, as in core/v1.
   * @default Kubernetes' own
   */
  readonly imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never';
  /** Secrets to pull the images with, as in core/v1. */
  readonly imagePullSecrets?: readonly LocalObjectReference[];
  /** Replaces the engine's command. With argsPolicy unset, generated arguments are then left out. */
  readonly command?: readonly string[];
  /**
   * Arguments for the server, put behind the generated ones. A flag that is given here replaces the generated flag of
   * that name, its aliases and its negation included.
   */
  readonly args?: readonly string[];
  /**
   * Append puts args behind the generated arguments, Replace leaves the generated ones out.
   * @default Append, or Replace where command is given
   */
  readonly argsPolicy?: 'Append' | 'Replace';
  /** Variables of the server's container, as in core/v1. They win over generated ones of the same name. */
  readonly env?: readonly EnvVar[];
  /** ConfigMaps and Secrets whose keys become variables, as in core/v1. */
  readonly envFrom?: readonly EnvFromSource[];
  /**
   * The port the server listens on for HTTP. Arguments, probes and Service follow it.
   * @default 8000
   */
  readonly port?: number;
  /**
   * Further ports of the server, on the pod and on the Service. triton has grpc 8001 and metrics 8002; an entry of one
   * of these names moves it.
   */
  readonly ports?: readonly InferenceServiceSpecPort[];
  /** Memory shared by the server's processes, mounted at /dev/shm. */
  readonly sharedMemory?: InferenceServiceSpecSharedMemory;
  /** Labels that the node must have, as in core/v1. */
  readonly nodeSelector?: { readonly [key: string]: string };
  /** Taints of nodes that the pods tolerate, as in core/v1. */
  readonly tolerations?: readonly Toleration[];
  /** Rules about nodes and other pods, as in core/v1. */
  readonly affinity?: Affinity;
  /** How the pods spread over nodes and zones, as in core/v1. */
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  /** The pods' RuntimeClass, such as nvidia. */
  readonly runtimeClassName?: string;
  /** The pods' PriorityClass. */
  readonly priorityClassName?: string;
  /**
   * The scheduler that places the pods.
   * @default Kubernetes' own
   */
  readonly schedulerName?: string;
  /**
   * How long the server may take to load its model, such as 90s, 30m or 1h30m. The startup probe and the rollout's
   * deadline follow it.
   * @default "30m"
   */
  readonly startupBudget?: string;
  /** Laid over the engine's startup probe, field by field; another kind of check replaces it. */
  readonly startupProbe?: InferenceServiceSpecStartupProbe;
  /** Laid over the engine's readiness probe, field by field; another kind of check replaces it. */
  readonly readinessProbe?: InferenceServiceSpecReadinessProbe;
  /** Laid over the engine's liveness probe, field by field; another kind of check replaces it. */
  readonly livenessProbe?: InferenceServiceSpecLivenessProbe;
  /**
   * How a pod ends without losing a request.
   * @default {}
   */
  readonly drain?: InferenceServiceSpecDrain;
  /** Volumes of the pod, as in core/v1. */
  readonly volumes?: readonly Volume[];
  /** Mounts of the server's container, as in core/v1. One at /dev/shm or /tmp takes the place of the generated one. */
  readonly volumeMounts?: readonly VolumeMount[];
  /** Labels and annotations for the pods, beside the generated ones. */
  readonly podMetadata?: InferenceServiceSpecPodMetadata;
  /** Laid over the engine's security settings of the pod, field by field. */
  readonly podSecurityContext?: PodSecurityContext;
  /** Laid over the engine's security settings of the server's container, field by field. */
  readonly securityContext?: SecurityContext;
  /**
   * The pods' ServiceAccount.
   * @default the namespace's default account
   */
  readonly serviceAccountName?: string;
  /**
   * Whether the pods get a token for the API server.
   * @default false
   */
  readonly automountServiceAccountToken?: boolean;
  /**
   * Whether variables for every Service of the namespace are set. A Service called vllm crashes vLLM with them.
   * @default false
   */
  readonly enableServiceLinks?: boolean;
  /**
   * How new pods replace old ones, as in apps/v1.
   * @default Recreate for a single replica with GPUs; without a surge pod for several with GPUs, so that no spare GPU
   * is needed; else one pod more, none less
   */
  readonly strategy?: DeploymentStrategy;
  /**
   * Seconds until a rollout counts as failed.
   * @default startupBudget plus 600
   */
  readonly progressDeadlineSeconds?: number;
  /**
   * Old ReplicaSets to keep.
   * @default Kubernetes' own, 10
   */
  readonly revisionHistoryLimit?: number;
  /** Containers that run beside the server, as in core/v1. */
  readonly sidecars?: readonly Container[];
  /** Containers that run before the server, as in core/v1; with restartPolicy Always, beside it from then on. */
  readonly initContainers?: readonly Container[];
  /**
   * What no other field says about the pods, laid over the generated pod template by list key. Fields that exist
   * elsewhere are refused here.
   */
  readonly podTemplate?: InferenceServiceSpecPodTemplate;
}

/** The model and the engine that serves it. */
export interface InferenceServiceSpecModel {
  /**
   * Where the model comes from. vllm: hf://ORGANISATION/REPOSITORY, pvc://CLAIM/FOLDER, file:///PATH or /PATH in the
   * image, s3://BUCKET/PATH, gs://BUCKET/PATH. triton: a model repository as pvc://CLAIM/FOLDER, file:///PATH, /PATH,
   * s3://, gs:// or as://. fake and custom: any text, which the server finds in the variable MODEL_URI; a pvc:// claim
   * is mounted at /mnt/models for them too.
   */
  readonly uri: string;
  /**
   * The engine: vllm, triton (NVIDIA Triton Inference Server), fake (a small server with the OpenAI API for tests and
   * trials, no GPU), or custom (any image that serves HTTP; needs spec.image).
   */
  readonly framework: 'vllm' | 'triton' | 'fake' | 'custom';
  /**
   * The version of the model, any text. The server finds it in the variable MODEL_VERSION; a change of it rolls the
   * pods.
   */
  readonly version: string;
  /**
   * The branch, tag or commit of an hf:// repository.
   * @default the repository's main branch
   */
  readonly revision?: string;
  /**
   * The model's name in requests and in /v1/models.
   * @default the name of the resource
   */
  readonly servedName?: string;
  /**
   * A Secret with the token for a gated hf:// repository. The server gets it as HF_TOKEN and as
   * HUGGING_FACE_HUB_TOKEN.
   */
  readonly secretRef?: InferenceServiceSpecModelSecretRef;
}

/** A Secret with the token for a gated hf:// repository. The server gets it as HF_TOKEN and as HUGGING_FACE_HUB_TOKEN. */
export interface InferenceServiceSpecModelSecretRef {
  /** The Secret's name, in the resource's namespace. */
  readonly name: string;
  /**
   * The key in the Secret.
   * @default "HF_TOKEN"
   */
  readonly key?: string;
  /**
   * Start the server without a token where the Secret or the key is missing.
   * @default false
   */
  readonly optional?: boolean;
}

/**
 * How many pods. Without an autoscaler there are exactly min. {min: 0, max: 0} parks the service: no pods, no
 * autoscaler; the Service stays.
 */
export interface InferenceServiceSpecReplicas {
  /** The least number of pods, and the exact number where nothing scales them. */
  readonly min: number;
  /** The largest number of pods an autoscaler may make. */
  readonly max: number;
}

/**
 * What the server's container needs. The short form (cpu, memory, gpu) and the full form (requests, limits) may be
 * mixed, but each fact is said once. Default is the engine's own request for cpu and memory, without limits.
 */
export interface InferenceServiceSpecResources {
  /** CPU cores requested, such as 4 or 500m. No limit is set. */
  readonly cpu?: number | string;
  /** Memory, such as 16Gi, as request and as limit. */
  readonly memory?: number | string;
  /** GPUs per pod, a whole number, as request and as limit. 0 says that the server must not see any GPU. */
  readonly gpu?: number | string;
  /**
   * The resource that gpu counts, such as nvidia.com/gpu, nvidia.com/mig-1g.5gb, amd.com/gpu, gpu.intel.com/xe or
   * habana.ai/gaudi.
   * @default "nvidia.com/gpu"
   */
  readonly gpuResourceName?: string;
  /** Requests of the container by resource name, as in core/v1. */
  readonly requests?: { readonly [key: string]: number | string };
  /** Limits of the container by resource name, as in core/v1. */
  readonly limits?: { readonly [key: string]: number | string };
  /** Claims from resourceClaims that the server's container uses. */
  readonly claims?: readonly ResourceClaim[];
}

/** A HorizontalPodAutoscaler for the pods. Without it, or with enabled false, there are exactly replicas.min. */
export interface InferenceServiceSpecAutoscaling {
  /** Whether the autoscaler is there. */
  readonly enabled: boolean;
  /**
   * Running requests per pod to aim at, from the engine's own metric (vllm:num_requests_running, for triton
   * nv_inference_pending_request_count) through an adapter that serves custom.metrics.k8s.io with ":" written as "_".
   * @default to scale on CPU, at 80 % of the request
   */
  readonly targetConcurrency?: number;
  /**
   * The autoscaler's least number of pods.
   * @default replicas.min
   */
  readonly minReplicas?: number;
  /**
   * The autoscaler's largest number of pods.
   * @default replicas.max
   */
  readonly maxReplicas?: number;
}

export interface InferenceServiceSpecPort {
  /** The port's name: at most 15 lower-case letters, digits and single "-", with at least one letter. */
  readonly name: string;
  /** The port's number, in the container and on the Service. */
  readonly containerPort: number;
  /**
   * The port's protocol.
   * @default "TCP"
   */
  readonly protocol?: 'TCP' | 'UDP' | 'SCTP';
}

/** Memory shared by the server's processes, mounted at /dev/shm. */
export interface InferenceServiceSpecSharedMemory {
  /**
   * Whether /dev/shm is mounted.
   * @default true for vllm and triton, false for fake and custom
   */
  readonly enabled?: boolean;
  /**
   * Its largest size. It counts against the memory limit.
   * @default 2Gi, or half of the memory limit where that is less
   */
  readonly sizeLimit?: number | string;
}

/** Laid over the engine's startup probe, field by field; another kind of check replaces it. */
export interface InferenceServiceSpecStartupProbe {
  /**
   * false leaves this probe out.
   * @default true
   */
  readonly enabled?: boolean;
  readonly exec?: PartialExecAction;
  readonly failureThreshold?: number;
  readonly grpc?: PartialGRPCAction;
  readonly httpGet?: PartialHTTPGetAction;
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly tcpSocket?: PartialTCPSocketAction;
  readonly terminationGracePeriodSeconds?: number;
  readonly timeoutSeconds?: number;
}

/** io.k8s.api.core.v1.ExecAction as an overlay: what it would require may be left out. */
export interface PartialExecAction {
  readonly command?: readonly string[];
}

/** io.k8s.api.core.v1.GRPCAction as an overlay: what it would require may be left out. */
export interface PartialGRPCAction {
  readonly port?: number;
  readonly service?: string;
}

/** io.k8s.api.core.v1.HTTPGetAction as an overlay: what it would require may be left out. */
export interface PartialHTTPGetAction {
  readonly host?: string;
  readonly httpHeaders?: readonly HTTPHeader[];
  readonly path?: string;
  readonly port?: number | string;
  readonly scheme?: 'HTTP' | 'HTTPS';
}

/** io.k8s.api.core.v1.TCPSocketAction as an overlay: what it would require may be left out. */
export interface PartialTCPSocketAction {
  readonly host?: string;
  readonly port?: number | string;
}

/** Laid over the engine's readiness probe, field by field; another kind of check replaces it. */
export interface InferenceServiceSpecReadinessProbe {
  /**
   * false leaves this probe out.
   * @default true
   */
  readonly enabled?: boolean;
  readonly exec?: PartialExecAction;
  readonly failureThreshold?: number;
  readonly grpc?: PartialGRPCAction;
  readonly httpGet?: PartialHTTPGetAction;
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly tcpSocket?: PartialTCPSocketAction;
  readonly terminationGracePeriodSeconds?: number;
  readonly timeoutSeconds?: number;
}

/** Laid over the engine's liveness probe, field by field; another kind of check replaces it. */
export interface InferenceServiceSpecLivenessProbe {
  /**
   * false leaves this probe out.
   * @default true
   */
  readonly enabled?: boolean;
  readonly exec?: PartialExecAction;
  readonly failureThreshold?: number;
  readonly grpc?: PartialGRPCAction;
  readonly httpGet?: PartialHTTPGetAction;
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly tcpSocket?: PartialTCPSocketAction;
  readonly terminationGracePeriodSeconds?: number;
  readonly timeoutSeconds?: number;
}

/** How a pod ends without losing a request. */
export interface InferenceServiceSpecDrain {
  /**
   * Seconds between the end of new traffic and SIGTERM, so that every proxy has heard of it. 0 for none.
   * @default 15
   */
  readonly preStopSeconds?: number;
  /**
   * Seconds that running answers have after SIGTERM.
   * @default 60
   */
  readonly shutdownSeconds?: number;
  /**
   * Seconds until the pod is killed.
   * @default preStopSeconds + shutdownSeconds + 15
   */
  readonly terminationGracePeriodSeconds?: number;
}

/** Labels and annotations for the pods, beside the generated ones. */
export interface InferenceServiceSpecPodMetadata {
  /** Labels of the pods. */
  readonly labels?: { readonly [key: string]: string };
  /** Annotations of the pods. */
  readonly annotations?: { readonly [key: string]: string };
}

/**
 * What no other field says about the pods, laid over the generated pod template by list key. Fields that exist
 * elsewhere are refused here.
 */
export interface InferenceServiceSpecPodTemplate {
  /** Further fields of the pods, as in core/v1. */
  readonly spec?: InferenceServiceSpecPodTemplateSpec;
}

/** Further fields of the pods, as in core/v1. */
export interface InferenceServiceSpecPodTemplateSpec {
  /** The server's container, by its name inference-server. */
  readonly containers?: readonly InferenceServiceSpecPodTemplateSpecContainer[];
  readonly dnsConfig?: PodDNSConfig;
  readonly dnsPolicy?: 'ClusterFirst' | 'ClusterFirstWithHostNet' | 'Default' | 'None';
  readonly hostAliases?: readonly HostAlias[];
  readonly hostIPC?: boolean;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostUsers?: boolean;
  readonly hostname?: string;
  readonly hostnameOverride?: string;
  readonly nodeName?: string;
  readonly os?: PartialPodOS;
  readonly preemptionPolicy?: 'Never' | 'PreemptLowerPriority';
  readonly priority?: number;
  readonly readinessGates?: readonly PodReadinessGate[];
  readonly schedulingGates?: readonly PodSchedulingGate[];
  readonly setHostnameAsFQDN?: boolean;
  readonly shareProcessNamespace?: boolean;
  readonly subdomain?: string;
}

export interface InferenceServiceSpecPodTemplateSpecContainer {
  readonly lifecycle?: PartialLifecycle;
  /** inference-server; other containers go to spec.sidecars. */
  readonly name: 'inference-server';
  readonly resizePolicy?: readonly ContainerResizePolicy[];
  readonly restartPolicy?: 'Always' | 'Never' | 'OnFailure';
  readonly restartPolicyRules?: readonly ContainerRestartRule[];
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: 'FallbackToLogsOnError' | 'File';
  readonly tty?: boolean;
  readonly volumeDevices?: readonly PartialVolumeDevice[];
  readonly workingDir?: string;
}

/** io.k8s.api.core.v1.Lifecycle as an overlay: what it would require may be left out. */
export interface PartialLifecycle {
  readonly postStart?: PartialLifecycleHandler;
  readonly preStop?: PartialLifecycleHandler;
}

/** io.k8s.api.core.v1.LifecycleHandler as an overlay: what it would require may be left out. */
export interface PartialLifecycleHandler {
  readonly exec?: PartialExecAction;
  readonly httpGet?: PartialHTTPGetAction;
  readonly sleep?: PartialSleepAction;
  readonly tcpSocket?: PartialTCPSocketAction;
}

/** io.k8s.api.core.v1.SleepAction as an overlay: what it would require may be left out. */
export interface PartialSleepAction {
  readonly seconds?: number;
}

/** io.k8s.api.core.v1.VolumeDevice as an overlay: what it would require may be left out. */
export interface PartialVolumeDevice {
  readonly devicePath: string;
  readonly name?: string;
}

/** io.k8s.api.core.v1.PodOS as an overlay: what it would require may be left out. */
export interface PartialPodOS {
  readonly name?: 'linux';
}

/** {@link InferenceServiceSpec} as the API server stores it: defaults are filled in. */
export interface DefaultedInferenceServiceSpec extends Omit<InferenceServiceSpec, 'model' | 'resources' | 'port' | 'ports' | 'startupBudget' | 'startupProbe' | 'readinessProbe' | 'livenessProbe' | 'drain' | 'automountServiceAccountToken' | 'enableServiceLinks'> {
  /** The model and the engine that serves it. */
  readonly model: DefaultedInferenceServiceSpecModel;
  /**
   * What the server's container needs. The short form (cpu, memory, gpu) and the full form (requests, limits) may be
   * mixed, but each fact is said once.
   * @default the engine's own request for cpu and memory, without limits
   */
  readonly resources?: DefaultedInferenceServiceSpecResources;
  /**
   * The port the server listens on for HTTP. Arguments, probes and Service follow it.
   * @default 8000
   */
  readonly port: number;
  /**
   * Further ports of the server, on the pod and on the Service. triton has grpc 8001 and metrics 8002; an entry of one
   * of these names moves it.
   */
  readonly ports?: readonly DefaultedInferenceServiceSpecPort[];
  /**
   * How long the server may take to load its model, such as 90s, 30m or 1h30m. The startup probe and the rollout's
   * deadline follow it.
   * @default "30m"
   */
  readonly startupBudget: string;
  /** Laid over the engine's startup probe, field by field; another kind of check replaces it. */
  readonly startupProbe?: DefaultedInferenceServiceSpecStartupProbe;
  /** Laid over the engine's readiness probe, field by field; another kind of check replaces it. */
  readonly readinessProbe?: DefaultedInferenceServiceSpecReadinessProbe;
  /** Laid over the engine's liveness probe, field by field; another kind of check replaces it. */
  readonly livenessProbe?: DefaultedInferenceServiceSpecLivenessProbe;
  /**
   * How a pod ends without losing a request.
   * @default {}
   */
  readonly drain: DefaultedInferenceServiceSpecDrain;
  /**
   * Whether the pods get a token for the API server.
   * @default false
   */
  readonly automountServiceAccountToken: boolean;
  /**
   * Whether variables for every Service of the namespace are set. A Service called vllm crashes vLLM with them.
   * @default false
   */
  readonly enableServiceLinks: boolean;
}

/** {@link InferenceServiceSpecModel} as the API server stores it: defaults are filled in. */
export interface DefaultedInferenceServiceSpecModel extends Omit<InferenceServiceSpecModel, 'secretRef'> {
  /**
   * A Secret with the token for a gated hf:// repository. The server gets it as HF_TOKEN and as
   * HUGGING_FACE_HUB_TOKEN.
   */
  readonly secretRef?: DefaultedInferenceServiceSpecModelSecretRef;
}

/** {@link InferenceServiceSpecModelSecretRef} as the API server stores it: defaults are filled in. */
export interface DefaultedInferenceServiceSpecModelSecretRef extends Omit<InferenceServiceSpecModelSecretRef, 'key' | 'optional'> {
  /**
   * The key in the Secret.
   * @default "HF_TOKEN"
   */
  readonly key: string;
  /**
   * Start the server without a token where the Secret or the key is missing.
   * @default false
   */
  readonly optional: boolean;
}

/** {@link InferenceServiceSpecResources} as the API server stores it: defaults are filled in. */
export interface DefaultedInferenceServiceSpecResources extends Omit<InferenceServiceSpecResources, 'gpuResourceName'> {
  /**
   * The resource that gpu counts, such as nvidia.com/gpu, nvidia.com/mig-1g.5gb, amd.com/gpu, gpu.intel.com/xe or
   * habana.ai/gaudi.
   * @default "nvidia.com/gpu"
   */
  readonly gpuResourceName: string;
}

/** {@link InferenceServiceSpecPort} as the API server stores it: defaults are filled in. */
export interface DefaultedInferenceServiceSpecPort extends Omit<InferenceServiceSpecPort, 'protocol'> {
  /**
   * The port's protocol.
   * @default "TCP"
   */
  readonly protocol: 'TCP' | 'UDP' | 'SCTP';
}

/** {@link InferenceServiceSpecStartupProbe} as the API server stores it: defaults are filled in. */
export interface DefaultedInferenceServiceSpecStartupProbe extends Omit<InferenceServiceSpecStartupProbe, 'enabled'> {
  /**
   * false leaves this probe out.
   * @default true
   */
  readonly enabled: boolean;
}

/** {@link InferenceServiceSpecReadinessProbe} as the API server stores it: defaults are filled in. */
export interface DefaultedInferenceServiceSpecReadinessProbe extends Omit<InferenceServiceSpecReadinessProbe, 'enabled'> {
  /**
   * false leaves this probe out.
   * @default true
   */
  readonly enabled: boolean;
}

/** {@link InferenceServiceSpecLivenessProbe} as the API server stores it: defaults are filled in. */
export interface DefaultedInferenceServiceSpecLivenessProbe extends Omit<InferenceServiceSpecLivenessProbe, 'enabled'> {
  /**
   * false leaves this probe out.
   * @default true
   */
  readonly enabled: boolean;
}

/** {@link InferenceServiceSpecDrain} as the API server stores it: defaults are filled in. */
export interface DefaultedInferenceServiceSpecDrain extends Omit<InferenceServiceSpecDrain, 'preStopSeconds' | 'shutdownSeconds'> {
  /**
   * Seconds between the end of new traffic and SIGTERM, so that every proxy has heard of it. 0 for none.
   * @default 15
   */
  readonly preStopSeconds: number;
  /**
   * Seconds that running answers have after SIGTERM.
   * @default 60
   */
  readonly shutdownSeconds: number;
}

/** What the operator sees. Only the operator writes it. */
export interface InferenceServiceStatus {
  /** Pending until the rollout is finished, then Running; Failed when a person has to act. */
  readonly phase?: 'Pending' | 'Running' | 'Failed';
  /** Pods that exist. */
  readonly replicas?: number;
  /** Pods that are ready to answer. */
  readonly readyReplicas?: number;
  /** The pods' label selector as text, for the scale subresource. */
  readonly selector?: string;
  /** One sentence on what the resource waits for or what is wrong. */
  readonly message?: string;
  /** When this status last changed. */
  readonly lastUpdateTime?: string;
  /** The generation of the spec that this status speaks of; -1 before the operator's first look. */
  readonly observedGeneration?: number;
  /** Ready, Synced, Reconciling and Stalled, in Kubernetes' form of a condition. */
  readonly conditions?: readonly Condition[];
}
