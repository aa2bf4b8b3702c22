export * from './composition';
export {
  InferenceService,
  inferenceServiceComposition,
  InvalidInferenceServiceError,
  type InferenceServiceMetadata,
  type InferenceServiceProps,
  type ServiceClass,
  type ServiceClassProps,
} from './inference';
export type {
  InferenceServiceResource,
  InferenceServiceSpec,
  InferenceServiceStatus,
} from '../imports/inference-service';
/** Types of Kubernetes' own objects, for a {@link Child} or a status: `Child<k8s.StatefulSet>`. */
export type * as k8s from '../imports/k8s';
