import crd from '../../imports/inferenceservice.crd.json';
import { CrdSchema, type JsonSchema } from '../../lib/composition/schema';
import { admit, crdOf, errorsOf } from './helpers';

const object = (properties: JsonSchema['properties'] & object): JsonSchema => ({ type: 'object', properties });

const service = {
  apiVersion: 'inference.inferno.io/v1alpha1',
  kind: 'InferenceService',
  metadata: { name: 'a' },
  spec: { model: { uri: 'hf://a/b', framework: 'vllm', version: '1' }, replicas: { min: 1, max: 2 } },
};

test('a valid resource comes back with its defaults, and the input is left as it is', () => {
  const input = structuredClone(service);
  const admission = new CrdSchema(crd).admit<{ spec: { port: number; model: object } }>(input);
  expect(errorsOf(admission)).toEqual([]);
  expect(admission.valid && admission.resource.spec.port).toBe(8000);
  expect(admission.valid && admission.resource.spec.model).not.toBe(input.spec.model);
  expect(input).toEqual(service);
});

test('all errors are reported at once, in the order of the schema, with path, value and expectation', () => {
  const spec = {
    replicas: { min: 5, max: '2', maz: 1 },
    model: { uri: 'hf://a/b', framework: 'vlm', version: '1' },
    resources: { gpu: '1.5' },
    nodeSelector: { 'a.b/c': 5 },
  };
  const errors = errorsOf(new CrdSchema(crd).admit({ ...service, metadata: { name: 'A' }, spec }));
  expect(errors).toEqual([
    expect.stringMatching(/^metadata\.name: must be at most 253 .*, but is "A"$/),
    expect.stringMatching(/^spec\.model\.framework: must be one of .*"vllm".*, but is the string "vlm"$/),
    'spec.replicas.max: must be an integer, but is the string "2"',
    'spec.replicas.maz: is not a known field; did you mean "max"?',
    expect.stringMatching(/^spec\.resources\.gpu: .*, got "1\.5"$/),
    'spec.nodeSelector["a.b/c"]: must be a string, but is the number 5',
  ]);
});

test('another kind, group, or version that is not served is refused with what is expected', () => {
  const schema = new CrdSchema(crd);
  expect(errorsOf(schema.admit({ ...service, kind: 'Thing' }))).toEqual([
    'kind: must be "InferenceService", but is the string "Thing"',
  ]);
  expect(errorsOf(schema.admit({ ...service, apiVersion: 'v1' }))).toEqual([
    'apiVersion: must be "inference.inferno.io/v1alpha1", but is the string "v1"',
  ]);
  expect(errorsOf(schema.admit({}))).toEqual([
    'apiVersion: is missing; expected "inference.inferno.io/v1alpha1"',
    'kind: is missing; expected "InferenceService"',
  ]);
});

const cycle: unknown[] = [];
cycle.push(cycle);

test.each([
  ['nothing', undefined, ': is undefined; expected a JSON value'],
  ['null', null, ': must be an object with apiVersion, kind and metadata, but is null'],
  ['a text', 'x', ': must be an object with apiVersion, kind and metadata, but is the string "x"'],
  ['a Date', { a: new Date(0) }, 'a: is a Date object; expected a JSON value'],
  ['a Map', { a: new Map() }, 'a: is a Map object; expected a JSON value'],
  ['a function', { a: [() => 1] }, 'a[0]: is a function; expected a JSON value'],
  ['a symbol', { a: Symbol('x') }, 'a: is a symbol; expected a JSON value'],
  ['a BigInt', { a: 1n }, 'a: is a bigint; expected a JSON value'],
  ['NaN', { a: NaN }, 'a: is NaN; expected a JSON value'],
  ['Infinity', { a: -Infinity }, 'a: is -Infinity; expected a JSON value'],
  ['undefined in an array', { a: [undefined] }, 'a[0]: is undefined; expected a JSON value'],
  ['a hole in an array', { a: Array(1) }, 'a[0]: is undefined; expected a JSON value'],
  ['a loop', cycle, 'is nested more than 500 levels deep'],
])('%s is refused with a message, not with an exception', (_, input, expected) => {
  expect(errorsOf(new CrdSchema(crd).admit(input)).join('\n')).toContain(expected);
});

test('a document that aliases blow up beyond what a request may be is refused quickly', () => {
  let bomb: unknown = ['x'];
  for (let level = 0; level < 30; level++) bomb = [bomb, bomb];
  expect(errorsOf(new CrdSchema(crd).admit({ a: bomb }))).toEqual([
    ': is longer than 3145728 bytes, the most that the API server takes',
  ]);
});

test('undefined properties are left out, as JSON does', () => {
  const admission = admit(object({ a: { type: 'string' } }), { a: undefined, b: undefined });
  expect(admission.valid && admission.resource['spec']).toEqual({});
});

test('keys such as __proto__ and constructor are keys like all others', () => {
  const input: unknown = JSON.parse('{"labels":{"__proto__":"x","constructor":"y","toString":"z"}}');
  const schema = object({ labels: { type: 'object', additionalProperties: { type: 'string' } } });
  const admission = admit(schema, input);
  expect(admission.valid && JSON.stringify(admission.resource['spec'])).toBe(JSON.stringify(input));
  expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  const polluted: unknown = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}');
  expect(errorsOf(admit(object({ a: { type: 'string' } }), polluted))).toEqual(
    [
      'spec["__proto__"]: is not a known field; expected one of "a"',
      'spec.constructor: is not a known field; expected one of "a"',
    ].map((line) => line.replace('spec["__proto__"]', 'spec.__proto__')),
  );
  expect('polluted' in {}).toBe(false);
});

test('lone surrogates arrive as replacement characters and length counts characters', () => {
  const schema = object({ text: { type: 'string', maxLength: 2 } });
  const admission = admit(schema, { text: '\ud800😀' });
  expect(admission.valid && admission.resource['spec']).toEqual({ text: '\ufffd😀' });
  expect(errorsOf(admit(schema, { text: '😀😀😀' }))).toEqual([
    'spec.text: must be at most 2 characters long, but is 3: "😀😀😀"',
  ]);
});

test('nulls fall away where null is not allowed, are filled where there is a default, and stay where they are', () => {
  const schema = object({
    gone: { type: 'string' },
    filled: { type: 'string', default: 'x' },
    kept: { type: 'string', nullable: true },
    items: { type: 'array', items: { type: 'string' } },
  });
  const admission = admit(schema, { gone: null, filled: null, kept: null });
  expect(admission.valid && admission.resource['spec']).toEqual({ filled: 'x', kept: null });
  expect(errorsOf(admit(schema, { items: [null] }))).toEqual(['spec.items[0]: must be a string, but is null']);
});

test('an integer or string takes these two and null only where null is allowed', () => {
  const either: JsonSchema = { 'x-kubernetes-int-or-string': true };
  const schema = object({
    items: { type: 'array', items: either },
    nulls: { type: 'array', items: { ...either, nullable: true } },
  });
  expect(errorsOf(admit(schema, { items: [1, 'a', null, 1.5, true], nulls: [null] }))).toEqual([
    'spec.items[2]: must be an integer or a string, but is null',
    'spec.items[3]: must be an integer or a string, but is the number 1.5',
    'spec.items[4]: must be an integer or a string, but is the boolean true',
  ]);
});

test('what is nearly an integer passes for one only where no union of types looks closer, as in the API server', () => {
  const either: JsonSchema = { 'x-kubernetes-int-or-string': true };
  const union = { ...either, anyOf: [{ type: 'integer' }, { type: 'string' }] };
  expect(errorsOf(admit(object({ a: either }), { a: 1.0000000001 }))).toEqual([]);
  expect(errorsOf(admit(object({ a: union }), { a: 1.0000000001 }))).not.toEqual([]);
  expect(errorsOf(admit(object({ a: union, b: union }), { a: 1, b: 'x' }))).toEqual([]);
});

test('there is no negative zero in JSON', () => {
  const admission = admit(object({ zero: { type: 'number' } }), { zero: -0 });
  expect(admission.valid && admission.resource['spec']).toEqual({ zero: 0 });
});

test('defaults are filled in below defaults, and every resource gets its own', () => {
  const schema = new CrdSchema(
    crdOf(object({ a: { ...object({ b: { type: 'integer', default: 1 } }), default: {} } })),
  );
  const one = schema.admit<{ spec: { a: { b: number } } }>({
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name: 'a' },
    spec: {},
  });
  const two = schema.admit<{ spec: { a: { b: number } } }>({
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name: 'a' },
    spec: {},
  });
  if (!one.valid || !two.valid) throw new Error('refused');
  one.resource.spec.a.b = 5;
  expect(two.resource.spec).toEqual({ a: { b: 1 } });
});

test('a status is left out, as a create does', () => {
  const admission = new CrdSchema(crdOf(object({}))).admit<object>({
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name: 'a', labels: {}, uid: 'u', finalizers: null },
    status: {},
  });
  expect(admission).toEqual({
    valid: true,
    resource: { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a', uid: 'u' } },
  });
});

test('metadata follows the rules of names, labels, annotations, finalizers and owners', () => {
  const metadata = {
    name: 'a'.repeat(254),
    namespace: 'A',
    labels: { 'a b': 'x', c: 'x y' },
    annotations: { '-': '', big: 'x'.repeat(262_144) },
    finalizers: ['a b'],
    ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p' }],
    labelz: {},
    generation: '1',
  };
  expect(
    errorsOf(admit(object({}), {}, metadata)).map((line) => line.slice(0, line.indexOf(' ', line.indexOf(': ') + 2))),
  ).toEqual(
    [
      'metadata.annotations: must',
      'metadata.annotations.-: has',
      'metadata.finalizers[0]: must',
      'metadata.generation: must',
      'metadata.labels["a b"]: has',
      'metadata.labels.c: must',
      'metadata.labelz: is',
      'metadata.name: must',
      'metadata.namespace: must',
      'metadata.ownerReferences[0].uid: is',
    ].map((line) => line.replace('annotations.-:', 'annotations["-"]:')),
  );
});

test('a name may be generated', () => {
  expect(errorsOf(admit(object({}), {}, { generateName: 'a-' }))).toEqual([]);
  expect(errorsOf(admit(object({}), {}, {}))).toEqual([
    'metadata.name: is missing; expected a name, or metadata.generateName',
  ]);
});
