package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

const hashAnnotation = "inference.inferno.io/applied-hash"

type reconciler struct {
	client.Client
}

func (r *reconciler) setup(manager ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(manager).
		For(&InferenceService{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&appsv1.Deployment{}).
		Owns(&corev1.Service{}).
		Owns(&autoscalingv2.HorizontalPodAutoscaler{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: 4}).
		Complete(r)
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	service := &InferenceService{}
	if err := r.Get(ctx, request.NamespacedName, service); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !service.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	if service.Spec.Autoscaling.Enabled && service.Spec.Replicas.Max < service.Spec.Replicas.Min {
		return ctrl.Result{}, r.writeStatus(ctx, service, &appsv1.Deployment{}, "replicas.max is less than replicas.min")
	}
	deployment := &appsv1.Deployment{}
	if err := ensure(ctx, r, deploymentOf(service), deployment, &appsv1.Deployment{}); err != nil {
		return ctrl.Result{}, err
	}
	if err := ensure(ctx, r, serviceOf(service), &corev1.Service{}, &corev1.Service{}); err != nil {
		return ctrl.Result{}, err
	}
	autoscaler := &autoscalingv2.HorizontalPodAutoscaler{}
	if service.Spec.Autoscaling.Enabled {
		if err := ensure(ctx, r, autoscalerOf(service), autoscaler, &autoscalingv2.HorizontalPodAutoscaler{}); err != nil {
			return ctrl.Result{}, err
		}
	} else if err := r.prune(ctx, service, autoscaler); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.writeStatus(ctx, service, deployment, "")
}

// annotated is what all apply configurations have.
type annotated[T any] interface {
	runtime.ApplyConfiguration
	WithAnnotations(entries map[string]string) T
}

// ensure applies a child unless its hash is the one that was applied last and every field has its value still.
func ensure[T annotated[T]](ctx context.Context, r *reconciler, child T, live, wanted client.Object) error {
	text, err := json.Marshal(child)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, wanted); err != nil {
		return err
	}
	sum := sha256.Sum256(text)
	hash := hex.EncodeToString(sum[:8])
	err = r.Get(ctx, client.ObjectKeyFromObject(wanted), live)
	switch {
	case apierrors.IsNotFound(err):
	case err != nil:
		return err
	default:
		owner := metav1.GetControllerOf(live)
		if owner == nil || owner.UID != metav1.GetControllerOf(wanted).UID {
			return fmt.Errorf("%T %s belongs to somebody else", live, client.ObjectKeyFromObject(live))
		}
		if live.GetAnnotations()[hashAnnotation] == hash && isAsWanted(wanted, live) {
			return nil
		}
	}
	child.WithAnnotations(map[string]string{hashAnnotation: hash})
	return r.Apply(ctx, child, client.FieldOwner(managedBy), client.ForceOwnership)
}

func isAsWanted(wanted, live client.Object) bool {
	if !equality.Semantic.DeepDerivative(wanted.GetLabels(), live.GetLabels()) {
		return false
	}
	switch object := wanted.(type) {
	case *appsv1.Deployment:
		return equality.Semantic.DeepDerivative(object.Spec, live.(*appsv1.Deployment).Spec)
	case *corev1.Service:
		return equality.Semantic.DeepDerivative(object.Spec, live.(*corev1.Service).Spec)
	case *autoscalingv2.HorizontalPodAutoscaler:
		return equality.Semantic.DeepDerivative(object.Spec, live.(*autoscalingv2.HorizontalPodAutoscaler).Spec)
	}
	return false
}

// prune deletes an autoscaler that is ours and no longer wanted.
func (r *reconciler) prune(ctx context.Context, service *InferenceService, autoscaler client.Object) error {
	err := r.Get(ctx, client.ObjectKeyFromObject(service), autoscaler)
	if err != nil || !metav1.IsControlledBy(autoscaler, service) {
		return client.IgnoreNotFound(err)
	}
	uid := autoscaler.GetUID()
	return client.IgnoreNotFound(r.Delete(ctx, autoscaler, client.Preconditions{UID: &uid}))
}

func (r *reconciler) writeStatus(ctx context.Context, service *InferenceService, deployment *appsv1.Deployment, invalid string) error {
	before := service.DeepCopy()
	status := &service.Status
	status.ObservedGeneration = service.Generation
	status.ReadyReplicas = deployment.Status.ReadyReplicas
	synced := metav1.Condition{Type: "Synced", Status: metav1.ConditionTrue, Reason: "Applied", Message: "All children are applied"}
	ready := metav1.Condition{Type: "Ready", Status: metav1.ConditionFalse, Reason: "Progressing", Message: "Waiting for the rollout"}
	status.Phase = "Pending"
	switch {
	case invalid != "":
		status.Phase = "Failed"
		synced.Status, synced.Reason, synced.Message = metav1.ConditionFalse, "InvalidSpec", invalid
		ready.Reason, ready.Message = "InvalidSpec", invalid
	case isRolledOut(deployment):
		status.Phase = "Running"
		ready.Status, ready.Reason, ready.Message = metav1.ConditionTrue, "Available", "All pods are ready"
	}
	status.Message = ready.Message
	for _, condition := range []metav1.Condition{synced, ready} {
		condition.ObservedGeneration = service.Generation
		meta.SetStatusCondition(&status.Conditions, condition)
	}
	if equality.Semantic.DeepEqual(before.Status, service.Status) {
		return nil
	}
	status.LastUpdateTime = &metav1.Time{Time: time.Now()}
	return client.IgnoreNotFound(r.Status().Patch(ctx, service, client.MergeFrom(before)))
}

func isRolledOut(deployment *appsv1.Deployment) bool {
	status := deployment.Status
	return deployment.Spec.Replicas != nil &&
		status.ObservedGeneration == deployment.Generation &&
		status.UpdatedReplicas == *deployment.Spec.Replicas &&
		status.AvailableReplicas == status.UpdatedReplicas &&
		status.Replicas == status.UpdatedReplicas
}
