import {
  asResource,
  conclude,
  findingText,
  outcomeOf,
  ownerOf,
  pendingOutcome,
  plan,
  synthesize,
} from '../../../lib/composition';
import type { Composition, LiveObject, Manifest, SyncOutcome } from '../../../lib/composition';
import type { Snapshot } from '../../cluster/snapshot';
import { conditionsIn, seesGeneration, type ConditionText } from '../../../lib/composition/conditions';
import { defined, fieldsOf, textOf } from '../../../lib/composition/objects';
import { factsOf } from './facts';
import type { Health, StatusNode } from './node';

/** A resource as it is now. */
export interface SeenResource extends StatusNode {
  readonly isReady: boolean;
  readonly phase?: string;
  readonly conditions: readonly ConditionText[];
}

/**
 * Looks at a resource and its children. What it is, is what the operator would write, made from what the cluster has now.
 *
 * @param now RFC 3339 in seconds
 */
export async function lookAt(
  composition: Composition,
  resource: Manifest,
  snapshot: Snapshot,
  now: string,
): Promise<SeenResource> {
  const view = await snapshot.viewOf(resource);
  const { sync, pending } = await syncOf(composition, resource, snapshot);
  const status = composition.project(asResource(resource), view.observed, { now, sync });
  const projected: Manifest = { ...resource, status };
  const conditions = conditionsIn(projected['status']);
  const ready = conditions.find(({ type }) => type === 'Ready');
  // A composition may do without conditions; then all that is known is whether its children are as rendered.
  const isReady = (ready === undefined ? sync.state === 'applied' : ready.status === 'True') && pending.length === 0;
  const health = healthOf(conditions, isReady, sync, resource);
  const phase = textOf(fieldsOf(status)['phase']) || undefined;
  const message = ready === undefined ? troubleText(sync) : ready.message;
  const { name, namespace } = resource.metadata;
  return defined<SeenResource>({
    kind: resource.kind,
    namespace,
    name,
    health,
    isReady,
    phase,
    summary: [phase, ready?.reason].filter((word) => word !== undefined && word !== '').join(', '),
    messages: [...(message === '' ? [] : [message]), ...pending, ...staleness(resource, projected)],
    conditions,
    children: tree(view.children, view.others),
  });
}

/** How far the children are as rendered; `pending` says what the operator has still to do. */
async function syncOf(
  composition: Composition,
  resource: Manifest,
  snapshot: Snapshot,
): Promise<{ readonly sync: SyncOutcome; readonly pending: readonly string[] }> {
  const applied = { state: 'applied' } as const;
  if (resource.metadata.deletionTimestamp !== undefined) return { sync: toldSync(resource) ?? applied, pending: [] };
  const { observed } = await snapshot.viewOf(resource);
  const synthesis = synthesize(composition, resource, observed);
  if (!synthesis.valid) return { sync: { state: 'invalid', errors: synthesis.errors }, pending: [] };
  const view = await snapshot.viewOf(resource, synthesis.manifests);
  const steps = plan(synthesis, view, ownerOf(composition, asResource(resource)));
  // A user who looks wants to know now what the operator would report only where it stays.
  const settled =
    conclude(
      steps.flatMap((step) => outcomeOf(step) ?? []),
      Infinity,
    ).sync ?? applied;
  if (settled.state === 'refused') return { sync: settled, pending: [] };
  const outcomes = steps.map(pendingOutcome);
  const pending = outcomes.flatMap((outcome) => (outcome.state === 'waiting' ? [outcome.message] : []));
  if (pending.length === 0) return { sync: settled, pending };
  const told = toldSync(resource);
  if (told !== undefined) return { sync: told, pending: told.state === 'altered' ? [] : pending };
  return { sync: settled.state === 'altered' ? settled : (conclude(outcomes, Infinity).sync ?? settled), pending };
}

/** Why the children are not as rendered, as far as only the operator knows it: the API server's words, for example. */
function toldSync(resource: Manifest): SyncOutcome | undefined {
  const written = conditionsIn(resource['status']);
  const is = (type: string): boolean => written.some((each) => each.type === type && each.status === 'True');
  const synced = written.find(({ type }) => type === 'Synced');
  if (synced?.status !== 'False') return undefined;
  const { reason, message } = synced;
  if (is('Stalled')) return { state: 'refused', reason, message };
  if (is('Reconciling')) return { state: 'waiting', reason, message };
  // What it has left as it is needs no work any more, but a newer spec does.
  return seesGeneration(resource) ? { state: 'altered', reason, message } : undefined;
}

/** Says so where the written status is of another state: the operator has not looked since. */
function staleness(resource: Manifest, projected: Manifest): readonly string[] {
  const written = conditionsIn(resource['status']).find(({ type }) => type === 'Ready');
  const now = conditionsIn(projected['status']).find(({ type }) => type === 'Ready');
  if (now === undefined || written?.status === now.status) return [];
  return [
    written === undefined
      ? 'The operator has written no status yet'
      : `The written status is older: ${[written.reason, written.message].filter((part) => part !== '').join(': ')}`,
  ];
}

function healthOf(
  conditions: readonly ConditionText[],
  isReady: boolean,
  sync: SyncOutcome,
  resource: Manifest,
): Health {
  if (resource.metadata.deletionTimestamp !== undefined) return 'waiting';
  if (isReady) return 'good';
  const isStalled = conditions.some(({ type, status }) => type === 'Stalled' && status === 'True');
  return isStalled || (conditions.length === 0 && sync.state === 'invalid') ? 'bad' : 'waiting';
}

function troubleText(sync: SyncOutcome): string {
  switch (sync.state) {
    case 'invalid':
      return sync.errors.map(findingText).join('; ');
    case 'refused':
      return sync.message;
    default:
      return '';
  }
}

/** Children with what belongs to each below it; what belongs to none of them comes last. */
function tree(children: readonly LiveObject[], observed: readonly Manifest[]): readonly StatusNode[] {
  const placed = new Map<string, Manifest[]>();
  const rest: Manifest[] = [];
  for (const object of observed) {
    const parent = children.find((child) => belongsTo(object, child));
    if (parent === undefined) rest.push(object);
    else placed.set(parent.metadata.uid, [...(placed.get(parent.metadata.uid) ?? []), object]);
  }
  return [
    ...children.map((child) => nodeOf(child, placed.get(child.metadata.uid) ?? [])),
    ...rest.map((object) => nodeOf(object, [])),
  ];
}

/** Directly, or through the ReplicaSet or Job between them, whose name begins with that of its own owner. */
function belongsTo(object: Manifest, child: LiveObject): boolean {
  const owners = object.metadata.ownerReferences ?? [];
  const between = { Deployment: 'ReplicaSet', CronJob: 'Job' }[child.kind];
  return owners.some(
    ({ uid, kind, name }) =>
      uid === child.metadata.uid || (kind === between && name.slice(0, name.lastIndexOf('-')) === child.metadata.name),
  );
}

function nodeOf(object: Manifest, below: readonly Manifest[]): StatusNode {
  const { name, namespace } = object.metadata;
  const children = below.map((each) => nodeOf(each, []));
  return defined<StatusNode>({ kind: object.kind, namespace, name, ...factsOf(object), children });
}
