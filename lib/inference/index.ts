export { inferenceServiceComposition } from './composition';
export { InvalidInferenceServiceError } from './errors';
export { InferenceService, type InferenceServiceMetadata, type InferenceServiceProps } from './inference-service';
export type { ServiceClass, ServiceClassProps } from './plus';
export type { AdmittedInferenceService } from './admitted';
export { projectStatus } from './status/project';
