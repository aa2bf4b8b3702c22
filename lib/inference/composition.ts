import { defineComposition, type Composition } from '../composition/composition';
import { Kinds } from '../composition/kinds';
import { addChildren } from './compose';
import { inferenceServiceCrd, inferenceServiceSchema } from './crd';
import { gauges } from './status/gauges';
import { podObservation } from './status/pods';
import type { AdmittedInferenceService } from './admitted';
import { rivalObservation } from './status/rivals';
import { projectStatus } from './status/project';
import { warnings } from './warnings';

/** InferenceService as a composition: what the command line and the operator render and watch. */
export const inferenceServiceComposition: Composition<AdmittedInferenceService> = {
  ...defineComposition<AdmittedInferenceService>({
    crd: inferenceServiceCrd,
    children: [Kinds.Deployment, Kinds.Service, Kinds.HorizontalPodAutoscaler],
    compose(scope, resource, context) {
      addChildren(scope, resource);
      for (const { path, message, code } of warnings(resource)) context.warn(path, message, code);
    },
    project: projectStatus,
    statusWrites: { canWait: ['message', 'replicas', 'readyReplicas'], never: ['lastUpdateTime'] },
    observes: [podObservation, rivalObservation],
    gauges,
  }),
  // The construct's too, with the rules as functions
  schema: inferenceServiceSchema,
};
