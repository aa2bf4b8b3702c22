import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart, JsonPatch, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { Child } from '../../lib/composition/child';

const identity = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } };

function chart(props: { namespace?: string; labels?: { [key: string]: string } } = {}): Chart {
  return new Chart(new App(), 'chart', props);
}

function render(manifest: object, scope = chart()): string {
  new Child(scope, 'child', { ...identity, ...manifest });
  return JSON.stringify(scope.toJson());
}

test('values arrive as they were given: empty ones, nulls, and keys that JavaScript knows otherwise', () => {
  const data: unknown = JSON.parse('{"constructor":"c","__proto__":"p","b":"","a":null}');
  expect(render({ spec: { list: [], map: {}, zero: 0, no: false, nulls: [null] }, data })).toBe(
    '[{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},' +
      '"data":{"__proto__":"p","a":null,"b":"","constructor":"c"},' +
      '"spec":{"list":[],"map":{},"no":false,"nulls":[null],"zero":0}}]',
  );
});

test('labels and annotations keep such keys and stay though they are empty', () => {
  const metadata = { name: 'c', labels: { constructor: 'x' }, annotations: {}, finalizers: [] };
  expect(render({ metadata })).toBe(
    '[{"apiVersion":"v1","kind":"ConfigMap","metadata":{"annotations":{},"finalizers":[],"labels":{"constructor":"x"},"name":"c"}}]',
  );
});

test('undefined members are left out', () => {
  expect(render({ data: undefined, spec: { a: undefined } })).toContain('"spec":{}}');
});

test.each<[object, string]>([
  [{ spec: { at: new Date(0) } }, 'spec.at is an instance of Date; expected a JSON value'],
  [{ spec: { lazy: Lazy.any({ produce: () => 1 }) } }, 'spec.lazy is an instance of Lazy; expected a JSON value'],
  [{ metadata: { name: 'c', labels: { n: NaN } } }, 'metadata.labels.n is NaN'],
])('what is not JSON is refused where the child is made: %#', (manifest, message) => {
  expect(() => new Child(chart(), 'child', { ...identity, ...manifest })).toThrow(message);
});

test('the keys of the output do not depend on the environment', () => {
  process.env['CDK8S_DISABLE_SORT'] = '1';
  try {
    expect(render({ spec: { b: 1, a: 2 }, data: {} })).toContain('"data":{},"spec":{"a":2,"b":1}');
  } finally {
    delete process.env['CDK8S_DISABLE_SORT'];
  }
});

test('the namespace and labels of the chart apply where the child has none of its own', () => {
  const scope = chart({ namespace: 'team', labels: { tier: 'chart', owner: 'chart' } });
  new Child(scope, 'one', { ...identity, metadata: { name: 'one', labels: { tier: 'own' } } });
  new Child(scope, 'two', { ...identity, metadata: { name: 'two', namespace: 'other' } });
  expect(scope.toJson().map(({ metadata }) => metadata)).toStrictEqual([
    { name: 'one', namespace: 'team', labels: { tier: 'own', owner: 'chart' } },
    { name: 'two', namespace: 'other', labels: { tier: 'chart', owner: 'chart' } },
  ]);
  expect(new Child(scope, 'three', identity).metadata.namespace).toBe('team');
});

test('metadata can be added to, as of every ApiObject', () => {
  const scope = chart();
  const child = new Child(scope, 'child', { ...identity, metadata: { name: 'c', labels: { a: '1' } } });
  const owner = { apiVersion: 'v1', kind: 'Secret', name: 's', uid: 'u' };
  child.metadata.addLabel('__proto__', 'p');
  child.metadata.addLabel('b', '2');
  child.metadata.addAnnotation('note', 'yes');
  child.metadata.addFinalizers('x/y');
  child.metadata.addOwnerReference(owner);
  child.metadata.add('generateName', 'c-');
  expect(child.metadata.getLabel('b')).toBe('2');
  expect(child.metadata.getLabel('constructor')).toBeUndefined();
  expect(scope.toJson()[0].metadata).toStrictEqual({
    annotations: { note: 'yes' },
    finalizers: ['x/y'],
    generateName: 'c-',
    labels: JSON.parse('{"__proto__":"p","a":"1","b":"2"}'),
    name: 'c',
    ownerReferences: [owner],
  });
});

test('JSON patches of cdk8s are applied in order', () => {
  const scope = chart();
  const child = new Child(scope, 'child', { ...identity, spec: { limits: {}, list: ['a', 'b'] } });
  child.addJsonPatch(
    JsonPatch.add('/spec/limits/nvidia.com~1gpu', '1'),
    JsonPatch.add('/spec/list/0', 'first'),
    JsonPatch.add('/spec/list/-', 'last'),
    JsonPatch.replace('/spec/list/1', 'A'),
    JsonPatch.copy('/spec/list', '/spec/copy'),
    JsonPatch.move('/spec/copy', '/spec/moved'),
    JsonPatch.remove('/spec/list/2'),
    JsonPatch.test('/spec/list', ['first', 'A', 'last']),
  );
  child.addJsonPatch(JsonPatch.add('/spec/__proto__', { deep: true }));
  expect(JSON.stringify(scope.toJson()[0].spec)).toBe(
    '{"__proto__":{"deep":true},"limits":{"nvidia.com/gpu":"1"},"list":["first","A","last"],"moved":["first","A","b","last"]}',
  );
});

test.each([
  [JsonPatch.replace('/spec/none', 1), 'there is nothing at "/spec/none"'],
  [JsonPatch.remove('/spec/none'), 'there is nothing at "/spec/none"'],
  [JsonPatch.remove(''), 'the whole document cannot be removed'],
  [JsonPatch.add('/none/deep', 1), 'there is no "none" on the way'],
  [JsonPatch.add('/spec/__proto__/x', 1), 'there is no "__proto__" on the way'],
  [JsonPatch.add('/spec/list/3', 1), '"3" is not an index of a list of 2'],
  [JsonPatch.add('/spec/list/01', 1), '"01" is not an index of a list of 2'],
  [JsonPatch.replace('/spec/list/2', 1), 'there is nothing at "/spec/list/2"'],
  [JsonPatch.add('/kind/deep', 1), '"deep" is looked for in "ConfigMap", which is neither map nor list'],
  [JsonPatch.add('spec', 1), '"spec" is not a JSON pointer; expected "/" at its start'],
  [JsonPatch.copy('/spec/none', '/spec/x'), 'there is nothing at "/spec/none"'],
  [JsonPatch.move('/spec', '/spec/list/0'), 'a value cannot move into itself'],
  [JsonPatch.test('/spec/list/0', 'z'), 'it is "a", expected "z"'],
  [JsonPatch.remove('/metadata/name'), 'is not a Kubernetes object'],
])('a JSON patch that cannot be applied throws: %#', (patch, reason) => {
  const scope = chart();
  new Child(scope, 'child', { ...identity, spec: { list: ['a', 'b'] } }).addJsonPatch(patch);
  expect(() => scope.toJson()).toThrow(/ConfigMap c \(chart\/child\)/);
  expect(() => scope.toJson()).toThrow(reason);
});

test('a JSON patch without a value is refused at once', () => {
  const child = new Child(chart(), 'child', identity);
  expect(() => child.addJsonPatch(JsonPatch.add('/spec', undefined))).toThrow('is incomplete');
});

test('rendering twice gives the same, and the given manifest stays as it was', () => {
  const manifest = { ...identity, spec: { list: ['a'] } };
  const scope = chart();
  const child = new Child(scope, 'child', manifest);
  child.addJsonPatch(JsonPatch.add('/spec/list/-', 'b'));
  expect(scope.toJson()).toStrictEqual(scope.toJson());
  expect(child.manifest).toBe(manifest);
  expect(manifest.spec.list).toStrictEqual(['a']);
});

test('for cdk8s a child is an ApiObject; another ApiObject is no child', () => {
  const scope = chart();
  const wrapper = new Construct(scope, 'wrapper');
  const child = new Child(wrapper, 'Default', identity);
  const other = new ApiObject(scope, 'other', identity);
  expect(ApiObject.of(wrapper)).toBe(child);
  expect(ApiObject.isApiObject(child)).toBe(true);
  expect(other instanceof Child).toBe(false);
  expect(child instanceof Child).toBe(true);
});

test('dependencies order children among other objects, and app.synth writes them', () => {
  const outdir = mkdtempSync(join(tmpdir(), 'child-'));
  try {
    const app = new App({ outdir });
    const scope = new Chart(app, 'chart');
    const first = new Child(scope, 'first', { ...identity, data: { on: 'yes' } });
    const second = new ApiObject(scope, 'second', { ...identity, metadata: { name: 'second' } });
    first.addDependency(second);
    app.synth();
    expect(readFileSync(join(outdir, 'chart.k8s.yaml'), 'utf8')).toBe(
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: second\n---\n' +
        'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  "on": "yes"\n',
    );
  } finally {
    rmSync(outdir, { recursive: true });
  }
});
