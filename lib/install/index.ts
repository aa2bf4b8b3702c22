/**
 * Installs the operator.
 *
 * @module cdk8s-inferno/install
 */
export { ALLOW_DELETION_ANNOTATION } from './crds';
export { Inferno } from './inferno';
export { Monitoring, type MonitoringProps } from './monitoring';
export type { ImagePullPolicy, InfernoProps, OperatorLogLevel } from './props';
export { operatorRbac, operatorRules, type OperatorRbacProps, type PolicyRule } from './rbac';
export { installManifests } from './render';
export { InvalidInstallationError } from './complete-props';
