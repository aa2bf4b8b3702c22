// Operator, diff and status see one cluster through one view, and so decide the same.
import { changesOf } from '../../cli/commands/diff/changes';
import { lookAt } from '../../cli/commands/status/look';
import { Snapshot } from '../../cli/cluster/snapshot';
import type { Cluster } from '../../cli/cluster/cluster';
import {
  asResource,
  Child,
  ClusterView,
  conclude,
  defineComposition,
  FIELD_MANAGER,
  isOfKind,
  Kinds,
  outcomeOf,
  ownerOf,
  pendingOutcome,
  plan,
  slimKeepingReplicas,
  synthesize,
  type Composition,
  type LiveObject,
  type Manifest,
  type Observation,
  type Resource,
  type Step,
  type SyncOutcome,
} from '../../lib/composition';
import { applyManifest } from '../../lib/composition/ownership';
import { CachedObjects } from '../../operator/watch/cached-objects';
import { Informers } from '../../operator/watch/informers';
import { ObservationIndex } from '../../operator/watch/observation-index';
import { Applier } from '../../operator/write/applier';
import { autoscaler, config, deployment, service } from '../composition/fixtures';
import { crd } from '../composition/cache';
import { FakeClock } from './fake-clock';
import { refusal, StubClient, type Asked } from './stub-client';

const resource: Manifest = {
  apiVersion: 'example.com/v1',
  kind: 'Cache',
  metadata: { name: 'sessions', namespace: 'team', uid: 'ours', resourceVersion: '3' },
  spec: {},
};
const OURS = 'app.kubernetes.io/managed-by=inferno';

interface Scene {
  readonly wanted: readonly Manifest[];
  /** Pairs of names: the first depends on the second. */
  readonly after?: readonly (readonly [Manifest, Manifest])[];
  readonly there: readonly Manifest[];
  /** What is done, or why nothing is, in the plan's words. */
  readonly steps: readonly string[];
}

interface Context {
  readonly sync: SyncOutcome;
}

function compositionOf({ wanted, after = [] }: Scene): Composition {
  const autoscalers: Observation = {
    kind: Kinds.HorizontalPodAutoscaler,
    labelSelector: '',
    resourceName: () => resource.metadata.name,
  };
  return defineComposition<Resource<unknown, Context>>({
    crd,
    children: [Kinds.ConfigMap, Kinds.Deployment, Kinds.Service, Kinds.HorizontalPodAutoscaler],
    observes: [autoscalers],
    compose(scope) {
      const made = new Map(wanted.map((manifest) => [manifest, new Child(scope, manifest.kind, manifest)]));
      for (const [one, other] of after) made.get(one)?.addDependency(made.get(other) ?? scope);
    },
    project: (_, __, { sync }) => ({ sync }),
  });
}

function labelled(manifest: Manifest): Manifest {
  const { labels } = manifest.metadata;
  return {
    ...manifest,
    metadata: { ...manifest.metadata, labels: { ...labels, 'app.kubernetes.io/managed-by': 'inferno' } },
  };
}

/** A child as the operator applied it. */
function applied(manifest: Manifest, after: readonly Manifest[] = [], change: object = {}): LiveObject {
  const owner = ownerOf(compositionOf({ wanted: [], there: [], steps: [] }), asResource(resource));
  const child = applyManifest(labelled(manifest), owner, after);
  const managedFields = [{ manager: FIELD_MANAGER, operation: 'Apply', fieldsV1: fieldsOf(child) }];
  const metadata = { ...child.metadata, uid: `uid-${child.kind}`, resourceVersion: '7', managedFields };
  return structuredClone({ ...child, ...change, metadata: { ...metadata, ...metadataIn(change) } });
}

function metadataIn(change: object): object {
  return 'metadata' in change && typeof change.metadata === 'object' ? { ...change.metadata } : {};
}

function fieldsOf(child: Manifest): object {
  const spec = child['spec'];
  const scales = typeof spec === 'object' && spec !== null && 'replicas' in spec;
  return { 'f:data': {}, 'f:spec': scales ? { 'f:replicas': {} } : {} };
}

/** Answers as a cluster that has these objects would; an apply makes or changes nothing. */
class StoredClient extends StubClient {
  constructor(private readonly objects: readonly Manifest[]) {
    super(({ verb, kind, name, target }: Asked) => {
      const stored = objects.find((each) => each.kind === kind && each.metadata.name === name);
      if (verb === 'get') return stored;
      if (verb === 'apply' && stored !== undefined && target !== undefined && 'create' in target)
        return refusal(409, 'it exists');
      return undefined;
    });
  }

  override async list(kind: { readonly apiVersion: string; readonly kind: string }, selection: object) {
    const isNarrow = 'labelSelector' in selection && selection.labelSelector === OURS;
    const items = this.objects.filter(
      (object) =>
        isOfKind(object, kind) && (!isNarrow || object.metadata.labels?.['app.kubernetes.io/managed-by'] === 'inferno'),
    );
    return { items, resourceVersion: '9', next: undefined };
  }

  // oxlint-disable-next-line require-yield -- a watch on which nothing happens
  override async *watch(_: unknown, __: unknown, { signal }: { readonly signal: AbortSignal }) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  }
}

/** The caches of an operator, filled as its controller fills them. */
async function cachesOf(composition: Composition, client: StoredClient): Promise<CachedObjects> {
  const clock = new FakeClock();
  const informers = new Informers({ client, clock, namespaces: [] });
  const slim = slimKeepingReplicas(FIELD_MANAGER);
  const children = composition.children.map(
    (kind) => [kind, informers.of({ kind, labelSelector: OURS, slim })] as const,
  );
  const observed = (composition.observes ?? []).map((observation) => {
    const index = new ObservationIndex((object) => observation.resourceName(object));
    const { kind, labelSelector } = observation;
    const quiet = { state: () => undefined, failed: () => undefined };
    informers.of({ kind, labelSelector }).listen({
      ...quiet,
      changed: (changes) => changes.forEach((change) => index.take(change)),
    });
    return [observation, index] as const;
  });
  const stop = new AbortController();
  const running = informers.run(stop.signal);
  await clock.advance(0);
  stop.abort();
  await running;
  return new CachedObjects(new Map(children), new Map(observed));
}

function stepText(step: Step): string {
  const { kind } = step.action === 'delete' ? step.live : step.manifest;
  const reason = 'reason' in step ? ` ${step.reason}` : '';
  const handover = step.action === 'update' && step.handover !== undefined ? ` handing ${step.handover} over` : '';
  const altered = 'altered' in step && step.altered !== undefined ? ` (${step.altered.reason})` : '';
  return `${step.action}${reason} ${kind}${handover}${altered}`;
}

/** A step, without what caches leave out. */
function bare(steps: readonly Step[]): unknown {
  return JSON.parse(JSON.stringify(steps, (key, value: unknown) => (key === 'managedFields' ? undefined : value)));
}

const others: Manifest = { ...service, metadata: { ...service.metadata, uid: 'other' } };
const someone = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'x', controller: true };
const rival = { ...autoscaler, metadata: { name: 'theirs', namespace: 'team', uid: 'rival' } };
const unscaled = { ...deployment, spec: { ...(deployment['spec'] as object), replicas: undefined } };
const ending = { metadata: { deletionTimestamp: '2026-11-30T12:00:00Z', finalizers: ['slow'] } };
const scaled = { spec: { ...(deployment['spec'] as object), replicas: 5 } };
const rolledOut = {
  status: {
    ...{ replicas: 2, updatedReplicas: 2, availableReplicas: 2, readyReplicas: 2 },
    conditions: [{ type: 'Available', status: 'True' }],
  },
};

const scenes: Readonly<Record<string, Scene>> = {
  'nothing is to be done': { wanted: [config], there: [applied(config)], steps: ['unchanged ConfigMap'] },
  'a child is missing': {
    wanted: [config, service],
    there: [applied(config)],
    steps: ['unchanged ConfigMap', 'create Service'],
  },
  'a child is to change': {
    wanted: [{ ...config, data: { a: 'new' } }],
    there: [applied(config)],
    steps: ['update Changed ConfigMap'],
  },
  'somebody changed a child': {
    wanted: [config],
    there: [applied(config, [], { data: { 'a.conf': 'off' } })],
    steps: ['update Drifted ConfigMap'],
  },
  'a child of somebody else has the name': {
    wanted: [config, service],
    there: [applied(config), labelled({ ...others, metadata: { ...others.metadata, ownerReferences: [someone] } })],
    steps: ['unchanged ConfigMap', 'conflict NameTaken Service'],
  },
  'a child is ending': {
    wanted: [config],
    there: [applied(config, [], ending)],
    steps: ['wait WaitingForDeletion ConfigMap'],
  },
  'another autoscaler scales a child': {
    wanted: [deployment],
    there: [applied(deployment, [], scaled), rival],
    steps: ['unchanged Deployment (ScaledByAnother)'],
  },
  'an autoscaler takes the replicas over': {
    wanted: [unscaled, autoscaler],
    there: [applied(deployment, [], scaled)],
    steps: ['update Changed Deployment handing 5 over', 'create HorizontalPodAutoscaler'],
  },
  'an autoscaler goes': {
    wanted: [deployment],
    there: [applied(unscaled), applied(autoscaler)],
    steps: ['delete HorizontalPodAutoscaler', 'update Changed Deployment'],
  },
  'a child waits for another one': {
    wanted: [config, deployment],
    after: [[config, deployment]],
    there: [applied(deployment)],
    steps: ['unchanged Deployment', 'wait WaitingForDependency ConfigMap'],
  },
  'what a child waited for is ready': {
    wanted: [config, deployment],
    after: [[config, deployment]],
    there: [applied(deployment, [], rolledOut)],
    steps: ['unchanged Deployment', 'create ConfigMap'],
  },
  'a child is no longer wanted': {
    wanted: [config],
    there: [applied(config), applied(service)],
    steps: ['unchanged ConfigMap', 'delete Service'],
  },
  'children that depend on each other are no longer wanted': {
    wanted: [],
    there: [applied(config), applied(service, [config])],
    steps: ['delete Service', 'wait WaitingForDependents ConfigMap'],
  },
};

const now = '2026-11-30T12:00:00Z';

describe.each(Object.entries(scenes))('where %s', (_, scene) => {
  const composition = compositionOf(scene);
  const objects = [resource, ...scene.there];

  async function seen() {
    const client = new StoredClient(objects);
    const cluster = { client, namespace: 'team' } as unknown as Cluster;
    const caches = await cachesOf(composition, client);
    const snapshot = await Snapshot.take(cluster, composition, 'team');
    const owner = ownerOf(composition, asResource(resource));
    const synthesis = synthesize(composition, resource);
    if (!synthesis.valid) throw new Error(JSON.stringify(synthesis.errors));
    const operator = plan(synthesis, new ClusterView(composition, caches).of(resource), owner);
    const command = plan(synthesis, await snapshot.viewOf(resource, synthesis.manifests), owner);
    return { client, cluster, caches, snapshot, owner, operator, command };
  }

  test('caches and lists lead to the same steps', async () => {
    const { operator, command } = await seen();
    expect(operator.map(stepText)).toEqual(scene.steps);
    expect(bare(command)).toEqual(bare(operator));
  });

  test('status says what the operator concludes where it has nothing to do, and otherwise what it would do', async () => {
    const { operator, snapshot } = await seen();
    const node = await lookAt(composition, resource, snapshot, now);
    const outcomes = operator.flatMap((step) => outcomeOf(step) ?? []);
    const projected = await syncIn(composition, snapshot);
    const isIdle = outcomes.length === operator.length;
    if (isIdle) expect(projected).toEqual(conclude(outcomes, Infinity).sync);
    const pending = operator
      .map(pendingOutcome)
      .flatMap((outcome) => (outcome.state === 'waiting' ? [outcome.message] : []));
    if (projected.state !== 'refused') expect(node.messages).toEqual(expect.arrayContaining(pending));
    expect(node.isReady).toBe(isIdle && outcomes.every(({ state }) => state === 'applied'));
  });

  test('diff shows what the operator writes, and complains where the operator does', async () => {
    const { client, cluster, snapshot, operator } = await seen();
    client.asked.length = 0;
    const { changes, refusals } = await changesOf(cluster, composition, resource, {
      fieldManager: 'kubectl',
      snapshot: async () => snapshot,
    });
    const shown = changes
      .slice(1)
      .map(({ object, before, after }) => [object.kind, before !== undefined, after !== undefined]);
    const due = operator.map((step) => (step.action === 'wait' && step.next !== undefined ? step.next : step));
    const kindOf = (step: Step): string => (step.action === 'delete' ? step.live : step.manifest).kind;
    expect(shown).toEqual(
      due.flatMap((step) => {
        if (!['create', 'update', 'delete'].includes(step.action)) return [];
        return [[kindOf(step), step.action !== 'create', step.action !== 'delete']];
      }),
    );
    const troubles = due.flatMap((step) =>
      step.action === 'wait' || step.action === 'conflict' ? [step.message] : [],
    );
    expect(refusals).toEqual(troubles);
  });
});

/** What a composition gets to hear from `inferno status`. */
async function syncIn(composition: Composition, snapshot: Snapshot, of: Manifest = resource): Promise<SyncOutcome> {
  let heard: SyncOutcome | undefined;
  const project: Composition['project'] = (_, __, { sync }) => {
    heard = sync;
    return {};
  };
  await lookAt({ ...composition, project }, of, snapshot, now);
  if (heard === undefined) throw new Error('project was not called');
  return heard;
}

test('status says what keeps a deleted resource, by the word of the operator', async () => {
  const scene: Scene = { wanted: [config], there: [applied(config)], steps: [] };
  const composition = compositionOf(scene);
  const conditions = [
    { type: 'Synced', status: 'False', reason: 'DeletingChildren', message: 'Waits until ConfigMap sessions is gone' },
    {
      type: 'Reconciling',
      status: 'True',
      reason: 'DeletingChildren',
      message: 'Waits until ConfigMap sessions is gone',
    },
  ];
  const deleted = {
    ...resource,
    metadata: { ...resource.metadata, deletionTimestamp: now, finalizers: ['example.com/children'] },
    status: { conditions },
  };
  const client = new StoredClient([deleted, ...scene.there]);
  const snapshot = await Snapshot.take({ client, namespace: 'team' } as unknown as Cluster, composition, 'team');
  expect(await syncIn(composition, snapshot, deleted)).toEqual({
    state: 'waiting',
    reason: 'DeletingChildren',
    message: 'Waits until ConfigMap sessions is gone',
  });
});

test('an object that no cache has is met when it is to be made, and then said in the same words', async () => {
  const scene: Scene = { wanted: [service], there: [others], steps: [] };
  const composition = compositionOf(scene);
  const client = new StoredClient([resource, ...scene.there]);
  const caches = await cachesOf(composition, client);
  const owner = ownerOf(composition, asResource(resource));
  const synthesis = synthesize(composition, resource);
  if (!synthesis.valid) throw new Error(JSON.stringify(synthesis.errors));
  const steps = plan(synthesis, new ClusterView(composition, caches).of(resource), owner);
  expect(steps.map(stepText)).toEqual(['create Service']);
  const applier = new Applier({ client, clock: new FakeClock(), cacheOf: (kind) => caches.cacheOf(kind) });
  const [result] = await applier.carryOut(steps, owner, new AbortController().signal);
  const snapshot = await Snapshot.take({ client, namespace: 'team' } as unknown as Cluster, composition, 'team');
  const projected = await syncIn(composition, snapshot);
  expect(projected).toMatchObject({ state: 'refused', reason: 'NameTaken' });
  expect(conclude([result?.outcome ?? { state: 'applied' }], 0).sync).toEqual(projected);
});
