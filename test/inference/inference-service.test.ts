import { ApiObject, App, Chart, JsonPatch, Lazy, Yaml } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { formatPath, synthesize } from '../../lib/composition';
import {
  InferenceService,
  inferenceServiceComposition,
  InvalidInferenceServiceError,
  type InferenceServiceProps,
} from '../../lib/inference';
import { models, resource } from './support';
import type { InferenceServiceResource } from '../../imports/inference-service';

const props: InferenceServiceProps = { model: models.fake, replicas: { min: 1, max: 3 } };
const chart = (namespace?: string) => new Chart(new App(), 'chart', namespace === undefined ? {} : { namespace });

interface Json {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels: object };
  readonly spec: Record<string, unknown>;
}
const synth = (scope: Chart): Json[] => scope.toJson() as Json[];

test('the construct renders Deployment, Service and autoscaler into its chart', () => {
  const scope = chart('models');
  const service = new InferenceService(scope, 'demo', { ...props, autoscaling: { enabled: true } });
  expect(synth(scope).map(({ kind, metadata }) => [kind, metadata.namespace, metadata.name])).toEqual([
    ['Deployment', 'models', 'demo'],
    ['Service', 'models', 'demo'],
    ['HorizontalPodAutoscaler', 'models', 'demo'],
  ]);
  expect(service.node.children.map((child) => child.node.id)).toEqual(['deployment', 'service', 'autoscaler']);
});

test('name and namespace in metadata win over the id and the chart', () => {
  const scope = chart('models');
  const service = new InferenceService(scope, 'id', { ...props, metadata: { name: 'other', namespace: 'apps' } });
  expect(synth(scope)[0]?.metadata).toMatchObject({ name: 'other', namespace: 'apps' });
  expect([service.resourceName, service.serviceName, service.servicePort]).toEqual(['other', 'other', 80]);
  expect(service.podSelector).toEqual({ app: 'other', operator: 'inferno' });
});

const given = {
  labels: { 'example.com/cost-centre': '4711' },
  annotations: { 'argocd.argoproj.io/sync-wave': '2' },
};

test('labels and annotations go to all children, those of the chart too, and pods and selectors stay as they are', () => {
  const [scope, plain] = [new Chart(new App(), 'chart', { labels: { team: 'a' } }), chart()];
  new InferenceService(scope, 'demo', { ...props, metadata: given, autoscaling: { enabled: true } });
  new InferenceService(plain, 'demo', { ...props, autoscaling: { enabled: true } });
  const [objects, others] = [synth(scope), synth(plain)];
  expect(objects).toHaveLength(3);
  for (const object of objects) {
    expect(object.metadata.labels).toMatchObject({ team: 'a', operator: 'inferno', ...given.labels });
    expect(object.metadata).toHaveProperty('annotations', given.annotations);
  }
  expect(objects.map(({ spec }) => spec)).toEqual(others.map(({ spec }) => spec));
});

const applied = {
  'kubectl.kubernetes.io/last-applied-configuration': '{}',
  'argocd.argoproj.io/tracking-id': 'models',
};

test('the children of a whole resource get what it names, as in the cluster', () => {
  const annotations = { ...given.annotations, ...applied };
  const labels = { ...given.labels, 'app.kubernetes.io/instance': 'models' };
  const named = { 'inferno.io/propagate': 'example.com/cost-centre, argocd.argoproj.io/sync-wave' };
  const whole = {
    ...(resource({ model: models.fake }) as InferenceServiceResource),
    metadata: { name: 'demo', namespace: 'models', labels, annotations: { ...annotations, ...named } },
  };
  const [scope, same] = [chart(), chart('models')];
  InferenceService.fromResource(scope, 'x', whole);
  new InferenceService(same, 'demo', { ...whole.spec, metadata: given });
  const synthesis = synthesize(inferenceServiceComposition, whole);
  expect(synth(scope)).toEqual(synthesis.valid && synthesis.manifests);
  expect(synth(scope)).toEqual(synth(same));

  const silent = { ...whole, metadata: { ...whole.metadata, annotations } };
  const [none, plain] = [chart(), chart('models')];
  InferenceService.fromResource(none, 'x', silent);
  new InferenceService(plain, 'demo', whole.spec);
  expect(synth(none)).toEqual(synth(plain));
});

test.each([
  ['labels', 'app', 'other', /"demo"; got "other"/],
  ['labels', 'app.kubernetes.io/part-of', 'shop', /"inferno"; got "shop"/],
  ['labels', 'inferno.io/framework', 'triton', /"fake"; got "triton"/],
  ['labels', 'app.kubernetes.io/instance', 'x', /Argo CD/],
  ['annotations', 'kubectl.kubernetes.io/last-applied-configuration', '{}', /kubectl/],
  ['annotations', 'inferno.io/adopt', 'Service/demo', /about the resource/],
])('%s with the key %s cannot go to the children', (map, key, value, message) => {
  const error = thrown(
    () => new InferenceService(chart(), 'demo', { ...props, metadata: { [map]: { [key]: value } } }),
  );
  expect(error).toBeInstanceOf(InvalidInferenceServiceError);
  expect(error).toMatchObject({
    errors: [{ path: ['metadata', map, key], message: expect.stringMatching(message) }],
  });
});

test('a label that says what Inferno says anyway is no fault', () => {
  const labels = { app: 'demo', 'app.kubernetes.io/name': 'demo' };
  expect(() => new InferenceService(chart(), 'demo', { ...props, metadata: { labels } })).not.toThrow();
});

test('what is named for the children and is not there is reported', () => {
  const annotations = { 'inferno.io/propagate': 'team', ...given.annotations };
  const { warnings } = new InferenceService(chart(), 'demo', { ...props, metadata: { annotations } });
  expect(warnings).toMatchObject([{ message: expect.stringContaining('"team"') }]);
});

test('for cdk8s, the Deployment is what the construct is about', () => {
  const service = new InferenceService(chart(), 'demo', props);
  expect(ApiObject.of(service)).toBe(service.deployment);
});

test.each([
  ['a label of its chart', () => undefined, 'metadata.labels.team is "a b"'],
  [
    'a label that was added',
    (service: InferenceService) => service.service.metadata.addLabel('x', 'a b'),
    'Service demo: metadata.labels.x is "a b"',
  ],
  [
    'a changed manager',
    (service: InferenceService) => service.deployment.metadata.addLabel('app.kubernetes.io/managed-by', 'Helm'),
    'has label app.kubernetes.io/managed-by Helm',
  ],
  [
    'a patched namespace',
    (service: InferenceService) => service.deployment.addJsonPatch(JsonPatch.add('/metadata/namespace', 'other')),
    'is in namespace other',
  ],
  [
    'a patched kind',
    (service: InferenceService) => service.deployment.addJsonPatch(JsonPatch.replace('/kind', 'DaemonSet')),
    'is of apps/v1 DaemonSet; expected one of children',
  ],
])('%s that the operator would refuse is refused at synth', (what, change, message) => {
  const scope = new Chart(new App(), 'chart', what.includes('chart') ? { labels: { team: 'a b' } } : {});
  change(new InferenceService(scope, 'demo', props));
  expect(() => synth(scope)).toThrow(message);
});

/** What a function throws. */
function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

test('one error has everything that is wrong', () => {
  const model = { ...models.fake, version: '' };
  const error = thrown(() => new InferenceService(chart(), 'Demo', { model, replicas: { min: 2, max: 1 } }));
  expect(error).toBeInstanceOf(InvalidInferenceServiceError);
  const { errors, message } = error as InvalidInferenceServiceError;
  const paths = errors.map(({ path }) => formatPath(path)).toSorted();
  expect(paths).toEqual(['metadata.name', 'spec.model.version', 'spec.replicas.min']);
  for (const path of paths) expect(message).toContain(`\n  ${path}: `);
  expect(message).toContain('InferenceService "Demo"');
});

test('a misspelt prop is refused', () => {
  const misspelt = { replica: 1 };
  const wrong: InferenceServiceProps = { ...props, ...misspelt };
  expect(() => new InferenceService(chart(), 'demo', wrong)).toThrow('spec.replica');
});

test('a Lazy value is refused with its path, rather than lost', () => {
  const wrong = { ...props, image: Lazy.any({ produce: () => 'a:1' }) } as unknown as InferenceServiceProps;
  expect(() => new InferenceService(chart(), 'demo', wrong)).toThrow(/image.*Lazy/);
});

test('undefined counts as not given', () => {
  const scope = chart();
  const loose = { ...props, autoscaling: undefined, metadata: undefined } as unknown as InferenceServiceProps;
  new InferenceService(scope, 'demo', loose);
  expect(synth(scope)).toHaveLength(2);
});

test('keys that every JavaScript object has are keys like any other', () => {
  const scope = chart();
  new InferenceService(scope, 'demo', {
    ...props,
    nodeSelector: { constructor: 'a', toString: 'b' },
    podMetadata: { labels: { constructor: 'c' }, annotations: { hasOwnProperty: 'd' } },
  });
  const yaml = Yaml.stringify(...synth(scope));
  for (const line of ['constructor: a', 'toString: b', 'constructor: c', 'hasOwnProperty: d'])
    expect(yaml).toContain(line);
});

test('each child can be patched, and a patch that cannot apply is an error', () => {
  const scope = chart();
  const service = new InferenceService(scope, 'demo', { ...props, autoscaling: { enabled: true } });
  service.deployment.addJsonPatch(
    JsonPatch.add('/spec/template/spec/containers/0/resources/limits', { 'nvidia.com/gpu': '1' }),
  );
  service.service.addJsonPatch(JsonPatch.replace('/spec/type', 'NodePort'));
  service.autoscaler?.addJsonPatch(JsonPatch.add('/spec/behavior', { scaleDown: { stabilizationWindowSeconds: 600 } }));
  const [deployment, child, autoscaler] = synth(scope);
  expect(deployment).toHaveProperty('spec.template.spec.containers.0.resources.limits', { 'nvidia.com/gpu': '1' });
  expect(child?.spec).toHaveProperty('type', 'NodePort');
  expect(autoscaler?.spec).toHaveProperty('behavior.scaleDown.stabilizationWindowSeconds', 600);
  service.service.addJsonPatch(JsonPatch.remove('/spec/nothing'));
  expect(() => synth(scope)).toThrow('/spec/nothing');
});

test('a whole resource of another kind or with unknown fields is refused', () => {
  const good = resource() as InferenceServiceResource;
  const make = (change: object) => () => InferenceService.fromResource(chart(), 'x', { ...good, ...change });
  expect(make({ kind: 'Other' })).toThrow(/kind/);
  expect(make({ extra: 1 })).toThrow(/extra/);
});

test('an Ingress of cdk8s-plus leads to the Service, which is rendered once', () => {
  const scope = chart('models');
  const service = new InferenceService(scope, 'demo', { ...props, ports: [{ name: 'debug', containerPort: 9000 }] });
  const plus = service.plusService(kplus.Service);
  new kplus.Ingress(scope, 'ingress', {
    rules: [
      { host: 'llm.example.com', backend: kplus.IngressBackend.fromService(plus, { port: service.servicePort }) },
    ],
  });
  expect(service.plusService(kplus.Service)).toBe(plus);
  const objects = synth(scope);
  expect(objects.map(({ kind }) => kind)).toEqual(['Deployment', 'Service', 'Ingress']);
  expect(objects[2]).toHaveProperty('spec.rules.0.http.paths.0.backend.service', {
    name: 'demo',
    port: { number: 80 },
  });
});

test('what the stand-in for the Service creates is rendered in the right chart', () => {
  const scope = chart('models');
  new InferenceService(scope, 'demo', props).plusService(kplus.Service).exposeViaIngress('/');
  expect(synth(scope).map(({ kind, metadata }) => [kind, metadata.namespace])).toContainEqual(['Ingress', 'models']);
});

test('a Secret and a ServiceAccount of cdk8s-plus can be given to it', () => {
  const scope = chart();
  const secret = new kplus.Secret(scope, 'secret', { metadata: { name: 'hub' }, stringData: { token: 'x' } });
  const account = new kplus.ServiceAccount(scope, 'account', { metadata: { name: 'reader' } });
  const { valueFrom } = kplus.EnvValue.fromSecretValue({
    secret: kplus.Secret.fromSecretName(scope, 'secret-ref', secret.name),
    key: 'token',
  });
  const service = new InferenceService(scope, 'demo', {
    ...props,
    model: { uri: 'hf://org/model', framework: 'vllm', version: '1', secretRef: { name: secret.name, key: 'token' } },
    env: [{ name: 'API_KEY', valueFrom }],
    serviceAccountName: account.name,
  });
  service.node.addDependency(secret, account);
  const [, , deployment] = synth(scope);
  expect(deployment).toHaveProperty('spec.template.spec.serviceAccountName', 'reader');
  const ref = { secretKeyRef: { name: 'hub', key: 'token' } };
  expect(deployment).toHaveProperty(
    'spec.template.spec.containers.0.env',
    expect.arrayContaining([{ name: 'API_KEY', valueFrom: ref }]),
  );
});

test('a NetworkPolicy of cdk8s-plus selects its pods', () => {
  const scope = chart('models');
  const service = new InferenceService(scope, 'demo', props);
  new kplus.NetworkPolicy(scope, 'policy', {
    selector: kplus.Pods.select(scope, 'pods', { labels: { ...service.podSelector } }),
  });
  expect(synth(scope)[2]).toHaveProperty('spec.podSelector.matchLabels', { app: 'demo', operator: 'inferno' });
});

test('what is probably not meant can be read from the construct', () => {
  const { warnings } = new InferenceService(chart(), 'demo', { ...props, image: 'server:latest' });
  expect(warnings).toMatchObject([{ path: ['spec', 'image'] }]);
});

test('two of one name in a chart and namespace are refused, as they would be the same objects', () => {
  const scope = chart('models');
  new InferenceService(scope, 'first', { ...props, metadata: { name: 'demo' } });
  const second = () => new InferenceService(scope, 'second', { ...props, metadata: { name: 'demo' } });
  expect(second).toThrow(InvalidInferenceServiceError);
  scope.node.tryRemoveChild('second');
  expect(second).toThrow(/metadata\.name: "demo" is the name of .*first too/);
});

test('one name in two namespaces, in two charts, or again after the first is gone, is fine', () => {
  const scope = chart('models');
  const make = (where: Chart, id: string, namespace: string) =>
    new InferenceService(where, id, { ...props, metadata: { name: 'demo', namespace } });
  make(scope, 'a', 'one');
  make(scope, 'b', 'two');
  make(new Chart(scope, 'other-cluster'), 'c', 'one');
  scope.node.tryRemoveChild('a');
  expect(() => make(scope, 'd', 'one')).not.toThrow();
});

test.each(['constructor', '__proto__', 'toString'])('the id %s is refused with what to do instead', (id) => {
  expect(() => new InferenceService(chart(), id, props)).toThrow(`give another id, and metadata.name: "${id}"`);
});
