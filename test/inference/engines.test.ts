import { formatPath } from '../../lib/composition';
import crd from '../../imports/inferenceservice.crd.json';
import { inferenceServiceSchema } from '../../lib/inference/crd';
import { engines, type Framework } from '../../lib/inference/engines';
import { sourceSchemes } from '../../lib/inference/sources';
import { models, render, resource, type SpecChange } from './support';

const frameworks = Object.keys(engines) as Framework[];
/** Flags of vLLM that must be refused, as its own help has them. */
const vllmReserved = ['--served-model-name', '--revision', '--api-key', '--uds', '--ssl-keyfile', '--ssl-certfile'];
const examples: Readonly<Record<string, string>> = {
  'hf://': 'hf://org/model',
  'pvc://': 'pvc://claim/folder',
  'file://': 'file:///models/a',
  's3://': 's3://bucket/a',
  'gs://': 'gs://bucket/a',
  'as://': 'as://account/a',
  '/': '/models/a',
  'oci://': 'oci://registry/a',
  'https://': 'https://host/a',
};

function errorsAt(framework: Framework, spec: SpecChange, path: string): readonly string[] {
  const image = framework === 'custom' ? { image: 'registry.example.com/server:1' } : {};
  const admission = inferenceServiceSchema.admit(resource({ model: models[framework], ...image, ...spec }));
  return admission.valid ? [] : admission.errors.filter((e) => formatPath(e.path) === path).map((e) => e.message);
}

test('every framework of the CRD has an engine, and every engine is a framework of the CRD', () => {
  const schema = crd.spec.versions[0]?.schema.openAPIV3Schema.properties.spec.properties.model.properties.framework;
  expect(frameworks.toSorted()).toEqual([...(schema?.enum ?? [])].toSorted());
});

test.each(frameworks)('the CRD takes the URIs that engine %s loads, and no other', (framework) => {
  const { uris } = engines[framework];
  for (const [prefix, uri] of Object.entries(examples)) {
    const model = { ...models[framework], uri };
    const taken = uris === 'any' || uris.includes(prefix);
    expect([uri, errorsAt(framework, { model }, 'spec.model.uri').length === 0]).toEqual([uri, taken]);
  }
});

test('every kind of URI that a source reads is in the table of this test', () => {
  for (const prefix of sourceSchemes.flatMap((scheme) => scheme.prefixes)) expect(examples).toHaveProperty([prefix]);
});

test.each(frameworks)('the CRD refuses the reserved flags of engine %s in args', (framework) => {
  const { reservedFlags } = engines[framework];
  const { names = [], beginnings = [] } = reservedFlags ?? {};
  for (const flag of [...names, ...beginnings, ...(framework === 'vllm' ? vllmReserved : [])]) {
    for (const args of [[flag, 'x'], [`${flag}=x`]]) {
      expect([args, errorsAt(framework, { args }, 'spec.args').length]).toEqual([args, 1]);
      expect(errorsAt(framework, { args, argsPolicy: 'Replace' }, 'spec.args')).toEqual([]);
    }
  }
});

test.each(frameworks)('every generated flag of engine %s is one that its parser knows', (framework) => {
  const { server } = render({
    model: models[framework],
    image: 'registry.example.com/server:1',
    resources: { gpu: 2 },
  });
  const { syntax } = engines[framework];
  const flags = (server.args ?? []).filter((arg) => arg.startsWith('-'));
  expect(flags.map((arg) => syntax.flagOf(arg))).toEqual(flags.map((arg) => arg.split('=')[0]));
});

test.each(frameworks)(
  'the engine %s has exact versions and what the API server needs for restricted pods',
  (framework) => {
    const { image, podSecurityContext, securityContext } = engines[framework];
    expect(image ?? 'none:1').toMatch(/:v?\d+[.\w-]*$/);
    expect(podSecurityContext.seccompProfile).toEqual({ type: 'RuntimeDefault' });
    expect(securityContext).toMatchObject({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } });
    const restricted = framework !== 'custom';
    expect(podSecurityContext.runAsNonRoot === true).toBe(restricted);
    expect(securityContext.readOnlyRootFilesystem === true).toBe(restricted);
  },
);

test('an object store and several GPUs show in the arguments of vLLM', () => {
  expect(render({ model: { ...models.vllm, uri: 's3://bucket/m' }, resources: { gpu: '2' } }).server.args).toEqual([
    's3://bucket/m',
    '--port=8000',
    '--served-model-name=demo',
    '--load-format=runai_streamer',
    '--tensor-parallel-size=2',
    '--shutdown-timeout=60',
  ]);
});

test('slices of one GPU are not split over', () => {
  const resources = { gpu: 2, gpuResourceName: 'nvidia.com/mig-1g.5gb' };
  expect(render({ resources }).server.args).not.toContain('--tensor-parallel-size=2');
});

test('GPUs in the full form count too', () => {
  expect(render({ resources: { limits: { 'nvidia.com/gpu': 4 } } }).server.args).toContain('--tensor-parallel-size=4');
});

test('the fake server listens on all addresses, at the port and under the name that the resource says', () => {
  const { server } = render({
    model: { ...models.fake, servedName: 'tiny' },
    port: 9000,
    drain: { shutdownSeconds: 7 },
  });
  expect(server.args).toEqual(['fake-server']);
  expect(server.env).toEqual([
    { name: 'MODEL_URI', value: 'demo://model' },
    { name: 'MODEL_VERSION', value: '1' },
    { name: 'HOST', value: '::' },
    { name: 'PORT', value: '9000' },
    { name: 'MODEL_NAME', value: 'tiny' },
    { name: 'INFERNO_FAKE_SHUTDOWN_SECONDS', value: '7' },
  ]);
});

test('Triton follows the ports that the user moved', () => {
  const { server, service } = render({
    model: models.triton,
    port: 8080,
    ports: [
      { name: 'metrics', containerPort: 9002 },
      { name: 'debug', containerPort: 7000, protocol: 'UDP' },
    ],
  });
  expect(server.args).toEqual([
    '--model-repository=s3://bucket/models',
    '--http-port=8080',
    '--grpc-port=8001',
    '--metrics-port=9002',
    '--exit-timeout-secs=60',
  ]);
  expect(service.spec?.ports).toEqual([
    { name: 'http', port: 80, targetPort: 'http', protocol: 'TCP' },
    { name: 'grpc', port: 8001, targetPort: 'grpc', protocol: 'TCP' },
    { name: 'metrics', port: 9002, targetPort: 'metrics', protocol: 'TCP' },
    { name: 'debug', port: 7000, targetPort: 'debug', protocol: 'UDP' },
  ]);
});
