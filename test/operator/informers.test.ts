import type { Manifest } from '../../lib/composition/manifest';
import type { Change } from '../../operator/watch/cache';
import type { KubeClient, Page, Selection } from '../../operator/cluster/kube';
import { Informers } from '../../operator/watch/informers';
import { FakeClock } from './fake-clock';

const SERVICES = { apiVersion: 'v1', kind: 'Service', plural: 'services' };

function service(namespace: string, name: string): Manifest {
  return { ...SERVICES, metadata: { name, namespace, uid: `${namespace}/${name}`, resourceVersion: '1' } };
}

function clientOf(objects: readonly Manifest[]): { client: KubeClient; lists: (string | undefined)[] } {
  const lists: (string | undefined)[] = [];
  const client = {
    list: async (_kind: unknown, { namespace }: Selection): Promise<Page> => {
      lists.push(namespace);
      const items = objects.filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace);
      return { items, resourceVersion: '5', next: undefined };
    },
    // oxlint-disable-next-line require-yield -- a watch on which nothing happens
    async *watch(_kind: unknown, _selection: unknown, { signal }: { signal: AbortSignal }) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  } as unknown as KubeClient;
  return { client, lists };
}

async function run(informers: Informers, clock: FakeClock): Promise<() => Promise<void>> {
  const stop = new AbortController();
  const running = informers.run(stop.signal);
  await clock.advance(0);
  return async () => {
    stop.abort();
    await running;
  };
}

test('those who want the same share one cache, those who want another shape or selection do not', () => {
  const informers = new Informers({ client: clientOf([]).client, clock: new FakeClock(), namespaces: [] });
  const slim = (object: Manifest): Manifest => object;
  const first = informers.of({ kind: SERVICES, slim });
  expect(informers.of({ kind: { ...SERVICES }, slim })).toBe(first);
  expect(informers.of({ kind: SERVICES })).not.toBe(first);
  expect(informers.of({ kind: SERVICES, slim, labelSelector: 'a=b' })).not.toBe(first);
  expect(informers.all()).toHaveLength(3);
});

test('each namespace in scope is listed on its own, and nothing else', async () => {
  const clock = new FakeClock();
  const { client, lists } = clientOf([service('a', 'x'), service('b', 'x'), service('c', 'x')]);
  const informers = new Informers({ client, clock, namespaces: ['a', 'b'] });
  const informer = informers.of({ kind: SERVICES });
  const stop = await run(informers, clock);
  expect(lists).toEqual(['a', 'b']);
  expect(informer.state).toBe('synced');
  expect(informer.all().map(({ metadata }) => metadata.namespace)).toEqual(['a', 'b']);
  expect(informer.get('c', 'x')).toBeUndefined();
  await stop();
});

test("a listener's fault is reported to it and keeps no other from hearing", async () => {
  const clock = new FakeClock();
  const informers = new Informers({ client: clientOf([service('a', 'x')]).client, clock, namespaces: [] });
  const informer = informers.of({ kind: SERVICES });
  const heard: Change[] = [];
  const faults: unknown[] = [];
  const fault = new Error('fault');
  const silent = { state: () => undefined, failed: () => undefined };
  informer.listen({
    ...silent,
    changed: () => {
      throw fault;
    },
    failed: (error) => faults.push(error),
  });
  informer.listen({ ...silent, changed: (changes) => heard.push(...changes) });
  const stop = await run(informers, clock);
  expect(heard).toHaveLength(1);
  expect(faults).toEqual([fault]);
  expect(informer.state).toBe('synced');
  await stop();
});
