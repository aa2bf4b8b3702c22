import { Yaml } from 'cdk8s';
import { parse } from 'yaml';
import type { ChildKind } from '../../lib/composition';
import { synthesize } from '../../lib/composition/synthesize';
import { inferenceServiceComposition, projectStatus } from '../../lib/inference';
import { admitted, models, refusals, render, resource, type SpecChange } from './support';

/** A spec that the types would refuse, as YAML may hold it. */
const untyped = (spec: object): SpecChange => spec;

test('h01: a memory that is no quantity is refused, one that is gives request and limit', () => {
  expect(refusals({ resources: { memory: '32 GB' } })).toContain('spec.resources.memory');
  expect(render({ resources: { memory: '32Gi' } }).server.resources).toMatchObject({
    requests: { memory: '32Gi' },
    limits: { memory: '32Gi' },
  });
});

test('h02: a request that is larger than its limit is refused', () => {
  const resources = { requests: { memory: '512M' }, limits: { memory: '128M' } };
  expect(refusals({ resources })).toEqual(['spec.resources.requests']);
});

test('h03: a dot in the name gives legal children that collide with no other', () => {
  const [dotted, plain] = [render({}, 'llama-3.1-8b'), render({}, 'llama-3-1-8b')];
  const names = [dotted, plain].map(({ service, deployment }) => [service.metadata?.name, deployment.metadata?.name]);
  expect(names[1]).toEqual(['llama-3-1-8b', 'llama-3-1-8b']);
  expect(names[0]?.[0]).toMatch(/^llama-3-1-8b-h[0-9a-f]{10}$/);
  expect(names[0]?.[1]).toBe(names[0]?.[0]);
  expect(dotted.service.spec?.selector).toEqual({ app: 'llama-3.1-8b', operator: 'inferno' });
});

test('h04: status finds the Deployment under the name that was rendered, and the pods by the labels that they have', () => {
  const name = `a.${'b'.repeat(58)}`;
  const { deployment } = render({}, name);
  const asked: string[] = [];
  const status = projectStatus(
    admitted({}, name),
    { get: (_kind: ChildKind, child: string) => void asked.push(child), list: () => [] },
    { now: '2026-11-30T12:00:00Z', sync: { state: 'applied' } },
  );
  expect(new Set(asked)).toEqual(new Set([deployment.metadata?.name]));
  const labels = deployment.spec.template.metadata?.labels ?? {};
  for (const pair of status.selector?.split(',') ?? []) {
    const [key = '', value] = pair.split('=');
    expect(labels[key]).toBe(value);
  }
});

test('h06: a second volume where the model is mounted is refused', () => {
  const spec: SpecChange = {
    model: { ...models.vllm, uri: 'pvc://weights' },
    volumes: [{ name: 'v', emptyDir: {} }],
    volumeMounts: [{ name: 'v', mountPath: '/mnt/models' }],
  };
  expect(refusals(spec)).toEqual(['spec.volumeMounts']);
});

test('h17: args in the pod template are refused with a pointer to spec.args', () => {
  const podTemplate = { spec: { containers: [{ name: 'inference-server', args: ['--max-num-seqs=8'] }] } };
  const result = synthesize(inferenceServiceComposition, resource(untyped({ podTemplate })));
  expect(result.valid).toBe(false);
  expect(!result.valid && result.errors).toMatchObject([
    {
      path: ['spec', 'podTemplate', 'spec', 'containers', 0, 'args'],
      message: expect.stringContaining('spec.args') as string,
    },
  ]);
});

test('h18: strings that look like other types are strings after YAML 1.1 and YAML 1.2', () => {
  const texts = [
    '2',
    'yes',
    'no',
    'on',
    '1e5',
    '0x1f',
    '007',
    'null',
    '~',
    '12:30:45',
    '=',
    '<<',
    'true',
    '.inf',
    '2026-11-30',
    '',
  ];
  const labels = Object.fromEntries(texts.map((text, index) => [`l${index}`, /^(\w[\w.]*)?$/.test(text) ? text : 'x']));
  const spec: SpecChange = {
    model: models.fake,
    podMetadata: {
      labels: { ...labels, on: 'yes', '2': '3' },
      annotations: Object.fromEntries(texts.map((t, i) => [`a${i}`, t])),
    },
    env: texts.map((value, index) => ({ name: `V${index}`, value })),
  };
  const result = synthesize(inferenceServiceComposition, resource(spec));
  if (!result.valid) throw new Error(JSON.stringify(result.errors));
  const [deployment] = result.manifests;
  const text = Yaml.stringify(deployment);
  for (const version of ['1.1', '1.2'] as const) {
    expect(parse(text, { version, merge: version === '1.1' })).toEqual(deployment);
  }
});

test('h19: no GPU means that the image sees none', () => {
  const { server } = render({ resources: { gpu: 0 } });
  expect(Object.keys({ ...server.resources?.requests, ...server.resources?.limits })).toEqual(['cpu', 'memory']);
  expect(server.env).toContainEqual({ name: 'NVIDIA_VISIBLE_DEVICES', value: 'void' });
  expect(render().server.env).not.toContainEqual({ name: 'NVIDIA_VISIBLE_DEVICES', value: 'void' });
});

test('h20: a probe of which only the path is said keeps port and scheme', () => {
  const { server } = render({ readinessProbe: { httpGet: { path: '/v1/models' } } });
  expect(server.readinessProbe?.httpGet).toEqual({ path: '/v1/models', port: 'http', scheme: 'HTTP' });
});

test('h21: there is no PodDisruptionBudget that a drain could hang on', () => {
  const result = synthesize(inferenceServiceComposition, resource({ podTemplate: {} }));
  expect(result.valid && result.manifests.map(({ kind }) => kind)).toEqual(['Deployment', 'Service']);
});

test('labels of pods that Kubernetes would refuse are refused at their path', () => {
  expect(refusals({ podMetadata: { labels: { 'a b': 'x' }, annotations: { '/': 'y' } } })).toEqual([
    'spec.podMetadata.labels["a b"]',
    'spec.podMetadata.annotations["/"]',
  ]);
});
