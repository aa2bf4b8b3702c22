/** Which configuration to use. Apart from what reads it, as that names types of the Kubernetes client, which users lack. */
export interface ConfigSource {
  /** Path of a kubeconfig. @default KUBECONFIG, else the pod's service account, else ~/.kube/config */
  readonly kubeconfig?: string;
  /** The kubeconfig's context. @default its current one */
  readonly context?: string;
}
