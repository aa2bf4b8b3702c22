import { controllerOf, type ChildKind, type Manifest, type PlanStep } from '../../lib/composition';
import { ApiError } from '../cluster/api-error';
import { NAME_TAKEN } from '../write/applier';
import type { KubeClient } from '../cluster/kube';
import { failureOf, type StepFailure } from '../write/failures';
import { hasBeenSeen, statusTells } from '../report/status-writer';

/** Whether a resource that the cache has is in the cluster. */
export type Presence =
  | { readonly state: 'there' }
  /** Nothing has its uid any more, whatever has its name. */
  | { readonly state: 'gone' }
  /** It is being deleted; this is how it is now. */
  | { readonly state: 'deleting'; readonly resource: Manifest }
  /** The API server did not say. */
  | { readonly state: 'unknown'; readonly failure: StepFailure };

/**
 * Whether a plan is what would come of a resource that is gone, of which only its children's end, or that they were let
 * go, was heard so far: watches of two kinds have no order between them. What was never looked after before is new, and
 * not in doubt. Pure.
 *
 * @param made whether something is known to have been made for the resource
 */
export function looksGone(steps: readonly PlanStep[], resource: Manifest, made: boolean): boolean {
  if (!made && !hasBeenSeen(resource)) return false;
  return steps.some((step) => {
    switch (step.action) {
      case 'create':
        return true;
      // A child that was let go, to outlive the resource, must not be caught again: it would be collected.
      case 'update':
        return step.reason === 'Adopted';
      case 'conflict': {
        const free = step.reason === 'Foreign' && controllerOf(step.live) === undefined;
        return free && !statusTells(resource['status'], NAME_TAKEN);
      }
      default:
        return false;
    }
  });
}

/** Asks the API server, which answers with what is stored. Throws what is not its word on this one resource. */
export async function presenceOf(
  client: KubeClient,
  kind: ChildKind,
  resource: Manifest,
  signal: AbortSignal,
): Promise<Presence> {
  const { namespace, name, uid } = resource.metadata;
  try {
    const stored = await client.get(kind, namespace, name, signal);
    if (stored.metadata.uid !== uid) return { state: 'gone' };
    return stored.metadata.deletionTimestamp === undefined
      ? { state: 'there' }
      : { state: 'deleting', resource: stored };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // Without that reason it is the path that is not there: the kind goes, or the server has just started.
    if (error.status === 404 && error.reason !== 'NotFound') throw error;
    return error.status === 404 ? { state: 'gone' } : { state: 'unknown', failure: failureOf(resource, error) };
  }
}
