// A small operator made with controller-runtime that does the same job as Inferno's, for the benchmark to compare with.
package main

import (
	"os"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func main() {
	ctrl.SetLogger(zap.New())
	if err := run(); err != nil {
		ctrl.Log.Error(err, "The operator could not run")
		os.Exit(1)
	}
}

// The cluster is the one that KUBECONFIG names.
func run() error {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, addToScheme} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	config.UserAgent = "mark"
	consistent := true
	ours := cache.ByObject{Label: labels.SelectorFromSet(labels.Set{managedByLabel: managedBy})}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Metrics: server.Options{BindAddress: "127.0.0.1:0"},
		Client:  client.Options{Cache: &client.CacheOptions{EnableReadYourWritesConsistency: &consistent}},
		Cache: cache.Options{
			DefaultTransform: cache.TransformStripManagedFields(),
			ByObject: map[client.Object]cache.ByObject{
				&appsv1.Deployment{}:                     ours,
				&corev1.Service{}:                        ours,
				&autoscalingv2.HorizontalPodAutoscaler{}: ours,
			},
		},
	})
	if err != nil {
		return err
	}
	if err := (&reconciler{Client: manager.GetClient()}).setup(manager); err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}
