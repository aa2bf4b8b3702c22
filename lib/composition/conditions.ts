import { defined, fieldsOf, objectsIn, textOf } from './objects';
import type { Manifest } from './manifest';
import { cutText } from './text';

/** A condition of Kubernetes' `metav1.Condition`. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** One word in CamelCase that programs read. */
  readonly reason: string;
  /** Text for people, at most 32,768 characters. */
  readonly message: string;
  /** When `status` changed last, RFC 3339 in seconds. */
  readonly lastTransitionTime: string;
  /** The `metadata.generation` that the condition was made from. */
  readonly observedGeneration?: number;
}

/** A condition before it is known whether its status changed. */
export type ConditionClaim = Omit<Condition, 'lastTransitionTime'>;

/** How a resource is, in the three states that kstatus, Argo CD and `kubectl wait` tell apart. */
export interface Health {
  /** `Ready`: as wanted. `Progressing`: on its way. `Failed`: will not get there without a change. */
  readonly state: 'Ready' | 'Progressing' | 'Failed';
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
}

/** What a condition in a status of unknown shape says; texts that are not there are empty. */
export type ConditionText = Pick<Condition, 'type' | 'reason' | 'message'> & { readonly status: string };

/** The conditions in a status of any shape. */
export function conditionsIn(status: unknown): readonly ConditionText[] {
  return objectsIn(fieldsOf(status)['conditions']).map(({ type, status: state, reason, message }) => ({
    type: textOf(type),
    status: textOf(state),
    reason: textOf(reason),
    message: textOf(message),
  }));
}

/** Whether the status of a resource was made from the generation that it has now. */
export function seesGeneration(resource: Manifest): boolean {
  return fieldsOf(resource['status'])['observedGeneration'] === resource.metadata.generation;
}

const MAX_MESSAGE = 32_768;
const HEALTH_TYPES: ReadonlySet<string> = new Set(['Ready', 'Reconciling', 'Stalled']);

/**
 * Sets one condition and returns the new list, ordered by type; the list that was given stays as it is.
 *
 * `lastTransitionTime` becomes `now` only where the status flips or the condition is new. So the same claim twice gives
 * the same list, and nothing has to be written.
 *
 * @param now time of the caller, RFC 3339 in seconds
 */
export function setCondition(
  conditions: readonly Condition[] | undefined,
  claim: ConditionClaim,
  now: string,
): readonly Condition[] {
  const before = conditions?.find(({ type }) => type === claim.type);
  const condition: Condition = {
    ...claim,
    message: cutText(claim.message, MAX_MESSAGE),
    lastTransitionTime: before?.status === claim.status ? before.lastTransitionTime : now,
  };
  const others = (conditions ?? []).filter(({ type }) => type !== claim.type);
  return [...others, condition].toSorted((a, b) => (a.type < b.type ? -1 : 1));
}

/** Sets several conditions, as {@link setCondition} does. */
export function setConditions(
  conditions: readonly Condition[] | undefined,
  claims: readonly ConditionClaim[],
  now: string,
): readonly Condition[] {
  return claims.reduce<readonly Condition[]>((list, claim) => setCondition(list, claim, now), conditions ?? []);
}

/**
 * Sets `Ready`, and beside it `Reconciling` or `Stalled` as kstatus reads them: each is there, with status True, only
 * while it is so. All other conditions stay.
 */
export function setHealth(
  conditions: readonly Condition[] | undefined,
  health: Health,
  now: string,
): readonly Condition[] {
  const claims = healthConditions(health);
  const kept = (conditions ?? []).filter(
    ({ type }) => !HEALTH_TYPES.has(type) || claims.some((claim) => claim.type === type),
  );
  return setConditions(kept, claims, now);
}

/** The conditions that say a health: `Ready`, and `Reconciling` or `Stalled`. */
export function healthConditions(health: Health): readonly ConditionClaim[] {
  const { state, ...rest } = health;
  const ready: ConditionClaim = { ...rest, type: 'Ready', status: state === 'Ready' ? 'True' : 'False' };
  switch (state) {
    case 'Ready':
      return [ready];
    case 'Progressing':
      return [ready, { ...rest, type: 'Reconciling', status: 'True' }];
    case 'Failed':
      return [ready, { ...rest, type: 'Stalled', status: 'True' }];
  }
}

/** `Synced`: whether the cluster has what was rendered; false with the API server's or our own reason. */
export function syncedCondition(
  result: { readonly synced: true } | { readonly synced: false; readonly reason: string; readonly message: string },
  observedGeneration?: number,
): ConditionClaim {
  const { reason, message } = result.synced ? { reason: 'Applied', message: 'Every child is as rendered' } : result;
  const status = result.synced ? 'True' : 'False';
  return defined<ConditionClaim>({ type: 'Synced', status, reason, message, observedGeneration });
}
