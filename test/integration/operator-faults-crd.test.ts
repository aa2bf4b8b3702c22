import { setTimeout as sleep } from 'node:timers/promises';
import { redisCache } from '../../examples/redis-cache/composition';
import { inferenceServiceComposition } from '../../lib';
import { poll, startControlPlane, type ControlPlane } from '../../tools/local-cluster';
import { freePort } from '../../tools/local-cluster/ports';
import { startOperator, World, type Started } from '../faults/world';

const CACHES = '/apis/cache.example.com/v1alpha1/namespaces/default/rediscaches';
const CRD = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/rediscaches.cache.example.com';

jest.setTimeout(120_000);

let cluster: ControlPlane;
let world: World;
let operator: Started;
let health: string;
let metrics: string;

beforeAll(async () => {
  cluster = await startControlPlane({ crds: ['crds/inferenceservice.yaml'] });
  world = await World.make(cluster, 'default');
  health = `127.0.0.1:${await freePort()}`;
  metrics = `127.0.0.1:${await freePort()}`;
  operator = startOperator(cluster.kubeconfig, {
    compositions: [inferenceServiceComposition, redisCache],
    healthProbeBindAddress: health,
    metricsBindAddress: metrics,
  });
}, 600_000);
afterAll(async () => {
  await operator?.stop();
  await cluster?.stop();
});

async function ready(): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(`http://${health}/readyz`);
  return { status: answer.status, text: await answer.text() };
}

async function synced(kind: string): Promise<string | undefined> {
  const text = await (await fetch(`http://${metrics}/metrics`)).text();
  const line = text
    .split('\n')
    .find((each) => each.startsWith('inferno_reflector_synced') && each.includes(`kind="${kind}"`));
  return line?.split(' ').at(-1);
}

async function createCache(name: string): Promise<void> {
  const cache = {
    apiVersion: 'cache.example.com/v1alpha1',
    kind: 'RedisCache',
    metadata: { name },
    spec: { memoryMi: 64 },
  };
  await poll('the cache to be taken', async () => (await cluster.request('POST', CACHES, cache)).status === 201);
}

async function statefulSet(name: string): Promise<boolean> {
  return (await cluster.request('GET', `/apis/apps/v1/namespaces/default/statefulsets/${name}`)).status === 200;
}

test('a composition whose CRD is missing waits, and the other one works', async () => {
  await world.create('without');
  await world.follows('without');
  const { status, text } = await poll('the missing kind to be told', async () => {
    const answer = await ready();
    return answer.text.includes('not in the cluster') ? answer : undefined;
  });
  expect(status).toBe(503);
  expect(text).toBe('[+] inferenceservice: ok\n[-] rediscache: rediscaches not in the cluster\n');
  expect(await synced('rediscaches.cache.example.com')).toBe('0');
  expect(await synced('inferenceservices.inference.inferno.io')).toBe('1');
  expect((await fetch(`http://${health}/healthz`)).status).toBe(200);
});

test('it begins once the CRD is there', async () => {
  await cluster.installCrds(['examples/redis-cache/crd.yaml']);
  await createCache('first');
  await poll('its children', () => statefulSet('first'));
  expect(await ready()).toEqual({ status: 200, text: '[+] inferenceservice: ok\n[+] rediscache: ok\n' });
  expect(await synced('rediscaches.cache.example.com')).toBe('1');
});

test('a CRD that is deleted and made again disturbs nobody else', async () => {
  await cluster.request('DELETE', CRD);
  await poll('readyz to tell it', async () => (await ready()).text.includes('rediscaches not in the cluster'));
  await world.setVersion('without', '2');
  await world.follows('without', '2', 5);
  await poll('the end of the CRD', async () => (await cluster.request('GET', CRD)).status === 404);
  await cluster.installCrds(['examples/redis-cache/crd.yaml']);
  await createCache('second');
  await poll('its children', () => statefulSet('second'));
  expect((await ready()).status).toBe(200);
  expect(operator.errors()).toEqual([]);
});

test('a CRD that is gone for a moment only is not missed', async () => {
  await cluster.request('DELETE', CRD);
  await poll('the end of the CRD', async () => (await cluster.request('GET', CRD)).status === 404, { interval: 5 });
  await cluster.installCrds(['examples/redis-cache/crd.yaml']);
  await createCache('third');
  await poll('its children', () => statefulSet('third'));
  await sleep(200);
  expect(operator.errors()).toEqual([]);
});
