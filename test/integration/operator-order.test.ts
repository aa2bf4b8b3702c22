// Children that depend on each other: node.addDependency, as the operator keeps it on a real cluster.
import { lookAt } from '../../cli/commands/status/look';
import { Snapshot } from '../../cli/cluster/snapshot';
import type { Manifest } from '../../lib/composition';
import { connect } from '../../operator/cluster/connection';
import { KubeClient } from '../../operator/cluster/kube';
import { Transport } from '../../operator/cluster/transport';
import { Bench, condition, has, pause, type Live, type Running, type Space } from './operator-support';
import { OPEN, stack, stackCrd, type Part } from './stack';

jest.setTimeout(90_000);

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.start({ crds: [stackCrd()] });
}, 600_000);
afterAll(() => bench?.stop(), 60_000);
afterEach(() => bench.calm());

const waits = has('Synced', 'False', 'WaitingForDependency');
const synced = has('Synced', 'True');

function operate(): Running {
  return bench.operator({ compositions: [stack] });
}

function make(space: Space, parts: readonly Part[]): Promise<Live> {
  return space.make('stack', { apiVersion: 'example.com/v1', kind: 'Stack', metadata: { name: 's' }, spec: { parts } });
}

/** The Deployment's pods become ready, though no node runs them. */
async function start(space: Space): Promise<void> {
  const pods = (await space.list('pod')).map(({ metadata }) => metadata.name);
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  await Promise.all(pods.map((name) => space.patch('pod', name, { status }, '/status')));
}

function open(space: Space, name: string): Promise<Live> {
  return space.patch('configmap', name, { metadata: { annotations: { [OPEN]: 'yes' } } });
}

/** What operators asked of the namespace's objects. */
function asked(space: Space): readonly string[] {
  return bench
    .requests(({ objectRef }) => objectRef?.namespace === space.name)
    .map(({ verb, objectRef }) => `${verb} ${objectRef?.resource}/${objectRef?.name}`);
}

function made(space: Space): readonly string[] {
  return space
    .writes()
    .filter(({ objectRef, responseStatus }) => objectRef?.resource !== 'events' && responseStatus?.code === 201)
    .map(({ objectRef }) => String(objectRef?.name));
}

function deleted(space: Space): readonly string[] {
  return space
    .writes()
    .filter(({ verb }) => verb === 'delete')
    .map(({ objectRef }) => String(objectRef?.name));
}

async function names(space: Space): Promise<readonly string[]> {
  return (await space.list('configmap')).map(({ metadata }) => metadata.name).filter((name) => !name.includes('.crt'));
}

const messageOf = (live: Live | undefined): string => condition(live, 'Synced')?.['message'] ?? '';

test('a child waits for pods that never start, says so, and is made by another operator once they are ready', async () => {
  const space = await bench.space();
  const first = operate();
  await make(space, [
    { name: 'web', after: ['db'] },
    { name: 'db', pods: 2 },
  ]);
  const live = await space.until('stack', 's', (seen) => waits(seen) && messageOf(seen).includes('0 of 2 pods'));
  const message = `ConfigMap ${space.name}/web waits for Deployment ${space.name}/db, which is not ready: 0 of 2 pods are ready`;
  expect(messageOf(live)).toBe(message);
  expect(has('Reconciling', 'True', 'WaitingForDependency')(live)).toBe(true);
  await pause(500);
  const before = asked(space).length;
  await pause(2500);
  expect(asked(space).slice(before)).toEqual([]);
  expect(made(space)).toEqual(['db']);

  const connection = connect({ kubeconfig: bench.cluster.kubeconfig });
  const transport = new Transport(connection, { userAgent: 'test', timeoutMs: 10_000 });
  const client = new KubeClient(transport);
  const snapshot = await Snapshot.take({ client, transport, namespace: space.name }, stack, space.name);
  const seen = await lookAt(stack, live as unknown as Manifest, snapshot, '2026-11-30T12:00:00Z');
  transport.close();
  expect(seen).toMatchObject({ isReady: false, health: 'waiting', summary: 'WaitingForDependency' });
  expect(seen.messages).toContain(message);

  await first.stop();
  await start(space);
  await space.until('deployment', 'db', has('Available', 'True'));
  expect(await names(space)).toEqual([]);
  const second = operate();
  await space.until('stack', 's', synced);
  expect(await names(space)).toEqual(['web']);
  expect((await space.get('configmap', 'web'))?.metadata.annotations).toMatchObject({
    'inferno.io/applied-after': 'Deployment.apps/db',
  });
  expect([...first.errors(space), ...second.errors(space)]).toEqual([]);
});

test('what is ready at once delays nobody, and is not reported as waited for', async () => {
  const space = await bench.space();
  operate();
  await make(space, [{ name: 'c', after: ['b'] }, { name: 'b', after: ['a'] }, { name: 'a' }]);
  await space.until('stack', 's', synced);
  expect(made(space)).toEqual(['a', 'b', 'c']);
  expect(space.writes().filter(({ objectRef }) => objectRef?.subresource === 'status')).toHaveLength(1);
});

test('the word of the composition wins over the kind, and a change waits as the first apply does', async () => {
  const space = await bench.space();
  operate();
  await make(space, [{ name: 'gate' }, { name: 'behind', after: ['gate'] }]);
  const live = await space.until('stack', 's', waits);
  expect(messageOf(live)).toBe(
    `ConfigMap ${space.name}/behind waits for ConfigMap ${space.name}/gate, which is not ready`,
  );
  await open(space, 'gate');
  await space.until('stack', 's', synced);

  await space.patch('configmap', 'gate', { metadata: { annotations: { [OPEN]: null } } });
  // What was applied in its turn is still put right.
  await space.patch('configmap', 'behind', { data: { text: 'theirs' } });
  await space.until('configmap', 'behind', ({ data }) => JSON.stringify(data) === '{"text":""}');
  await space.patch('stack', 's', {
    spec: { parts: [{ name: 'gate' }, { name: 'behind', after: ['gate'], text: 'new' }] },
  });
  await space.until('stack', 's', waits);
  expect((await space.get('configmap', 'behind'))?.['data']).toEqual({ text: '' });
  await open(space, 'gate');
  await space.until('configmap', 'behind', ({ data }) => JSON.stringify(data) === '{"text":"new"}');
});

const chain: readonly Part[] = [{ name: 'a' }, { name: 'b', after: ['a'] }, { name: 'c', after: ['b'] }];

test('what is no longer wanted goes in reverse, each once what depends on it is gone', async () => {
  const space = await bench.space();
  const operator = operate();
  await make(space, chain);
  await space.until('stack', 's', synced);
  await space.patch('configmap', 'c', { metadata: { finalizers: ['example.com/slow'] } });
  await space.patch('stack', 's', { spec: { parts: [] } });
  const live = await space.until('stack', 's', has('Synced', 'False', 'WaitingForDependents'));
  expect(messageOf(live)).toContain(
    `ConfigMap ${space.name}/b is deleted once ConfigMap ${space.name}/c is gone, which depends on it`,
  );
  await pause(1500);
  expect(await names(space)).toEqual(['a', 'b', 'c']);
  expect(deleted(space)).toEqual(['c']);
  await space.patch('configmap', 'c', { metadata: { finalizers: null } });
  await space.until('stack', 's', synced);
  expect(await names(space)).toEqual([]);
  expect(deleted(space)).toEqual(['c', 'b', 'a']);
  expect(operator.errors(space)).toEqual([]);
});

test('a deleted resource stays until its children are gone in reverse, each with its pods', async () => {
  const space = await bench.space();
  const operator = operate();
  await make(space, [{ name: 'a' }, { name: 'b', pods: 1, after: ['a'] }]);
  await space.until('deployment', 'b', (live) => live.status?.['replicas'] === 1);
  const [pod] = await space.list('pod');
  await space.patch('pod', pod?.metadata.name ?? '', { metadata: { finalizers: ['example.com/slow'] } });
  await space.delete('stack', 's');
  const live = await space.until('stack', 's', has('Synced', 'False', 'WaitingForDependents'));
  expect(live.metadata.finalizers).toEqual(['example.com/children']);
  await pause(1500);
  expect(await names(space)).toEqual(['a']);
  expect(await space.get('deployment', 'b')).toBeDefined();
  await space.patch('pod', pod?.metadata.name ?? '', { metadata: { finalizers: null } });
  await space.gone('stack', 's');
  expect(await names(space)).toEqual([]);
  expect(deleted(space)).toEqual(['b', 'a']);
  expect(operator.errors(space)).toEqual([]);
});

test('children that depend on nothing go before their resource does too, and an operator that comes back goes on', async () => {
  const space = await bench.space();
  const first = operate();
  await make(space, chain);
  await space.until('stack', 's', synced);
  await space.patch('configmap', 'b', { metadata: { finalizers: ['example.com/slow'] } });
  await space.delete('stack', 's');
  await space.gone('configmap', 'c');
  await first.stop();
  await space.patch('configmap', 'b', { metadata: { finalizers: null } });
  await pause(500);
  expect(await names(space)).toEqual(['a']);
  operate();
  await space.gone('stack', 's');
  expect(await names(space)).toEqual([]);
});

test.each(['while the operator runs', 'while none runs'])('orphans stay, %s', async (when) => {
  const space = await bench.space();
  const first = operate();
  await make(space, chain);
  await space.until('stack', 's', synced);
  if (when === 'while none runs') await first.stop();
  await bench.cluster.request('DELETE', space.path('stack', 's'), {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy: 'Orphan',
  });
  if (when === 'while none runs') {
    await space.until('stack', 's', ({ metadata }) => metadata.finalizers?.join() === 'example.com/children');
    operate();
  }
  await space.gone('stack', 's');
  await pause(1000);
  expect(await names(space)).toEqual(['a', 'b', 'c']);
  for (const { metadata } of await space.list('configmap')) expect(metadata['ownerReferences'] ?? []).toEqual([]);
  expect(deleted(space)).toEqual([]);
});

test('a cycle is a fault of the composition, and nothing is applied', async () => {
  const space = await bench.space();
  operate();
  await make(space, [
    { name: 'a', after: ['b'] },
    { name: 'b', after: ['a'] },
  ]);
  const live = await space.until('stack', 's', has('Stalled', 'True', 'SynthesisFailed'));
  expect(messageOf(live)).toContain('dependencies form a cycle: s/a => s/b => s/a');
  expect(await names(space)).toEqual([]);
});
