export { Child } from './child';
export { differences, type FieldChange } from './compare';
export { defineComposition, SKIP_EXTERNAL_REMOVAL_ANNOTATION } from './composition';
export type {
  ComposeContext,
  Composition,
  CompositionProps,
  External,
  Observation,
  Observed,
  ProjectContext,
  ResourceGauge,
  StatusOf,
} from './composition';
export { healthConditions, setCondition, setConditions, setHealth, syncedCondition } from './conditions';
export type { Condition, ConditionClaim, Health } from './conditions';
export { addSyncWaves } from './dependencies';
export { InvalidResourceError, SynthesisError } from './errors';
export type { Json, JsonObject } from './json';
export { isOfKind, Kinds, type ChildKind } from './kinds';
export { describeObject, isLive } from './manifest';
export type { Identified, KubernetesObject, LiveObject, Manifest, ManifestMetadata, OwnerReference } from './manifest';
export { dnsLabel, labelValue } from './names';
export {
  ADOPT_ANNOTATION,
  APPLIED_HASH_ANNOTATION,
  APPLIED_AFTER_ANNOTATION,
  controllerOf,
  FIELD_MANAGER,
  isDependent,
  MANAGED_BY,
  MANAGED_BY_LABEL,
  ownerOf,
  type Owner,
} from './ownership';
export { conclude, sooner } from './outcome';
export type { Conclusion, Next, Outcome, SyncOutcome } from './outcome';
export { NAME_TAKEN, alteredOutcome, obstacleTo, outcomeOf, pendingOutcome, plan, waitsForChild } from './plan';
export type { Obstacle, Step, Wanted, Write } from './plan';
export { readinessOf, type Readiness } from './readiness';
export { asResource, resourceKindOf } from './resource';
export type { Resource, ResourceMetadata } from './resource';
export { HANDOVER_MANAGER, handoverManifest, handoverOf, slimKeepingReplicas } from './scaling';
export { CrdSchema } from './schema';
export { findingText, type Finding, type FindingCode, type FindingProps } from './finding';
export { formatPath, parsePath, type Path } from './path';
export type { Admission, CustomResourceDefinition } from './schema';
export { synthesize, type Synthesis, type SynthesisOptions } from './synthesize';
export { ClusterView, ObjectLists } from './view';
export type { ObjectStore, ResourceView } from './view';
