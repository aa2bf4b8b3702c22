import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { formatPath, ownerOf, synthesize } from '../../lib/composition';
import type { ChildKind, LiveObject, Manifest, Observed, SyncOutcome } from '../../lib/composition';
import { planned } from '../composition/fixtures';
import { redisCache, type RedisCache } from '../../examples/redis-cache/composition';

const folder = join(__dirname, '..', '..', 'examples', 'redis-cache');
const sessions: RedisCache = parse(readFileSync(join(folder, 'sessions.yaml'), 'utf8'));
const NOON = '2026-11-30T12:00:00Z';
const sync: SyncOutcome = { state: 'applied' };

function render(resource: unknown): readonly Manifest[] {
  const synthesis = synthesize(redisCache, resource);
  if (!synthesis.valid) {
    throw new Error(JSON.stringify(synthesis.errors));
  }
  return synthesis.manifests;
}

function observing(...objects: readonly Manifest[]): Observed {
  return {
    get: (kind: ChildKind, name: string) =>
      objects.find((object) => object.kind === kind.kind && object.metadata.name === name),
    list: (kind: ChildKind) => objects.filter((object) => object.kind === kind.kind),
  };
}

test('a RedisCache becomes a Service and a StatefulSet', () => {
  const yaml = render(sessions)
    .map((manifest) => stringify(manifest))
    .join('---\n');
  expect(yaml).toMatchSnapshot();
});

test('its schema refuses what the API server would refuse', () => {
  const synthesis = synthesize(redisCache, { ...sessions, spec: { memoryMi: 1, evict: 'never', disk: '1Gi' } });
  expect(synthesis.valid ? [] : synthesis.errors.map(({ path }) => formatPath(path)).toSorted()).toStrictEqual([
    'spec.disk',
    'spec.evict',
    'spec.memoryMi',
  ]);
});

test('its rule on the length of the name holds', () => {
  const metadata = { ...sessions.metadata, name: 'a'.repeat(53) };
  expect(synthesize(redisCache, { ...sessions, metadata })).toMatchObject({
    valid: false,
    errors: [{ path: ['metadata', 'name'], message: expect.stringContaining('no more than 52 characters') }],
  });
});

test('a name that no Service may have is made legal in all places alike', () => {
  const metadata = { ...sessions.metadata, name: 'shop.sessions' };
  const [service, pods] = render({ ...sessions, metadata });
  expect(service?.metadata.name).toMatch(/^shop-sessions-h[0-9a-f]{10}$/);
  expect(pods).toMatchObject({
    metadata: { name: service?.metadata.name },
    spec: { serviceName: service?.metadata.name },
  });
});

test('it warns of a policy that is rarely meant', () => {
  expect(synthesize(redisCache, { ...sessions, spec: { evict: 'noeviction' } })).toMatchObject({
    warnings: [{ path: ['spec', 'evict'] }],
  });
});

test('its status follows its pod, and keeps the time of the last change', () => {
  const resource: RedisCache = { ...sessions, metadata: { ...sessions.metadata, generation: 2 } };
  const before = redisCache.project(resource, observing(), { now: NOON, sync });
  expect(before).toMatchObject({
    address: 'sessions.shop:6379',
    conditions: [
      { type: 'Ready', status: 'False', reason: 'PodNotReady', observedGeneration: 2 },
      { type: 'Reconciling', status: 'True' },
    ],
  });
  const pods = { ...render(resource)[1], status: { readyReplicas: 1 } } as unknown as Manifest;
  const ready = redisCache.project({ ...resource, status: before }, observing(pods), {
    now: '2026-11-30T12:01:00Z',
    sync,
  });
  expect(ready.conditions).toMatchObject([
    { type: 'Ready', status: 'True', lastTransitionTime: '2026-11-30T12:01:00Z' },
  ]);
  const later = redisCache.project({ ...resource, status: ready }, observing(pods), {
    now: '2026-11-30T12:09:00Z',
    sync,
  });
  expect(later).toStrictEqual(ready);
});

test('its children are created once, and then nothing is left to do', () => {
  const owner = ownerOf(redisCache, { ...sessions, metadata: { ...sessions.metadata, uid: 'u' } });
  const steps = planned(render(sessions), [], owner);
  expect(steps.map(({ action }) => action)).toStrictEqual(['create', 'create']);
  const live = steps.flatMap((step): readonly LiveObject[] =>
    step.action === 'create'
      ? [{ ...step.manifest, metadata: { ...step.manifest.metadata, uid: step.manifest.kind } }]
      : [],
  );
  expect(planned(render(sessions), live, owner).map(({ action }) => action)).toStrictEqual(['unchanged', 'unchanged']);
});
