import {
  findingText,
  asResource,
  describeObject,
  FIELD_MANAGER,
  isOfKind,
  outcomeOf,
  ownerOf,
  plan,
  resourceKindOf,
  synthesize,
} from '../../../lib/composition';
import type { ChildKind, Composition, Manifest, Step, Write } from '../../../lib/composition';
import { find, statusOf, type Cluster } from '../../cluster/cluster';
import type { Snapshot } from '../../cluster/snapshot';
import { dryRunResource } from './dry-run';
import { ownedFields, union } from './owned';
import { visibleChild, visibleResource } from './visible';

/** An object before and after; undefined where it is not there. */
export interface Change {
  readonly object: Manifest;
  readonly before: Manifest | undefined;
  readonly after: Manifest | undefined;
}

/** What a resource would change, and what the cluster or the plan would refuse. */
export interface Changes {
  readonly changes: readonly Change[];
  readonly refusals: readonly string[];
}

/** What would change for one resource: the resource itself, then its children in the order in which they are applied. */
export async function changesOf(
  cluster: Cluster,
  composition: Composition,
  wanted: Manifest,
  options: { readonly fieldManager: string; readonly snapshot: (namespace: string | undefined) => Promise<Snapshot> },
): Promise<Changes> {
  const kind = resourceKindOf(composition);
  const { name, namespace } = wanted.metadata;
  const live = await find(cluster, kind, namespace, name);
  const what = describeObject(wanted);
  let result: Manifest;
  try {
    result = await dryRunResource(
      cluster,
      { ...kind, apiVersion: wanted.apiVersion },
      wanted,
      live,
      options.fieldManager,
    );
  } catch (error) {
    return { changes: [], refusals: [refusalText(what, error, composition)] };
  }
  const own: Change = {
    object: wanted,
    before: live === undefined ? undefined : visibleResource(live, result, wanted),
    after: visibleResource(result, live, wanted),
  };
  const children = await childChanges(cluster, composition, result, await options.snapshot(namespace));
  return { changes: [own, ...children.changes], refusals: children.refusals };
}

async function childChanges(
  cluster: Cluster,
  composition: Composition,
  resource: Manifest,
  snapshot: Snapshot,
): Promise<Changes> {
  const before = await snapshot.viewOf(resource);
  const synthesis = synthesize(composition, resource, before.observed);
  if (!synthesis.valid) {
    return {
      changes: [],
      refusals: synthesis.errors.map((error) => `${describeObject(resource)}: ${findingText(error)}`),
    };
  }
  const changes: Change[] = [];
  const refusals: string[] = [];
  const view = await snapshot.viewOf(resource, synthesis.manifests);
  for (const step of plan(synthesis, view, ownerOf(composition, asResource(resource)))) {
    // One after the other: the order is the output's.
    // oxlint-disable-next-line no-await-in-loop
    const outcome = await carryOutDry(cluster, step, composition.children);
    if (typeof outcome === 'string') refusals.push(outcome);
    else if (outcome !== undefined) changes.push(outcome);
  }
  return { changes, refusals };
}

/** @returns a change, the text of a refusal, or nothing where nothing is to be done */
async function carryOutDry(
  cluster: Cluster,
  step: Step,
  kinds: readonly ChildKind[],
): Promise<Change | string | undefined> {
  switch (step.action) {
    case 'delete':
      return {
        object: step.live,
        before: visibleChild(step.live, ownedFields(step.live, FIELD_MANAGER)),
        after: undefined,
      };
    case 'create':
    case 'update': {
      const kind = kinds.find((each) => isOfKind(step.manifest, each));
      if (kind === undefined) return `${describeObject(step.manifest)} is of no kind that the composition declares`;
      const target = step.action === 'create' ? ({ create: true } as const) : { uid: step.uid };
      try {
        const result = await cluster.client.apply(kind, step.manifest, target, {
          fieldManager: FIELD_MANAGER,
          dryRun: true,
        });
        return step.action === 'create' ? creation(result) : update(step, result);
      } catch (error) {
        return refusalText(describeObject(step.manifest), error);
      }
    }
    default: {
      // What waits for another child of the same resource is a change to come, and nothing to complain about.
      if (step.action === 'wait' && step.next !== undefined) return carryOutDry(cluster, step.next, kinds);
      const outcome = outcomeOf(step);
      return outcome?.state === 'refused' || outcome?.state === 'waiting' ? outcome.message : undefined;
    }
  }
}

function creation(result: Manifest): Change {
  return { object: result, before: undefined, after: visibleChild(result, ownedFields(result, FIELD_MANAGER)) };
}

/** Fields that were ours or will be. A number of replicas that goes over to an autoscaler keeps its value. */
function update({ live, handover }: Extract<Write, { action: 'update' }>, result: Manifest): Change {
  const fields = union(ownedFields(live, FIELD_MANAGER), ownedFields(result, FIELD_MANAGER));
  const after = handover === undefined ? result : { ...result, spec: { ...specOf(result), replicas: handover } };
  return { object: result, before: visibleChild(live, fields), after: visibleChild(after, fields) };
}

function specOf(object: Manifest): object {
  const spec = object['spec'];
  return typeof spec === 'object' && spec !== null ? spec : {};
}

/** @throws what is not the API server's word on this object */
function refusalText(what: string, error: unknown, composition?: Composition): string {
  const status = statusOf(error);
  if (status === undefined || status === 401 || status === 429 || status >= 500) throw error;
  const message = error instanceof Error ? error.message : String(error);
  if (composition !== undefined && status === 404 && message.includes('could not find the requested resource')) {
    const { name } = composition.crd.metadata;
    return `${what}: the cluster has no CustomResourceDefinition ${name}`;
  }
  return `${what}: ${message}`;
}
