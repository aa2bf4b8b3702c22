package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var groupVersion = schema.GroupVersion{Group: "inference.inferno.io", Version: "v1alpha1"}

// InferenceService has the fields of the custom resource that the benchmark uses.
type InferenceService struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   InferenceServiceSpec   `json:"spec"`
	Status InferenceServiceStatus `json:"status,omitempty"`
}

type InferenceServiceSpec struct {
	Model struct {
		URI       string `json:"uri"`
		Framework string `json:"framework"`
		Version   string `json:"version"`
		SecretRef *struct {
			Name string `json:"name"`
		} `json:"secretRef,omitempty"`
	} `json:"model"`
	Replicas struct {
		Min int32 `json:"min"`
		Max int32 `json:"max"`
	} `json:"replicas"`
	Autoscaling struct {
		Enabled bool `json:"enabled"`
	} `json:"autoscaling"`
	Resources struct {
		CPU    *resource.Quantity `json:"cpu,omitempty"`
		Memory *resource.Quantity `json:"memory,omitempty"`
		GPU    *resource.Quantity `json:"gpu,omitempty"`
	} `json:"resources,omitempty"`
	Args         []string            `json:"args,omitempty"`
	Env          []corev1.EnvVar     `json:"env,omitempty"`
	NodeSelector map[string]string   `json:"nodeSelector,omitempty"`
	Tolerations  []corev1.Toleration `json:"tolerations,omitempty"`
}

type InferenceServiceStatus struct {
	Phase              string             `json:"phase,omitempty"`
	ReadyReplicas      int32              `json:"readyReplicas"`
	Message            string             `json:"message,omitempty"`
	LastUpdateTime     *metav1.Time       `json:"lastUpdateTime,omitempty"`
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

type InferenceServiceList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []InferenceService `json:"items"`
}

func (in *InferenceService) DeepCopy() *InferenceService {
	out := *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	spec := &out.Spec
	if ref := spec.Model.SecretRef; ref != nil {
		secretRef := *ref
		spec.Model.SecretRef = &secretRef
	}
	for _, quantity := range []**resource.Quantity{&spec.Resources.CPU, &spec.Resources.Memory, &spec.Resources.GPU} {
		if *quantity != nil {
			value := (*quantity).DeepCopy()
			*quantity = &value
		}
	}
	spec.Args = append([]string(nil), spec.Args...)
	spec.Env = copyEach(spec.Env, (*corev1.EnvVar).DeepCopyInto)
	spec.Tolerations = copyEach(spec.Tolerations, (*corev1.Toleration).DeepCopyInto)
	if in.Spec.NodeSelector != nil {
		spec.NodeSelector = make(map[string]string, len(in.Spec.NodeSelector))
		for key, value := range in.Spec.NodeSelector {
			spec.NodeSelector[key] = value
		}
	}
	out.Status.LastUpdateTime = in.Status.LastUpdateTime.DeepCopy()
	out.Status.Conditions = copyEach(in.Status.Conditions, (*metav1.Condition).DeepCopyInto)
	return &out
}

func (in *InferenceService) DeepCopyObject() runtime.Object {
	return in.DeepCopy()
}

func (in *InferenceServiceList) DeepCopyObject() runtime.Object {
	out := *in
	in.ListMeta.DeepCopyInto(&out.ListMeta)
	out.Items = make([]InferenceService, 0, len(in.Items))
	for i := range in.Items {
		out.Items = append(out.Items, *in.Items[i].DeepCopy())
	}
	return &out
}

func copyEach[T any](in []T, into func(from, to *T)) []T {
	if in == nil {
		return nil
	}
	out := make([]T, len(in))
	for i := range in {
		into(&in[i], &out[i])
	}
	return out
}

func addToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(groupVersion, &InferenceService{}, &InferenceServiceList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
	return nil
}
