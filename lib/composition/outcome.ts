import { findingText, type Finding } from './finding';

/**
 * What became of something that was to be done in a cluster: a step of a plan, a status, the removal of what is external.
 * One vocabulary for all of them, and for what a status says of the whole.
 */
export type Outcome =
  /** It is as wanted. */
  | Applied
  /** It was done, and something gives it other values, which are left for now. */
  | Altered
  /** It cannot be done yet; that passes by itself. */
  | Waiting
  /** Somebody has to act. */
  | Refused
  /** The schema or the composition refuses the resource. */
  | Invalid
  /** It was made from a resource, or for an object, that has changed meanwhile: look again. */
  | { readonly state: 'stale' }
  /** The namespace goes away, and the resource with it: not worth a word. */
  | { readonly state: 'ending'; readonly reason: string };

interface Applied {
  readonly state: 'applied';
  /** When to look again, in milliseconds. @default - when something changes */
  readonly againMs?: number;
}

/** Why something is not as wanted. */
interface Trouble {
  /** One word in camel case, for programs. */
  readonly reason: string;
  /** For people; without secrets, and short. */
  readonly message: string;
}

interface Altered extends Trouble {
  readonly state: 'altered';
  /** When to look again, in milliseconds. @default - when something changes */
  readonly againMs?: number;
}

interface Waiting extends Trouble {
  readonly state: 'waiting';
  /**
   * - `moment`: it should be over in moments, so it is tried again, and reported only where it stays
   * - `change`: it may take long, and an event ends it: a predecessor gets ready, an object is gone. Reported at once
   */
  readonly for: 'moment' | 'change';
}

interface Refused extends Trouble {
  readonly state: 'refused';
  /** An API server that has just started does not know its roles yet: reported only where it stays so. @default false */
  readonly early?: boolean;
  /** Trying again does not help: only a change of the resource does. @default false */
  readonly final?: boolean;
  /** The message for logs and events, where the other one changes with each try. @default - message */
  readonly event?: string;
}

interface Invalid {
  readonly state: 'invalid';
  readonly errors: readonly Finding[];
}

/**
 * How far the cluster follows what a resource says, for its status:
 * - `applied`: every child is as rendered
 * - `altered`: everything was applied, but the API server, a webhook or another writer gives some fields other values
 * - `waiting`: a child cannot be applied yet, such as one whose predecessor is not ready
 * - `refused`: a child could not be applied, for the API server's reason or ours; it is tried again
 * - `invalid`: the schema or the composition refuses the resource; its children are left as they are
 */
export type SyncOutcome =
  | { readonly state: 'applied' }
  | { readonly state: 'invalid'; readonly errors: readonly Finding[] }
  | { readonly state: 'altered' | 'waiting' | 'refused'; readonly reason: string; readonly message: string };

/** When a resource is looked at again, beside every change that concerns it. */
export type Next =
  | { readonly look: 'onChange' }
  | { readonly look: 'after'; readonly ms: number }
  /** After its backoff, which grows from try to try. */
  | { readonly look: 'backoff'; readonly reason: string }
  /** Not before the resource itself changes. */
  | { readonly look: 'never' };

/** What follows from the outcomes of a plan's steps. */
export interface Conclusion {
  /** What the status says; undefined where nothing is said for now. */
  readonly sync?: SyncOutcome;
  /** What is reported in log and events, once for each new text; undefined where nothing is. */
  readonly report?: Trouble & {
    /** Whether those who run the operator should see it: it is more than a fault in a user's resource. */
    readonly isForOperators: boolean;
  };
  readonly next: Next;
  /** Tries in a row that ended with something that should pass in a moment, this one included. */
  readonly tries: number;
}

/** What should pass in a moment is reported only after so many tries, some seconds with the queue's backoff. */
export const PATIENCE = 10;

/**
 * From what became of the steps to what is said and done next. Pure.
 *
 * What is refused comes first, then what waits; their messages are joined. What is altered is only said where nothing else
 * is to be said.
 *
 * @param tries the `tries` of the last conclusion about the resource; 0 for the first
 */
export function conclude(outcomes: readonly Outcome[], tries: number): Conclusion {
  const invalid = outcomes.find((outcome) => outcome.state === 'invalid');
  if (invalid !== undefined) {
    const message = invalid.errors.map(findingText).join('; ');
    const report = { reason: 'InvalidSpec', message, isForOperators: false };
    return { sync: invalid, report, next: { look: 'never' }, tries: 0 };
  }
  const ending = outcomes.find(({ state }) => state === 'ending' || state === 'stale');
  if (ending !== undefined) {
    return { next: { look: 'backoff', reason: 'reason' in ending ? ending.reason : 'Stale' }, tries };
  }
  const refused = outcomes.filter((outcome) => outcome.state === 'refused');
  const troubles = [...refused, ...outcomes.filter((outcome) => outcome.state === 'waiting')];
  const isMomentary = troubles.some(mayPassInAMoment);
  const triesNow = isMomentary ? tries + 1 : 0;
  const later = outcomes.reduce<Next>(
    (sum, outcome) =>
      'againMs' in outcome && outcome.againMs !== undefined ? sooner(sum, { look: 'after', ms: outcome.againMs }) : sum,
    { look: refused.length > 0 ? 'never' : 'onChange' },
  );
  const [worst] = troubles;
  const isTried = isMomentary || refused.some(({ final }) => final !== true);
  const next: Next = worst !== undefined && isTried ? { look: 'backoff', reason: worst.reason } : later;

  const lasting = triesNow < PATIENCE ? troubles.filter((trouble) => !mayPassInAMoment(trouble)) : troubles;
  const [first] = lasting;
  if (first !== undefined) {
    const { state, reason } = first;
    const message = joined(lasting);
    const sync = { state, reason, message };
    if (state === 'waiting') return { sync, next, tries: triesNow };
    return { sync, report: { reason, message: first.event ?? message, isForOperators: true }, next, tries: triesNow };
  }
  if (worst !== undefined) return { next, tries: triesNow };

  const altered = outcomes.filter((outcome) => outcome.state === 'altered');
  if (altered[0] === undefined) return { sync: { state: 'applied' }, next, tries: 0 };
  const { reason } = altered[0];
  const message = joined(altered);
  return {
    sync: { state: 'altered', reason, message },
    report: { reason, message, isForOperators: false },
    next,
    tries: 0,
  };
}

/** Of two times to look again, the one that comes first; a backoff, which has its own reason, wins over all. Pure. */
export function sooner(a: Next, b: Next): Next {
  if (a.look === 'backoff' || b.look === 'backoff') return a.look === 'backoff' ? a : b;
  if (a.look === 'after' && b.look === 'after') return a.ms <= b.ms ? a : b;
  if (a.look === 'after' || b.look === 'after') return a.look === 'after' ? a : b;
  return a.look === 'onChange' ? b : a;
}

function mayPassInAMoment(outcome: Waiting | Refused): boolean {
  return outcome.state === 'waiting' ? outcome.for === 'moment' : outcome.early === true;
}

function joined(troubles: readonly Trouble[]): string {
  return troubles.map(({ message }) => message).join('; ');
}
