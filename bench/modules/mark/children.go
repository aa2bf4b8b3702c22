package main

import (
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
	appsac "k8s.io/client-go/applyconfigurations/apps/v1"
	autoscalingac "k8s.io/client-go/applyconfigurations/autoscaling/v2"
	coreac "k8s.io/client-go/applyconfigurations/core/v1"
	metaac "k8s.io/client-go/applyconfigurations/meta/v1"
)

const (
	managedByLabel = "app.kubernetes.io/managed-by"
	managedBy      = "mark"
)

// The children are as large as those that Inferno makes of the same resource, apart from its own taste.

func labelsOf(service *InferenceService) map[string]string {
	return map[string]string{
		"app":                         service.Name,
		"app.kubernetes.io/component": "inference-server",
		managedByLabel:                managedBy,
		"app.kubernetes.io/name":      service.Name,
		"app.kubernetes.io/part-of":   "inferno",
		"operator":                    "inferno",
	}
}

func selectorOf(service *InferenceService) map[string]string {
	return map[string]string{"app": service.Name, "operator": "inferno"}
}

func ownerOf(service *InferenceService) *metaac.OwnerReferenceApplyConfiguration {
	return metaac.OwnerReference().
		WithAPIVersion(groupVersion.String()).
		WithKind("InferenceService").
		WithName(service.Name).
		WithUID(service.UID).
		WithController(true).
		WithBlockOwnerDeletion(true)
}

func deploymentOf(service *InferenceService) *appsac.DeploymentApplyConfiguration {
	spec := appsac.DeploymentSpec().
		WithProgressDeadlineSeconds(2400).
		WithSelector(metaac.LabelSelector().WithMatchLabels(selectorOf(service))).
		WithStrategy(appsac.DeploymentStrategy().
			WithType(appsv1.RollingUpdateDeploymentStrategyType).
			WithRollingUpdate(appsac.RollingUpdateDeployment().
				WithMaxSurge(intstr.FromInt32(1)).
				WithMaxUnavailable(intstr.FromInt32(0)))).
		WithTemplate(coreac.PodTemplateSpec().
			WithLabels(labelsOf(service)).
			WithSpec(podOf(service)))
	if !service.Spec.Autoscaling.Enabled {
		spec.WithReplicas(service.Spec.Replicas.Min)
	}
	return appsac.Deployment(service.Name, service.Namespace).
		WithLabels(labelsOf(service)).
		WithOwnerReferences(ownerOf(service)).
		WithSpec(spec)
}

func podOf(service *InferenceService) *coreac.PodSpecApplyConfiguration {
	pod := coreac.PodSpec().
		WithAutomountServiceAccountToken(false).
		WithEnableServiceLinks(false).
		WithTerminationGracePeriodSeconds(90).
		WithSecurityContext(coreac.PodSecurityContext().
			WithRunAsNonRoot(true).
			WithRunAsUser(65532).
			WithRunAsGroup(65532).
			WithSeccompProfile(coreac.SeccompProfile().WithType(corev1.SeccompProfileTypeRuntimeDefault))).
		WithVolumes(
			coreac.Volume().WithName("shm").WithEmptyDir(coreac.EmptyDirVolumeSource().
				WithMedium(corev1.StorageMediumMemory).
				WithSizeLimit(resource.MustParse("2Gi"))),
			coreac.Volume().WithName("tmp").WithEmptyDir(coreac.EmptyDirVolumeSource())).
		WithContainers(containerOf(service))
	if service.Spec.NodeSelector != nil {
		pod.WithNodeSelector(service.Spec.NodeSelector)
	}
	for _, each := range service.Spec.Tolerations {
		toleration := coreac.Toleration().WithKey(each.Key).WithOperator(each.Operator).WithEffect(each.Effect)
		if each.Value != "" {
			toleration.WithValue(each.Value)
		}
		pod.WithTolerations(toleration)
	}
	return pod
}

func containerOf(service *InferenceService) *coreac.ContainerApplyConfiguration {
	model := service.Spec.Model
	container := coreac.Container().
		WithName("inference-server").
		WithImage("vllm/vllm-openai:v0.33.0").
		WithCommand("vllm", "serve").
		WithArgs(strings.TrimPrefix(model.URI, "hf://"), "--port=8000", "--served-model-name="+service.Name).
		WithArgs(service.Spec.Args...).
		WithEnv(
			coreac.EnvVar().WithName("MODEL_URI").WithValue(model.URI),
			coreac.EnvVar().WithName("MODEL_VERSION").WithValue(model.Version),
			coreac.EnvVar().WithName("HOME").WithValue("/tmp")).
		WithPorts(coreac.ContainerPort().WithName("http").WithContainerPort(8000).WithProtocol(corev1.ProtocolTCP)).
		WithLifecycle(coreac.Lifecycle().WithPreStop(coreac.LifecycleHandler().
			WithSleep(coreac.SleepAction().WithSeconds(15)))).
		WithStartupProbe(probe(5, 5, 360)).
		WithReadinessProbe(probe(5, 5, 3)).
		WithLivenessProbe(probe(10, 10, 6)).
		WithResources(resourcesOf(service)).
		WithSecurityContext(coreac.SecurityContext().
			WithAllowPrivilegeEscalation(false).
			WithReadOnlyRootFilesystem(true).
			WithCapabilities(coreac.Capabilities().WithDrop("ALL"))).
		WithVolumeMounts(
			coreac.VolumeMount().WithName("shm").WithMountPath("/dev/shm"),
			coreac.VolumeMount().WithName("tmp").WithMountPath("/tmp"))
	if model.SecretRef != nil {
		container.WithEnv(coreac.EnvVar().WithName("HF_TOKEN").WithValueFrom(coreac.EnvVarSource().
			WithSecretKeyRef(coreac.SecretKeySelector().WithName(model.SecretRef.Name).WithKey("token"))))
	}
	for _, each := range service.Spec.Env {
		container.WithEnv(coreac.EnvVar().WithName(each.Name).WithValue(each.Value))
	}
	return container
}

func probe(period, timeout, failures int32) *coreac.ProbeApplyConfiguration {
	return coreac.Probe().
		WithHTTPGet(coreac.HTTPGetAction().
			WithPath("/health").
			WithPort(intstr.FromString("http")).
			WithScheme(corev1.URISchemeHTTP)).
		WithPeriodSeconds(period).
		WithTimeoutSeconds(timeout).
		WithSuccessThreshold(1).
		WithFailureThreshold(failures)
}

func resourcesOf(service *InferenceService) *coreac.ResourceRequirementsApplyConfiguration {
	requests := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2"), corev1.ResourceMemory: resource.MustParse("8Gi")}
	limits := corev1.ResourceList{}
	given := service.Spec.Resources
	if given.CPU != nil {
		requests[corev1.ResourceCPU] = *given.CPU
	}
	if given.Memory != nil {
		requests[corev1.ResourceMemory] = *given.Memory
		limits[corev1.ResourceMemory] = *given.Memory
	}
	if given.GPU != nil {
		requests["nvidia.com/gpu"] = *given.GPU
		limits["nvidia.com/gpu"] = *given.GPU
	}
	return coreac.ResourceRequirements().WithRequests(requests).WithLimits(limits)
}

func serviceOf(service *InferenceService) *coreac.ServiceApplyConfiguration {
	return coreac.Service(service.Name, service.Namespace).
		WithLabels(labelsOf(service)).
		WithOwnerReferences(ownerOf(service)).
		WithSpec(coreac.ServiceSpec().
			WithType(corev1.ServiceTypeClusterIP).
			WithSelector(selectorOf(service)).
			WithPorts(coreac.ServicePort().
				WithName("http").
				WithPort(80).
				WithProtocol(corev1.ProtocolTCP).
				WithTargetPort(intstr.FromString("http"))))
}

func autoscalerOf(service *InferenceService) *autoscalingac.HorizontalPodAutoscalerApplyConfiguration {
	return autoscalingac.HorizontalPodAutoscaler(service.Name, service.Namespace).
		WithLabels(labelsOf(service)).
		WithOwnerReferences(ownerOf(service)).
		WithSpec(autoscalingac.HorizontalPodAutoscalerSpec().
			WithMinReplicas(service.Spec.Replicas.Min).
			WithMaxReplicas(service.Spec.Replicas.Max).
			WithScaleTargetRef(autoscalingac.CrossVersionObjectReference().
				WithAPIVersion("apps/v1").
				WithKind("Deployment").
				WithName(service.Name)).
			WithMetrics(autoscalingac.MetricSpec().
				WithType(autoscalingv2.ResourceMetricSourceType).
				WithResource(autoscalingac.ResourceMetricSource().
					WithName(corev1.ResourceCPU).
					WithTarget(autoscalingac.MetricTarget().
						WithType(autoscalingv2.UtilizationMetricType).
						WithAverageUtilization(80)))))
}
