import type { HorizontalPodAutoscaler, MetricSpec } from '../../imports/k8s';
import type { Identified } from '../composition/manifest';
import { engines } from './engines';
import { objectName } from './labels';
import { childMetadata } from './metadata';
import { serverContainer, type AdmittedInferenceService, type AdmittedSpec } from './admitted';
import { scalingBounds } from './pod/rollout';

/** Percent of the requested CPU that the autoscaler aims at. */
const targetCpuUtilization = 80;

/** The autoscaler of a resource, or undefined where nothing scales it. */
export function autoscaler(resource: AdmittedInferenceService): Identified<HorizontalPodAutoscaler> | undefined {
  const bounds = scalingBounds(resource.spec);
  if (!bounds) return undefined;
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: childMetadata(resource),
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: objectName(resource) },
      ...bounds,
      metrics: [metric(resource.spec)],
    },
  };
}

function metric(spec: AdmittedSpec): MetricSpec {
  const target = spec.autoscaling?.targetConcurrency;
  const { concurrencyMetric } = engines[spec.model.framework];
  if (target !== undefined && concurrencyMetric !== undefined) {
    return {
      type: 'Pods',
      pods: { metric: { name: concurrencyMetric }, target: { type: 'AverageValue', averageValue: `${target}` } },
    };
  }
  const cpu = { name: 'cpu', target: { type: 'Utilization', averageUtilization: targetCpuUtilization } };
  // Over all containers, one without a request would leave the autoscaler without an answer.
  return runsBeside(spec)
    ? { type: 'ContainerResource', containerResource: { container: serverContainer, ...cpu } }
    : { type: 'Resource', resource: cpu };
}

function runsBeside({ sidecars = [], initContainers = [] }: AdmittedSpec): boolean {
  return sidecars.length > 0 || initContainers.some(({ restartPolicy }) => restartPolicy === 'Always');
}
