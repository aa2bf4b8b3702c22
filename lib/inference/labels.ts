import { dnsLabel } from '../composition/names';
import type { AdmittedInferenceService } from './admitted';

/** Labels by key. */
export type Labels = Readonly<Record<string, string>>;

/** The name that the Deployment, the Service and the autoscaler of a resource share. */
export function objectName(resource: AdmittedInferenceService): string {
  return dnsLabel(resource.metadata.name);
}

/** What selects the pods of a resource. Frozen: a Deployment's selector can never change. */
export function selectorLabels(resource: AdmittedInferenceService): Labels {
  return { app: resource.metadata.name, operator: 'inferno' };
}

/** The labels of every child and of the pods. */
export function childLabels(resource: AdmittedInferenceService): Labels {
  return {
    ...selectorLabels(resource),
    'app.kubernetes.io/name': resource.metadata.name,
    'app.kubernetes.io/component': 'inference-server',
    'app.kubernetes.io/part-of': 'inferno',
    'app.kubernetes.io/managed-by': 'inferno',
  };
}

/** `spec.model.framework`, on the Service: by it Prometheus knows which port has the metrics. Pods never carry it. */
export const frameworkLabel = 'inferno.io/framework';
