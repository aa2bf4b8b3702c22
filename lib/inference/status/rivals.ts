import type { HorizontalPodAutoscaler } from '../../../imports/k8s';
import type { Observation, Observed } from '../../composition/composition';
import { Kinds } from '../../composition/kinds';
import type { Manifest, ManifestMetadata } from '../../composition/manifest';
import { defined } from '../../composition/objects';
import { controllerOf, MANAGED_BY, MANAGED_BY_LABEL } from '../../composition/ownership';
import type { AdmittedInferenceService } from '../admitted';

/**
 * Autoscalers that others made for our Deployments, cut to whose they are and what they scale.
 *
 * Caveat: where the name of a Deployment is not that of its resource, because of dots in that, they are not seen.
 */
export const rivalObservation: Observation = {
  kind: Kinds.HorizontalPodAutoscaler,
  labelSelector: `${MANAGED_BY_LABEL}!=${MANAGED_BY}`,
  resourceName: (object) => {
    const target = asAutoscaler(object).spec?.scaleTargetRef;
    return target?.kind === 'Deployment' && target.apiVersion?.startsWith('apps/') === true ? target.name : undefined;
  },
  slim: (object) => {
    const { name, namespace, uid, resourceVersion, deletionTimestamp, ownerReferences } = object.metadata;
    return {
      apiVersion: object.apiVersion,
      kind: object.kind,
      metadata: defined<ManifestMetadata>({
        name,
        namespace,
        uid,
        resourceVersion,
        deletionTimestamp,
        ownerReferences,
      }),
      spec: { scaleTargetRef: asAutoscaler(object).spec?.scaleTargetRef },
    };
  },
};

/** An autoscaler of somebody else for the Deployment of a resource, if there is one. */
export function rivalOf(resource: AdmittedInferenceService, observed: Observed): Manifest | undefined {
  return observed
    .list(Kinds.HorizontalPodAutoscaler)
    .find(
      (object) =>
        controllerOf(object)?.uid !== resource.metadata.uid &&
        object.metadata.deletionTimestamp === undefined &&
        rivalObservation.resourceName(object) === resource.metadata.name,
    );
}

function asAutoscaler(object: Manifest): Partial<HorizontalPodAutoscaler> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API server answers with the kind it was asked for
  return object as unknown as Partial<HorizontalPodAutoscaler>;
}
