/**
 * What an author of compositions needs.
 *
 * @module cdk8s-inferno/composition
 */
export {
  addSyncWaves,
  Child,
  defineComposition,
  dnsLabel,
  healthConditions,
  InvalidResourceError,
  Kinds,
  labelValue,
  setCondition,
  setConditions,
  setHealth,
  syncedCondition,
  SynthesisError,
  synthesize,
} from './composition';
export type {
  Admission,
  ChildKind,
  ComposeContext,
  Composition,
  CompositionProps,
  Condition,
  ConditionClaim,
  CrdSchema,
  CustomResourceDefinition,
  External,
  Finding,
  Health,
  Identified,
  Json,
  JsonObject,
  KubernetesObject,
  LiveObject,
  Manifest,
  ManifestMetadata,
  Observation,
  Observed,
  OwnerReference,
  ProjectContext,
  Resource,
  ResourceGauge,
  ResourceMetadata,
  StatusOf,
  SyncOutcome,
  Synthesis,
  SynthesisOptions,
} from './composition';
/** Types of Kubernetes' own objects, for a {@link Child} or a status: `Child<k8s.StatefulSet>`. */
export type * as k8s from '../imports/k8s';
