import type { DeploymentStrategy } from '../../../imports/k8s';
import { startupSeconds } from './probes';
import type { AdmittedSpec } from '../admitted';
import { usesAccelerator } from './resources';

const largestInt32 = 2 ** 31 - 1;

/** Seconds for scheduling, pulling the image and downloading, which happen before or beside the startup probe. */
const rolloutSlackSeconds = 600;

/** Seconds that the kubelet gets on top, so that the pod ends by itself. */
const terminationSlackSeconds = 15;

/** The bounds of the autoscaler. */
export interface ScalingBounds {
  readonly minReplicas: number;
  readonly maxReplicas: number;
}

/** The bounds of the autoscaler, or undefined where there is none: not asked for, or the service is parked. */
export function scalingBounds(spec: AdmittedSpec): ScalingBounds | undefined {
  const { autoscaling, replicas } = spec;
  if (!autoscaling?.enabled || replicas.max === 0) return undefined;
  return {
    minReplicas: autoscaling.minReplicas ?? replicas.min,
    maxReplicas: autoscaling.maxReplicas ?? replicas.max,
  };
}

/** How new pods replace old ones. An accelerator that no other node has to spare must be freed before it is taken. */
export function rolloutStrategy(spec: AdmittedSpec): DeploymentStrategy {
  if (spec.strategy) return spec.strategy;
  if (!usesAccelerator(spec)) return rolling(1, 0);
  const most = scalingBounds(spec)?.maxReplicas ?? spec.replicas.min;
  return most <= 1 ? { type: 'Recreate' } : rolling(0, 1);
}

/** Seconds until a rollout counts as failed: always longer than a model may load. */
export function progressDeadline(spec: AdmittedSpec): number {
  return spec.progressDeadlineSeconds ?? Math.min(startupSeconds(spec) + rolloutSlackSeconds, largestInt32);
}

/** Seconds from the end of a pod to its kill. */
export function terminationGracePeriod({ drain }: AdmittedSpec): number {
  return drain.terminationGracePeriodSeconds ?? drain.preStopSeconds + drain.shutdownSeconds + terminationSlackSeconds;
}

function rolling(maxSurge: number, maxUnavailable: number): DeploymentStrategy {
  return { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } };
}
