import { ApiObject, Chart, JsonPatch } from 'cdk8s';
import { Deployment as PlusDeployment, Service as PlusService, k8s } from 'cdk8s-plus-28';
import {
  Child,
  InvalidResourceError,
  Kinds,
  SynthesisError,
  synthesize,
  type Composition,
  type KubernetesObject,
  type Manifest,
  type Resource,
} from '../../lib/composition';
import { cache, cacheOf, crd, settings } from './cache';
import { random, shuffleKeys } from './random';

const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };

function rendering(
  ...objects: readonly (KubernetesObject & { apiVersion: string; kind: string; metadata: { name: string } })[]
) {
  return cacheOf((scope) => {
    objects.forEach((manifest, index) => new Child(scope, `child-${index}`, manifest));
  });
}

function manifests<R extends Resource>(composition: Composition<R>, resource: unknown = cache): readonly Manifest[] {
  const synthesis = synthesize(composition, resource);
  if (!synthesis.valid) {
    throw new Error(JSON.stringify(synthesis.errors));
  }
  return synthesis.manifests;
}

test('a resource becomes its children, in its namespace, with the label that narrows caches', () => {
  expect(manifests(rendering({ ...config, metadata: { name: 'a', labels: { app: 'x' } } }))).toStrictEqual([
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { labels: { app: 'x', 'app.kubernetes.io/managed-by': 'inferno' }, name: 'a', namespace: 'team' },
    },
  ]);
});

test('a resource without a namespace gives children without one', () => {
  const [manifest] = manifests(rendering(config), { ...cache, metadata: { name: 'sessions' } });
  expect(manifest?.metadata).not.toHaveProperty('namespace');
});

test('compose gets the defaults, and the result has the resource with them', () => {
  const synthesis = synthesize(settings, cache);
  expect(synthesis).toMatchObject({ valid: true, resource: { spec: { size: 'small', replicas: 1 } }, warnings: [] });
});

test('an invalid resource is refused with all errors, and compose does not run', () => {
  const composition = cacheOf(() => {
    throw new Error('compose ran');
  });
  const synthesis = synthesize(composition, { ...cache, spec: { size: 'huge', replicas: -1, extra: 1 } });
  expect(synthesis.valid ? [] : synthesis.errors.map(({ code, path }) => [code, path])).toStrictEqual([
    ['enum', ['spec', 'size']],
    ['minimum', ['spec', 'replicas']],
    ['unknown-field', ['spec', 'extra']],
  ]);
});

test('compose refuses a resource by throwing InvalidResourceError', () => {
  const composition = cacheOf(() => {
    throw InvalidResourceError.at('spec.size', 'is small; expected large on Mondays');
  });
  expect(synthesize(composition, cache)).toStrictEqual({
    valid: false,
    errors: [{ code: 'refused', path: ['spec', 'size'], message: 'is small; expected large on Mondays' }],
  });
});

test('anything else that compose throws is its fault: an error that names composition, resource and cause', () => {
  const cause = new TypeError('x is not a function');
  const composition = cacheOf(() => {
    throw cause;
  });
  expect(() => synthesize(composition, cache)).toThrow(
    expect.objectContaining({
      name: 'SynthesisError',
      composition: 'Cache',
      resource: 'team/sessions',
      cause,
      message: 'composition Cache, resource team/sessions: x is not a function',
    }),
  );
});

test('warnings come back beside the manifests', () => {
  const composition = cacheOf((_scope, _resource, context) => context.warn('spec.replicas', 'one is few'));
  expect(synthesize(composition, cache)).toMatchObject({
    valid: true,
    warnings: [{ code: 'warning', path: ['spec', 'replicas'], message: 'one is few' }],
  });
});

test('the same resource gives the same bytes, in any order of keys and after any calls before', () => {
  const resource = {
    ...cache,
    spec: { settings: { b: '1', a: '2', constructor: '3', Z: '4', 10: '5', 9: '6' }, size: 'large' },
  };
  const rng = random(5);
  const outputs = Array.from({ length: 50 }, () => JSON.stringify(manifests(settings, shuffleKeys(resource, rng))));
  expect(new Set(outputs).size).toBe(1);
  expect(outputs[0]).toContain('"order":"9 10 replicas settings size Z a b constructor"');
});

test('a default gives the same bytes, whether it is filled in or was there already, as in a resource from a cluster', () => {
  const written = { ...cache, spec: { settings: { a: '1' } } };
  const stored = { ...cache, spec: { size: 'small', settings: { a: '1' }, replicas: 1 } };
  expect(JSON.stringify(manifests(settings, written))).toBe(JSON.stringify(manifests(settings, stored)));
});

test('compose cannot see where it runs: what a cluster adds to a resource is not there', () => {
  const seen: Resource[] = [];
  // Where status is no subresource, a resource is admitted with it.
  const versions = crd.spec.versions.map(({ subresources, ...version }) => version);
  const compose = (_: unknown, resource: Resource): void => {
    seen.push(resource);
  };
  const composition = cacheOf(compose, { crd: { ...crd, spec: { ...crd.spec, versions } } });
  const metadata = {
    ...cache.metadata,
    labels: { a: 'b' },
    uid: 'u',
    generation: 3,
    resourceVersion: '7',
    creationTimestamp: '2026-01-01T00:00:00Z',
  };
  const synthesis = synthesize(composition, { ...cache, metadata, status: { phase: 'Running' } });
  expect(seen).toStrictEqual([
    {
      apiVersion: 'example.com/v1',
      kind: 'Cache',
      metadata: { name: 'sessions', namespace: 'team', labels: { a: 'b' } },
      spec: { size: 'small', replicas: 1 },
    },
  ]);
  expect(synthesis).toMatchObject({
    resource: { metadata: { uid: 'u', generation: 3 }, status: { phase: 'Running' } },
  });
});

test('the input stays as it was, though compose changes what it got', () => {
  const resource = { ...cache, spec: { settings: { a: '1' } } };
  const before = JSON.stringify(resource);
  const composition = cacheOf((_, { spec }) => {
    Object.assign(spec.settings ?? {}, { a: 'changed' });
  });
  synthesize(composition, resource);
  expect(JSON.stringify(resource)).toBe(before);
});

test('observed reaches compose; outside a cluster there is none', () => {
  const seen: unknown[] = [];
  const composition = cacheOf((_scope, _resource, context) => {
    seen.push(context.observed);
  });
  const observed = { get: () => undefined, list: () => [] };
  synthesize(composition, cache, observed);
  synthesize(composition, cache);
  expect(seen).toStrictEqual([observed, undefined]);
});

test('dependencies order the children, and the environment does not order their keys', () => {
  const composition = cacheOf((scope) => {
    const first = new ApiObject(scope, 'first', { ...config, z: 1, data: { b: '', a: '' } });
    const second = new Child(scope, 'second', { ...config, metadata: { name: 'b' } });
    first.addDependency(second);
  });
  process.env['CDK8S_DISABLE_SORT'] = '1';
  try {
    expect(
      JSON.stringify(manifests(composition).map(({ metadata, ...rest }) => ({ name: metadata.name, ...rest }))),
    ).toBe(
      '[{"name":"b","apiVersion":"v1","kind":"ConfigMap"},{"name":"a","apiVersion":"v1","kind":"ConfigMap","data":{"a":"","b":""},"z":1}]',
    );
  } finally {
    delete process.env['CDK8S_DISABLE_SORT'];
  }
});

test.each([
  [
    'a kind that is not declared',
    [{ ...config, kind: 'Secret' }],
    'Secret team/a is of v1 Secret; expected one of children: v1 ConfigMap, apps/v1 Deployment, v1 Service',
  ],
  [
    'another version of a declared kind',
    [{ ...config, apiVersion: 'apps/v1beta1', kind: 'Deployment' }],
    'Deployment team/a is of apps/v1beta1 Deployment; expected',
  ],
  ['the same object twice', [config, config], 'ConfigMap team/a is rendered twice'],
  [
    'another namespace',
    [{ ...config, metadata: { name: 'a', namespace: 'other' } }],
    "ConfigMap other/a is in namespace other; expected the resource's, team",
  ],
  [
    'another manager',
    [{ ...config, metadata: { name: 'a', labels: { 'app.kubernetes.io/managed-by': 'Helm' } } }],
    'has label app.kubernetes.io/managed-by Helm; expected inferno',
  ],
  [
    'an illegal name',
    [{ ...config, kind: 'Service', metadata: { name: 'a.b' } }],
    'Service team/a.b: metadata.name is "a.b"; expected lower-case letters',
  ],
  [
    'an illegal label',
    [{ ...config, metadata: { name: 'a', labels: { app: 'x y' } } }],
    'metadata.labels.app is "x y"; expected',
  ],
  [
    'a label that is no text',
    [{ ...config, metadata: { name: 'a', labels: { app: 1 as never } } }],
    'is not a Kubernetes object',
  ],
])('a composition that renders %s is at fault', (_, rendered, message) => {
  expect(() => synthesize(rendering(...rendered), cache)).toThrow(SynthesisError);
  expect(() => synthesize(rendering(...rendered), cache)).toThrow(message);
});

test('all faults of what was rendered are reported at once', () => {
  const wrong = { ...config, kind: 'Secret', metadata: { name: 'A', namespace: 'other' } };
  expect(() => synthesize(rendering(wrong), cache)).toThrow(
    /is of v1 Secret.*; .*is in namespace other.*; .*metadata.name is "A"/,
  );
});

test('charts inside a composition are refused, as their objects would be lost', () => {
  const composition = cacheOf((scope) => {
    new Child(new Chart(scope, 'inner'), 'child', config);
  });
  expect(() => synthesize(composition, cache)).toThrow(
    'is in a chart of its own; expected constructs, not charts, in compose',
  );
});

test("validations of constructs count as the composition's faults", () => {
  const composition = cacheOf((scope) => {
    scope.node.addValidation({ validate: () => ['too few'] });
  });
  expect(() => synthesize(composition, cache)).toThrow('too few');
});

test('objects of cdk8s-plus work, and are checked like all others', () => {
  const composition = cacheOf((scope, { metadata }) => {
    const deployment = new PlusDeployment(scope, 'deployment', {
      metadata: { name: metadata.name },
      containers: [{ image: 'redis' }],
    });
    new PlusService(scope, 'service', {
      metadata: { name: metadata.name },
      selector: deployment,
      ports: [{ port: 80 }],
    });
  });
  const rendered = manifests(composition);
  expect(rendered.map(({ kind, metadata }) => [kind, metadata.name, metadata.namespace])).toStrictEqual([
    ['Deployment', 'sessions', 'team'],
    ['Service', 'sessions', 'team'],
  ]);
  expect(() => synthesize({ ...composition, children: [Kinds.Deployment] }, cache)).toThrow(
    'Service team/sessions is of v1 Service',
  );
});

test('generated names of cdk8s-plus differ between resources', () => {
  const composition = cacheOf((scope) => {
    new PlusDeployment(scope, 'deployment', { containers: [{ image: 'redis' }] });
  });
  const [one] = manifests(composition);
  const [other] = manifests(composition, { ...cache, metadata: { name: 'pages', namespace: 'team' } });
  expect(one?.metadata.name).toMatch(/^sessions-deployment-/);
  expect(other?.metadata.name).toMatch(/^pages-deployment-/);
});

test.each([
  [
    'a value that its type does not know',
    JsonPatch.add('/spec/template/spec/containers/0/resources/limits', { 'nvidia.com/gpu': '1' }),
  ],
  ['a field that its type does not know', JsonPatch.add('/spec/unknown', true)],
])('a JSON patch that a typed object of cdk8s drops is reported: %s', (_, patch) => {
  const composition = cacheOf((scope) => {
    new k8s.KubeDeployment(scope, 'deployment', {
      metadata: { name: 'a' },
      spec: { selector: {}, template: { spec: { containers: [{ name: 'a', resources: {} }] } } },
    }).addJsonPatch(patch);
  });
  expect(() => synthesize(composition, cache)).toThrow(
    'has no effect, as Deployment of cdk8s drops what its type does not know',
  );
});

test('JSON patches of other objects that do have an effect are fine', () => {
  const composition = cacheOf((scope) => {
    new ApiObject(scope, 'a', { ...config, data: { a: '1', b: '2', c: '3' }, list: ['x'] }).addJsonPatch(
      JsonPatch.add('/list/0', 'first'),
      JsonPatch.add('/list/-', 'last'),
      JsonPatch.replace('/data/a', 'old'),
      JsonPatch.replace('/data/a', 'new'),
      JsonPatch.remove('/data/b'),
      JsonPatch.test('/data/c', '3'),
      JsonPatch.add('/data', { d: '4' }),
      JsonPatch.remove('/list/1'),
    );
  });
  expect(manifests(composition)[0]).toMatchObject({ data: { d: '4' }, list: ['first', 'last'] });
});

test('values that cdk8s would drop or refuse are kept in a Child', () => {
  const data: { [key: string]: string } = JSON.parse('{"constructor":"c","__proto__":"p","empty":""}');
  const [manifest] = manifests(rendering(Object.assign({ data }, config)));
  expect(JSON.stringify(manifest)).toContain('"data":{"__proto__":"p","constructor":"c","empty":""}');
});

test('a cluster-scoped resource may have children in any namespace', () => {
  const clusterWide = { ...crd, spec: { ...crd.spec, scope: 'Cluster' } };
  const composition = cacheOf(
    (scope) => {
      new Child(scope, 'a', { ...config, metadata: { name: 'a', namespace: 'one' } });
      new Child(scope, 'b', { ...config, metadata: { name: 'a', namespace: 'two' } });
    },
    { crd: clusterWide },
  );
  expect(manifests(composition, { ...cache, metadata: { name: 'sessions' } })).toHaveLength(2);
});

test.each([
  [[], 'children is empty; expected the kinds that compose creates'],
  [[Kinds.Secret, Kinds.Secret], 'children has v1 Secret twice'],
  [
    [Kinds.Deployment, { ...Kinds.Deployment, apiVersion: 'apps/v1beta1' }],
    'twice; expected each kind once, in one version',
  ],
  [[{ apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces' }], 'whose deletion would take other objects with it'],
  [
    [{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', plural: 'x' }],
    'whose deletion would take',
  ],
])('a composition with impossible children is refused where it is defined: %#', (children, message) => {
  expect(() => cacheOf(() => {}, { children })).toThrow(message);
  expect(() => cacheOf(() => {}, { children })).toThrow(/^composition Cache: /);
});

test('compositions of different resources go into one list', () => {
  const list: readonly Composition[] = [settings, rendering(config)];
  expect(list.map((composition) => synthesize(composition, cache).valid)).toStrictEqual([true, true]);
});
