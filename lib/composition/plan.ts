import { differences, type FieldChange } from './compare';
import { immutableChanges } from './immutable';
import { holdsOthers, isOfKind } from './kinds';
import { describeObject, identityOf, type LiveObject, type Manifest } from './manifest';
import type { Outcome } from './outcome';
import {
  ADOPT_ANNOTATION,
  appliedAfter,
  applyManifest,
  APPLIED_AFTER_ANNOTATION,
  APPLIED_HASH_ANNOTATION,
  controllerOf,
  referenceTo,
  type Owner,
} from './ownership';
import { readinessOf } from './readiness';
import { handoverOf, haveOneTarget, isScaler, replicasOf, rivalsAmong, scales, withReplicas } from './scaling';
import type { ResourceView } from './view';

/** Why a name that is wanted cannot be had. */
export const NAME_TAKEN = 'NameTaken';

/** One thing to do, or to leave. */
export type Step = {
  /** Steps without whose success this one is not done. @default none */
  readonly after?: readonly Step[];
} & (
  | /** Nothing has that name: make it, and only where there is still nothing. */
    { readonly action: 'create'; readonly manifest: Manifest }
    /** It is there and ours, and not as wanted: apply it to this `uid` only. */
  | Update
  /** It is there as wanted. */
  | {
      readonly action: 'unchanged';
      readonly manifest: Manifest;
      readonly live: LiveObject;
      readonly altered?: AlteredBy;
    }
  /** It is ours and no longer wanted: delete it, with its `uid` as the precondition. */
  | { readonly action: 'delete'; readonly live: LiveObject; readonly uid: string }
  /** It cannot be applied or deleted yet; what it waits for comes by itself. */
  | (Obstructed & {
      readonly action: 'wait';
      /**
       * - `WaitingForDeletion`: the object that has its name is still ending
       * - `WaitingForDependency`: what it depends on is not ready
       * - `WaitingForDependents`: it is to be deleted, and what depends on it is still there
       */
      readonly reason: 'WaitingForDeletion' | 'WaitingForDependency' | 'WaitingForDependents';
      /** What is to be done then. @default - what the next plan says */
      readonly next?: Step;
    })
  /** It is wanted, and somebody has to decide. Nothing is done. */
  | (Obstructed & {
      readonly action: 'conflict';
      /** `NameTaken`: the live object is not ours. `ImmutableField`: it is, but what differs never changes in an object. */
      readonly reason: typeof NAME_TAKEN | 'ImmutableField';
      readonly live: LiveObject;
      readonly changes: readonly FieldChange[];
    })
);

interface Update {
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
  /** The number of replicas to hand over to an autoscaler first, as the manifest no longer says it. @default - none */
  readonly handover?: number;
  readonly altered?: AlteredBy;
}

/** What is done, except fields that are left to somebody else. */
interface AlteredBy {
  readonly reason: 'ScaledByAnother';
  readonly message: string;
}

interface Obstructed {
  /** The wanted manifest, or the live object that is to be deleted. */
  readonly manifest: Manifest;
  readonly message: string;
}

/** What is wanted of a resource, as {@link synthesize} gives it. */
export interface Wanted {
  readonly manifests: readonly Manifest[];
  /** What has to be ready before a manifest is applied; manifests of the same list. @default - nothing waits */
  readonly dependencies?: ReadonlyMap<Manifest, readonly Manifest[]>;
}

/** What keeps a step from being done. */
export type Obstacle = Extract<Step, { action: 'wait' | 'conflict' }>;
/** A step that writes an object. */
export type Write = Extract<Step, { action: 'create' | 'update' }>;

/**
 * What to do so that the cluster has what is wanted: the one decision, for the operator and for the commands that
 * show what it will do. Pure; decides without asking the API server.
 *
 * The steps come in the order in which they are to be done: autoscalers that are no longer wanted go first, then come the
 * wanted objects as they are rendered, then other deletions in the reverse order of the owner's kinds. A step is only done
 * where those that it names in `after` have succeeded.
 *
 * Guarantees:
 * - what was applied and not touched is `unchanged`, also where others added something to it
 * - an object without our controller reference is never written or deleted, except one that nobody controls and that the
 *   owner names as one to take over
 * - only objects of the owner's kinds that its `uid` controls are deleted; never a Namespace or a CustomResourceDefinition
 * - nothing is deleted before everything else is as wanted, except an autoscaler, which would go on scaling
 * - an object is made or changed only once what it depends on is as wanted and ready, and deleted only once what was
 *   applied after it is gone, unless it is an autoscaler
 * - no two writers want another number of replicas: an autoscaler goes before its target gets a number, a number that an
 *   autoscaler takes over is handed over, and the number of somebody else's autoscaler stays
 *
 * @param wanted the manifests of a synthesis
 * @param view the cluster as seen from the owner
 * @param owner the resource in the cluster
 */
export function plan(wanted: Wanted, view: ResourceView, owner: Owner): readonly Step[] {
  const { manifests, dependencies } = wanted;
  const rivals = rivalsAmong(view.others, owner.uid);
  const names = new Set(manifests.map(identityOf));
  const deletions = deletionSteps(view.children, names, owner);
  const scalers = deletions.filter((step) => step.action === 'delete' && isScaler(step.live));

  const planned = new Map<Manifest, Step>();
  for (const desired of manifests) {
    const before = dependencies?.get(desired) ?? [];
    const now = withScaling(stepFor(desired, view.find(desired), owner, before), manifests, rivals);
    const step = waitingFor(now, before, planned, owner) ?? now;
    // An autoscaler that goes does so before its target gets a number, and before another one takes its place.
    const older = scalers.filter(
      (each) => each.action === 'delete' && (scales(each.live, desired) || haveOneTarget(desired, each.live)),
    );
    planned.set(desired, older.length === 0 ? step : { ...step, after: older });
  }
  const applies = [...planned.values()];
  const prunes = deletions.filter((step) => !scalers.includes(step));
  const all = [...scalers, ...applies];
  return [...all, ...prunes.map((step) => ({ ...step, after: all }))];
}

/** What is to be done about one wanted object, without regard to what it depends on. */
function stepFor(
  desired: Manifest,
  live: LiveObject | undefined,
  owner: Owner,
  dependencies: readonly Manifest[],
): Step {
  const manifest = applyManifest(desired, owner, dependencies);
  if (live === undefined) {
    return { action: 'create', manifest };
  }
  const changes = differences(desired, live);
  const obstacle = obstacleTo(manifest, live, changes, owner);
  if (obstacle !== undefined) {
    return obstacle;
  }
  const immutable = immutableChanges(desired, live);
  if (immutable.length > 0) {
    const paths = immutable.map(({ path }) => path).join(', ');
    const message = `${describeObject(live)} has another ${paths}, which never changes; delete it to have it made anew`;
    return { action: 'conflict', manifest, live, reason: 'ImmutableField', message, changes: immutable };
  }
  const { uid } = live.metadata;
  if (controllerOf(live) === undefined) {
    return { action: 'update', manifest, live, uid, reason: 'Adopted', changes };
  }
  const isChanged = [APPLIED_HASH_ANNOTATION, APPLIED_AFTER_ANNOTATION].some(
    (key) => live.metadata.annotations?.[key] !== manifest.metadata.annotations?.[key],
  );
  return isChanged || changes.length > 0
    ? { action: 'update', manifest, live, uid, reason: isChanged ? 'Changed' : 'Drifted', changes }
    : { action: 'unchanged', manifest, live };
}

/** Whose a live object is: what keeps the owner from applying to it now, or undefined where it may. Pure. */
export function obstacleTo(
  manifest: Manifest,
  live: LiveObject,
  changes: readonly FieldChange[],
  owner: Owner,
): Obstacle | undefined {
  const controller = controllerOf(live);
  const what = describeObject(live);
  const waiting = (message: string): Obstacle => ({ action: 'wait', reason: 'WaitingForDeletion', manifest, message });
  const taken = (message: string): Obstacle => ({
    action: 'conflict',
    manifest,
    live,
    reason: NAME_TAKEN,
    message,
    changes,
  });
  const ending = live.metadata.deletionTimestamp === undefined ? undefined : waiting(`${what} is being deleted`);
  if (controller === undefined) {
    const adoption = `${live.kind}/${live.metadata.name}`;
    if (owner.adopts?.includes(adoption) === true) return ending;
    return taken(
      `${what} exists and has no controller; expected it to be made by ${owner.kind} ${owner.name}. ` +
        `Delete it, or add ${adoption} to the annotation ${ADOPT_ANNOTATION} of ${owner.kind} ${owner.name} to take it over`,
    );
  }
  if (controller.uid === owner.uid) return ending;
  return isOfKind(controller, owner) && controller.name === owner.name
    ? waiting(`${what} still belongs to an earlier ${owner.kind} ${owner.name}, and goes with it`)
    : taken(`${what} belongs to ${controller.kind} ${controller.name}`);
}

/**
 * The wait of an object for what it depends on. Drift is put right all the same: the object was applied in its turn, and
 * is to stay as it was.
 */
function waitingFor(
  step: Step,
  dependencies: readonly Manifest[],
  planned: ReadonlyMap<Manifest, Step>,
  owner: Owner,
): Obstacle | undefined {
  if (step.action !== 'create' && (step.action !== 'update' || step.reason === 'Drifted')) return undefined;
  const reasons = dependencies.flatMap((dependency) => {
    const other = planned.get(dependency);
    const why = other === undefined ? 'is not there yet' : unready(other, owner);
    return why === undefined ? [] : [`${describeObject(dependency)}, which ${why}`];
  });
  if (reasons.length === 0) return undefined;
  const message = `${describeObject(step.manifest)} waits for ${reasons.join(', and for ')}`;
  return { action: 'wait', reason: 'WaitingForDependency', manifest: step.manifest, message, next: step };
}

function unready(step: Step, owner: Owner): string | undefined {
  switch (step.action) {
    case 'unchanged':
      return unreadyLive(step.live, owner);
    case 'update':
      // What a webhook or another writer changes again and again would delay others for ever.
      return step.reason === 'Drifted' ? unreadyLive(step.live, owner) : 'is not as the resource says yet';
    case 'conflict':
      return 'cannot be applied';
    case 'wait':
      return step.reason === 'WaitingForDependency' ? 'waits itself' : 'cannot be applied yet';
    default:
      return 'is not there yet';
  }
}

function unreadyLive(live: LiveObject, owner: Owner): string | undefined {
  const own = owner.isReady?.(live);
  if (own !== undefined) return own ? undefined : 'is not ready';
  const readiness = readinessOf(live);
  return readiness.ready ? undefined : `is not ready: ${readiness.message}`;
}

/**
 * The same step, but with the number of replicas as it has to be: handed over to an autoscaler that takes it from us; and
 * where an autoscaler that is not ours has a target that we give a number, the live number stays, as the two would undo
 * each other's work for ever, and pods would start and end with it.
 *
 * Zero is given, and left, all the same: an autoscaler does not touch a target that has no replicas.
 */
function withScaling(step: Step, wanted: readonly Manifest[], rivals: readonly Manifest[]): Step {
  if (step.action !== 'update') return step;
  const { live, manifest, changes } = step;
  const handover = handoverOf(manifest, live, wanted);
  const handing = handover === undefined ? step : { ...step, handover };
  const [number, present] = [replicasOf(manifest) ?? 0, replicasOf(live) ?? 0];
  const rival = rivals.find((each) => scales(each, manifest));
  const contests = changes.some(({ path }) => path === REPLICAS);
  if (rival === undefined || number === 0 || present === 0 || !contests) return handing;
  const [what, other] = [describeObject(manifest), describeObject(rival)];
  const message =
    `${what} has the replicas that ${other} gives it, which does not belong to the resource; ` +
    `delete ${other} to have those that the resource says`;
  const altered: AlteredBy = { reason: 'ScaledByAnother', message };
  const others = changes.filter(({ path }) => path !== REPLICAS);
  if (step.reason === 'Drifted' && others.length === 0) return { action: 'unchanged', manifest, live, altered };
  return { ...handing, manifest: withReplicas(manifest, present), changes: others, altered };
}

const REPLICAS = 'spec.replicas';

function deletionSteps(
  children: readonly LiveObject[],
  wanted: ReadonlySet<string>,
  owner: Owner,
): readonly Extract<Step, { action: 'delete' | 'wait' }>[] {
  const rank = (object: LiveObject): number => owner.children.findIndex((child) => isOfKind(object, child));
  const going = children
    .filter(
      (object) => !holdsOthers(object) && controllerOf(object)?.uid === owner.uid && !wanted.has(identityOf(object)),
    )
    .toSorted((a, b) => rank(b) - rank(a) || (identityOf(a) < identityOf(b) ? 1 : -1));
  const dependents = new Map<string, LiveObject[]>();
  for (const object of going) {
    for (const other of appliedAfter(object)) {
      const known = dependents.get(other) ?? [];
      known.push(object);
      dependents.set(other, known);
    }
  }
  const dependentsOf = (object: LiveObject): readonly LiveObject[] =>
    (dependents.get(referenceTo(object)) ?? []).filter((other) => other !== object);
  const isFree = (object: LiveObject): boolean => dependentsOf(object).length === 0;
  const isEnding = ({ metadata }: LiveObject): boolean => metadata.deletionTimestamp !== undefined;
  // Two releases may have said the opposite of each other; then nothing would ever begin.
  const isKnot = !going.some((object) => isFree(object) || isEnding(object));
  return going
    .filter((object) => !isEnding(object))
    .map((live) => {
      const next = { action: 'delete', live, uid: live.metadata.uid } as const;
      if (isFree(live) || isKnot || isScaler(live)) return next;
      const names = dependentsOf(live).map(describeObject).join(', ');
      const message = `${describeObject(live)} is deleted once ${names} is gone, which depends on it`;
      return { action: 'wait', reason: 'WaitingForDependents', manifest: live, message, next };
    });
}

/** Whether a step waits for another child of the same resource: what was just done may be what it waited for. Pure. */
export function waitsForChild(step: Step): boolean {
  return step.action === 'wait' && step.next !== undefined;
}

/** What becomes of a step that writes nothing; undefined for one that writes. Pure. */
export function outcomeOf(step: Step): Outcome | undefined {
  switch (step.action) {
    case 'unchanged':
      return alteredOutcome(step) ?? { state: 'applied' };
    case 'wait': {
      const { reason, message } = step;
      return { state: 'waiting', reason, message, for: reason === 'WaitingForDeletion' ? 'moment' : 'change' };
    }
    case 'conflict':
      return { state: 'refused', reason: step.reason, message: step.message };
    default:
      return undefined;
  }
}

/** That fields of an object are left to somebody else, if they are. */
export function alteredOutcome({ altered }: { readonly altered?: AlteredBy }): Outcome | undefined {
  return altered === undefined ? undefined : { state: 'altered', ...altered };
}

/** What becomes of a step that nobody has carried out yet. Pure. */
export function pendingOutcome(step: Step): Outcome {
  const pending = (object: Manifest, what: string): Outcome => ({
    state: 'waiting',
    reason: 'NotAppliedYet',
    message: `${object.kind} ${object.metadata.name} ${what}`,
    for: 'change',
  });
  switch (step.action) {
    case 'create':
      return pending(step.manifest, 'is not there yet');
    case 'update':
      return pending(step.manifest, 'is not as the resource says yet');
    case 'delete':
      return pending(step.live, 'is no longer wanted and still there');
    default:
      return outcomeOf(step) ?? { state: 'applied' };
  }
}
