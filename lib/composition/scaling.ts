import type { LiveObject, Manifest } from './manifest';
import { groupOf } from './manifest';
import { defined, fieldsOf, member } from './objects';
import { controllerOf, FIELD_MANAGER } from './ownership';

/** The manager that owns `replicas` between our last word and the autoscaler's first. */
export const HANDOVER_MANAGER = 'inferno-handover';

/** Groups whose objects scale others. */
const SCALER_GROUPS: ReadonlySet<string> = new Set(['autoscaling', 'keda.sh']);
/** Kinds of `apps` whose `spec.replicas` an autoscaler writes. */
const SCALABLE: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'ReplicaSet']);

/** Whether an object is an autoscaler. */
export function isScaler(object: Manifest): boolean {
  return SCALER_GROUPS.has(groupOf(object.apiVersion));
}

/** The number of replicas that an object says. */
export function replicasOf(object: Manifest): number | undefined {
  const replicas = member(object, 'spec', 'replicas');
  return typeof replicas === 'number' ? replicas : undefined;
}

/** The autoscalers among objects that stay and that the resource with this uid does not control. Pure. */
export function rivalsAmong(objects: readonly Manifest[], ownerUid: string): readonly Manifest[] {
  return objects.filter(
    (object) =>
      isScaler(object) && object.metadata.deletionTimestamp === undefined && controllerOf(object)?.uid !== ownerUid,
  );
}

/** The manifest with another number of replicas. */
export function withReplicas(manifest: Manifest, replicas: number): Manifest {
  return { ...manifest, spec: { ...fieldsOf(manifest['spec']), replicas } };
}

/** Whether an autoscaler has an object as its target. Pure. */
export function scales(scaler: Manifest, target: Manifest): boolean {
  const { namespace, name } = target.metadata;
  const reference = member(scaler, 'spec', 'scaleTargetRef');
  return (
    isScaler(scaler) &&
    scaler.metadata.namespace === namespace &&
    member(reference, 'name') === name &&
    // KEDA may leave the kind out.
    (member(reference, 'kind') ?? 'Deployment') === target.kind
  );
}

/**
 * The number of replicas to hand over before an update is applied, or undefined where there is none to hand over: the
 * update no longer says it and we said it last, so that the API server would fall back to its default of 1. Pure.
 *
 * A HorizontalPodAutoscaler never scales a target with 0 replicas, so that it gets its least number instead.
 *
 * @param live with its managedFields, in full or as {@link slimKeepingReplicas} leaves them
 * @param wanted all manifests, with the autoscaler among them
 */
export function handoverOf(manifest: Manifest, live: LiveObject, wanted: readonly Manifest[] = []): number | undefined {
  if (groupOf(manifest.apiVersion) !== 'apps' || !SCALABLE.has(manifest.kind)) return undefined;
  const replicas = replicasOf(live);
  if (replicasOf(manifest) !== undefined || replicas === undefined || !ownsReplicas(live, FIELD_MANAGER)) {
    return undefined;
  }
  if (replicas > 0) return replicas;
  const scaler = wanted.find((each) => scales(each, manifest));
  if (scaler === undefined || groupOf(scaler.apiVersion) !== 'autoscaling') return replicas;
  const least = member(scaler, 'spec', 'minReplicas');
  return typeof least === 'number' ? least : 1;
}

/**
 * What is applied as {@link HANDOVER_MANAGER}: only the number, and only to the version of the object that it was read
 * from, so that a number which somebody writes at the same moment is not undone.
 */
export function handoverManifest(live: LiveObject, replicas: number): Manifest {
  const { name, namespace, resourceVersion } = live.metadata;
  return {
    apiVersion: live.apiVersion,
    kind: live.kind,
    metadata: defined<Manifest['metadata']>({ name, namespace, resourceVersion }),
    spec: { replicas },
  };
}

/**
 * An object without `managedFields`, except one entry that says that `manager` owns `spec.replicas`, where it does. For
 * caches: it is all that {@link handoverOf} wants to know.
 */
export function slimKeepingReplicas(manager: string): (object: Manifest) => Manifest {
  const kept = [{ manager, fieldsV1: { 'f:spec': { 'f:replicas': {} } } }];
  return (object) => {
    const { managedFields, ...metadata } = object.metadata;
    if (managedFields === undefined) return object;
    return { ...object, metadata: ownsReplicas(object, manager) ? { ...metadata, managedFields: kept } : metadata };
  };
}

function ownsReplicas(live: Manifest, manager: string): boolean {
  const { managedFields } = live.metadata;
  return (
    Array.isArray(managedFields) &&
    managedFields.some(
      (entry: unknown) =>
        member(entry, 'manager') === manager && member(entry, 'fieldsV1', 'f:spec', 'f:replicas') !== undefined,
    )
  );
}

/** Whether an object is an autoscaler of the target that another one has. Pure. */
export function haveOneTarget(one: Manifest, other: Manifest): boolean {
  const { name, kind = 'Deployment' } = fieldsOf(member(one, 'spec', 'scaleTargetRef'));
  const target = { ...one, kind: String(kind), metadata: { ...one.metadata, name: String(name) } };
  return isScaler(one) && scales(other, target);
}
