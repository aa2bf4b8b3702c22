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
  SyncOutcome,
} from './composition';
export { healthConditions, setCondition, setConditions, setHealth, syncedCondition } from './conditions';
export type { Condition, ConditionClaim, Health } from './conditions';
export { InvalidResourceError, SynthesisError } from './errors';
export type { Json, JsonObject } from './json';
export { isOfKind, Kinds, type ChildKind } from './kinds';
export type { Identified, KubernetesObject, LiveObject, Manifest, ManifestMetadata, OwnerReference } from './manifest';
export { dnsLabel, labelValue } from './names';
export { APPLIED_HASH_ANNOTATION, controllerOf, MANAGED_BY, MANAGED_BY_LABEL, ownerOf, type Owner } from './ownership';
export { plan, type PlanStep } from './plan';
export type { Resource, ResourceMetadata } from './resource';
export { CrdSchema } from './schema';
export type { Admission, CustomResourceDefinition, Finding } from './schema';
export { synthesize, type Synthesis } from './synthesize';
