import { asResource, type Composition, type Manifest } from '../../lib/composition';
import { Finalizers } from '../../operator/reconcile/finalizers';
import { EventRecorder } from '../../operator/report/events';
import { Informers } from '../../operator/watch/informers';
import { redisCache } from '../../examples/redis-cache/composition';
import { FakeClock } from './fake-clock';
import { StubClient } from './stub-client';

const resourceKind = { apiVersion: 'example.com/v1alpha1', kind: 'RedisCache', plural: 'rediscaches' };
const resource: Manifest = {
  apiVersion: 'example.com/v1alpha1',
  kind: 'RedisCache',
  metadata: { name: 'sessions', namespace: 'team', uid: 'u', generation: 1, resourceVersion: '7' },
  spec: {},
};

function finalizersOf(external: Composition['external']) {
  const clock = new FakeClock();
  const client = new StubClient();
  const events = new EventRecorder({ client, clock, controller: 'c', instance: 'i', failed: () => undefined });
  const resources = new Informers({ client, clock, namespaces: [] }).of({ kind: resourceKind });
  const composition: Composition = { ...redisCache, deletesInOrder: true, ...(external && { external }) };
  return { clock, client, finalizers: new Finalizers({ composition, resourceKind, client, resources, events, clock }) };
}

test('what is external is looked after again every ten minutes, and at once after a change', async () => {
  let calls = 0;
  const ensure = async (): Promise<void> => void (calls += 1);
  const { clock, finalizers } = finalizersOf({ ensure, remove: async () => undefined });
  const memory = { removals: 0 };
  const { signal } = new AbortController();
  const look = (object = resource) => finalizers.ensure(asResource(object), object, memory, signal);
  expect(await look()).toEqual({ state: 'applied', againMs: 600_000 });
  await clock.advance(200_000);
  expect(await look()).toEqual({ state: 'applied', againMs: 400_000 });
  expect(calls).toBe(1);
  await clock.advance(400_000);
  await look();
  await look({ ...resource, metadata: { ...resource.metadata, generation: 2 } });
  expect(calls).toBe(3);
});

test('what is external is removed once, however long the children take to go', async () => {
  const remove = jest.fn(async () => undefined);
  const { client, finalizers } = finalizersOf({ ensure: async () => undefined, remove });
  const { group } = redisCache.crd.spec;
  const both = [`${group}/external`, `${group}/children`];
  const deleted = (left: readonly string[]): Manifest => ({
    ...resource,
    metadata: { ...resource.metadata, finalizers: left, deletionTimestamp: '2026-01-01T00:00:00Z' },
  });
  const { signal } = new AbortController();
  expect(await finalizers.removeExternal(deleted(both), { removals: 0 }, signal)).toEqual({ state: 'stale' });
  expect(client.asked.at(-1)?.body).toContainEqual({ op: 'add', path: '/metadata/finalizers', value: both.slice(1) });
  expect(await finalizers.removeExternal(deleted(both.slice(1)), { removals: 0 }, signal)).toEqual({
    state: 'applied',
  });
  expect(remove).toHaveBeenCalledTimes(1);
});
