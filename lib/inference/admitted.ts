import type { DefaultedInferenceServiceSpec, InferenceServiceStatus } from '../../imports/inference-service';
import type { Resource } from '../composition/resource';

/** An InferenceService that passed validation, with its defaults filled in: what everything here renders from. */
export type AdmittedInferenceService = Resource<AdmittedSpec, InferenceServiceStatus>;

/** The spec of an admitted InferenceService. */
export type AdmittedSpec = DefaultedInferenceServiceSpec;

/** The name of the server's container, in every pod. */
export const serverContainer = 'inference-server';

/** The name of the port that serves HTTP, on the pod and on the Service. */
export const httpPort = 'http';
