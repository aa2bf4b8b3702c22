import { differences, type FieldChange } from './compare';
import { immutableChanges } from './immutable';
import { holdsOthers, isOfKind } from './kinds';
import { describeObject, groupOf, type LiveObject, type Manifest } from './manifest';
import {
  ADOPT_ANNOTATION,
  applyManifest,
  APPLIED_HASH_ANNOTATION,
  controllerOf,
  manifestHash,
  type Owner,
} from './ownership';

/** One thing to do, or to leave. */
export type PlanStep =
  /** Nothing has that name: make it, and only where there is still nothing. */
  | { readonly action: 'create'; readonly manifest: Manifest }
  /** It is there and ours, and not as wanted: apply it to this `uid` alone. */
  | {
      readonly action: 'update';
      readonly manifest: Manifest;
      readonly live: LiveObject;
      readonly uid: string;
      /**
       * `Changed`: the wanted manifest is not the one applied last. `Drifted`: somebody else changed the object.
       * `Adopted`: nobody controls it, and the resource asks to take it over.
       */
      readonly reason: 'Changed' | 'Drifted' | 'Adopted';
      /** The fields that differ; none where a change only takes something away. */
      readonly changes: readonly FieldChange[];
    }
  /** It is there as wanted. */
  | { readonly action: 'unchanged'; readonly manifest: Manifest; readonly live: LiveObject }
  /** It is ours and no longer wanted: delete it, with its `uid` as the precondition. */
  | { readonly action: 'delete'; readonly live: LiveObject; readonly uid: string }
  /** It is wanted, and cannot be applied until the live object is gone, which it soon will be. */
  | { readonly action: 'wait'; readonly manifest: Manifest; readonly live: LiveObject; readonly message: string }
  /** It is wanted, and somebody has to decide. Nothing is done. */
  | {
      readonly action: 'conflict';
      readonly manifest: Manifest;
      readonly live: LiveObject;
      /** `Foreign`: the live object is not ours. `Immutable`: it is, but what differs never changes in an object. */
      readonly reason: 'Foreign' | 'Immutable';
      readonly message: string;
      readonly changes: readonly FieldChange[];
    };

/**
 * What to do so that the cluster has what is wanted. Pure; decides without asking the API server.
 *
 * The steps come in the order in which they are to be done: the wanted objects as `desired` has them, then deletions in
 * the reverse order of the owner's kinds. Deletions must only be done once every other step has succeeded.
 *
 * Guarantees:
 * - what was applied and not touched is `unchanged`, whatever others added to it
 * - an object without our controller reference is never written or deleted, but for one that nobody controls and that the
 *   owner names as one to take over
 * - only objects of the owner's kinds that its `uid` controls are deleted; never a Namespace or a CustomResourceDefinition
 *
 * @param desired the manifests of a synthesis
 * @param live the objects in the cluster: all that the owner controls, and those of the wanted names whoever made them
 * @param owner the resource in the cluster. Without one, nobody's ownership is looked at, nothing is marked, and nothing
 * is deleted: for a preview of manifests that something else applies
 */
export function plan(desired: readonly Manifest[], live: readonly LiveObject[], owner?: Owner): readonly PlanStep[] {
  const found = new Map(live.map((object) => [identity(object), object]));
  const wanted = new Set(desired.map(identity));
  const steps = desired.map((manifest) => planOne(manifest, found.get(identity(manifest)), owner));
  return owner === undefined ? steps : [...steps, ...deletions(live, wanted, owner)];
}

function planOne(desired: Manifest, live: LiveObject | undefined, owner: Owner | undefined): PlanStep {
  const manifest = owner === undefined ? desired : applyManifest(desired, owner);
  if (live === undefined) {
    return { action: 'create', manifest };
  }
  const changes = differences(desired, live);
  if (owner !== undefined) {
    const obstacle = obstacleTo(manifest, live, changes, owner);
    if (obstacle !== undefined) {
      return obstacle;
    }
  }
  const immutable = immutableChanges(desired, live);
  if (immutable.length > 0) {
    const paths = immutable.map(({ path }) => path).join(', ');
    const message = `${describeObject(live)} has another ${paths}, which never changes; delete it to have it made anew`;
    return { action: 'conflict', manifest, live, reason: 'Immutable', message, changes: immutable };
  }
  if (owner !== undefined && controllerOf(live) === undefined) {
    return { action: 'update', manifest, live, uid: live.metadata.uid, reason: 'Adopted', changes };
  }
  const changed = owner !== undefined && live.metadata.annotations?.[APPLIED_HASH_ANNOTATION] !== manifestHash(desired);
  return changed || changes.length > 0
    ? { action: 'update', manifest, live, uid: live.metadata.uid, reason: changed ? 'Changed' : 'Drifted', changes }
    : { action: 'unchanged', manifest, live };
}

/** What stands in the way of an object that is wanted. */
export type Obstacle = Extract<PlanStep, { action: 'wait' | 'conflict' }>;

/** Whose a live object is: what keeps the owner from applying to it now, or undefined where it may. Pure. */
export function obstacleTo(
  manifest: Manifest,
  live: LiveObject,
  changes: readonly FieldChange[],
  owner: Owner,
): Obstacle | undefined {
  const controller = controllerOf(live);
  const what = describeObject(live);
  const deleted = live.metadata.deletionTimestamp !== undefined;
  if (controller === undefined) {
    const adoption = `${live.kind}/${live.metadata.name}`;
    if (owner.adopts?.includes(adoption) === true) {
      return deleted ? { action: 'wait', manifest, live, message: `${what} is being deleted` } : undefined;
    }
    const message =
      `${what} exists and has no controller; expected it to be made by ${owner.kind} ${owner.name}. ` +
      `Delete it, or add ${adoption} to the annotation ${ADOPT_ANNOTATION} of ${owner.kind} ${owner.name} to take it over`;
    return { action: 'conflict', manifest, live, reason: 'Foreign', message, changes };
  }
  if (controller.uid !== owner.uid) {
    if (isOfKind(controller, owner) && controller.name === owner.name) {
      const message = `${what} still belongs to an earlier ${owner.kind} ${owner.name}, and goes with it`;
      return { action: 'wait', manifest, live, message };
    }
    const message = `${what} belongs to ${controller.kind} ${controller.name}`;
    return { action: 'conflict', manifest, live, reason: 'Foreign', message, changes };
  }
  return deleted ? { action: 'wait', manifest, live, message: `${what} is being deleted` } : undefined;
}

function deletions(live: readonly LiveObject[], wanted: ReadonlySet<string>, owner: Owner): readonly PlanStep[] {
  const rank = (object: LiveObject): number => owner.children.findIndex((child) => isOfKind(object, child));
  return live
    .filter(
      (object) =>
        rank(object) >= 0 &&
        !holdsOthers(object) &&
        controllerOf(object)?.uid === owner.uid &&
        object.metadata.deletionTimestamp === undefined &&
        !wanted.has(identity(object)),
    )
    .toSorted((a, b) => rank(b) - rank(a) || (identity(a) < identity(b) ? 1 : -1))
    .map((object) => ({ action: 'delete', live: object, uid: object.metadata.uid }));
}

/** What makes two objects the same one; versions of a kind show the same object. */
function identity({ apiVersion, kind, metadata }: Manifest): string {
  return [groupOf(apiVersion), kind, metadata.namespace ?? '', metadata.name].join('\n');
}
