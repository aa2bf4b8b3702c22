import type { Composition } from '../../lib/composition';

/** When a status has to be written. */
export type StatusUrgency = 'none' | 'later' | 'now';

/**
 * Whether a status has to be written: at once, or later where nothing but what can wait changed, so that a rollout of many
 * pods is not a write for each of them. Messages of conditions can wait for every composition. Pure.
 *
 * @param writes what the composition says of the fields
 */
export function statusUrgency(
  before: unknown,
  after: unknown,
  { canWait, never }: NonNullable<Composition['statusWrites']> = { canWait: [], never: [] },
): StatusUrgency {
  const [old, next] = [fields(before), fields(after)];
  const differing = [...new Set([...Object.keys(old), ...Object.keys(next)])].filter(
    (field) => !same(old[field], next[field]),
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

/** Whether conditions differ in their messages alone. */
function sameVerdicts(before: unknown, after: unknown): boolean {
  const verdicts = (conditions: unknown): unknown =>
    Array.isArray(conditions)
      ? conditions.map((condition: unknown) => ({ ...fields(condition), message: '', lastTransitionTime: '' }))
      : conditions;
  return same(verdicts(before), verdicts(after));
}

function fields(value: unknown): { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

/** Deep equality of JSON, whatever the order of keys. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [fields(a), fields(b)];
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && same(left[key], right[key]))
  );
}
