import { inferenceServiceComposition } from '../../lib';
import { synthesize, type JsonObject, type Manifest } from '../../lib/composition';
import type { InferenceServiceSpec } from '../../imports/inference-service';
import { goodCases } from '../cases';
import { poll } from '../../tools/local-cluster';
import { Random } from '../parity/random';
import { Bench, CHILDREN, fake, pause, scaled, type Live, type Space } from './operator-support';

const SEED = Number(process.env['OPERATOR_SEED'] ?? 20_261_130);
const PAIRS = Number(process.env['OPERATOR_PAIRS'] ?? 40);
const SETTLED = Number(process.env['OPERATOR_SETTLED'] ?? 40);
const SETTLED_SECONDS = Number(process.env['OPERATOR_SETTLED_SECONDS'] ?? 6);

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.start();
}, 600_000);
afterAll(() => bench?.stop(), 60_000);
afterEach(() => bench.calm());

function version(live: Live): string {
  return /"MODEL_VERSION","value":"([^"]*)"/.exec(JSON.stringify(live.spec))?.[1] ?? '';
}

test('a resource gets its Deployment, Service and autoscaler, and they go with it', async () => {
  const space = await bench.space();
  bench.operator();
  await space.service('basic', scaled);
  for (const kind of CHILDREN) await space.until(kind, 'basic', () => true);
  const { status } = await space.until('isvc', 'basic', (live) => live.status?.conditions !== undefined);
  expect(status).toMatchObject({ phase: 'Pending', selector: 'app=basic,operator=inferno', observedGeneration: 1 });
  await space.delete('isvc', 'basic');
  for (const kind of CHILDREN) await space.gone(kind, 'basic');
}, 60_000);

test('a change of the resource changes its children, and a lost child comes back', async () => {
  const space = await bench.space();
  bench.operator();
  await space.service('changing', scaled);
  for (const kind of CHILDREN) await space.until(kind, 'changing', () => true);
  await space.patch('isvc', 'changing', { spec: { model: { version: '2' } } });
  await space.until('deployment', 'changing', (live) => version(live) === '2');
  for (const kind of CHILDREN) {
    const { uid } = (await space.get(kind, 'changing'))?.metadata ?? {};
    await space.delete(kind, 'changing');
    await space.until(kind, 'changing', ({ metadata }) => metadata.uid !== uid);
  }
}, 60_000);

test('a label that is named for the children reaches them without a restart, and goes with its name', async () => {
  const space = await bench.space();
  bench.operator();
  await space.service('labelled', scaled);
  for (const kind of CHILDREN) await space.until(kind, 'labelled', () => true);
  const before = await space.get('deployment', 'labelled');
  const labels = { 'example.com/team': 'search', 'example.com/kept': 'here' };
  const name = (key: string | null): object => ({ annotations: { 'inferno.io/propagate': key } });
  await space.patch('isvc', 'labelled', { metadata: { labels, ...name('example.com/team') } });
  for (const kind of CHILDREN) {
    const { metadata } = await space.until(
      kind,
      'labelled',
      (live) => live.metadata.labels?.['example.com/team'] === 'search',
    );
    expect(metadata.labels).not.toHaveProperty(['example.com/kept']);
  }
  await space.patch('isvc', 'labelled', { metadata: name(null) });
  for (const kind of CHILDREN)
    await space.until(kind, 'labelled', (live) => live.metadata.labels?.['example.com/team'] === undefined);
  expect((await space.get('deployment', 'labelled'))?.spec).toEqual(before?.spec);
}, 60_000);

test('ports whose numbers were edited by hand are put right, and can still be changed afterwards', async () => {
  const space = await bench.space();
  bench.operator();
  await space.service('ports', fake);
  for (const kind of ['deployment', 'service'] as const) await space.until(kind, 'ports', () => true);
  const edit = (collection: 'deployment' | 'service', path: string, value: number) =>
    bench.cluster.request('PATCH', space.path(collection, 'ports'), [{ op: 'replace', path, value }], {
      'content-type': 'application/json-patch+json',
    });
  await edit('service', '/spec/ports/0/port', 81);
  await edit('deployment', '/spec/template/spec/containers/0/ports/0/containerPort', 8111);
  const numbers = (live: Live): string =>
    JSON.stringify(live.spec)
      .match(/"(containerPort|port)":\d+/g)
      ?.join() ?? '';
  await space.until('service', 'ports', (live) => numbers(live) === '"port":80');
  await space.until('deployment', 'ports', (live) => numbers(live) === '"containerPort":8000');
  await space.patch('isvc', 'ports', { spec: { port: 9000 } });
  await space.until('deployment', 'ports', (live) => numbers(live) === '"containerPort":9000');
  const managers = (await space.get('deployment', 'ports'))?.metadata['managedFields'];
  expect(JSON.stringify(managers)).not.toContain('inferno-repair');
  await space.until('isvc', 'ports', (live) => live.status?.['phase'] === 'Pending');
}, 60_000);

test('drift in our fields is put right, and what others added stays', async () => {
  const space = await bench.space();
  const operator = bench.operator();
  await space.service('drift', fake);
  await space.until('service', 'drift', () => true);
  const strategic = { 'content-type': 'application/strategic-merge-patch+json' };
  const change = (collection: 'deployment' | 'service', body: object) =>
    bench.cluster.request('PATCH', space.path(collection, 'drift'), body, strategic);
  await change('deployment', {
    metadata: { labels: { 'team.example.com/cost': 'a' }, annotations: { 'mesh.example.com/injected': 'yes' } },
    spec: { minReadySeconds: 7, template: { metadata: { annotations: { 'kubectl.example.com/restartedAt': 'now' } } } },
  });
  await change('deployment', {
    metadata: { labels: { 'app.kubernetes.io/part-of': null } },
    spec: {
      template: {
        spec: {
          containers: [
            { name: 'inference-server', image: 'somebody/else:1' },
            { name: 'proxy', image: 'proxy:1' },
          ],
        },
      },
    },
  });
  const image = (live: Live): string => JSON.stringify(live.spec).replace(/.*"image":"([^"]*)".*/, '$1');
  await space.until(
    'deployment',
    'drift',
    (live) => live.metadata.labels?.['app.kubernetes.io/part-of'] === 'inferno' && image(live) !== 'somebody/else:1',
  );
  await change('service', {
    spec: {
      ports: [
        { $patch: 'delete', port: 80 },
        { name: 'other', port: 81 },
      ],
    },
  });
  const service = await space.until('service', 'drift', (live) => JSON.stringify(live.spec).includes('"port":80,'));
  expect(JSON.stringify(service.spec['ports'])).toContain('"port":81');
  const live = await space.get('deployment', 'drift');
  expect(live?.metadata.labels).toMatchObject({ 'team.example.com/cost': 'a' });
  expect(live?.metadata.annotations).toMatchObject({ 'mesh.example.com/injected': 'yes' });
  expect(live?.spec).toMatchObject({ minReadySeconds: 7 });
  expect(JSON.stringify(live?.spec['template'])).toContain('kubectl.example.com/restartedAt');
  expect(JSON.stringify(live?.spec['template'])).toContain('proxy:1');
  // The label by which the caches are narrowed, too.
  await change('deployment', { metadata: { labels: { 'app.kubernetes.io/managed-by': null } } });
  await space.until(
    'deployment',
    'drift',
    (now) => now.metadata.labels?.['app.kubernetes.io/managed-by'] === 'inferno',
  );
  expect(operator.errors(space)).toEqual([]);
}, 60_000);

test('parallel patches end with the last one in effect', async () => {
  const space = await bench.space();
  const operator = bench.operator();
  await space.service('busy', fake);
  await Promise.all(
    Array.from({ length: 40 }, (_, n) => space.patch('isvc', 'busy', { spec: { model: { version: `v${n}` } } })),
  );
  const resource = await space.get('isvc', 'busy');
  const last = /"version":"([^"]*)"/.exec(JSON.stringify(resource?.spec))?.[1];
  await space.until('deployment', 'busy', (live) => version(live) === last);
  await space.until('isvc', 'busy', (live) => live.status?.['observedGeneration'] === live.metadata.generation);
  expect(operator.errors(space)).toEqual([]);
}, 60_000);

test('a resource deleted and made again within a moment gets its children and its status each time', async () => {
  const space = await bench.space();
  const operator = bench.operator();
  await space.service('again', scaled);
  for (let round = 0; round < 5; round += 1) {
    await space.delete('isvc', 'again');
    await space.service('again', { ...scaled, model: { ...scaled.model, version: `r${round}` } });
    await pause(100);
  }
  const { uid } = (await space.get('isvc', 'again'))?.metadata ?? {};
  const ours = ({ metadata }: Live): boolean => JSON.stringify(metadata['ownerReferences'] ?? '').includes(String(uid));
  for (const kind of CHILDREN) await space.until(kind, 'again', ours);
  await space.until('deployment', 'again', (live) => ours(live) && version(live) === 'r4');
  await space.until('isvc', 'again', (live) => live.metadata.uid === uid && live.status?.phase === 'Pending');
  await space.until('isvc', 'again', (live) => JSON.stringify(live.status?.conditions).includes('"Applied"'));
  expect(operator.errors(space)).toEqual([]);
}, 90_000);

test('a storm of resources of one name leaves the children of the last one', async () => {
  const space = await bench.space();
  const operator = bench.operator();
  for (let round = 0; round < 30; round += 1) {
    await space.service('storm', { ...fake, model: { ...fake.model, version: `s${round}` } });
    if (round < 29) await space.delete('isvc', 'storm');
  }
  await space.until('deployment', 'storm', (live) => version(live) === 's29', 60);
  await space.until('isvc', 'storm', (live) => live.status?.['observedGeneration'] === 1);
  expect(operator.errors(space)).toEqual([]);
}, 90_000);

test('a namespace that goes away takes its resources along without an error', async () => {
  const space = await bench.space();
  const operator = bench.operator();
  await Promise.all(Array.from({ length: 10 }, (_, n) => space.service(`r${n}`, scaled)));
  await space.until('deployment', 'r9', () => true);
  await bench.cluster.request('DELETE', `/api/v1/namespaces/${space.name}`);
  await space.gone('isvc', 'r9', 60);
  await pause(1500);
  expect(operator.errors(space)).toEqual([]);
}, 90_000);

test('after anything is switched on, changed and off again, the children are as if they were made at once', async () => {
  const random = new Random(SEED);
  const [changed, fresh] = [await bench.space(), await bench.space()];
  const specs = goodCases
    .map(({ resource }) => resource.spec)
    .filter((spec) => synthesize(inferenceServiceComposition, resourceOf('x', spec)).valid);
  const operator = bench.operator({ maxConcurrentReconciles: 8 });
  const pairs = Array.from({ length: PAIRS }, (_, n) => ({
    name: `pair-${n}`,
    // From one to another, to a mixture of both, and to the second again.
    steps: walk(random, specs),
  }));
  await Promise.all(pairs.map((pair) => run(changed, pair.name, pair.steps)));
  await Promise.all(pairs.map(({ name, steps }) => fresh.service(name, steps.at(-1))));
  const broken: string[] = [];
  for (const { name, steps } of pairs) {
    for (const kind of CHILDREN) {
      await settledIn(fresh, name);
      const [one, other] = [await changed.get(kind, name), await fresh.get(kind, name)];
      const [a, b] = [comparable(one), comparable(other)];
      if (JSON.stringify(a) !== JSON.stringify(b)) {
        broken.push(
          `${kind} ${name} after ${JSON.stringify(steps)}: ${JSON.stringify(a)} instead of ${JSON.stringify(b)}`,
        );
      }
    }
  }
  expect(broken).toEqual([]);
  expect(operator.errors(changed)).toEqual([]);
}, 300_000);

test.each([
  ['a strategy', { strategy: { type: 'RollingUpdate' } }, { strategy: { type: 'Recreate' } }],
  ['half a strategy', { strategy: { rollingUpdate: { maxSurge: 2 } } }, { strategy: { type: 'Recreate' } }],
  ['an account', { serviceAccountName: 'reader' }, {}],
])('what the API server filled in for %s is gone with it', async (_, one, other) => {
  const [changed, fresh] = [await bench.space(), await bench.space()];
  bench.operator();
  await run(changed, 'x', [
    { ...fake, ...one },
    { ...fake, ...other },
  ]);
  await fresh.service('x', { ...fake, ...other });
  await settledIn(fresh, 'x');
  expect(comparable(await changed.get('deployment', 'x'))).toEqual(comparable(await fresh.get('deployment', 'x')));
});

test('settled resources cost no write, nor does a restart, gentle or sudden', async () => {
  const space = await bench.space();
  const first = bench.operator();
  await Promise.all(Array.from({ length: SETTLED }, (_, n) => space.service(`s${n}`, n % 2 === 0 ? fake : scaled)));
  await Promise.all(
    Array.from({ length: SETTLED }, (_, n) =>
      space.until('isvc', `s${n}`, (live) => live.status?.['replicas'] === 1, 120),
    ),
  );
  // An autoscaler speaks for the first time after some 15 s.
  await pause(3000);
  const before = bench.writes().length;
  await pause(SETTLED_SECONDS * 1000);
  expect(bench.writes().slice(before)).toEqual([]);
  await first.stop();
  const second = bench.operator();
  await pause(SETTLED_SECONDS * 1000);
  expect(bench.writes().slice(before)).toEqual([]);
  await second.stop();
}, 300_000);

test('a new resource costs three applies and at most two status writes until its pods are ready', async () => {
  const space = await bench.space();
  bench.operator();
  await space.service('cost', scaled);
  await space.until('deployment', 'cost', (live) => live.status?.['replicas'] === 1);
  await pause(500);
  await readyPods(space, 'cost');
  await space.until('isvc', 'cost', (live) => live.status?.phase === 'Running');
  const written = space.writes().map(({ objectRef }) => [objectRef?.resource, objectRef?.subresource].join('/'));
  expect(written.filter((what) => !what.includes('status') && what !== 'events/').toSorted()).toEqual([
    'deployments/',
    'horizontalpodautoscalers/',
    'services/',
  ]);
  expect(written.filter((what) => what.endsWith('/status')).length).toBeLessThanOrEqual(2);
  const events = await poll('an event', async () => {
    const found = (await space.list('event')).filter(({ reason }) => reason === 'Ready');
    return found.length > 0 ? found : undefined;
  });
  expect(events).toMatchObject([{ type: 'Normal', note: '1 of 1 pods are ready' }]);
  await bench.cluster.startComponent('kube-controller-manager');
}, 60_000);

function resourceOf(name: string, spec: object): object {
  const metadata = { name, namespace: 'default' };
  return { apiVersion: 'inference.inferno.io/v1alpha1', kind: 'InferenceService', metadata, spec };
}

function walk(random: Random, specs: readonly InferenceServiceSpec[]): readonly InferenceServiceSpec[] {
  const one = specs[random.below(specs.length)] ?? fake;
  const other = specs[random.below(specs.length)] ?? fake;
  const both: object = { ...one, ...other };
  const mixed = synthesize(inferenceServiceComposition, resourceOf('x', both)).valid ? [both] : [];
  return [one, ...mixed, other] as InferenceServiceSpec[];
}

async function run(space: Space, name: string, steps: readonly object[]): Promise<void> {
  const [first = {}, ...others] = steps;
  await space.service(name, first);
  await settledIn(space, name);
  for (const spec of others) {
    await replaceSpec(space, name, spec);
    await settledIn(space, name);
  }
}

async function replaceSpec(space: Space, name: string, spec: object): Promise<void> {
  const operations = [{ op: 'replace', path: '/spec', value: spec }];
  const type = { 'content-type': 'application/json-patch+json' };
  const { status, body } = await bench.cluster.request('PATCH', space.path('isvc', name), operations, type);
  expect([status, body]).toEqual([200, expect.anything()]);
}

function settledIn(space: Space, name: string): Promise<Live> {
  return space.until(
    'isvc',
    name,
    ({ metadata, status }) =>
      status?.['observedGeneration'] === metadata.generation && JSON.stringify(status.conditions).includes('"Applied"'),
  );
}

/** An object without what makes it this one, or what a controller did to it. */
function comparable(live: Live | undefined): unknown {
  if (live === undefined) return undefined;
  const { labels, annotations } = live.metadata;
  const { clusterIP: _, clusterIPs: __, ...spec } = live.spec;
  const kept = Object.entries(annotations ?? {}).filter(([key]) => !key.startsWith('deployment.kubernetes.io/'));
  // The namespace is part of what is hashed.
  const marks = kept.filter(([key]) => key !== 'inferno.io/applied-hash');
  const manifest: Manifest = { apiVersion: 'v1', kind: 'x', metadata: { name: live.metadata.name } };
  return sorted({ ...manifest, labels: labels ?? {}, annotations: Object.fromEntries(marks), spec });
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries: [string, unknown][] = Object.entries(value as JsonObject);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, sorted(member)]),
  );
}

/** Says in the kubelet's and the controllers' place that all pods run. */
async function readyPods(space: Space, name: string): Promise<void> {
  const live = await space.get('deployment', name);
  const replicas = Number(live?.spec['replicas']);
  await bench.cluster.stopComponent('kube-controller-manager');
  await space.patch(
    'deployment',
    name,
    {
      status: {
        observedGeneration: live?.metadata.generation,
        replicas,
        updatedReplicas: replicas,
        readyReplicas: replicas,
        availableReplicas: replicas,
      },
    },
    '/status',
  );
}
