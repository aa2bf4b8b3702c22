import {
  controllerOf,
  NAME_TAKEN,
  type ChildKind,
  type Manifest,
  type Outcome,
  type Step,
} from '../../lib/composition';
import { ApiError } from '../cluster/api-error';
import type { KubeClient } from '../cluster/kube';
import { hasBeenSeen, statusTells } from '../report/status-writer';
import { failureOf } from '../write/failures';

/**
 * Whether a plan is what would come of a resource that is gone, of which only its children's end, or that they were let
 * go, was heard so far: watches of two kinds have no order between them. What was never looked after before is new, and
 * not in doubt. Pure.
 *
 * @param made whether something is known to have been made for the resource
 */
export function looksGone(steps: readonly Step[], resource: Manifest, made: boolean): boolean {
  if (!made && !hasBeenSeen(resource)) return false;
  return steps.some((step) => {
    switch (step.action) {
      case 'create':
        return true;
      // A child that was let go, to outlive the resource, must not be caught again: it would be collected.
      case 'update':
        return step.reason === 'Adopted';
      case 'conflict': {
        const free = step.reason === NAME_TAKEN && controllerOf(step.live) === undefined;
        return free && !statusTells(resource['status'], NAME_TAKEN);
      }
      default:
        return false;
    }
  });
}

/**
 * The resource as it is stored, by the API server's word: undefined where nothing has its uid any more, and an outcome
 * where it was not said. Throws what is not its word on this one resource.
 */
export async function readStored(
  client: KubeClient,
  kind: ChildKind,
  resource: Manifest,
  signal: AbortSignal,
): Promise<{ readonly stored: Manifest | undefined } | { readonly outcome: Outcome }> {
  const { namespace, name, uid } = resource.metadata;
  try {
    const stored = await client.get(kind, namespace, name, signal);
    return { stored: stored.metadata.uid === uid ? stored : undefined };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // Without that reason it is the path that is not there: the kind goes, or the server has just started.
    if (error.status === 404 && error.reason !== 'NotFound') throw error;
    return error.status === 404 ? { stored: undefined } : { outcome: failureOf(resource, error) };
  }
}
