import { ForgetfulMap } from '../../lib/composition/forgetful-map';
import {
  APPLIED_HASH_ANNOTATION,
  differences,
  type FieldChange,
  type LiveObject,
  type Manifest,
  type Outcome,
  type Write,
} from '../../lib/composition';

type Update = Extract<Write, { action: 'update' }>;

interface Seen {
  /** Hash of the manifest that was applied last. */
  hash: string | undefined;
  /** What the answer to that apply had otherwise. */
  altered: readonly FieldChange[];
  appliedAt: number;
  /** How often drift was put right in a row. */
  repairs: number;
  repairedAt: number;
}

/** Drift is put right so often at once; after that, waits grow from one second to two minutes. */
const FREE_REPAIRS = 5;
const LONGEST_WAIT_MS = 120_000;
/** What was not kept is tried again after this time: the webhook that changed it may be gone, and nothing else shows that. */
const NOT_KEPT_AGAIN_MS = 3_600_000;
/** After so long without drift the count begins anew. */
const CALM_MS = 600_000;
/** Objects that are remembered. */
const REMEMBERED = 10_000;
/** Fields that a message names. */
const NAMED = 5;

/**
 * Keeps applies from running in circles.
 *
 * Guarantees: fields that the API server or a webhook changed or dropped in the answer to an apply are not applied again
 * for an hour, unless the wanted manifest or the live values change; a field over which somebody else fights, another
 * operator too, is put right with growing waits. It remembers only in this process, so a restart costs one apply more.
 */
export class DriftGuard {
  readonly #seen = new ForgetfulMap<string, Seen>(REMEMBERED);

  /** The outcome of an update that should be left for now; undefined for one that may be done. */
  postponed(step: Update, nowMs: number): Outcome | undefined {
    const seen = this.#seen.get(step.uid);
    if (seen === undefined) return undefined;
    const { altered } = seen;
    const same =
      altered.length > 0 &&
      seen.hash === hashOf(step.manifest) &&
      // Without any change it is the mark of the last apply that is missing.
      (step.changes.length > 0 ||
        altered.some(({ path }) => path === 'metadata.annotations' || path.includes(APPLIED_HASH_ANNOTATION))) &&
      step.changes.every((change) => altered.some((other) => sameChange(change, other)));
    const untilNext = seen.appliedAt + NOT_KEPT_AGAIN_MS - nowMs;
    if (same && untilNext > 0) return notKept(step.live, altered, untilNext);
    const waitMs = Math.min(LONGEST_WAIT_MS, 1000 * 2 ** (seen.repairs - FREE_REPAIRS));
    const againMs = seen.repairedAt + waitMs - nowMs;
    const replaced = step.reason === 'Changed' && appliedAgain(seen, step.manifest);
    if (!(step.reason === 'Drifted' || replaced) || seen.repairs < FREE_REPAIRS || againMs <= 0) return undefined;
    return { state: 'altered', reason: 'FieldsContended', message: contended(step, replaced), againMs };
  }

  /** Takes the answer to an apply. Returns an outcome where it is not what was applied. */
  applied(manifest: Manifest, answer: LiveObject, drifted: boolean, nowMs: number): Outcome | undefined {
    const altered = differences(manifest, answer);
    const { uid } = answer.metadata;
    const before = this.#seen.get(uid);
    const repaired = drifted || (before !== undefined && appliedAgain(before, manifest));
    const calm = before === undefined || nowMs - before.repairedAt > CALM_MS;
    this.#seen.set(uid, {
      hash: hashOf(manifest),
      altered,
      appliedAt: nowMs,
      repairs: (calm ? 0 : before.repairs) + (repaired ? 1 : 0),
      repairedAt: repaired ? nowMs : (before?.repairedAt ?? nowMs),
    });
    return altered.length === 0 ? undefined : notKept(answer, altered, NOT_KEPT_AGAIN_MS);
  }

  forget(uid: string): void {
    this.#seen.delete(uid);
  }
}

function notKept(live: LiveObject, altered: readonly FieldChange[], againMs: number): Outcome {
  const message = `${name(live)}: the API server, or an admission webhook, did not keep ${paths(altered)} as applied`;
  return { state: 'altered', reason: 'FieldsNotKept', message, againMs };
}

function sameChange(a: FieldChange, b: FieldChange): boolean {
  return a.path === b.path && JSON.stringify(a.live) === JSON.stringify(b.live);
}

/** Whether what was applied last is wanted once more, which is so only where somebody else has put it aside. */
function appliedAgain({ hash }: Seen, manifest: Manifest): boolean {
  return hash !== undefined && hash === hashOf(manifest);
}

function contended({ changes, live }: Update, replaced: boolean): string {
  const theirs = hashOf(live);
  if (!replaced || theirs === undefined) {
    const what = changes.length === 0 ? `the annotation ${APPLIED_HASH_ANNOTATION}` : paths(changes);
    return `${name(live)}: somebody else sets ${what} again and again`;
  }
  const what = changes.length === 0 ? '' : ` with another ${paths(changes)}`;
  return `${name(live)}: a second operator, of another version or with other settings, applies it${what} again and again`;
}

function hashOf(manifest: Manifest): string | undefined {
  return manifest.metadata.annotations?.[APPLIED_HASH_ANNOTATION];
}

function paths(changes: readonly FieldChange[]): string {
  const named = changes.slice(0, NAMED).map(({ path }) => path);
  return changes.length > NAMED ? `${named.join(', ')} and ${changes.length - NAMED} more` : named.join(', ');
}

function name({ kind, metadata }: LiveObject): string {
  return `${kind} ${metadata.name}`;
}
