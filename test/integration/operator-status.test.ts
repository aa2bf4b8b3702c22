import { inferenceServiceComposition } from '../../lib';
import { defineComposition, type Composition, type External, type Resource } from '../../lib/composition';
import { connect } from '../../operator/cluster/connection';
import { KubeClient } from '../../operator/cluster/kube';
import { Transport } from '../../operator/cluster/transport';
import { poll } from '../../tools/local-cluster';
import { Bench, condition, fake, has, pause, scaled, type Live, type Space } from './operator-support';

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.start();
}, 600_000);
afterAll(() => bench?.stop(), 60_000);
afterEach(() => bench.calm());

/** Patches the status of the pods of a service, in the kubelet's place. */
async function pods(space: Space, name: string, status: object): Promise<void> {
  const made = await poll(`a pod of ${name}`, async () => {
    const found = (await space.list('pod')).filter(
      ({ metadata }) => metadata.labels?.['app'] === name && metadata.deletionTimestamp === undefined,
    );
    return found.length > 0 ? found : undefined;
  });
  await Promise.all(made.map((pod) => space.patch('pod', pod.metadata.name, { status }, '/status')));
}

const server = { name: 'inference-server', image: 'x', imageID: '', ready: false, restartCount: 0 };
const ready = {
  phase: 'Running',
  conditions: [
    { type: 'Ready', status: 'True' },
    { type: 'ContainersReady', status: 'True' },
    { type: 'PodScheduled', status: 'True' },
  ],
  containerStatuses: [
    { ...server, ready: true, started: true, state: { running: { startedAt: '2026-11-30T12:00:00Z' } } },
  ],
};

test('a service is Pending, Failed with its pod’s reason, and Running once the rollout is finished', async () => {
  const space = await bench.space();
  const operator = bench.operator();
  await space.service('life', fake);
  await space.until('isvc', 'life', has('Reconciling', 'True', 'RollingOut'));
  await pods(space, 'life', {
    conditions: [
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'Unschedulable',
        message: '0/1 nodes: 1 Insufficient nvidia.com/gpu.',
      },
    ],
  });
  const waiting = await space.until('isvc', 'life', has('Reconciling', 'True', 'Unschedulable'));
  expect(waiting.status).toMatchObject({
    phase: 'Pending',
    message: expect.stringContaining('Insufficient nvidia.com/gpu'),
  });
  const image = { reason: 'ImagePullBackOff', message: 'Back-off pulling image "x": not found' };
  await pods(space, 'life', { conditions: null, containerStatuses: [{ ...server, state: { waiting: image } }] });
  const failed = await space.until('isvc', 'life', has('Stalled', 'True', 'ImageCannotBePulled'));
  expect(failed.status).toMatchObject({ phase: 'Failed', message: expect.stringContaining('Back-off pulling image') });
  const terminated = {
    exitCode: 137,
    reason: 'OOMKilled',
    finishedAt: '2026-11-30T12:00:00Z',
    startedAt: '2026-11-30T11:59:00Z',
  };
  await pods(space, 'life', {
    containerStatuses: [
      { ...server, restartCount: 3, state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated } },
    ],
  });
  const crashed = await space.until('isvc', 'life', has('Stalled', 'True', 'ContainerCrashes'));
  expect(crashed.status?.message).toContain('exit code 137 (OOMKilled)');
  await pods(space, 'life', ready);
  const running = await space.until('isvc', 'life', has('Ready', 'True', 'RolloutFinished'));
  expect(running.status).toMatchObject({ phase: 'Running', readyReplicas: 1, message: '1 of 1 pods are ready' });
  expect(condition(running, 'Stalled')).toBeUndefined();
  expect(condition(running, 'Reconciling')).toBeUndefined();
  // The next version is Ready only when its own pods are, and the older ones gone.
  await space.patch('isvc', 'life', { spec: { model: { version: '2' } } });
  await space.until(
    'isvc',
    'life',
    (live) => live.status?.['observedGeneration'] === 2 && live.status.phase === 'Pending',
  );
  await pause(500);
  expect((await space.get('isvc', 'life'))?.status?.phase).toBe('Pending');
  await poll('the new version', async () => {
    await pods(space, 'life', ready);
    return (await space.get('isvc', 'life'))?.status?.phase === 'Running';
  });
  const deployment = await space.get('deployment', 'life');
  expect(deployment?.status).toMatchObject({ replicas: 1, updatedReplicas: 1, availableReplicas: 1 });
  expect(operator.errors(space)).toEqual([]);
  const told = (await space.list('event')).filter((event) => event['action'] === 'Reconcile');
  expect(told.map(({ type, reason }) => `${String(type)} ${String(reason)}`).toSorted()).toEqual([
    'Normal Ready',
    // with the second version
    'Normal Ready',
    'Warning ContainerCrashes',
    'Warning ImageCannotBePulled',
  ]);
}, 90_000);

test('an autoscaler without a metric is reported once the pods are ready, and the service is Ready all the same', async () => {
  const space = await bench.space();
  bench.operator();
  await space.service('metric', scaled);
  await pods(space, 'metric', ready);
  const live = await space.until('isvc', 'metric', has('AutoscalerActive', 'False', 'FailedGetResourceMetric'), 60);
  expect(live.status?.phase).toBe('Running');
  expect(condition(live, 'AutoscalerActive')?.['message']).toContain('unable to get metrics');
}, 90_000);

test('a parked service is Running with no pods', async () => {
  const space = await bench.space();
  bench.operator();
  await space.service('parked', { ...fake, replicas: { min: 0, max: 0 } });
  const live = await space.until('isvc', 'parked', has('Ready', 'True', 'Parked'));
  expect(live.status).toMatchObject({ phase: 'Running', replicas: 0, readyReplicas: 0 });
}, 60_000);

test('many changes of counts are few writes', async () => {
  const space = await bench.space();
  bench.operator();
  await space.service('counts', { ...fake, replicas: { min: 20, max: 20 } });
  await space.until('deployment', 'counts', (live) => live.status?.['replicas'] === 20);
  const names = (await space.list('pod')).map(({ metadata }) => metadata.name);
  for (const name of names) {
    await space.patch('pod', name, { status: ready }, '/status');
    await pause(50);
  }
  await space.until('isvc', 'counts', has('Ready', 'True'));
  const statuses = space.writes().filter(({ objectRef }) => objectRef?.subresource === 'status');
  expect(statuses.length).toBeLessThanOrEqual(4);
}, 60_000);

/** The composition with things outside the cluster. */
function outside(external: External<Resource>): Composition {
  return defineComposition({ ...inferenceServiceComposition, external });
}

const FINALIZER = 'inference.inferno.io/external';

test('external things are made, made anew on change, and removed before the resource goes', async () => {
  const space = await bench.space();
  const calls: string[] = [];
  const composition = outside({
    ensure: async ({ metadata }) => void calls.push(`ensure ${metadata.generation}`),
    remove: async () => void calls.push('remove'),
  });
  const operator = bench.operator({ watchNamespaces: [space.name], compositions: [composition] });
  await space.service('out', fake);
  await space.until('isvc', 'out', has('Synced', 'True'));
  expect((await space.get('isvc', 'out'))?.metadata.finalizers).toEqual([FINALIZER]);
  await space.patch('isvc', 'out', { spec: { model: { version: '2' } } });
  await space.until('isvc', 'out', (live) => live.status?.['observedGeneration'] === 2);
  await pause(500);
  expect(calls).toEqual(['ensure 1', 'ensure 2']);
  await space.delete('isvc', 'out');
  await space.gone('isvc', 'out');
  await space.gone('deployment', 'out');
  expect(calls).toEqual(['ensure 1', 'ensure 2', 'remove']);
  expect(operator.errors(space)).toEqual([]);
}, 60_000);

test('what cannot be made of the external things is reported and tried again, while the children are made', async () => {
  const space = await bench.space();
  let broken = true;
  const composition = outside({
    ensure: async () => {
      if (broken) throw new Error('the registry is down');
    },
    remove: async () => undefined,
  });
  bench.operator({ watchNamespaces: [space.name], compositions: [composition] });
  await space.service('out', fake);
  const live = await space.until('isvc', 'out', has('Stalled', 'True', 'ExternalFailed'));
  expect(live.status?.message).toContain('the registry is down');
  await space.until('deployment', 'out', () => true);
  broken = false;
  await space.until('isvc', 'out', has('Synced', 'True'));
}, 60_000);

test('a removal that fails is reported with the way out, an event says so after some tries, and the annotation lets it go', async () => {
  const space = await bench.space();
  let tries = 0;
  const composition = outside({
    ensure: async () => undefined,
    remove: async () => {
      tries += 1;
      throw new Error('still in use');
    },
  });
  bench.operator({ watchNamespaces: [space.name], compositions: [composition] });
  await space.service('stuck', fake);
  await space.until('isvc', 'stuck', has('Synced', 'True'));
  await space.delete('isvc', 'stuck');
  const live = await space.until('isvc', 'stuck', has('Stalled', 'True', 'ExternalRemovalFailed'));
  expect(live.status?.message).toContain('still in use');
  expect(live.status?.message).toContain('inferno.io/skip-external-removal=true');
  const reasons = await poll('an event', async () => {
    const found = (await space.list('event')).map(({ reason }) => reason);
    return found.includes('DeletionStuck') ? found : undefined;
  });
  expect(reasons.filter((reason) => reason === 'ExternalRemovalFailed')).toHaveLength(1);
  await pause(2500);
  const before = tries;
  await pause(3000);
  expect(tries - before).toBeLessThanOrEqual(2);
  await space.patch('isvc', 'stuck', { metadata: { annotations: { 'inferno.io/skip-external-removal': 'true' } } });
  await space.gone('isvc', 'stuck');
  const skipped = await poll('an event', async () =>
    (await space.list('event')).find(({ reason }) => reason === 'ExternalRemovalSkipped'),
  );
  expect(skipped['type']).toBe('Warning');
}, 60_000);

test('a call that never ends delays nobody, and is not made twice at once', async () => {
  const space = await bench.space();
  let running = 0;
  let most = 0;
  const composition = outside({
    timeoutMs: 200,
    ensure: ({ metadata }) => {
      if (metadata.name !== 'hung') return Promise.resolve();
      running += 1;
      most = Math.max(most, running);
      return new Promise(() => undefined);
    },
    remove: async () => undefined,
  });
  bench.operator({ watchNamespaces: [space.name], compositions: [composition], maxConcurrentReconciles: 1 });
  await space.service('hung', fake);
  await space.service('fine', fake);
  const live = await space.until('isvc', 'hung', has('Stalled', 'True', 'ExternalFailed'));
  expect(live.status?.message).toMatch(/no end within 200 ms|an earlier call has not ended yet/);
  await space.until('isvc', 'fine', has('Synced', 'True'));
  expect(most).toBe(1);
}, 60_000);

test('a resource that is being deleted gets no finalizer and no write', async () => {
  const space = await bench.space();
  const composition = outside({ ensure: async () => undefined, remove: async () => undefined });
  await space.service('ending', fake, { finalizers: ['test.example.com/hold'] });
  await space.delete('isvc', 'ending');
  const operator = bench.operator({ watchNamespaces: [space.name], compositions: [composition] });
  await pause(1500);
  expect(space.writes()).toEqual([]);
  expect((await space.get('isvc', 'ending'))?.metadata.finalizers).toEqual(['test.example.com/hold']);
  await space.patch('isvc', 'ending', { metadata: { finalizers: null } });
  await space.gone('isvc', 'ending');
  expect(operator.errors(space)).toEqual([]);
}, 60_000);

test('a fault of a composition is reported once and harms no other resource', async () => {
  const space = await bench.space();
  const composition = defineComposition<Resource>({
    crd: inferenceServiceComposition.crd,
    children: inferenceServiceComposition.children,
    project: (resource, observed, context) => inferenceServiceComposition.project(resource as never, observed, context),
    compose(scope, resource, context) {
      if (resource.metadata.name === 'bad') throw new TypeError('no such engine');
      inferenceServiceComposition.compose(scope, resource as never, context);
    },
  });
  const operator = bench.operator({ watchNamespaces: [space.name], compositions: [composition] });
  await space.service('bad', fake);
  await space.service('good', fake);
  const live: Live = await space.until('isvc', 'bad', has('Stalled', 'True', 'SynthesisFailed'));
  expect(live.status?.message).toContain('no such engine');
  await space.until('isvc', 'good', has('Synced', 'True'));
  await pause(1000);
  expect(operator.errors(space)).toHaveLength(1);
}, 60_000);

test('a status never reaches another version of the resource, nor another resource of its name', async () => {
  const space = await bench.space();
  const transport = new Transport(connect({ kubeconfig: bench.cluster.kubeconfig }), { userAgent: 'test' });
  const client = new KubeClient(transport);
  const kind = { apiVersion: 'inference.inferno.io/v1alpha1', kind: 'InferenceService', plural: 'inferenceservices' };
  await space.service('late', fake);
  const first = await client.get(kind, space.name, 'late');
  await space.patch('isvc', 'late', { spec: { model: { version: '2' } } });
  const late = (): Promise<unknown> => client.applyStatus(kind, first, { phase: 'Failed' }, { fieldManager: 'test' });
  await expect(late()).rejects.toMatchObject({ status: 409 });
  await space.delete('isvc', 'late');
  await expect(late()).rejects.toMatchObject({ status: 404 });
  await space.service('late', fake);
  await expect(late()).rejects.toMatchObject({ status: 409 });
  // the CRD's default: nobody has looked at it
  expect((await space.get('isvc', 'late'))?.status).toEqual({ observedGeneration: -1 });
  transport.close();
}, 60_000);

test('what is probably not meant is an event for each, once, also after a restart', async () => {
  const space = await bench.space();
  const events = async (): Promise<readonly Live[]> =>
    (await space.list('event')).filter((event) => event['reason'] === 'ProbablyNotMeant');
  const first = bench.operator();
  const env = [{ name: 'API_KEY', value: 'open-sesame-12345' }];
  await space.service('doubtful', { ...fake, image: 'registry.example.com/own', env });
  await poll('two events', async () => ((await events()).length === 2 ? true : undefined));
  await space.until('isvc', 'doubtful', has('Synced', 'True'));
  await space.patch('deployment', 'doubtful', { metadata: { labels: { app: 'drifted' } } });
  await space.until('deployment', 'doubtful', (live) => live.metadata.labels?.['app'] === 'doubtful');
  await first.stop();
  const written = (): number => space.writes().filter(({ objectRef }) => objectRef?.resource === 'events').length;
  const before = written();
  const second = bench.operator();
  await pause(2000);
  expect(written()).toBe(before);
  await space.patch('isvc', 'doubtful', { spec: { image: 'registry.example.com/own:1', env: null } });
  await space.until('isvc', 'doubtful', (live) => live.status?.['observedGeneration'] === 2);
  const told = await events();
  expect(told.map((event) => String(event['note'])).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
    expect.stringMatching(/^spec\.env\[0\]\.value: API_KEY looks like a secret/),
    expect.stringMatching(/^spec\.image: has no tag/),
  ]);
  expect(told.every((event) => event['type'] === 'Warning' && event['series'] === undefined)).toBe(true);
  const lines = [...first.log, ...second.log].filter((line) => line.includes('Resource has a warning'));
  expect(lines).toHaveLength(2);
  expect(JSON.stringify([told, first.log, second.log])).not.toContain('open-sesame');
}, 60_000);
