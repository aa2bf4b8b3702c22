// Generated from crds/src by npm run generate. Do not edit.
// Plain JSON types of Kubernetes v1.37.2.

/** io.k8s.api.core.v1.AWSElasticBlockStoreVolumeSource. */
export interface AWSElasticBlockStoreVolumeSource {
  readonly fsType?: string;
  readonly partition?: number;
  readonly readOnly?: boolean;
  readonly volumeID: string;
}

/** io.k8s.api.core.v1.Affinity. */
export interface Affinity {
  readonly nodeAffinity?: NodeAffinity;
  readonly podAffinity?: PodAffinity;
  readonly podAntiAffinity?: PodAntiAffinity;
}

/** io.k8s.api.core.v1.AppArmorProfile. */
export interface AppArmorProfile {
  readonly localhostProfile?: string;
  readonly type: string;
}

/** io.k8s.api.core.v1.AzureDiskVolumeSource. */
export interface AzureDiskVolumeSource {
  readonly cachingMode?: string;
  readonly diskName: string;
  readonly diskURI: string;
  readonly fsType?: string;
  readonly kind?: string;
  readonly readOnly?: boolean;
}

/** io.k8s.api.core.v1.AzureFileVolumeSource. */
export interface AzureFileVolumeSource {
  readonly readOnly?: boolean;
  readonly secretName: string;
  readonly shareName: string;
}

/** io.k8s.api.core.v1.CSIVolumeSource. */
export interface CSIVolumeSource {
  readonly driver: string;
  readonly fsType?: string;
  readonly nodePublishSecretRef?: LocalObjectReference;
  readonly readOnly?: boolean;
  readonly volumeAttributes?: { readonly [key: string]: string };
}

/** io.k8s.api.core.v1.Capabilities. */
export interface Capabilities {
  readonly add?: readonly string[];
  readonly drop?: readonly string[];
}

/** io.k8s.api.core.v1.CephFSVolumeSource. */
export interface CephFSVolumeSource {
  readonly monitors: readonly string[];
  readonly path?: string;
  readonly readOnly?: boolean;
  readonly secretFile?: string;
  readonly secretRef?: LocalObjectReference;
  readonly user?: string;
}

/** io.k8s.api.core.v1.CinderVolumeSource. */
export interface CinderVolumeSource {
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly secretRef?: LocalObjectReference;
  readonly volumeID: string;
}

/** io.k8s.api.core.v1.ClientIPConfig. */
export interface ClientIPConfig {
  readonly timeoutSeconds?: number;
}

/** io.k8s.api.core.v1.ClusterTrustBundleProjection. */
export interface ClusterTrustBundleProjection {
  readonly labelSelector?: LabelSelector;
  readonly name?: string;
  readonly optional?: boolean;
  readonly path: string;
  readonly signerName?: string;
  readonly user?: number;
}

/** io.k8s.apimachinery.pkg.apis.meta.v1.Condition. */
export interface Condition {
  readonly lastTransitionTime: string;
  readonly message: string;
  readonly observedGeneration?: number;
  readonly reason: string;
  readonly status: string;
  readonly type: string;
}

/** v1 ConfigMap. */
export interface ConfigMap {
  readonly apiVersion: 'v1';
  readonly binaryData?: { readonly [key: string]: string };
  readonly data?: { readonly [key: string]: string };
  readonly immutable?: boolean;
  readonly kind: 'ConfigMap';
  readonly metadata?: ObjectMeta;
}

/** io.k8s.api.core.v1.ConfigMapEnvSource. */
export interface ConfigMapEnvSource {
  readonly name?: string;
  readonly optional?: boolean;
}

/** io.k8s.api.core.v1.ConfigMapKeySelector. */
export interface ConfigMapKeySelector {
  readonly key: string;
  readonly name?: string;
  readonly optional?: boolean;
}

/** io.k8s.api.core.v1.ConfigMapProjection. */
export interface ConfigMapProjection {
  readonly items?: readonly KeyToPath[];
  readonly name?: string;
  readonly optional?: boolean;
}

/** io.k8s.api.core.v1.ConfigMapVolumeSource. */
export interface ConfigMapVolumeSource {
  readonly defaultMode?: number;
  readonly defaultUser?: number;
  readonly items?: readonly KeyToPath[];
  readonly name?: string;
  readonly optional?: boolean;
}

/** io.k8s.api.core.v1.Container. */
export interface Container {
  readonly args?: readonly string[];
  readonly command?: readonly string[];
  readonly env?: readonly EnvVar[];
  readonly envFrom?: readonly EnvFromSource[];
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly lifecycle?: Lifecycle;
  readonly livenessProbe?: Probe;
  readonly name: string;
  readonly ports?: readonly ContainerPort[];
  readonly readinessProbe?: Probe;
  readonly resizePolicy?: readonly ContainerResizePolicy[];
  readonly resources?: ResourceRequirements;
  readonly restartPolicy?: string;
  readonly restartPolicyRules?: readonly ContainerRestartRule[];
  readonly securityContext?: SecurityContext;
  readonly startupProbe?: Probe;
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: string;
  readonly tty?: boolean;
  readonly volumeDevices?: readonly VolumeDevice[];
  readonly volumeMounts?: readonly VolumeMount[];
  readonly workingDir?: string;
}

/** io.k8s.api.core.v1.ContainerExtendedResourceRequest. */
export interface ContainerExtendedResourceRequest {
  readonly containerName: string;
  readonly requestName: string;
  readonly resourceName: string;
}

/** io.k8s.api.core.v1.ContainerPort. */
export interface ContainerPort {
  readonly containerPort: number;
  readonly hostIP?: string;
  readonly hostPort?: number;
  readonly name?: string;
  readonly protocol?: string;
}

/** io.k8s.api.core.v1.ContainerResizePolicy. */
export interface ContainerResizePolicy {
  readonly resourceName: string;
  readonly restartPolicy: string;
}

/** io.k8s.api.autoscaling.v2.ContainerResourceMetricSource. */
export interface ContainerResourceMetricSource {
  readonly container: string;
  readonly name: string;
  readonly target: MetricTarget;
}

/** io.k8s.api.autoscaling.v2.ContainerResourceMetricStatus. */
export interface ContainerResourceMetricStatus {
  readonly container: string;
  readonly current: MetricValueStatus;
  readonly name: string;
}

/** io.k8s.api.core.v1.ContainerRestartRule. */
export interface ContainerRestartRule {
  readonly action: string;
  readonly exitCodes?: ContainerRestartRuleOnExitCodes;
}

/** io.k8s.api.core.v1.ContainerRestartRuleOnExitCodes. */
export interface ContainerRestartRuleOnExitCodes {
  readonly operator: string;
  readonly values?: readonly number[];
}

/** io.k8s.api.core.v1.ContainerState. */
export interface ContainerState {
  readonly running?: ContainerStateRunning;
  readonly terminated?: ContainerStateTerminated;
  readonly waiting?: ContainerStateWaiting;
}

/** io.k8s.api.core.v1.ContainerStateRunning. */
export interface ContainerStateRunning {
  readonly startedAt?: string;
}

/** io.k8s.api.core.v1.ContainerStateTerminated. */
export interface ContainerStateTerminated {
  readonly containerID?: string;
  readonly exitCode: number;
  readonly finishedAt?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly signal?: number;
  readonly startedAt?: string;
}

/** io.k8s.api.core.v1.ContainerStateWaiting. */
export interface ContainerStateWaiting {
  readonly message?: string;
  readonly reason?: string;
}

/** io.k8s.api.core.v1.ContainerStatus. */
export interface ContainerStatus {
  readonly allocatedResources?: { readonly [key: string]: number | string };
  readonly allocatedResourcesStatus?: readonly ResourceStatus[];
  readonly containerID?: string;
  readonly image: string;
  readonly imageID: string;
  readonly lastState?: ContainerState;
  readonly name: string;
  readonly ready: boolean;
  readonly resources?: ResourceRequirements;
  readonly restartCount: number;
  readonly started?: boolean;
  readonly state?: ContainerState;
  readonly stopSignal?: string;
  readonly user?: ContainerUser;
  readonly volumeMounts?: readonly VolumeMountStatus[];
}

/** io.k8s.api.core.v1.ContainerUser. */
export interface ContainerUser {
  readonly linux?: LinuxContainerUser;
}

/** batch/v1 CronJob. */
export interface CronJob {
  readonly apiVersion: 'batch/v1';
  readonly kind: 'CronJob';
  readonly metadata?: ObjectMeta;
  readonly spec: CronJobSpec;
  readonly status?: CronJobStatus;
}

/** io.k8s.api.batch.v1.CronJobSpec. */
export interface CronJobSpec {
  readonly concurrencyPolicy?: string;
  readonly failedJobsHistoryLimit?: number;
  readonly jobTemplate: JobTemplateSpec;
  readonly schedule: string;
  readonly startingDeadlineSeconds?: number;
  readonly successfulJobsHistoryLimit?: number;
  readonly suspend?: boolean;
  readonly timeZone?: string;
}

/** io.k8s.api.batch.v1.CronJobStatus. */
export interface CronJobStatus {
  readonly active?: readonly ObjectReference[];
  readonly lastScheduleTime?: string;
  readonly lastSuccessfulTime?: string;
}

/** io.k8s.api.autoscaling.v2.CrossVersionObjectReference. */
export interface CrossVersionObjectReference {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
}

/** apps/v1 Deployment. */
export interface Deployment {
  readonly apiVersion: 'apps/v1';
  readonly kind: 'Deployment';
  readonly metadata?: ObjectMeta;
  readonly spec: DeploymentSpec;
  readonly status?: DeploymentStatus;
}

/** io.k8s.api.apps.v1.DeploymentCondition. */
export interface DeploymentCondition {
  readonly lastTransitionTime?: string;
  readonly lastUpdateTime?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly status?: string;
  readonly type?: string;
}

/** io.k8s.api.apps.v1.DeploymentSpec. */
export interface DeploymentSpec {
  readonly minReadySeconds?: number;
  readonly paused?: boolean;
  readonly progressDeadlineSeconds?: number;
  readonly replicas?: number;
  readonly revisionHistoryLimit?: number;
  readonly selector: LabelSelector;
  readonly strategy?: DeploymentStrategy;
  readonly template: PodTemplateSpec;
}

/** io.k8s.api.apps.v1.DeploymentStatus. */
export interface DeploymentStatus {
  readonly availableReplicas?: number;
  readonly collisionCount?: number;
  readonly conditions?: readonly DeploymentCondition[];
  readonly observedGeneration?: number;
  readonly readyReplicas?: number;
  readonly replicas?: number;
  readonly terminatingReplicas?: number;
  readonly unavailableReplicas?: number;
  readonly updatedReplicas?: number;
}

/** io.k8s.api.apps.v1.DeploymentStrategy. */
export interface DeploymentStrategy {
  readonly rollingUpdate?: RollingUpdateDeployment;
  readonly type?: string;
}

/** io.k8s.api.core.v1.DownwardAPIProjection. */
export interface DownwardAPIProjection {
  readonly items?: readonly DownwardAPIVolumeFile[];
}

/** io.k8s.api.core.v1.DownwardAPIVolumeFile. */
export interface DownwardAPIVolumeFile {
  readonly fieldRef?: ObjectFieldSelector;
  readonly mode?: number;
  readonly path: string;
  readonly resourceFieldRef?: ResourceFieldSelector;
  readonly user?: number;
}

/** io.k8s.api.core.v1.DownwardAPIVolumeSource. */
export interface DownwardAPIVolumeSource {
  readonly defaultMode?: number;
  readonly defaultUser?: number;
  readonly items?: readonly DownwardAPIVolumeFile[];
}

/** io.k8s.api.core.v1.EmptyDirVolumeSource. */
export interface EmptyDirVolumeSource {
  readonly medium?: string;
  readonly mode?: number;
  readonly sizeLimit?: number | string;
}

/** io.k8s.api.core.v1.EnvFromSource. */
export interface EnvFromSource {
  readonly configMapRef?: ConfigMapEnvSource;
  readonly prefix?: string;
  readonly secretRef?: SecretEnvSource;
}

/** io.k8s.api.core.v1.EnvVar. */
export interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: EnvVarSource;
}

/** io.k8s.api.core.v1.EnvVarSource. */
export interface EnvVarSource {
  readonly configMapKeyRef?: ConfigMapKeySelector;
  readonly fieldRef?: ObjectFieldSelector;
  readonly fileKeyRef?: FileKeySelector;
  readonly resourceFieldRef?: ResourceFieldSelector;
  readonly secretKeyRef?: SecretKeySelector;
}

/** io.k8s.api.core.v1.EphemeralContainer. */
export interface EphemeralContainer {
  readonly args?: readonly string[];
  readonly command?: readonly string[];
  readonly env?: readonly EnvVar[];
  readonly envFrom?: readonly EnvFromSource[];
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly lifecycle?: Lifecycle;
  readonly livenessProbe?: Probe;
  readonly name: string;
  readonly ports?: readonly ContainerPort[];
  readonly readinessProbe?: Probe;
  readonly resizePolicy?: readonly ContainerResizePolicy[];
  readonly resources?: ResourceRequirements;
  readonly restartPolicy?: string;
  readonly restartPolicyRules?: readonly ContainerRestartRule[];
  readonly securityContext?: SecurityContext;
  readonly startupProbe?: Probe;
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  readonly targetContainerName?: string;
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: string;
  readonly tty?: boolean;
  readonly volumeDevices?: readonly VolumeDevice[];
  readonly volumeMounts?: readonly VolumeMount[];
  readonly workingDir?: string;
}

/** io.k8s.api.core.v1.EphemeralVolumeSource. */
export interface EphemeralVolumeSource {
  readonly volumeClaimTemplate?: PersistentVolumeClaimTemplate;
}

/** io.k8s.api.core.v1.EvictionResponder. */
export interface EvictionResponder {
  readonly name: string;
  readonly priority: number;
}

/** io.k8s.api.core.v1.ExecAction. */
export interface ExecAction {
  readonly command?: readonly string[];
}

/** io.k8s.api.autoscaling.v2.ExternalMetricSource. */
export interface ExternalMetricSource {
  readonly metric: MetricIdentifier;
  readonly target: MetricTarget;
}

/** io.k8s.api.autoscaling.v2.ExternalMetricStatus. */
export interface ExternalMetricStatus {
  readonly current: MetricValueStatus;
  readonly metric: MetricIdentifier;
}

/** io.k8s.api.core.v1.FCVolumeSource. */
export interface FCVolumeSource {
  readonly fsType?: string;
  readonly lun?: number;
  readonly readOnly?: boolean;
  readonly targetWWNs?: readonly string[];
  readonly wwids?: readonly string[];
}

/** io.k8s.api.core.v1.FileKeySelector. */
export interface FileKeySelector {
  readonly key: string;
  readonly optional?: boolean;
  readonly path: string;
  readonly volumeName: string;
}

/** io.k8s.api.core.v1.FlexVolumeSource. */
export interface FlexVolumeSource {
  readonly driver: string;
  readonly fsType?: string;
  readonly options?: { readonly [key: string]: string };
  readonly readOnly?: boolean;
  readonly secretRef?: LocalObjectReference;
}

/** io.k8s.api.core.v1.FlockerVolumeSource. */
export interface FlockerVolumeSource {
  readonly datasetName?: string;
  readonly datasetUUID?: string;
}

/** io.k8s.api.core.v1.GCEPersistentDiskVolumeSource. */
export interface GCEPersistentDiskVolumeSource {
  readonly fsType?: string;
  readonly partition?: number;
  readonly pdName: string;
  readonly readOnly?: boolean;
}

/** io.k8s.api.core.v1.GRPCAction. */
export interface GRPCAction {
  readonly mode?: string;
  readonly port: number;
  readonly service?: string;
}

/** io.k8s.api.core.v1.GitRepoVolumeSource. */
export interface GitRepoVolumeSource {
  readonly directory?: string;
  readonly repository: string;
  readonly revision?: string;
}

/** io.k8s.api.core.v1.GlusterfsVolumeSource. */
export interface GlusterfsVolumeSource {
  readonly endpoints: string;
  readonly path: string;
  readonly readOnly?: boolean;
}

/** io.k8s.api.autoscaling.v2.HPAScalingPolicy. */
export interface HPAScalingPolicy {
  readonly periodSeconds: number;
  readonly type: string;
  readonly value: number;
}

/** io.k8s.api.autoscaling.v2.HPAScalingRules. */
export interface HPAScalingRules {
  readonly policies?: readonly HPAScalingPolicy[];
  readonly selectPolicy?: string;
  readonly stabilizationWindowSeconds?: number;
  readonly tolerance?: number | string;
}

/** io.k8s.api.core.v1.HTTPGetAction. */
export interface HTTPGetAction {
  readonly host?: string;
  readonly httpHeaders?: readonly HTTPHeader[];
  readonly path?: string;
  readonly port: number | string;
  readonly protocol?: string;
  readonly scheme?: string;
}

/** io.k8s.api.core.v1.HTTPHeader. */
export interface HTTPHeader {
  readonly name: string;
  readonly value: string;
}

/** io.k8s.api.networking.v1.HTTPIngressPath. */
export interface HTTPIngressPath {
  readonly backend: IngressBackend;
  readonly path?: string;
  readonly pathType: string;
}

/** io.k8s.api.networking.v1.HTTPIngressRuleValue. */
export interface HTTPIngressRuleValue {
  readonly paths: readonly HTTPIngressPath[];
}

/** autoscaling/v2 HorizontalPodAutoscaler. */
export interface HorizontalPodAutoscaler {
  readonly apiVersion: 'autoscaling/v2';
  readonly kind: 'HorizontalPodAutoscaler';
  readonly metadata?: ObjectMeta;
  readonly spec: HorizontalPodAutoscalerSpec;
  readonly status?: HorizontalPodAutoscalerStatus;
}

/** io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerBehavior. */
export interface HorizontalPodAutoscalerBehavior {
  readonly scaleDown?: HPAScalingRules;
  readonly scaleUp?: HPAScalingRules;
}

/** io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerCondition. */
export interface HorizontalPodAutoscalerCondition {
  readonly lastTransitionTime?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}

/** io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerSpec. */
export interface HorizontalPodAutoscalerSpec {
  readonly behavior?: HorizontalPodAutoscalerBehavior;
  readonly maxReplicas: number;
  readonly metrics?: readonly MetricSpec[];
  readonly minReplicas?: number;
  readonly scaleTargetRef: CrossVersionObjectReference;
}

/** io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerStatus. */
export interface HorizontalPodAutoscalerStatus {
  readonly conditions?: readonly HorizontalPodAutoscalerCondition[];
  readonly currentMetrics?: readonly MetricStatus[];
  readonly currentReplicas?: number;
  readonly desiredReplicas: number;
  readonly lastScaleTime?: string;
  readonly observedGeneration?: number;
}

/** io.k8s.api.core.v1.HostAlias. */
export interface HostAlias {
  readonly hostnames?: readonly string[];
  readonly ip: string;
}

/** io.k8s.api.core.v1.HostIP. */
export interface HostIP {
  readonly ip: string;
}

/** io.k8s.api.core.v1.HostPathVolumeSource. */
export interface HostPathVolumeSource {
  readonly path: string;
  readonly type?: string;
}

/** io.k8s.api.networking.v1.IPBlock. */
export interface IPBlock {
  readonly cidr: string;
  readonly except?: readonly string[];
}

/** io.k8s.api.core.v1.ISCSIVolumeSource. */
export interface ISCSIVolumeSource {
  readonly chapAuthDiscovery?: boolean;
  readonly chapAuthSession?: boolean;
  readonly fsType?: string;
  readonly initiatorName?: string;
  readonly iqn: string;
  readonly iscsiInterface?: string;
  readonly lun: number;
  readonly portals?: readonly string[];
  readonly readOnly?: boolean;
  readonly secretRef?: LocalObjectReference;
  readonly targetPortal: string;
}

/** io.k8s.api.core.v1.ImageVolumeSource. */
export interface ImageVolumeSource {
  readonly pullPolicy?: string;
  readonly reference?: string;
}

/** io.k8s.api.core.v1.ImageVolumeStatus. */
export interface ImageVolumeStatus {
  readonly imageRef: string;
}

/** networking.k8s.io/v1 Ingress. */
export interface Ingress {
  readonly apiVersion: 'networking.k8s.io/v1';
  readonly kind: 'Ingress';
  readonly metadata?: ObjectMeta;
  readonly spec?: IngressSpec;
  readonly status?: IngressStatus;
}

/** io.k8s.api.networking.v1.IngressBackend. */
export interface IngressBackend {
  readonly resource?: TypedLocalObjectReference;
  readonly service?: IngressServiceBackend;
}

/** io.k8s.api.networking.v1.IngressLoadBalancerIngress. */
export interface IngressLoadBalancerIngress {
  readonly hostname?: string;
  readonly ip?: string;
  readonly ports?: readonly IngressPortStatus[];
}

/** io.k8s.api.networking.v1.IngressLoadBalancerStatus. */
export interface IngressLoadBalancerStatus {
  readonly ingress?: readonly IngressLoadBalancerIngress[];
}

/** io.k8s.api.networking.v1.IngressPortStatus. */
export interface IngressPortStatus {
  readonly error?: string;
  readonly port: number;
  readonly protocol: string;
}

/** io.k8s.api.networking.v1.IngressRule. */
export interface IngressRule {
  readonly host?: string;
  readonly http?: HTTPIngressRuleValue;
}

/** io.k8s.api.networking.v1.IngressServiceBackend. */
export interface IngressServiceBackend {
  readonly name: string;
  readonly port?: ServiceBackendPort;
}

/** io.k8s.api.networking.v1.IngressSpec. */
export interface IngressSpec {
  readonly defaultBackend?: IngressBackend;
  readonly ingressClassName?: string;
  readonly rules?: readonly IngressRule[];
  readonly tls?: readonly IngressTLS[];
}

/** io.k8s.api.networking.v1.IngressStatus. */
export interface IngressStatus {
  readonly loadBalancer?: IngressLoadBalancerStatus;
}

/** io.k8s.api.networking.v1.IngressTLS. */
export interface IngressTLS {
  readonly hosts?: readonly string[];
  readonly secretName?: string;
}

/** batch/v1 Job. */
export interface Job {
  readonly apiVersion: 'batch/v1';
  readonly kind: 'Job';
  readonly metadata?: ObjectMeta;
  readonly spec?: JobSpec;
  readonly status?: JobStatus;
}

/** io.k8s.api.batch.v1.JobCondition. */
export interface JobCondition {
  readonly lastProbeTime?: string;
  readonly lastTransitionTime?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}

/** io.k8s.api.batch.v1.JobSchedulingConfiguration. */
export interface JobSchedulingConfiguration {
  readonly disruptionMode?: WorkloadPodGroupDisruptionMode;
  readonly resourceClaims?: readonly WorkloadPodGroupResourceClaim[];
  readonly schedulingConstraints?: WorkloadPodGroupSchedulingConstraints;
  readonly schedulingPolicy?: WorkloadPodGroupSchedulingPolicy;
}

/** io.k8s.api.batch.v1.JobSpec. */
export interface JobSpec {
  readonly activeDeadlineSeconds?: number;
  readonly backoffLimit?: number;
  readonly backoffLimitPerIndex?: number;
  readonly completionMode?: string;
  readonly completions?: number;
  readonly managedBy?: string;
  readonly manualSelector?: boolean;
  readonly maxFailedIndexes?: number;
  readonly parallelism?: number;
  readonly podFailurePolicy?: PodFailurePolicy;
  readonly podReplacementPolicy?: string;
  readonly scheduling?: JobSchedulingConfiguration;
  readonly selector?: LabelSelector;
  readonly successPolicy?: SuccessPolicy;
  readonly suspend?: boolean;
  readonly template: PodTemplateSpec;
  readonly ttlSecondsAfterFinished?: number;
}

/** io.k8s.api.batch.v1.JobStatus. */
export interface JobStatus {
  readonly active?: number;
  readonly completedIndexes?: string;
  readonly completionTime?: string;
  readonly conditions?: readonly JobCondition[];
  readonly failed?: number;
  readonly failedIndexes?: string;
  readonly ready?: number;
  readonly startTime?: string;
  readonly succeeded?: number;
  readonly terminating?: number;
  readonly uncountedTerminatedPods?: UncountedTerminatedPods;
}

/** io.k8s.api.batch.v1.JobTemplateSpec. */
export interface JobTemplateSpec {
  readonly metadata?: ObjectMeta;
  readonly spec?: JobSpec;
}

/** io.k8s.api.core.v1.KeyToPath. */
export interface KeyToPath {
  readonly key: string;
  readonly mode?: number;
  readonly path: string;
  readonly user?: number;
}

/** io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector. */
export interface LabelSelector {
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
  readonly matchLabels?: { readonly [key: string]: string };
}

/** io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement. */
export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** io.k8s.api.core.v1.Lifecycle. */
export interface Lifecycle {
  readonly postStart?: LifecycleHandler;
  readonly preStop?: LifecycleHandler;
  readonly stopSignal?: string;
}

/** io.k8s.api.core.v1.LifecycleHandler. */
export interface LifecycleHandler {
  readonly exec?: ExecAction;
  readonly httpGet?: HTTPGetAction;
  readonly sleep?: SleepAction;
  readonly tcpSocket?: TCPSocketAction;
}

/** io.k8s.api.core.v1.LinuxContainerUser. */
export interface LinuxContainerUser {
  readonly gid: number;
  readonly supplementalGroups?: readonly number[];
  readonly uid: number;
}

/** io.k8s.api.core.v1.LoadBalancerIngress. */
export interface LoadBalancerIngress {
  readonly hostname?: string;
  readonly ip?: string;
  readonly ipMode?: string;
  readonly ports?: readonly PortStatus[];
}

/** io.k8s.api.core.v1.LoadBalancerStatus. */
export interface LoadBalancerStatus {
  readonly ingress?: readonly LoadBalancerIngress[];
}

/** io.k8s.api.core.v1.LocalObjectReference. */
export interface LocalObjectReference {
  readonly name?: string;
}

/** io.k8s.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry. */
export interface ManagedFieldsEntry {
  readonly apiVersion?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: { readonly [field: string]: unknown };
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly time?: string;
}

/** io.k8s.api.autoscaling.v2.MetricIdentifier. */
export interface MetricIdentifier {
  readonly name: string;
  readonly selector?: LabelSelector;
}

/** io.k8s.api.autoscaling.v2.MetricSpec. */
export interface MetricSpec {
  readonly containerResource?: ContainerResourceMetricSource;
  readonly external?: ExternalMetricSource;
  readonly object?: ObjectMetricSource;
  readonly pods?: PodsMetricSource;
  readonly resource?: ResourceMetricSource;
  readonly type: string;
}

/** io.k8s.api.autoscaling.v2.MetricStatus. */
export interface MetricStatus {
  readonly containerResource?: ContainerResourceMetricStatus;
  readonly external?: ExternalMetricStatus;
  readonly object?: ObjectMetricStatus;
  readonly pods?: PodsMetricStatus;
  readonly resource?: ResourceMetricStatus;
  readonly type: string;
}

/** io.k8s.api.autoscaling.v2.MetricTarget. */
export interface MetricTarget {
  readonly averageUtilization?: number;
  readonly averageValue?: number | string;
  readonly type: string;
  readonly value?: number | string;
}

/** io.k8s.api.autoscaling.v2.MetricValueStatus. */
export interface MetricValueStatus {
  readonly averageUtilization?: number;
  readonly averageValue?: number | string;
  readonly value?: number | string;
}

/** io.k8s.api.core.v1.ModifyVolumeStatus. */
export interface ModifyVolumeStatus {
  readonly status: string;
  readonly targetVolumeAttributesClassName?: string;
}

/** io.k8s.api.core.v1.NFSVolumeSource. */
export interface NFSVolumeSource {
  readonly path: string;
  readonly readOnly?: boolean;
  readonly server: string;
}

/** v1 Namespace. */
export interface Namespace {
  readonly apiVersion: 'v1';
  readonly kind: 'Namespace';
  readonly metadata?: ObjectMeta;
  readonly spec?: NamespaceSpec;
  readonly status?: NamespaceStatus;
}

/** io.k8s.api.core.v1.NamespaceCondition. */
export interface NamespaceCondition {
  readonly lastTransitionTime?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}

/** io.k8s.api.core.v1.NamespaceSpec. */
export interface NamespaceSpec {
  readonly finalizers?: readonly string[];
}

/** io.k8s.api.core.v1.NamespaceStatus. */
export interface NamespaceStatus {
  readonly conditions?: readonly NamespaceCondition[];
  readonly phase?: string;
}

/** networking.k8s.io/v1 NetworkPolicy. */
export interface NetworkPolicy {
  readonly apiVersion: 'networking.k8s.io/v1';
  readonly kind: 'NetworkPolicy';
  readonly metadata?: ObjectMeta;
  readonly spec?: NetworkPolicySpec;
}

/** io.k8s.api.networking.v1.NetworkPolicyEgressRule. */
export interface NetworkPolicyEgressRule {
  readonly ports?: readonly NetworkPolicyPort[];
  readonly to?: readonly NetworkPolicyPeer[];
}

/** io.k8s.api.networking.v1.NetworkPolicyIngressRule. */
export interface NetworkPolicyIngressRule {
  readonly from?: readonly NetworkPolicyPeer[];
  readonly ports?: readonly NetworkPolicyPort[];
}

/** io.k8s.api.networking.v1.NetworkPolicyPeer. */
export interface NetworkPolicyPeer {
  readonly ipBlock?: IPBlock;
  readonly namespaceSelector?: LabelSelector;
  readonly podSelector?: LabelSelector;
}

/** io.k8s.api.networking.v1.NetworkPolicyPort. */
export interface NetworkPolicyPort {
  readonly endPort?: number;
  readonly port?: number | string;
  readonly protocol?: string;
}

/** io.k8s.api.networking.v1.NetworkPolicySpec. */
export interface NetworkPolicySpec {
  readonly egress?: readonly NetworkPolicyEgressRule[];
  readonly ingress?: readonly NetworkPolicyIngressRule[];
  readonly podSelector?: LabelSelector;
  readonly policyTypes?: readonly string[];
}

/** io.k8s.api.core.v1.NodeAffinity. */
export interface NodeAffinity {
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredSchedulingTerm[];
  readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
}

/** io.k8s.api.core.v1.NodeAllocatableMappedResources. */
export interface NodeAllocatableMappedResources {
  readonly name: string;
  readonly quantity: number | string;
}

/** io.k8s.api.core.v1.NodeAllocatableOverheadResources. */
export interface NodeAllocatableOverheadResources {
  readonly name: string;
  readonly perContainer?: number | string;
  readonly perPod?: number | string;
}

/** io.k8s.api.core.v1.NodeAllocatableResourceClaimStatus. */
export interface NodeAllocatableResourceClaimStatus {
  readonly containers?: readonly string[];
  readonly mapping?: readonly NodeAllocatableMappedResources[];
  readonly overhead?: readonly NodeAllocatableOverheadResources[];
  readonly resourceClaimName: string;
}

/** io.k8s.api.core.v1.NodeSelector. */
export interface NodeSelector {
  readonly nodeSelectorTerms: readonly NodeSelectorTerm[];
}

/** io.k8s.api.core.v1.NodeSelectorRequirement. */
export interface NodeSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** io.k8s.api.core.v1.NodeSelectorTerm. */
export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeSelectorRequirement[];
  readonly matchFields?: readonly NodeSelectorRequirement[];
}

/** io.k8s.api.core.v1.ObjectFieldSelector. */
export interface ObjectFieldSelector {
  readonly apiVersion?: string;
  readonly fieldPath: string;
}

/** io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta. */
export interface ObjectMeta {
  readonly annotations?: { readonly [key: string]: string };
  readonly creationTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly deletionTimestamp?: string;
  readonly finalizers?: readonly string[];
  readonly generateName?: string;
  readonly generation?: number;
  readonly labels?: { readonly [key: string]: string };
  readonly managedFields?: readonly ManagedFieldsEntry[];
  readonly name?: string;
  readonly namespace?: string;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly resourceVersion?: string;
  readonly selfLink?: string;
  readonly uid?: string;
}

/** io.k8s.api.autoscaling.v2.ObjectMetricSource. */
export interface ObjectMetricSource {
  readonly describedObject: CrossVersionObjectReference;
  readonly metric: MetricIdentifier;
  readonly target: MetricTarget;
}

/** io.k8s.api.autoscaling.v2.ObjectMetricStatus. */
export interface ObjectMetricStatus {
  readonly current: MetricValueStatus;
  readonly describedObject: CrossVersionObjectReference;
  readonly metric: MetricIdentifier;
}

/** io.k8s.api.core.v1.ObjectReference. */
export interface ObjectReference {
  readonly apiVersion?: string;
  readonly fieldPath?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly resourceVersion?: string;
  readonly uid?: string;
}

/** io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly blockOwnerDeletion?: boolean;
  readonly controller?: boolean;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** v1 PersistentVolumeClaim. */
export interface PersistentVolumeClaim {
  readonly apiVersion: 'v1';
  readonly kind: 'PersistentVolumeClaim';
  readonly metadata?: ObjectMeta;
  readonly spec?: PersistentVolumeClaimSpec;
  readonly status?: PersistentVolumeClaimStatus;
}

/** io.k8s.api.core.v1.PersistentVolumeClaimCondition. */
export interface PersistentVolumeClaimCondition {
  readonly lastProbeTime?: string;
  readonly lastTransitionTime?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}

/** io.k8s.api.core.v1.PersistentVolumeClaimSpec. */
export interface PersistentVolumeClaimSpec {
  readonly accessModes?: readonly string[];
  readonly dataSource?: TypedLocalObjectReference;
  readonly dataSourceRef?: TypedObjectReference;
  readonly resources?: VolumeResourceRequirements;
  readonly selector?: LabelSelector;
  readonly storageClassName?: string;
  readonly volumeAttributesClassName?: string;
  readonly volumeMode?: string;
  readonly volumeName?: string;
}

/** io.k8s.api.core.v1.PersistentVolumeClaimStatus. */
export interface PersistentVolumeClaimStatus {
  readonly accessModes?: readonly string[];
  readonly allocatedResourceStatuses?: { readonly [key: string]: string };
  readonly allocatedResources?: { readonly [key: string]: number | string };
  readonly capacity?: { readonly [key: string]: number | string };
  readonly conditions?: readonly PersistentVolumeClaimCondition[];
  readonly currentVolumeAttributesClassName?: string;
  readonly healthStatus?: VolumeHealthStatus;
  readonly modifyVolumeStatus?: ModifyVolumeStatus;
  readonly phase?: string;
}

/** io.k8s.api.core.v1.PersistentVolumeClaimTemplate. */
export interface PersistentVolumeClaimTemplate {
  readonly metadata?: ObjectMeta;
  readonly spec: PersistentVolumeClaimSpec;
}

/** io.k8s.api.core.v1.PersistentVolumeClaimVolumeSource. */
export interface PersistentVolumeClaimVolumeSource {
  readonly claimName: string;
  readonly readOnly?: boolean;
}

/** io.k8s.api.core.v1.PhotonPersistentDiskVolumeSource. */
export interface PhotonPersistentDiskVolumeSource {
  readonly fsType?: string;
  readonly pdID: string;
}

/** v1 Pod. */
export interface Pod {
  readonly apiVersion: 'v1';
  readonly kind: 'Pod';
  readonly metadata?: ObjectMeta;
  readonly spec?: PodSpec;
  readonly status?: PodStatus;
}

/** io.k8s.api.core.v1.PodAffinity. */
export interface PodAffinity {
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[];
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
}

/** io.k8s.api.core.v1.PodAffinityTerm. */
export interface PodAffinityTerm {
  readonly labelSelector?: LabelSelector;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
  readonly namespaceSelector?: LabelSelector;
  readonly namespaces?: readonly string[];
  readonly topologyKey: string;
}

/** io.k8s.api.core.v1.PodAntiAffinity. */
export interface PodAntiAffinity {
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[];
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
}

/** io.k8s.api.core.v1.PodCertificateProjection. */
export interface PodCertificateProjection {
  readonly certificateChainPath?: string;
  readonly credentialBundlePath?: string;
  readonly keyPath?: string;
  readonly keyType: string;
  readonly maxExpirationSeconds?: number;
  readonly signerName: string;
  readonly user?: number;
  readonly userAnnotations?: { readonly [key: string]: string };
}

/** io.k8s.api.core.v1.PodCondition. */
export interface PodCondition {
  readonly lastProbeTime?: string;
  readonly lastTransitionTime?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}

/** io.k8s.api.core.v1.PodDNSConfig. */
export interface PodDNSConfig {
  readonly nameservers?: readonly string[];
  readonly options?: readonly PodDNSConfigOption[];
  readonly searches?: readonly string[];
}

/** io.k8s.api.core.v1.PodDNSConfigOption. */
export interface PodDNSConfigOption {
  readonly name?: string;
  readonly value?: string;
}

/** policy/v1 PodDisruptionBudget. */
export interface PodDisruptionBudget {
  readonly apiVersion: 'policy/v1';
  readonly kind: 'PodDisruptionBudget';
  readonly metadata?: ObjectMeta;
  readonly spec?: PodDisruptionBudgetSpec;
  readonly status?: PodDisruptionBudgetStatus;
}

/** io.k8s.api.policy.v1.PodDisruptionBudgetSpec. */
export interface PodDisruptionBudgetSpec {
  readonly maxUnavailable?: number | string;
  readonly minAvailable?: number | string;
  readonly selector?: LabelSelector;
  readonly unhealthyPodEvictionPolicy?: string;
}

/** io.k8s.api.policy.v1.PodDisruptionBudgetStatus. */
export interface PodDisruptionBudgetStatus {
  readonly conditions?: readonly Condition[];
  readonly currentHealthy?: number;
  readonly desiredHealthy?: number;
  readonly disruptedPods?: { readonly [key: string]: string };
  readonly disruptionsAllowed?: number;
  readonly expectedPods?: number;
  readonly observedGeneration?: number;
}

/** io.k8s.api.core.v1.PodExtendedResourceClaimStatus. */
export interface PodExtendedResourceClaimStatus {
  readonly requestMappings: readonly ContainerExtendedResourceRequest[];
  readonly resourceClaimName: string;
}

/** io.k8s.api.batch.v1.PodFailurePolicy. */
export interface PodFailurePolicy {
  readonly rules: readonly PodFailurePolicyRule[];
}

/** io.k8s.api.batch.v1.PodFailurePolicyOnExitCodesRequirement. */
export interface PodFailurePolicyOnExitCodesRequirement {
  readonly containerName?: string;
  readonly operator: string;
  readonly values: readonly number[];
}

/** io.k8s.api.batch.v1.PodFailurePolicyOnPodConditionsPattern. */
export interface PodFailurePolicyOnPodConditionsPattern {
  readonly status?: string;
  readonly type: string;
}

/** io.k8s.api.batch.v1.PodFailurePolicyRule. */
export interface PodFailurePolicyRule {
  readonly action: string;
  readonly onExitCodes?: PodFailurePolicyOnExitCodesRequirement;
  readonly onPodConditions?: readonly PodFailurePolicyOnPodConditionsPattern[];
}

/** io.k8s.api.core.v1.PodIP. */
export interface PodIP {
  readonly ip: string;
}

/** io.k8s.api.core.v1.PodOS. */
export interface PodOS {
  readonly name: string;
}

/** io.k8s.api.core.v1.PodReadinessGate. */
export interface PodReadinessGate {
  readonly conditionType: string;
}

/** io.k8s.api.core.v1.PodResourceClaim. */
export interface PodResourceClaim {
  readonly name: string;
  readonly resourceClaimName?: string;
  readonly resourceClaimTemplateName?: string;
}

/** io.k8s.api.core.v1.PodResourceClaimStatus. */
export interface PodResourceClaimStatus {
  readonly name: string;
  readonly resourceClaimName?: string;
}

/** io.k8s.api.core.v1.PodSchedulingGate. */
export interface PodSchedulingGate {
  readonly name: string;
}

/** io.k8s.api.core.v1.PodSchedulingGroup. */
export interface PodSchedulingGroup {
  readonly podGroupName?: string;
}

/** io.k8s.api.core.v1.PodSecurityContext. */
export interface PodSecurityContext {
  readonly appArmorProfile?: AppArmorProfile;
  readonly fsGroup?: number;
  readonly fsGroupChangePolicy?: string;
  readonly runAsGroup?: number;
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly seLinuxChangePolicy?: string;
  readonly seLinuxOptions?: SELinuxOptions;
  readonly seccompProfile?: SeccompProfile;
  readonly supplementalGroups?: readonly number[];
  readonly supplementalGroupsPolicy?: string;
  readonly sysctls?: readonly Sysctl[];
  readonly windowsOptions?: WindowsSecurityContextOptions;
}

/** io.k8s.api.core.v1.PodSpec. */
export interface PodSpec {
  readonly activeDeadlineSeconds?: number;
  readonly affinity?: Affinity;
  readonly automountServiceAccountToken?: boolean;
  readonly containers: readonly Container[];
  readonly dnsConfig?: PodDNSConfig;
  readonly dnsPolicy?: string;
  readonly enableServiceLinks?: boolean;
  readonly ephemeralContainers?: readonly EphemeralContainer[];
  readonly evictionResponders?: readonly EvictionResponder[];
  readonly hostAliases?: readonly HostAlias[];
  readonly hostIPC?: boolean;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostUsers?: boolean;
  readonly hostname?: string;
  readonly hostnameOverride?: string;
  readonly imagePullSecrets?: readonly LocalObjectReference[];
  readonly initContainers?: readonly Container[];
  readonly nodeName?: string;
  readonly nodeSelector?: { readonly [key: string]: string };
  readonly os?: PodOS;
  readonly overhead?: { readonly [key: string]: number | string };
  readonly preemptionPolicy?: string;
  readonly priority?: number;
  readonly priorityClassName?: string;
  readonly readinessGates?: readonly PodReadinessGate[];
  readonly resourceClaims?: readonly PodResourceClaim[];
  readonly resources?: ResourceRequirements;
  readonly restartPolicy?: string;
  readonly runtimeClassName?: string;
  readonly schedulerName?: string;
  readonly schedulingGates?: readonly PodSchedulingGate[];
  readonly schedulingGroup?: PodSchedulingGroup;
  readonly securityContext?: PodSecurityContext;
  readonly serviceAccount?: string;
  readonly serviceAccountName?: string;
  readonly setHostnameAsFQDN?: boolean;
  readonly shareProcessNamespace?: boolean;
  readonly subdomain?: string;
  readonly terminationGracePeriodSeconds?: number;
  readonly tolerations?: readonly Toleration[];
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  readonly volumes?: readonly Volume[];
}

/** io.k8s.api.core.v1.PodStatus. */
export interface PodStatus {
  readonly allocatedResources?: { readonly [key: string]: number | string };
  readonly conditions?: readonly PodCondition[];
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
  readonly extendedResourceClaimStatus?: PodExtendedResourceClaimStatus;
  readonly hostIP?: string;
  readonly hostIPs?: readonly HostIP[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly message?: string;
  readonly nodeAllocatableResourceClaimStatuses?: readonly NodeAllocatableResourceClaimStatus[];
  readonly nominatedNodeName?: string;
  readonly observedGeneration?: number;
  readonly phase?: string;
  readonly podIP?: string;
  readonly podIPs?: readonly PodIP[];
  readonly qosClass?: string;
  readonly reason?: string;
  readonly resize?: string;
  readonly resourceClaimStatuses?: readonly PodResourceClaimStatus[];
  readonly resources?: ResourceRequirements;
  readonly startTime?: string;
  readonly volumeHealth?: readonly PodVolumeHealth[];
}

/** io.k8s.api.core.v1.PodTemplateSpec. */
export interface PodTemplateSpec {
  readonly metadata?: ObjectMeta;
  readonly spec?: PodSpec;
}

/** io.k8s.api.core.v1.PodVolumeHealth. */
export interface PodVolumeHealth {
  readonly healthConditions?: readonly VolumeHealthCondition[];
  readonly lastTransitionTime?: string;
  readonly name: string;
}

/** io.k8s.api.autoscaling.v2.PodsMetricSource. */
export interface PodsMetricSource {
  readonly metric: MetricIdentifier;
  readonly target: MetricTarget;
}

/** io.k8s.api.autoscaling.v2.PodsMetricStatus. */
export interface PodsMetricStatus {
  readonly current: MetricValueStatus;
  readonly metric: MetricIdentifier;
}

/** io.k8s.api.core.v1.PortStatus. */
export interface PortStatus {
  readonly error?: string;
  readonly port: number;
  readonly protocol: string;
}

/** io.k8s.api.core.v1.PortworxVolumeSource. */
export interface PortworxVolumeSource {
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly volumeID: string;
}

/** io.k8s.api.core.v1.PreferredSchedulingTerm. */
export interface PreferredSchedulingTerm {
  readonly preference: NodeSelectorTerm;
  readonly weight: number;
}

/** io.k8s.api.core.v1.Probe. */
export interface Probe {
  readonly exec?: ExecAction;
  readonly failureThreshold?: number;
  readonly grpc?: GRPCAction;
  readonly httpGet?: HTTPGetAction;
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly tcpSocket?: TCPSocketAction;
  readonly terminationGracePeriodSeconds?: number;
  readonly timeoutSeconds?: number;
}

/** io.k8s.api.core.v1.ProjectedVolumeSource. */
export interface ProjectedVolumeSource {
  readonly defaultMode?: number;
  readonly defaultUser?: number;
  readonly sources?: readonly VolumeProjection[];
}

/** io.k8s.api.core.v1.QuobyteVolumeSource. */
export interface QuobyteVolumeSource {
  readonly group?: string;
  readonly readOnly?: boolean;
  readonly registry: string;
  readonly tenant?: string;
  readonly user?: string;
  readonly volume: string;
}

/** io.k8s.api.core.v1.RBDVolumeSource. */
export interface RBDVolumeSource {
  readonly fsType?: string;
  readonly image: string;
  readonly keyring?: string;
  readonly monitors: readonly string[];
  readonly pool?: string;
  readonly readOnly?: boolean;
  readonly secretRef?: LocalObjectReference;
  readonly user?: string;
}

/** io.k8s.api.core.v1.ResourceClaim. */
export interface ResourceClaim {
  readonly name: string;
  readonly request?: string;
}

/** io.k8s.api.core.v1.ResourceFieldSelector. */
export interface ResourceFieldSelector {
  readonly containerName?: string;
  readonly divisor?: number | string;
  readonly resource: string;
}

/** io.k8s.api.core.v1.ResourceHealth. */
export interface ResourceHealth {
  readonly health?: string;
  readonly message?: string;
  readonly resourceID: string;
}

/** io.k8s.api.autoscaling.v2.ResourceMetricSource. */
export interface ResourceMetricSource {
  readonly name: string;
  readonly target: MetricTarget;
}

/** io.k8s.api.autoscaling.v2.ResourceMetricStatus. */
export interface ResourceMetricStatus {
  readonly current: MetricValueStatus;
  readonly name: string;
}

/** io.k8s.api.core.v1.ResourceRequirements. */
export interface ResourceRequirements {
  readonly claims?: readonly ResourceClaim[];
  readonly limits?: { readonly [key: string]: number | string };
  readonly requests?: { readonly [key: string]: number | string };
}

/** io.k8s.api.core.v1.ResourceStatus. */
export interface ResourceStatus {
  readonly name: string;
  readonly resources?: readonly ResourceHealth[];
}

/** io.k8s.api.apps.v1.RollingUpdateDeployment. */
export interface RollingUpdateDeployment {
  readonly maxSurge?: number | string;
  readonly maxUnavailable?: number | string;
}

/** io.k8s.api.apps.v1.RollingUpdateStatefulSetStrategy. */
export interface RollingUpdateStatefulSetStrategy {
  readonly maxUnavailable?: number | string;
  readonly partition?: number;
}

/** io.k8s.api.core.v1.SELinuxOptions. */
export interface SELinuxOptions {
  readonly level?: string;
  readonly role?: string;
  readonly type?: string;
  readonly user?: string;
}

/** io.k8s.api.core.v1.ScaleIOVolumeSource. */
export interface ScaleIOVolumeSource {
  readonly fsType?: string;
  readonly gateway: string;
  readonly protectionDomain?: string;
  readonly readOnly?: boolean;
  readonly secretRef: LocalObjectReference;
  readonly sslEnabled?: boolean;
  readonly storageMode?: string;
  readonly storagePool?: string;
  readonly system: string;
  readonly volumeName?: string;
}

/** io.k8s.api.core.v1.SeccompProfile. */
export interface SeccompProfile {
  readonly localhostProfile?: string;
  readonly type: string;
}

/** v1 Secret. */
export interface Secret {
  readonly apiVersion: 'v1';
  readonly data?: { readonly [key: string]: string };
  readonly immutable?: boolean;
  readonly kind: 'Secret';
  readonly metadata?: ObjectMeta;
  readonly stringData?: { readonly [key: string]: string };
  readonly type?: string;
}

/** io.k8s.api.core.v1.SecretEnvSource. */
export interface SecretEnvSource {
  readonly name?: string;
  readonly optional?: boolean;
}

/** io.k8s.api.core.v1.SecretKeySelector. */
export interface SecretKeySelector {
  readonly key: string;
  readonly name?: string;
  readonly optional?: boolean;
}

/** io.k8s.api.core.v1.SecretProjection. */
export interface SecretProjection {
  readonly items?: readonly KeyToPath[];
  readonly name?: string;
  readonly optional?: boolean;
}

/** io.k8s.api.core.v1.SecretVolumeSource. */
export interface SecretVolumeSource {
  readonly defaultMode?: number;
  readonly defaultUser?: number;
  readonly items?: readonly KeyToPath[];
  readonly optional?: boolean;
  readonly secretName?: string;
}

/** io.k8s.api.core.v1.SecurityContext. */
export interface SecurityContext {
  readonly allowPrivilegeEscalation?: boolean;
  readonly appArmorProfile?: AppArmorProfile;
  readonly capabilities?: Capabilities;
  readonly privileged?: boolean;
  readonly procMount?: string;
  readonly readOnlyRootFilesystem?: boolean;
  readonly runAsGroup?: number;
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly seLinuxOptions?: SELinuxOptions;
  readonly seccompProfile?: SeccompProfile;
  readonly windowsOptions?: WindowsSecurityContextOptions;
}

/** v1 Service. */
export interface Service {
  readonly apiVersion: 'v1';
  readonly kind: 'Service';
  readonly metadata?: ObjectMeta;
  readonly spec?: ServiceSpec;
  readonly status?: ServiceStatus;
}

/** v1 ServiceAccount. */
export interface ServiceAccount {
  readonly apiVersion: 'v1';
  readonly automountServiceAccountToken?: boolean;
  readonly imagePullSecrets?: readonly LocalObjectReference[];
  readonly kind: 'ServiceAccount';
  readonly metadata?: ObjectMeta;
  readonly secrets?: readonly ObjectReference[];
}

/** io.k8s.api.core.v1.ServiceAccountTokenProjection. */
export interface ServiceAccountTokenProjection {
  readonly audience?: string;
  readonly expirationSeconds?: number;
  readonly path: string;
  readonly user?: number;
}

/** io.k8s.api.networking.v1.ServiceBackendPort. */
export interface ServiceBackendPort {
  readonly name?: string;
  readonly number?: number;
}

/** io.k8s.api.core.v1.ServicePort. */
export interface ServicePort {
  readonly appProtocol?: string;
  readonly name?: string;
  readonly nodePort?: number;
  readonly port: number;
  readonly protocol?: string;
  readonly targetPort?: number | string;
}

/** io.k8s.api.core.v1.ServiceSpec. */
export interface ServiceSpec {
  readonly allocateLoadBalancerNodePorts?: boolean;
  readonly clusterIP?: string;
  readonly clusterIPs?: readonly string[];
  readonly externalIPs?: readonly string[];
  readonly externalName?: string;
  readonly externalTrafficPolicy?: string;
  readonly healthCheckNodePort?: number;
  readonly internalTrafficPolicy?: string;
  readonly ipFamilies?: readonly string[];
  readonly ipFamilyPolicy?: string;
  readonly loadBalancerClass?: string;
  readonly loadBalancerIP?: string;
  readonly loadBalancerSourceRanges?: readonly string[];
  readonly ports?: readonly ServicePort[];
  readonly publishNotReadyAddresses?: boolean;
  readonly selector?: { readonly [key: string]: string };
  readonly sessionAffinity?: string;
  readonly sessionAffinityConfig?: SessionAffinityConfig;
  readonly trafficDistribution?: string;
  readonly type?: string;
}

/** io.k8s.api.core.v1.ServiceStatus. */
export interface ServiceStatus {
  readonly conditions?: readonly Condition[];
  readonly loadBalancer?: LoadBalancerStatus;
}

/** io.k8s.api.core.v1.SessionAffinityConfig. */
export interface SessionAffinityConfig {
  readonly clientIP?: ClientIPConfig;
}

/** io.k8s.api.core.v1.SleepAction. */
export interface SleepAction {
  readonly seconds: number;
}

/** apps/v1 StatefulSet. */
export interface StatefulSet {
  readonly apiVersion: 'apps/v1';
  readonly kind: 'StatefulSet';
  readonly metadata?: ObjectMeta;
  readonly spec: StatefulSetSpec;
  readonly status?: StatefulSetStatus;
}

/** io.k8s.api.apps.v1.StatefulSetCondition. */
export interface StatefulSetCondition {
  readonly lastTransitionTime?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly status?: string;
  readonly type?: string;
}

/** io.k8s.api.apps.v1.StatefulSetOrdinals. */
export interface StatefulSetOrdinals {
  readonly start?: number;
}

/** io.k8s.api.apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy. */
export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  readonly whenDeleted?: string;
  readonly whenScaled?: string;
}

/** io.k8s.api.apps.v1.StatefulSetSpec. */
export interface StatefulSetSpec {
  readonly minReadySeconds?: number;
  readonly ordinals?: StatefulSetOrdinals;
  readonly persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  readonly podManagementPolicy?: string;
  readonly replicas?: number;
  readonly revisionHistoryLimit?: number;
  readonly selector: LabelSelector;
  readonly serviceName?: string;
  readonly template: PodTemplateSpec;
  readonly updateStrategy?: StatefulSetUpdateStrategy;
  readonly volumeClaimTemplates?: readonly PersistentVolumeClaim[];
}

/** io.k8s.api.apps.v1.StatefulSetStatus. */
export interface StatefulSetStatus {
  readonly availableReplicas?: number;
  readonly collisionCount?: number;
  readonly conditions?: readonly StatefulSetCondition[];
  readonly currentReplicas?: number;
  readonly currentRevision?: string;
  readonly observedGeneration?: number;
  readonly readyReplicas?: number;
  readonly replicas: number;
  readonly updateRevision?: string;
  readonly updatedReplicas?: number;
}

/** io.k8s.api.apps.v1.StatefulSetUpdateStrategy. */
export interface StatefulSetUpdateStrategy {
  readonly rollingUpdate?: RollingUpdateStatefulSetStrategy;
  readonly type?: string;
}

/** io.k8s.api.core.v1.StorageOSVolumeSource. */
export interface StorageOSVolumeSource {
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly secretRef?: LocalObjectReference;
  readonly volumeName?: string;
  readonly volumeNamespace?: string;
}

/** io.k8s.api.batch.v1.SuccessPolicy. */
export interface SuccessPolicy {
  readonly rules: readonly SuccessPolicyRule[];
}

/** io.k8s.api.batch.v1.SuccessPolicyRule. */
export interface SuccessPolicyRule {
  readonly succeededCount?: number;
  readonly succeededIndexes?: string;
}

/** io.k8s.api.core.v1.Sysctl. */
export interface Sysctl {
  readonly name: string;
  readonly value: string;
}

/** io.k8s.api.core.v1.TCPSocketAction. */
export interface TCPSocketAction {
  readonly host?: string;
  readonly port: number | string;
}

/** io.k8s.api.core.v1.Toleration. */
export interface Toleration {
  readonly effect?: string;
  readonly key?: string;
  readonly operator?: string;
  readonly tolerationSeconds?: number;
  readonly value?: string;
}

/** io.k8s.api.scheduling.v1alpha3.TopologyConstraint. */
export interface TopologyConstraint {
  readonly key: string;
}

/** io.k8s.api.core.v1.TopologySpreadConstraint. */
export interface TopologySpreadConstraint {
  readonly labelSelector?: LabelSelector;
  readonly matchLabelKeys?: readonly string[];
  readonly maxSkew: number;
  readonly minDomains?: number;
  readonly nodeAffinityPolicy?: string;
  readonly nodeTaintsPolicy?: string;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: string;
}

/** io.k8s.api.core.v1.TypedLocalObjectReference. */
export interface TypedLocalObjectReference {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
}

/** io.k8s.api.core.v1.TypedObjectReference. */
export interface TypedObjectReference {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** io.k8s.api.batch.v1.UncountedTerminatedPods. */
export interface UncountedTerminatedPods {
  readonly failed?: readonly string[];
  readonly succeeded?: readonly string[];
}

/** io.k8s.api.core.v1.Volume. */
export interface Volume {
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  readonly azureDisk?: AzureDiskVolumeSource;
  readonly azureFile?: AzureFileVolumeSource;
  readonly cephfs?: CephFSVolumeSource;
  readonly cinder?: CinderVolumeSource;
  readonly configMap?: ConfigMapVolumeSource;
  readonly csi?: CSIVolumeSource;
  readonly downwardAPI?: DownwardAPIVolumeSource;
  readonly emptyDir?: EmptyDirVolumeSource;
  readonly ephemeral?: EphemeralVolumeSource;
  readonly fc?: FCVolumeSource;
  readonly flexVolume?: FlexVolumeSource;
  readonly flocker?: FlockerVolumeSource;
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  readonly gitRepo?: GitRepoVolumeSource;
  readonly glusterfs?: GlusterfsVolumeSource;
  readonly hostPath?: HostPathVolumeSource;
  readonly image?: ImageVolumeSource;
  readonly iscsi?: ISCSIVolumeSource;
  readonly name: string;
  readonly nfs?: NFSVolumeSource;
  readonly persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  readonly portworxVolume?: PortworxVolumeSource;
  readonly projected?: ProjectedVolumeSource;
  readonly quobyte?: QuobyteVolumeSource;
  readonly rbd?: RBDVolumeSource;
  readonly scaleIO?: ScaleIOVolumeSource;
  readonly secret?: SecretVolumeSource;
  readonly storageos?: StorageOSVolumeSource;
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource;
}

/** io.k8s.api.core.v1.VolumeDevice. */
export interface VolumeDevice {
  readonly devicePath: string;
  readonly name: string;
}

/** io.k8s.api.core.v1.VolumeHealthCondition. */
export interface VolumeHealthCondition {
  readonly message?: string;
  readonly reason: string;
  readonly status: string;
}

/** io.k8s.api.core.v1.VolumeHealthStatus. */
export interface VolumeHealthStatus {
  readonly healthConditions?: readonly VolumeHealthCondition[];
  readonly lastTransitionTime?: string;
}

/** io.k8s.api.core.v1.VolumeMount. */
export interface VolumeMount {
  readonly bindMountOptions?: readonly string[];
  readonly mountPath: string;
  readonly mountPropagation?: string;
  readonly name: string;
  readonly readOnly?: boolean;
  readonly recursiveReadOnly?: string;
  readonly subPath?: string;
  readonly subPathExpr?: string;
}

/** io.k8s.api.core.v1.VolumeMountStatus. */
export interface VolumeMountStatus {
  readonly mountPath: string;
  readonly name: string;
  readonly readOnly?: boolean;
  readonly recursiveReadOnly?: string;
  readonly volumeStatus?: VolumeStatus;
}

/** io.k8s.api.core.v1.VolumeProjection. */
export interface VolumeProjection {
  readonly clusterTrustBundle?: ClusterTrustBundleProjection;
  readonly configMap?: ConfigMapProjection;
  readonly downwardAPI?: DownwardAPIProjection;
  readonly podCertificate?: PodCertificateProjection;
  readonly secret?: SecretProjection;
  readonly serviceAccountToken?: ServiceAccountTokenProjection;
}

/** io.k8s.api.core.v1.VolumeResourceRequirements. */
export interface VolumeResourceRequirements {
  readonly limits?: { readonly [key: string]: number | string };
  readonly requests?: { readonly [key: string]: number | string };
}

/** io.k8s.api.core.v1.VolumeStatus. */
export interface VolumeStatus {
  readonly image?: ImageVolumeStatus;
}

/** io.k8s.api.core.v1.VsphereVirtualDiskVolumeSource. */
export interface VsphereVirtualDiskVolumeSource {
  readonly fsType?: string;
  readonly storagePolicyID?: string;
  readonly storagePolicyName?: string;
  readonly volumePath: string;
}

/** io.k8s.api.core.v1.WeightedPodAffinityTerm. */
export interface WeightedPodAffinityTerm {
  readonly podAffinityTerm: PodAffinityTerm;
  readonly weight: number;
}

/** io.k8s.api.core.v1.WindowsSecurityContextOptions. */
export interface WindowsSecurityContextOptions {
  readonly gmsaCredentialSpec?: string;
  readonly gmsaCredentialSpecName?: string;
  readonly hostProcess?: boolean;
  readonly runAsUserName?: string;
}

/** io.k8s.api.scheduling.v1alpha3.WorkloadPodGroupAllDisruptionMode. */
export type WorkloadPodGroupAllDisruptionMode = { readonly [field: string]: unknown };

/** io.k8s.api.scheduling.v1alpha3.WorkloadPodGroupBasicSchedulingPolicy. */
export type WorkloadPodGroupBasicSchedulingPolicy = { readonly [field: string]: unknown };

/** io.k8s.api.scheduling.v1alpha3.WorkloadPodGroupDisruptionMode. */
export interface WorkloadPodGroupDisruptionMode {
  readonly all?: WorkloadPodGroupAllDisruptionMode;
  readonly single?: WorkloadPodGroupSingleDisruptionMode;
}

/** io.k8s.api.scheduling.v1alpha3.WorkloadPodGroupGangSchedulingPolicy. */
export interface WorkloadPodGroupGangSchedulingPolicy {
  readonly minCount?: number;
}

/** io.k8s.api.scheduling.v1alpha3.WorkloadPodGroupResourceClaim. */
export interface WorkloadPodGroupResourceClaim {
  readonly name: string;
  readonly resourceClaimName?: string;
  readonly resourceClaimTemplateName?: string;
}

/** io.k8s.api.scheduling.v1alpha3.WorkloadPodGroupSchedulingConstraints. */
export interface WorkloadPodGroupSchedulingConstraints {
  readonly topology?: readonly TopologyConstraint[];
}

/** io.k8s.api.scheduling.v1alpha3.WorkloadPodGroupSchedulingPolicy. */
export interface WorkloadPodGroupSchedulingPolicy {
  readonly basic?: WorkloadPodGroupBasicSchedulingPolicy;
  readonly gang?: WorkloadPodGroupGangSchedulingPolicy;
}

/** io.k8s.api.scheduling.v1alpha3.WorkloadPodGroupSingleDisruptionMode. */
export type WorkloadPodGroupSingleDisruptionMode = { readonly [field: string]: unknown };
