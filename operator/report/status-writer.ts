import { conditionsIn, type ConditionText } from '../../lib/composition/conditions';
import { fieldsOf } from '../../lib/composition/objects';
import type { ChildKind, Composition, Manifest, Observed, Outcome, Resource, SyncOutcome } from '../../lib/composition';
import { ApiError } from '../cluster/api-error';
import type { Clock } from '../clock';
import type { KubeClient } from '../cluster/kube';
import type { EventRecorder } from './events';
import { lacksRights } from '../write/failures';
import type { Informer } from '../watch/informers';
import { publicText } from './public-text';
import { statusUrgency, type StatusUrgency } from './status-urgency';

/** The field manager of statuses. */
const STATUS_MANAGER = 'inferno-status';

/** A change only of counts is written this long after the last write at the earliest. */
const COUNTS_EVERY_MS = 5000;

/** What is remembered of the status of one resource. */
export interface StatusMemory {
  /** When it was written last. */
  writtenAt?: number;
  /** What was sent last, and what the API server made of it. */
  sent?: { readonly status: unknown; readonly stored: unknown };
}

/** What a status writer works with. */
export interface StatusWriterOptions {
  readonly composition: Composition;
  readonly resourceKind: ChildKind;
  readonly client: KubeClient;
  readonly resources: Informer;
  readonly events: EventRecorder;
  readonly clock: Clock;
}

/**
 * Projects the status of a resource and writes it where it says something new.
 *
 * Guarantees: a status reaches only the version of the resource that it was made from; the same status is not written
 * again, also where the API server stores it in another form; becoming ready is reported by one event, and so is each new
 * reason why pods cannot become ready by themselves.
 */
export class StatusWriter {
  readonly #options: StatusWriterOptions;

  constructor(options: StatusWriterOptions) {
    this.#options = options;
  }

  /** The outcome is `applied` where the cluster has the status, or where it can wait a little. */
  async write(
    resource: Manifest & Resource,
    observed: Observed,
    sync: SyncOutcome,
    memory: StatusMemory,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { client, clock, composition, events, resourceKind, resources } = this.#options;
    const now = clock
      .wall()
      .toISOString()
      .replace(/\.\d+Z$/, 'Z');
    const before: unknown = resource['status'];
    const status = composition.project(resource, observed, { now, sync });
    const urgencyOf = (old: unknown, next: unknown): StatusUrgency =>
      statusUrgency(old, next, composition.statusWrites);
    const urgency = urgencyOf(before, status);
    if (urgency === 'none') return { state: 'applied' };
    const { sent, writtenAt } = memory;
    const stored = sent !== undefined && urgencyOf(sent.stored, before) === 'none';
    if (stored && urgencyOf(sent.status, status) === 'none') return { state: 'applied' };
    const waited = writtenAt === undefined ? Infinity : clock.monotonic() - writtenAt;
    if (urgency === 'later' && waited < COUNTS_EVERY_MS) return { state: 'applied', againMs: COUNTS_EVERY_MS - waited };
    try {
      const written = await client.applyStatus(resourceKind, resource, status, {
        fieldManager: STATUS_MANAGER,
        signal,
      });
      resources.put(written);
      memory.writtenAt = clock.monotonic();
      memory.sent = { status, stored: written['status'] };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      switch (error.status) {
        case 404:
          return { state: 'applied' };
        case 409:
          return { state: 'stale' };
        case 400:
        case 403:
        case 422: {
          const message = `The status is refused: ${publicText(error.message, [resource])}`;
          return { state: 'refused', reason: 'StatusRefused', message, early: lacksRights(error) };
        }
        default:
          throw error;
      }
    }
    const ready = conditionOf(status, 'Ready');
    if (ready?.status === 'True' && conditionOf(before, 'Ready')?.status !== 'True') {
      const message = publicText(ready.message, [resource]);
      events.record(resource, { type: 'Normal', reason: 'Ready', action: 'Reconcile', message });
    }
    const stalled = conditionOf(status, 'Stalled');
    // That the children are not as rendered is reported where it is found.
    if (sync.state === 'applied' && stalled?.status === 'True' && !tells(conditionOf(before, 'Stalled'), stalled)) {
      const message = publicText(stalled.message, [resource]);
      events.record(resource, { type: 'Warning', reason: stalled.reason, action: 'Reconcile', message });
    }
    return { state: 'applied' };
  }
}

/** Whether a status says already that something is not as it should be, for that reason. */
export function statusTells(status: unknown, reason: string): boolean {
  return conditionsIn(status).some((condition) => condition.status === 'False' && condition.reason === reason);
}

/** Whether a status was ever written: a CRD may have one as its default, with an `observedGeneration` of -1. */
export function hasBeenSeen(resource: Manifest): boolean {
  const status = fieldsOf(resource['status']);
  const { observedGeneration } = status;
  return observedGeneration === undefined ? Object.keys(status).length > 0 : Number(observedGeneration) > 0;
}

function conditionOf(status: unknown, sought: string): ConditionText | undefined {
  return conditionsIn(status).find(({ type }) => type === sought);
}

/** Whether a condition says already what another one says; the words do not count. */
function tells(before: ConditionText | undefined, { reason, status }: ConditionText): boolean {
  return before?.status === status && before.reason === reason;
}
