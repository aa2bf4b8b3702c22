import type { FindingProps } from '../composition/finding';
import { childLabels, frameworkLabel, type Labels } from './labels';
import type { AdmittedInferenceService } from './admitted';

/**
 * On a resource, names those of its labels and annotations that its children get too: keys, separated by commas. All
 * others stay where they are, as tools that find their objects by labels would take the children for theirs.
 */
export const propagateAnnotation = 'inferno.io/propagate';

/** By these, tools know what they applied themselves: a child that had one would be theirs to change and to delete. */
const marks: Readonly<Record<string, string>> = {
  'app.kubernetes.io/instance': 'Argo CD and Helm',
  'applyset.kubernetes.io/part-of': 'kubectl',
  'argocd.argoproj.io/installation-id': 'Argo CD',
  'argocd.argoproj.io/instance': 'Argo CD',
  'argocd.argoproj.io/tracking-id': 'Argo CD',
  'config.k8s.io/owning-inventory': 'kpt',
  'deployment.kubernetes.io/revision': 'the Deployment controller',
  'helm.toolkit.fluxcd.io/name': 'Flux',
  'helm.toolkit.fluxcd.io/namespace': 'Flux',
  'kapp.k14s.io/app': 'kapp',
  'kapp.k14s.io/association': 'kapp',
  'kubectl.kubernetes.io/last-applied-configuration': 'kubectl',
  'kustomize.toolkit.fluxcd.io/name': 'Flux',
  'kustomize.toolkit.fluxcd.io/namespace': 'Flux',
  'meta.helm.sh/release-name': 'Helm',
  'meta.helm.sh/release-namespace': 'Helm',
  'objectset.rio.cattle.io/hash': 'Fleet',
};

const nothing = { labels: {}, annotations: {} };
const noKeys: ReadonlySet<string> = new Set();

/** The labels and annotations of a resource that its children get. */
export function propagated(resource: AdmittedInferenceService): Record<'labels' | 'annotations', Labels> {
  const keys = namedKeys(resource);
  if (keys.size === 0) return nothing;
  const { labels = {}, annotations = {} } = resource.metadata;
  const named = (map: Labels): Labels => Object.fromEntries(Object.entries(map).filter(([key]) => keys.has(key)));
  return { labels: named(labels), annotations: named(annotations) };
}

/** Labels and annotations that are named for the children, and must not reach them. */
export function illegalPropagation(resource: AdmittedInferenceService): readonly FindingProps[] {
  const { labels, annotations } = propagated(resource);
  const own: Labels = { ...childLabels(resource), [frameworkLabel]: resource.spec.model.framework };
  const faults = (map: 'labels' | 'annotations', key: string, value: string): readonly FindingProps[] => {
    const reason = map === 'labels' && Object.hasOwn(own, key) ? ownLabel(own[key] ?? '', value) : foreignMark(key);
    return reason === undefined ? [] : [{ path: ['metadata', map, key], message: reason }];
  };
  return [
    ...Object.entries(labels).flatMap(([key, value]) => faults('labels', key, value)),
    ...Object.entries(annotations).flatMap(([key, value]) => faults('annotations', key, value)),
  ];
}

/** Keys that are named for the children, and that the resource has neither as label nor as annotation: one finding. */
export function unknownPropagation(resource: AdmittedInferenceService): readonly FindingProps[] {
  const { labels = {}, annotations = {} } = resource.metadata;
  const unknown = [...namedKeys(resource)].filter(
    (key) => !Object.hasOwn(labels, key) && !Object.hasOwn(annotations, key),
  );
  if (unknown.length === 0) return [];
  const named = unknown.slice(0, 5).map((key) => JSON.stringify(key));
  const more = unknown.length > named.length ? ` and ${unknown.length - named.length} more` : '';
  const message = `names ${named.join(', ')}${more}: neither a label nor an annotation of the resource`;
  return [{ path: ['metadata', 'annotations', propagateAnnotation], message }];
}

function namedKeys({ metadata }: AdmittedInferenceService): ReadonlySet<string> {
  const list = metadata.annotations?.[propagateAnnotation];
  if (list === undefined) return noKeys;
  const names = list.split(',').map((name) => name.trim());
  return new Set(names.filter((name) => name !== ''));
}

function ownLabel(ours: string, came: string): string | undefined {
  return ours === came
    ? undefined
    : `cannot go to the children, where it is ${JSON.stringify(ours)}; got ${JSON.stringify(came)}`;
}

function foreignMark(key: string): string | undefined {
  if (key.startsWith('inferno.io/')) {
    return 'cannot go to the children: it says something to Inferno about the resource';
  }
  const tool = Object.hasOwn(marks, key) ? marks[key] : undefined;
  return tool && `cannot go to the children: ${tool} would take them for its own, and might delete them`;
}
