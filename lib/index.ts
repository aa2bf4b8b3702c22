/**
 * The construct and its composition.
 *
 * @module cdk8s-inferno
 */
export {
  InferenceService,
  inferenceServiceComposition,
  InvalidInferenceServiceError,
  type AdmittedInferenceService,
  type InferenceServiceMetadata,
  type InferenceServiceProps,
  type ServiceClass,
  type ServiceClassProps,
} from './inference';
export type { Child, Composition, Finding } from './composition';
export type {
  InferenceServiceResource,
  InferenceServiceSpec,
  InferenceServiceStatus,
} from '../imports/inference-service';
/** Types of Kubernetes' own objects: `Child<k8s.Deployment>`. */
export type * as k8s from '../imports/k8s';
