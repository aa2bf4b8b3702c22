import { ApiObject } from 'cdk8s';
import { inferenceServiceComposition } from '../../lib';
import {
  Child,
  defineComposition,
  Kinds,
  type Composition,
  type CustomResourceDefinition,
  type Resource,
} from '../../lib/composition';
import { inferenceServiceCrd } from '../../lib/inference/crd';
import { poll } from '../../tools/local-cluster';
import { Bench, condition, fake, has, pause, scaled, type Live, type Space } from './operator-support';

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.start();
}, 600_000);
afterAll(() => bench?.stop(), 60_000);
afterEach(async () => {
  await bench.calm();
  await Promise.all(policies.splice(0).map((path) => bench.cluster.request('DELETE', path)));
});

/** Policies that a test made, as paths. */
const policies: string[] = [];

/** Requests of operators to a namespace within some seconds, while nothing changes. */
async function requestsWithin(space: Space, seconds: number): Promise<number> {
  const mine = (): number => bench.requests((event) => event.objectRef?.namespace === space.name).length;
  const before = mine();
  await pause(seconds * 1000);
  return mine() - before;
}

/** A backoff from 5 ms, doubled each time, leaves at most two tries for the third to the sixth second. */
const CALM = 8;

const port = { spec: { ports: [{ port: 5432, name: 'db' }], selector: { db: 'yes' } } };

test.each([
  ['without our label', {}],
  ['with our label', { labels: { 'app.kubernetes.io/managed-by': 'inferno', app: 'mine' } }],
  [
    'of another controller',
    {
      labels: { 'app.kubernetes.io/managed-by': 'inferno' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'kube-root-ca.crt', controller: true }],
    },
  ],
])(
  'a Service %s that belongs to somebody else stays as it is, and the rest goes on',
  async (_, metadata) => {
    const space = await bench.space();
    const references = 'ownerReferences' in metadata ? metadata.ownerReferences : [];
    const path = `/api/v1/namespaces/${space.name}/configmaps/kube-root-ca.crt`;
    const root = await poll('the ConfigMap that each namespace gets', async () => {
      const { status, body } = await bench.cluster.request<Live>('GET', path);
      return status === 200 ? body : undefined;
    });
    const ownerReferences = references.map((reference) => ({ ...reference, uid: root.metadata.uid }));
    const made = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...metadata, name: 'taken', ownerReferences },
      ...port,
    };
    await space.make('service', made);
    const before = await space.get('service', 'taken');
    const operator = bench.operator();
    await space.service('taken', scaled);
    const live = await space.until('isvc', 'taken', has('Stalled', 'True', 'NameTaken'));
    expect(live.status).toMatchObject({ phase: 'Failed' });
    expect(live.status?.message).toMatch(/Service t\d+\/taken (exists and has no controller|belongs to ConfigMap)/);
    expect(condition(live, 'Synced')).toMatchObject({ status: 'False', reason: 'NameTaken' });
    for (const kind of ['deployment', 'hpa'] as const) await space.until(kind, 'taken', () => true);
    await pause(2500);
    expect(await requestsWithin(space, 3)).toBeLessThanOrEqual(CALM);
    expect(await space.get('service', 'taken')).toEqual(before);
    expect(operator.errors(space)).toHaveLength(1);
    const ours = (await space.list('event')).filter((event) => event['reportingController'] === 'inferno.io/operator');
    expect(ours).toMatchObject([{ reason: 'NameTaken', type: 'Warning' }]);
    await space.delete('service', 'taken');
    await space.until('isvc', 'taken', has('Synced', 'True'));
    expect((await space.get('isvc', 'taken'))?.status?.phase).toBe('Pending');
  },
  60_000,
);

test('an object that nobody controls is taken over where the resource asks for it, and what others set in it stays', async () => {
  const space = await bench.space();
  const made = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'old', labels: { team: 'a' } }, ...port };
  const before = await space.make('service', made);
  bench.operator();
  await space.service('old', fake);
  await space.until('isvc', 'old', has('Synced', 'False', 'NameTaken'));
  await space.patch('isvc', 'old', { metadata: { annotations: { 'inferno.io/adopt': 'Service/old' } } });
  const live = await space.until('isvc', 'old', has('Synced', 'True'));
  const after = await space.get('service', 'old');
  expect(after?.metadata).toMatchObject({ uid: before.metadata.uid, labels: { team: 'a', app: 'old' } });
  expect(JSON.stringify(after?.metadata['ownerReferences'])).toContain(live.metadata.uid);
  expect(after?.spec['clusterIP']).toBe(before.spec['clusterIP']);
}, 60_000);

test('a Deployment with another selector is reported and left as it is', async () => {
  const space = await bench.space();
  bench.operator();
  const { metadata } = await space.service('selector', fake);
  const first = await space.until('deployment', 'selector', () => true);
  await bench.calm();
  await space.delete('deployment', 'selector');
  await space.gone('deployment', 'selector');
  const labels = { other: 'yes' };
  const foreign = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'selector',
      labels: first.metadata.labels,
      ownerReferences: [{ ...Object(first.metadata['ownerReferences'])[0], uid: metadata.uid }],
    },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'x' }] } },
    },
  };
  const before = await space.make('deployment', foreign);
  bench.operator();
  const live = await space.until('isvc', 'selector', has('Stalled', 'True', 'ImmutableField'));
  expect(live.status?.message).toContain('spec.selector');
  await pause(2500);
  expect(await requestsWithin(space, 3)).toBeLessThanOrEqual(CALM);
  expect((await space.get('deployment', 'selector'))?.spec).toMatchObject({ selector: before.spec['selector'] });
  await space.delete('deployment', 'selector');
  await space.until('isvc', 'selector', has('Synced', 'True'));
}, 60_000);

test('a quota that refuses a Service is reported with the server’s reason, and it heals when there is room', async () => {
  const space = await bench.space();
  const quota = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'tight' },
    spec: { hard: { services: '0' } },
  };
  await space.make('quota', quota);
  await space.until('quota', 'tight', (live) => JSON.stringify(live.status ?? {}).includes('services'));
  const operator = bench.operator();
  await space.service('big', scaled);
  const live = await space.until('isvc', 'big', has('Stalled', 'True', 'QuotaExceeded'));
  expect(live.status?.message).toContain('exceeded quota: tight');
  for (const kind of ['deployment', 'hpa'] as const) await space.until(kind, 'big', () => true);
  await pause(2500);
  expect(await requestsWithin(space, 3)).toBeLessThanOrEqual(CALM);
  expect(operator.errors(space)).toHaveLength(1);
  await space.service('other', { ...fake, replicas: { min: 0, max: 0 } });
  await space.until('deployment', 'other', () => true);
  await space.patch('quota', 'tight', { spec: { hard: { services: '5' } } });
  await space.until('isvc', 'big', has('Synced', 'True'), 60);
}, 120_000);

test('a quota that refuses pods is reported in the words of the Deployment', async () => {
  const space = await bench.space();
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'none' }, spec: { hard: { pods: '0' } } };
  await space.make('quota', quota);
  await space.until('quota', 'none', (live) => JSON.stringify(live.status ?? {}).includes('pods'));
  bench.operator();
  await space.service('pods', fake);
  const live = await space.until('isvc', 'pods', has('Stalled', 'True', 'FailedCreate'));
  expect(live.status).toMatchObject({ phase: 'Failed', message: expect.stringContaining('exceeded quota: none') });
  expect(condition(live, 'Synced')).toMatchObject({ status: 'True' });
}, 60_000);

/** Makes an admission policy for the namespace and waits until it is in effect. */
async function policy(kind: 'Validating' | 'Mutating', space: Space, resource: string, spec: object): Promise<void> {
  const path = `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}admissionpolic`;
  const name = `${space.name}-policy`;
  const [apiGroups, resources] = [[resource === 'services' ? '' : 'apps'], [resource]];
  const rule = { apiGroups, apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources };
  const matchConstraints = {
    resourceRules: [rule],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': space.name } },
  };
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const object = {
    apiVersion,
    kind: `${kind}AdmissionPolicy`,
    metadata: { name },
    spec: { matchConstraints, ...spec },
  };
  const made = await bench.cluster.request<{ message?: string }>('POST', `${path}ies`, object);
  const binding = {
    apiVersion,
    kind: `${kind}AdmissionPolicyBinding`,
    metadata: { name },
    spec: { policyName: name, ...(kind === 'Validating' ? { validationActions: ['Deny'] } : {}) },
  };
  const bound = await bench.cluster.request<{ message?: string }>('POST', `${path}ybindings`, binding);
  expect([made.status, made.body.message, bound.status, bound.body.message]).toEqual([201, undefined, 201, undefined]);
  policies.push(`${path}ies/${name}`, `${path}ybindings/${name}`);
  // Policies come into effect with a delay.
  await pause(1500);
}

test('an admission policy that refuses is reported in its own words, without the value of a variable', async () => {
  const space = await bench.space();
  await policy('Validating', space, 'deployments', {
    validations: [
      {
        expression: 'false',
        messageExpression:
          "'not today: ' + object.spec.template.spec.containers[0].env.filter(e, e.name == 'KEY')[0].value",
      },
    ],
  });
  const operator = bench.operator();
  await space.service('refused', { ...fake, env: [{ name: 'KEY', value: 'hunter2hunter2' }] });
  const live = await space.until('isvc', 'refused', (now) => now.status?.phase === 'Failed');
  expect(live.status?.message).toContain('not today: ***');
  await space.until('service', 'refused', () => true);
  await pause(2500);
  expect(await requestsWithin(space, 3)).toBeLessThanOrEqual(CALM);
  expect(operator.errors(space)).toHaveLength(1);
  const told = JSON.stringify([operator.log, await space.list('event'), (await space.get('isvc', 'refused'))?.status]);
  expect(told).not.toContain('hunter2hunter2');
  await Promise.all(policies.splice(0).map((path) => bench.cluster.request('DELETE', path)));
  await space.until('isvc', 'refused', has('Synced', 'True'), 60);
}, 120_000);

test('a field that a policy changes again is applied once, reported, and left until something changes', async () => {
  const space = await bench.space();
  await policy('Mutating', space, 'services', {
    reinvocationPolicy: 'Never',
    mutations: [
      {
        patchType: 'JSONPatch',
        jsonPatch: {
          expression:
            "[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('app.kubernetes.io/part-of'), value: 'policy'}]",
        },
      },
    ],
    variables: [],
  });
  const operator = bench.operator();
  await space.service('altered', fake);
  const live = await space.until('isvc', 'altered', has('Synced', 'False', 'FieldsNotKept'));
  expect(condition(live, 'Synced')?.['message']).toContain('metadata.labels["app.kubernetes.io/part-of"]');
  expect(live.status?.phase).toBe('Pending');
  await pause(500);
  const services = (): number => space.writes().filter(({ objectRef }) => objectRef?.resource === 'services').length;
  expect(services()).toBe(1);
  await pause(3000);
  expect(services()).toBe(1);
  await space.patch('isvc', 'altered', { spec: { model: { version: '2' } } });
  await space.until('isvc', 'altered', (now) => now.status?.['observedGeneration'] === 2);
  expect(services()).toBe(1);
  expect(operator.errors(space)).toEqual([]);
  await space.patch('isvc', 'altered', { spec: { ports: [{ name: 'x', containerPort: 9000 }] } });
  await space.until('service', 'altered', (now) => JSON.stringify(now.spec).includes('9000'));
}, 60_000);

test('somebody who sets a field again and again is not fought at full speed', async () => {
  const space = await bench.space();
  bench.operator();
  await space.service('fought', fake);
  await space.until('service', 'fought', () => true);
  const end = new AbortController();
  const fight = (async () => {
    while (!end.signal.aborted) {
      await space.patch('service', 'fought', { metadata: { labels: { app: 'theirs' } } });
      await pause(20);
    }
  })();
  await space.until('isvc', 'fought', has('Synced', 'False', 'FieldsContended'));
  const before = space.writes().filter(({ objectRef }) => objectRef?.resource === 'services').length;
  await pause(5000);
  const after = space.writes().filter(({ objectRef }) => objectRef?.resource === 'services').length;
  expect(after - before).toBeLessThanOrEqual(4);
  end.abort();
  await fight;
  await space.until('service', 'fought', (live) => live.metadata.labels?.['app'] === 'fought', 60);
  await space.until('isvc', 'fought', has('Synced', 'True'));
}, 120_000);

test('two operators that render a resource in two ways do not fight at full speed, and it says so', async () => {
  const space = await bench.space();
  const base: Composition = inferenceServiceComposition;
  const other = defineComposition<Resource>({
    ...base,
    compose(scope, resource, context) {
      base.compose(scope, resource, context);
      for (const child of scope.node.findAll()) {
        if (ApiObject.isApiObject(child)) child.metadata.addAnnotation('example.com/version', '2');
      }
    },
  });
  bench.operator();
  bench.operator({ compositions: [other] });
  await space.service('torn', fake);
  // Each makes the status writes of the other stale, for which it may wait as long as two minutes.
  const live = await space.until('isvc', 'torn', has('Synced', 'False', 'FieldsContended'), 130);
  expect(condition(live, 'Synced')?.['message']).toContain('a second operator, of another version');
  // The waits grow from one second.
  await pause(10_000);
  const before = space.writes().length;
  await pause(5000);
  // Two operators, two children and the status, each of them once or twice; unslowed it would be hundreds.
  expect(space.writes().length - before).toBeLessThanOrEqual(24);
}, 180_000);

/** The composition with another rendering, or another schema. */
function variant(change: { readonly crd?: CustomResourceDefinition; readonly fields?: object }): Composition {
  const { crd = inferenceServiceCrd, fields = {} } = change;
  const base: Composition = inferenceServiceComposition;
  return defineComposition<Resource>({
    crd,
    children: base.children,
    project: (resource, observed, context) => base.project(resource, observed, context),
    compose(scope, resource, context) {
      if (change.fields === undefined) {
        base.compose(scope, resource, context);
        return;
      }
      const { name } = resource.metadata;
      new Child(scope, 'bad', {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name },
        spec: { ports: [{ port: 1 }], ...fields },
      });
      new Child(scope, 'good', {
        apiVersion: Kinds.Deployment.apiVersion,
        kind: 'Deployment',
        metadata: { name },
        spec: {
          replicas: 0,
          selector: { matchLabels: { app: name } },
          template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'x' }] } },
        },
      });
    },
  });
}

test('a field that the server does not know is refused by name, and what stands beside it is made', async () => {
  const space = await bench.space();
  const operator = bench.operator({
    watchNamespaces: [space.name],
    compositions: [variant({ fields: { portz: 'x' } })],
  });
  await space.service('field', fake);
  const live = await space.until('isvc', 'field', has('Stalled', 'True', 'UnknownField'));
  expect(live.status?.message).toContain('.spec.portz: field not declared in schema');
  await space.until('deployment', 'field', () => true);
  await pause(2500);
  expect(await requestsWithin(space, 3)).toBeLessThanOrEqual(CALM);
  expect(operator.errors(space)).toHaveLength(1);
}, 60_000);

test('a stored resource that a stricter schema refuses is Failed, keeps its children, and can be changed and deleted', async () => {
  const space = await bench.space();
  const first = bench.operator();
  await space.service('strict', { ...fake, replicas: { min: 7, max: 7 } });
  const before = await space.until('deployment', 'strict', () => true);
  await space.until('isvc', 'strict', has('Synced', 'True'));
  await first.stop();
  const name = 'inferenceservices.inference.inferno.io';
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
  const minimum = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/replicas/properties/min/maximum';
  const json = { 'content-type': 'application/json-patch+json' };
  await bench.cluster.request('PATCH', path, [{ op: 'add', path: minimum, value: 5 }], json);
  try {
    const { body: crd } = await bench.cluster.request<CustomResourceDefinition>('GET', path);
    const operator = bench.operator({ watchNamespaces: [space.name], compositions: [variant({ crd })] });
    const live = await space.until('isvc', 'strict', has('Stalled', 'True', 'InvalidSpec'));
    expect(live.status).toMatchObject({ phase: 'Failed', message: expect.stringContaining('spec.replicas.min') });
    await space.patch('isvc', 'strict', { metadata: { labels: { a: 'b' }, finalizers: ['test.example.com/hold'] } });
    await pause(500);
    const children = await space.get('deployment', 'strict');
    expect(children?.metadata.generation).toBe(before.metadata.generation);
    expect(operator.errors(space)).toEqual([]);
    await space.delete('isvc', 'strict');
    await space.patch('isvc', 'strict', { metadata: { finalizers: null } });
    await space.gone('isvc', 'strict');
    await space.gone('deployment', 'strict');
  } finally {
    await bench.cluster.request('PATCH', path, [{ op: 'remove', path: minimum }], json);
  }
}, 60_000);

test('an old Deployment that takes its time to end is waited for, and that is reported', async () => {
  const space = await bench.space();
  const operator = bench.operator();
  await space.service('slow', fake);
  await space.until('deployment', 'slow', () => true);
  await space.patch('deployment', 'slow', { metadata: { finalizers: ['test.example.com/hold'] } });
  await space.delete('deployment', 'slow');
  const live = await space.until('isvc', 'slow', has('Reconciling', 'True', 'WaitingForDeletion'), 30);
  expect(live.status).toMatchObject({ phase: 'Pending', message: expect.stringContaining('is being deleted') });
  expect(await requestsWithin(space, 3)).toBeLessThanOrEqual(CALM);
  await space.patch('deployment', 'slow', { metadata: { finalizers: null } });
  await space.until('isvc', 'slow', has('Synced', 'True'));
  expect(operator.errors(space)).toEqual([]);
}, 60_000);
