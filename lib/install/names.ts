/** The name of nearly everything that is installed: of its Deployment in every namespace, and of its ServiceAccount. */
export const managerName = 'inferno-controller-manager';

/** The namespace of the operator where none is named. */
export const OPERATOR_NAMESPACE = 'inferno-system';

/** What selects the operator's pods. A Deployment's selector can never be changed, so neither can this. */
export const operatorLabels = { 'app.kubernetes.io/name': 'inferno', 'app.kubernetes.io/component': 'operator' };

/** What sets the definitions and their policies apart from the operator, as an uninstallation leaves them. */
export const crdLabels = { 'app.kubernetes.io/name': 'inferno', 'app.kubernetes.io/component': 'crd' };

/** What sets the namespace apart from what is in it, for the same reason. */
export const namespaceLabels = { 'app.kubernetes.io/name': 'inferno', 'app.kubernetes.io/component': 'namespace' };

/** The operator's resources where none are named. */
export const OPERATOR_RESOURCES = {
  requests: { cpu: '100m', memory: '192Mi' },
  limits: { memory: '512Mi' },
} as const;

/** Ports of the operator's container. */
export const ports = { metrics: 8080, health: 8081 } as const;

/** The name of what has no namespace: two operators in two namespaces must not share it. */
export function clusterName(namespace: string): string {
  return `${namespace}-${managerName}`;
}
