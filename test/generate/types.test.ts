import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { InferenceService, InferenceServiceSpecModelFramework } from '../../imports/inference.inferno.io';
import type { DefaultedInferenceServiceSpec, InferenceServiceResource } from '../../imports/inference-service';
import type { Toleration } from '../../imports/k8s';
import { kubernetesTypes } from '../../tools/generate/kubernetes-types';
import { markOrigin, markRefused } from '../../tools/generate/marks';
import { root } from '../../tools/generate/paths';
import { resourceTypes } from '../../tools/generate/resource-types';
import type { CustomResourceDefinition, KubernetesDefinitions, Schema } from '../../tools/generate/schema';
import { structuralDefinition } from '../../tools/generate/structural';
import { docComment, literal, propertyName } from '../../tools/generate/typescript';
import { kubernetesKinds } from '../../tools/generate/kubernetes-kinds';

const POD = 'io.k8s.api.core.v1.Pod';
const ACTION = 'io.k8s.api.core.v1.Action';
const kubernetes: KubernetesDefinitions = {
  kubernetes: 'v1.2.3',
  definitions: {
    ...Object.fromEntries(kubernetesKinds.map((kind) => [kind, { type: 'object' }])),
    [POD]: {
      type: 'object',
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        'a-b': { $ref: `#/definitions/${ACTION}` },
        sizes: {
          type: 'object',
          additionalProperties: { $ref: '#/definitions/io.k8s.apimachinery.pkg.api.resource.Quantity' },
        },
      },
      required: ['a-b'],
      'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'Pod' }],
    },
    [ACTION]: {
      type: 'object',
      required: ['port'],
      properties: { port: { type: 'integer' }, words: { type: 'array', items: { type: 'string' } } },
    },
    'io.k8s.api.events.v1.Action': { type: 'object', properties: { note: { type: 'string' } } },
  },
};

const crd = (spec: Schema): CustomResourceDefinition => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Thing', plural: 'things' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec, status: { type: 'object', properties: {} } } },
        },
      },
    ],
  },
});
const typesOf = (spec: Schema) => resourceTypes(kubernetes, crd(spec), 'Notice.');

test('a kind has its apiVersion and kind as literals, odd names in quotes, and quantities as numbers or strings', () => {
  expect(kubernetesTypes(kubernetes, 'Notice.')).toContain(
    `/** v1 Pod. */
export interface Pod {
  readonly apiVersion: 'v1';
  readonly kind: 'Pod';
  readonly 'a-b': Action;
  readonly sizes?: { readonly [key: string]: number | string };
}
`,
  );
});

test('two definitions of one name both have an interface', () => {
  const types = kubernetesTypes(kubernetes, 'Notice.');
  expect(types).toContain('export interface Action {\n  readonly port: number;');
  expect(types).toContain('export interface EventsAction {\n  readonly note?: string;');
});

test('a field with a default may be left out, and is there after admission, at every depth', () => {
  const types = typesOf({
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', description: 'Its name.' },
      kind: { enum: ['a', "it's"] },
      drain: { type: 'object', default: {}, properties: { seconds: { type: 'integer', default: 3 } } },
      ports: { type: 'array', items: { type: 'object', properties: { protocol: { type: 'string', default: 'TCP' } } } },
    },
  });
  expect(types).toContain(`export interface ThingSpec {
  /** Its name. */
  readonly name: string;
  readonly kind?: 'a' | 'it\\'s';
  /** @default {} */
  readonly drain?: ThingSpecDrain;
  readonly ports?: readonly ThingSpecPort[];
}`);
  expect(types).toContain(`extends Omit<ThingSpec, 'drain' | 'ports'> {
  /** @default {} */
  readonly drain: DefaultedThingSpecDrain;
  readonly ports?: readonly DefaultedThingSpecPort[];
}`);
  expect(types).toContain(
    "extends Omit<ThingSpecDrain, 'seconds'> {\n  /** @default 3 */\n  readonly seconds: number;",
  );
  expect(types).toContain('readonly spec: DefaultedThingSpec;');
});

test('a default that only the description knows is documented as one', () => {
  const types = typesOf({
    type: 'object',
    properties: { image: { type: 'string', description: "The image. Default is the engine's own, v1.2." } },
  });
  expect(types).toContain(
    "  /**\n   * The image.\n   * @default the engine's own, v1.2\n   */\n  readonly image?: string;",
  );
});

test('a shape of Kubernetes has the type of k8s.ts, but an overlay of one that requires something has its own', () => {
  const action = structuralDefinition(kubernetes, ACTION);
  const overlay = structuralDefinition(kubernetes, ACTION, { partial: true });
  const free = markOrigin({ ...action, required: [] }, { definition: ACTION, partial: false, changed: true });
  const types = typesOf({ type: 'object', properties: { action, overlay, free } });
  expect(types).toContain("import type {\n  Action,\n  ObjectMeta,\n} from './k8s';");
  expect(types).toContain('readonly action?: Action;');
  expect(types).toContain('readonly overlay?: PartialAction;');
  expect(types).toContain('export interface PartialAction {\n  readonly port?: number;');
  expect(types).toContain('readonly free?: ThingSpecFree;');
});

test('a field that is refused has no place in the types', () => {
  const refused = markRefused({ type: 'string' }, 'use b');
  const types = typesOf({ type: 'object', properties: { a: refused, b: { type: 'string' } } });
  expect(types).toContain('export interface ThingSpec {\n  readonly b?: string;\n}');
});

test('doc comments wrap, cannot be closed by their text, and vanish when empty', () => {
  expect(docComment([])).toBe('');
  expect(docComment(['a */ b'], '  ')).toBe('  /** a *\\/ b */\n');
  const [, ...lines] = docComment(['word '.repeat(60), '@default 1'], '  ').split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
  expect(lines).toContain('   * @default 1');
});

test('literals and property names are valid TypeScript', () => {
  expect([literal('a"b\'c\n'), literal(1), literal(true)]).toEqual([`'a"b\\'c\\n'`, '1', 'true']);
  expect([propertyName('$ref'), propertyName('a-b'), propertyName('1a')]).toEqual(['$ref', "'a-b'", "'1a'"]);
});

test('the types of the CRD fit what users write and what the API server stores', () => {
  const toleration: Toleration = { key: 'nvidia.com/gpu', operator: 'Exists' };
  const resource = {
    apiVersion: 'inference.inferno.io/v1alpha1',
    kind: 'InferenceService',
    metadata: { name: 'a' },
    spec: {
      model: { uri: 'hf://a/b', framework: 'vllm', version: '1', secretRef: { name: 's' } },
      replicas: { min: 1, max: 2 },
      tolerations: [toleration],
      resources: { gpu: 1, limits: { cpu: '500m' } },
      readinessProbe: { httpGet: { path: '/ready' } },
      podTemplate: {
        spec: { hostAliases: [{ ip: '10.0.0.1' }], containers: [{ name: 'inference-server', tty: true }] },
      },
    },
  } satisfies InferenceServiceResource;
  // @ts-expect-error a defaulted spec has its port
  const defaulted: DefaultedInferenceServiceSpec = resource.spec;
  expect(defaulted).toBe(resource.spec);
});

test('the construct of cdk8s import has the types of Kubernetes where cdk8s itself would say any', () => {
  const source = readFileSync(join(root, 'imports/inference.inferno.io.ts'), 'utf8');
  const props = source.split('\n').filter((line) => /^ {2}readonly \w+\??: /.test(line));
  expect(props).toContain('  readonly tolerations?: readonly Toleration[];');
  expect(props).toContain('  readonly limits?: { readonly [key: string]: number | string };');
  expect(props).toContain('  readonly spec?: InferenceServiceSpecPodTemplateSpec;');
  expect(props.filter((line) => line.includes('any'))).toEqual([]);
});

test('the construct of cdk8s import keeps quantities and the shapes of Kubernetes as they are written', () => {
  const chart = new Chart(new App(), 'test');
  const spec = {
    replicas: { min: 1, max: 2 },
    resources: { gpu: 1, limits: { cpu: '500m', memory: 1 } },
    tolerations: [{ key: 'a', operator: 'Exists' }],
    readinessProbe: { enabled: true, httpGet: { path: '/ready', port: 'http' } },
    podTemplate: { spec: { dnsPolicy: 'None', containers: [{ name: 'inference-server', tty: true }] } },
  } as const;
  const model = { uri: 'hf://a/b', framework: InferenceServiceSpecModelFramework.VLLM, version: '1' };
  new InferenceService(chart, 'isvc', { metadata: { name: 'a' }, spec: { model, ...spec } });
  expect(chart.toJson()).toEqual([
    {
      apiVersion: 'inference.inferno.io/v1alpha1',
      kind: 'InferenceService',
      metadata: { name: 'a' },
      spec: { model: { uri: 'hf://a/b', framework: 'vllm', version: '1' }, ...spec },
    },
  ]);
});
