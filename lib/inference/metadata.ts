import { defined } from '../composition/objects';
import { childLabels, frameworkLabel, objectName, type Labels } from './labels';
import { propagated } from './propagation';
import type { AdmittedInferenceService } from './admitted';

/** What every child has in its metadata. */
interface ChildMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly labels: Labels;
  readonly annotations?: Labels;
}

/** The metadata of the Service. */
export function serviceMetadata(resource: AdmittedInferenceService): ChildMetadata {
  const metadata = childMetadata(resource);
  return { ...metadata, labels: { ...metadata.labels, [frameworkLabel]: resource.spec.model.framework } };
}

/** The metadata of every other child. */
export function childMetadata(resource: AdmittedInferenceService): ChildMetadata {
  const { labels, annotations } = propagated(resource);
  return defined<ChildMetadata>({
    name: objectName(resource),
    namespace: resource.metadata.namespace,
    labels: { ...labels, ...childLabels(resource) },
    annotations: Object.keys(annotations).length > 0 ? annotations : undefined,
  });
}
