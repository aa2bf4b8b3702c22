/** Fields of a status that only count or tell; a change of them alone can wait a little. */
const TELLING: ReadonlySet<string> = new Set(['message', 'lastUpdateTime', 'replicas', 'readyReplicas']);

/**
 * Whether a status has to be written: at once, or later where nothing but counts and texts changed, so that a rollout of
 * many pods is not a write for each of them. A changed time of the last update alone is no change. Pure.
 */
export function statusUrgency(before: unknown, after: unknown): 'none' | 'later' | 'now' {
  const [old, next] = [fields(before), fields(after)];
  const changed = [...new Set([...Object.keys(old), ...Object.keys(next)])].filter(
    (field) => field !== 'lastUpdateTime' && !same(old[field], next[field]),
  );
  if (changed.length === 0) return 'none';
  const settled = changed.every(
    (field) => TELLING.has(field) || (field === 'conditions' && sameVerdicts(old[field], next[field])),
  );
  return settled ? 'later' : 'now';
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
