/**
 * All that needs the Kubernetes client, which is large: it is built as a program file of its own and loaded by the commands
 * that talk to a cluster, when they run.
 */
export { ApiError, ConnectionError } from '../../operator/cluster/api-error';
export { connect, type Connection } from '../../operator/cluster/connection';
export { KubeClient, pathOf } from '../../operator/cluster/kube';
export { Transport } from '../../operator/cluster/transport';
export { runOperator } from '../../operator/main';
export { chosenCompositions } from '../../operator/settings/load-composition';
