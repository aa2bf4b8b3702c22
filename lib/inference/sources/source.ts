import type { EnvVar, Volume, VolumeMount } from '../../../imports/k8s';
import type { AdmittedSpec } from '../admitted';

/** A kind of model URI. */
export type SourceKind = 'hf' | 'pvc' | 'file' | 'object-store' | 'other';

/** Where the server finds the model, and what its pod needs for that. */
export interface ModelSource {
  readonly kind: SourceKind;
  /** What the engine is given: a repository, a path in the container or a URI. */
  readonly location: string;
  readonly env: readonly EnvVar[];
  readonly volumes: readonly Volume[];
  readonly volumeMounts: readonly VolumeMount[];
}

/** One way to get a model. */
export interface SourceScheme {
  readonly kind: SourceKind;
  /** The beginnings of the URIs that this one reads. */
  readonly prefixes: readonly string[];
  source(model: AdmittedSpec['model'], path: string): Omit<ModelSource, 'kind'>;
}
