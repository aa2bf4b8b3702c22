import { formatPath } from '../../lib/composition';
import { App, Chart, JsonPatch, Lazy, Yaml } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { InferenceService, InvalidInferenceServiceError, type InferenceServiceProps } from '../../lib/inference';
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

test('labels of the resource are not copied to its children, those of the chart are', () => {
  const scope = new Chart(new App(), 'chart', { labels: { team: 'a' } });
  new InferenceService(scope, 'demo', { ...props, metadata: { labels: { 'app.kubernetes.io/instance': 'x' } } });
  for (const { metadata } of synth(scope)) {
    expect(metadata.labels).toHaveProperty('team', 'a');
    expect(metadata.labels).not.toHaveProperty(['app.kubernetes.io/instance']);
  }
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

test('a whole resource gives the same children as its fields', () => {
  const [one, other] = [chart(), chart()];
  InferenceService.fromResource(one, 'any-id', resource({ model: models.fake }) as InferenceServiceResource);
  new InferenceService(other, 'demo', {
    model: models.fake,
    replicas: { min: 1, max: 1 },
    metadata: { namespace: 'default' },
  });
  expect(synth(one)).toEqual(synth(other));
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
