import type { Deployment, DeploymentSpec } from '../../imports/k8s';
import type { Identified } from '../composition/manifest';
import { defined } from '../composition/objects';
import { selectorLabels } from './labels';
import { childMetadata } from './metadata';
import { podTemplate } from './pod/template';
import type { AdmittedInferenceService } from './admitted';
import { progressDeadline, rolloutStrategy, scalingBounds } from './pod/rollout';

/** The Deployment of a resource. It says nothing of its replicas where an autoscaler does. */
export function deployment(resource: AdmittedInferenceService): Identified<Deployment> {
  const { spec } = resource;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: childMetadata(resource),
    spec: defined<DeploymentSpec>({
      replicas: scalingBounds(spec) ? undefined : spec.replicas.min,
      revisionHistoryLimit: spec.revisionHistoryLimit,
      progressDeadlineSeconds: progressDeadline(spec),
      strategy: rolloutStrategy(spec),
      selector: { matchLabels: selectorLabels(resource) },
      template: podTemplate(resource),
    }),
  };
}
