import type { Composition } from '../../lib/composition';
import { jsonEquals } from '../../lib/composition/json';
import { fieldsOf } from '../../lib/composition/objects';

/** When a status has to be written. */
export type StatusUrgency = 'none' | 'later' | 'now';

/**
 * Whether a status has to be written: at once, or later where only what can wait has changed, so that a rollout of many
 * pods is not a write for each of them. Messages of conditions can wait for every composition. Pure.
 *
 * @param writes what the composition says of the fields
 */
export function statusUrgency(
  before: unknown,
  after: unknown,
  { canWait, never }: NonNullable<Composition['statusWrites']> = { canWait: [], never: [] },
): StatusUrgency {
  const [old, next] = [fieldsOf(before), fieldsOf(after)];
  const differing = [...new Set([...Object.keys(old), ...Object.keys(next)])].filter(
    (field) => !jsonEquals(old[field], next[field]),
  );
  if (differing.every((field) => never.includes(field))) return 'none';
  const isCalm = differing.every(
    (field) =>
      never.includes(field) ||
      canWait.includes(field) ||
      (field === 'conditions' && sameVerdicts(old[field], next[field])),
  );
  return isCalm ? 'later' : 'now';
}

/** Whether conditions differ only in their messages. */
function sameVerdicts(before: unknown, after: unknown): boolean {
  const verdicts = (conditions: unknown): unknown =>
    Array.isArray(conditions)
      ? conditions.map((condition: unknown) => ({ ...fieldsOf(condition), message: '', lastTransitionTime: '' }))
      : conditions;
  return jsonEquals(verdicts(before), verdicts(after));
}
