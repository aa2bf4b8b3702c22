import type { Deployment, HorizontalPodAutoscaler } from '../../../imports/k8s';
import type { Observed, ResourceGauge } from '../../composition/composition';
import { Kinds } from '../../composition/kinds';
import { objectName } from '../labels';
import { unreadySince } from './pods';
import type { AdmittedInferenceService } from '../admitted';

/** What the operator's /metrics has of each InferenceService beside its conditions. */
export const gauges: readonly ResourceGauge<AdmittedInferenceService>[] = [
  {
    name: 'inferno_inferenceservice_replicas',
    help: 'Pods of the InferenceService.',
    value: (resource, observed) => deploymentOf(resource, observed)?.status?.replicas ?? 0,
  },
  {
    name: 'inferno_inferenceservice_ready_replicas',
    help: 'Pods of the InferenceService that are ready.',
    value: (resource, observed) => deploymentOf(resource, observed)?.status?.readyReplicas ?? 0,
  },
  {
    name: 'inferno_inferenceservice_unready_since_seconds',
    help: 'Unix time since which the pod that has not been ready for longest is not; absent where all are ready.',
    value: (_resource, observed) => unreadySince(observed),
  },
  {
    name: 'inferno_inferenceservice_autoscaler_maximum',
    help: 'The most pods that the autoscaler may ask for; absent where there is none.',
    value: (resource, observed) => autoscalerOf(resource, observed)?.spec?.maxReplicas,
  },
  {
    name: 'inferno_inferenceservice_autoscaler_at_maximum',
    help: 'Whether the autoscaler wants more pods than it may ask for: 1 or 0; absent where there is none.',
    value: (resource, observed) => {
      const autoscaler = autoscalerOf(resource, observed);
      if (autoscaler === undefined) return undefined;
      const limited = autoscaler.status?.conditions?.find(({ type }) => type === 'ScalingLimited');
      return limited?.status === 'True' && limited.reason === 'TooManyReplicas' ? 1 : 0;
    },
  },
];

function deploymentOf(resource: AdmittedInferenceService, observed: Observed): Deployment | undefined {
  return observed.get(Kinds.Deployment, objectName(resource));
}

/** The resource's own autoscaler, which is not cut; one of somebody else has no `maxReplicas` here. */
function autoscalerOf(resource: AdmittedInferenceService, observed: Observed): HorizontalPodAutoscaler | undefined {
  const found = observed.get(Kinds.HorizontalPodAutoscaler, objectName(resource));
  return found?.spec?.maxReplicas === undefined ? undefined : found;
}
