import crd from '../../imports/inferenceservice.crd.json';
import { CrdSchema, type CustomResourceDefinition } from '../composition/schema';

/** The definition of InferenceService. */
export const inferenceServiceCrd: CustomResourceDefinition = crd;

/** The validator for InferenceServices. It compiles at its first use. */
export const inferenceServiceSchema = new CrdSchema(inferenceServiceCrd);
