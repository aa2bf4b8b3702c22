// What becomes of the children of a resource whose end the operator hears of after theirs: watches have no common order.
import { connect } from '../../operator/cluster/connection';
import { poll } from '../../tools/local-cluster';
import { FaultProxy, pass } from '../faults/proxy';
import { Bench, CHILDREN, fake, has, pause, scaled, type Live, type Running, type Space } from './operator-support';

jest.setTimeout(90_000);

let bench: Bench;
let proxy: FaultProxy;
/** Whether the operator hears nothing of InferenceServices. */
let deaf = false;

beforeAll(async () => {
  bench = await Bench.start();
  proxy = await FaultProxy.start(bench.cluster);
  proxy.rule = ({ url, watch }) =>
    watch && url.pathname.endsWith('/inferenceservices') ? { do: 'filter', keep: () => !deaf } : pass;
}, 600_000);
afterAll(async () => {
  await proxy?.stop();
  await bench?.stop();
}, 60_000);
afterEach(() => bench.calm());
beforeEach(() => {
  deaf = false;
});

/** From here on the operator hears all, what it missed first. */
function hear(): void {
  deaf = false;
  proxy.cutAll();
}

/** An operator behind the proxy, with a resource that is settled in the namespace. */
async function settled(space: Space, name: string, metadata: object = {}): Promise<Running> {
  const operator = bench.operator({ connection: connect({ kubeconfig: proxy.kubeconfig(bench.cluster) }) });
  await space.service(name, scaled, metadata);
  for (const kind of CHILDREN) await space.until(kind, name, () => true);
  // An autoscaler's own words come within the first seconds, and change the status.
  await space.until('isvc', name, (live) => has('Synced', 'True')(live) && live.status?.['replicas'] === 1);
  return operator;
}

function remove(space: Space, name: string, propagationPolicy: 'Background' | 'Foreground' | 'Orphan') {
  return bench.cluster.request('DELETE', space.path('isvc', name), {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy,
  });
}

/** Objects that an operator made: an apply that made one is answered with 201. */
function made(space: Space): readonly string[] {
  return space
    .writes()
    .filter(({ responseStatus, verb }) => verb === 'patch' && responseStatus?.code === 201)
    .map(({ objectRef }) => `${objectRef?.resource}/${objectRef?.name}`);
}

/** Where an operator wrote after its first so many writes. */
function writtenSince(space: Space, before: number): readonly string[] {
  return space
    .writes()
    .slice(before)
    .map(({ requestURI }) => requestURI);
}

function looks(space: Space): number {
  return bench.requests(({ objectRef, verb }) => {
    return verb === 'get' && objectRef?.resource === 'inferenceservices' && objectRef.namespace === space.name;
  }).length;
}

const ownersOf = ({ metadata }: Live): string => JSON.stringify(metadata['ownerReferences'] ?? []);

test.each(['Background', 'Foreground'] as const)(
  'children that end by %s deletion before their resource does, as far as is heard, are not made again',
  async (policy) => {
    const space = await bench.space();
    const operator = await settled(space, 'heard-late');
    const before = space.writes().length;
    expect(looks(space)).toBe(0);
    deaf = true;
    await remove(space, 'heard-late', policy);
    for (const kind of CHILDREN) await space.gone(kind, 'heard-late');
    await poll('a look at the resource', async () => looks(space) > 0);
    await pause(1500);
    hear();
    await pause(2500);
    expect(made(space)).toHaveLength(3);
    expect(writtenSince(space, before)).toEqual([]);
    for (const kind of [...CHILDREN, 'pod'] as const) expect(await space.list(kind)).toEqual([]);
    expect(operator.errors(space)).toEqual([]);
  },
);

test.each([
  ['that never asked for one', {}],
  ['that asks to take children over', { annotations: { 'inferno.io/adopt': 'Deployment/kept, Service/kept' } }],
])('orphans are left as they are, also by a resource %s', async (_, metadata) => {
  const space = await bench.space();
  const operator = await settled(space, 'kept', metadata);
  const before = space.writes().length;
  deaf = true;
  await remove(space, 'kept', 'Orphan');
  await space.gone('isvc', 'kept');
  await poll('a look at the resource', async () => looks(space) > 0);
  await pause(1500);
  hear();
  await pause(2500);
  for (const kind of CHILDREN) expect(ownersOf((await space.get(kind, 'kept')) ?? ({} as Live))).toBe('[]');
  expect(writtenSince(space, before)).toEqual([]);
  expect(operator.errors(space)).toEqual([]);
});

test('a resource that is made anew under its name before its end is heard gets children of its own', async () => {
  const space = await bench.space();
  const operator = await settled(space, 'anew');
  const old = (await space.get('isvc', 'anew'))?.metadata.uid ?? '';
  deaf = true;
  await remove(space, 'anew', 'Background');
  const { metadata } = await space.service('anew', scaled);
  await poll('a look at the resource', async () => looks(space) > 0);
  await pause(1500);
  expect(made(space)).toHaveLength(3);
  hear();
  for (const kind of CHILDREN) await space.until(kind, 'anew', (live) => ownersOf(live).includes(metadata.uid));
  await space.until('isvc', 'anew', has('Synced', 'True'));
  expect(made(space)).toHaveLength(6);
  for (const kind of CHILDREN) expect(ownersOf((await space.get(kind, 'anew')) as Live)).not.toContain(old);
  expect(operator.errors(space)).toEqual([]);
});

test('a child that somebody deletes costs one look at its resource and one apply', async () => {
  const space = await bench.space();
  await settled(space, 'drift');
  const [{ length: writes }, seen] = [space.writes(), looks(space)];
  const { uid } = (await space.get('service', 'drift'))?.metadata ?? {};
  await space.delete('service', 'drift');
  await space.until('service', 'drift', ({ metadata }) => metadata.uid !== uid);
  await pause(1000);
  expect(looks(space) - seen).toBe(1);
  expect(
    space
      .writes()
      .slice(writes)
      .filter(({ objectRef }) => objectRef?.resource === 'services'),
  ).toHaveLength(1);
});

test('while the API server does not say whether the resource is there, nothing is made for it', async () => {
  const space = await bench.space();
  const operator = await settled(space, 'mute');
  const { rule } = proxy;
  proxy.rule = (seen) =>
    !seen.write && seen.url.pathname.endsWith('/inferenceservices/mute') ? { do: 'answer', status: 503 } : rule(seen);
  try {
    const uid = (await space.get('deployment', 'mute'))?.metadata.uid;
    await space.delete('deployment', 'mute');
    await pause(2000);
    expect(await space.get('deployment', 'mute')).toBeUndefined();
    proxy.rule = rule;
    await space.until('deployment', 'mute', ({ metadata }) => metadata.uid !== uid);
  } finally {
    proxy.rule = rule;
  }
  expect(operator.errors(space)).toEqual([]);
});

test('of many resources whose end is heard late no child is made again, and each is looked at once', async () => {
  const space = await bench.space();
  const operator = bench.operator({ connection: connect({ kubeconfig: proxy.kubeconfig(bench.cluster) }) });
  const names = Array.from({ length: 40 }, (_, n) => `many-${n}`);
  await Promise.all(names.map((name) => space.service(name, fake)));
  for (const name of names) await space.until('isvc', name, has('Synced', 'True'));
  expect(made(space)).toHaveLength(80);
  deaf = true;
  await bench.cluster.request('DELETE', space.path('isvc'));
  for (const kind of CHILDREN) await poll(`the end of each ${kind}`, async () => (await space.list(kind)).length === 0);
  await poll('a look at each resource', async () => looks(space) >= names.length);
  hear();
  await pause(2500);
  expect(made(space)).toHaveLength(80);
  expect(looks(space)).toBe(names.length);
  expect(operator.errors(space)).toEqual([]);
});
