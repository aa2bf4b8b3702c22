import crd from '../../imports/inferenceservice.crd.json';
import { compiled } from '../../imports/inferenceservice.rules';
import { CrdSchema, type CustomResourceDefinition } from '../composition/schema';

/** The definition of InferenceService. */
export const inferenceServiceCrd: CustomResourceDefinition = crd;

/** The validator for InferenceServices. */
export const inferenceServiceSchema = new CrdSchema(inferenceServiceCrd, compiled);
