import type { Construct } from 'constructs';
import type { Deployment, HorizontalPodAutoscaler, Service } from '../../imports/k8s';
import { Child } from '../composition/child';
import { InvalidResourceError } from '../composition/errors';
import { illegalMetadata } from '../composition/legal';
import type { Finding, FindingProps } from '../composition/finding';
import { autoscaler } from './autoscaler';
import { deployment } from './deployment';
import { illegalPropagation } from './propagation';
import { brokenReferences } from './references';
import type { AdmittedInferenceService } from './admitted';
import { service } from './service';

/** The children of an InferenceService, as constructs. */
export interface Children {
  readonly deployment: Child<Deployment>;
  readonly service: Child<Service>;
  readonly autoscaler?: Child<HorizontalPodAutoscaler>;
}

/**
 * Adds the children of a resource to a scope.
 *
 * @throws InvalidResourceError for what Kubernetes would refuse and the CRD cannot: labels and annotations, names that
 *   nothing has
 */
export function addChildren(scope: Construct, resource: AdmittedInferenceService): Children {
  refuse([...illegalPropagation(resource), ...illegalPodMetadata(resource), ...brokenReferences(resource.spec)]);
  const scaler = autoscaler(resource);
  return {
    deployment: new Child(scope, 'deployment', deployment(resource)),
    service: new Child(scope, 'service', service(resource)),
    ...(scaler && { autoscaler: new Child(scope, 'autoscaler', scaler) }),
  };
}

function refuse([first, ...others]: readonly FindingProps[]): void {
  if (first) throw new InvalidResourceError([first, ...others]);
}

function illegalPodMetadata({ spec }: AdmittedInferenceService): readonly Finding[] {
  const { labels = {}, annotations = {} } = spec.podMetadata ?? {};
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'pod', labels, annotations } };
  return illegalMetadata(pod).map(({ path, ...rest }) => ({
    ...rest,
    path: ['spec', 'podMetadata', ...path.slice(1)],
  }));
}
