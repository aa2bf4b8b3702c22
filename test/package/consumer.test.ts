import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { codeBlocks } from '../docs/markdown';
import { Project } from './project';

/** What `cdk8s init` generates and a user need not touch. */
const settings = ['cdk8s.yaml', 'jest.config.js', 'tsconfig.json'];

let tarball: string;
let project: Project;
let generated: readonly string[];
let installed: string;

const main = `
import { App, Chart, JsonPatch } from 'cdk8s';
import { InferenceService } from 'cdk8s-inferno';
import { Inferno } from 'cdk8s-inferno/install';
import * as l1 from 'cdk8s-inferno/l1';
import { Ingress, IngressBackend, Secret, Service } from 'cdk8s-plus-33';
import { Construct } from 'constructs';

export class MyChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id, { disableResourceNameHashes: true });

    const token = new Secret(this, 'token', { stringData: { HF_TOKEN: 'given elsewhere' } });
    const chat = new InferenceService(this, 'chat', {
      metadata: { name: 'chat' },
      model: { uri: 'hf://example/chat', framework: 'vllm', version: '1', secretRef: { name: token.name } },
      replicas: { min: 1, max: 3 },
      resources: { cpu: '4', memory: '16Gi', gpu: 1 },
      autoscaling: { enabled: true },
    });
    chat.deployment.metadata.addAnnotation('team', 'search');
    new Ingress(this, 'ingress', {
      rules: [{ host: 'chat.example.com', backend: IngressBackend.fromService(chat.plusService(Service)) }],
    });
    new InferenceService(this, 'own', {
      model: { uri: 'my-model', framework: 'custom', version: '1' },
      image: 'registry.example.com/own:1',
      replicas: { min: 1, max: 1 },
    }).deployment.addJsonPatch(JsonPatch.add('/spec/minReadySeconds', 10));
  }
}

class ResourceChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new l1.InferenceService(this, 'stored', {
      metadata: { name: 'stored' },
      spec: {
        model: { uri: 'demo', framework: l1.InferenceServiceSpecModelFramework.FAKE, version: '1' },
        replicas: { min: 1, max: 1 },
      },
    });
  }
}

class ModelChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new InferenceService(this, 'embed', {
      metadata: { name: 'embed', namespace: 'models' },
      model: { uri: 'pvc://models/embed', framework: 'triton', version: '2.1' },
      replicas: { min: 2, max: 4 },
      autoscaling: { enabled: true, targetConcurrency: 8 },
      nodeSelector: { 'node.example.com/pool': 'gpu' },
    });
  }
}

const app = new App();
new MyChart(app, 'app');
new ModelChart(app, 'model');
new ResourceChart(app, 'resource');
new Inferno(new Chart(app, 'operator'), 'inferno', { replicas: 2, monitoring: true });
app.synth();
`;

const operator = `
import { inferenceServiceComposition } from 'cdk8s-inferno';
import { Child, defineComposition, Kinds, type CustomResourceDefinition, type Resource } from 'cdk8s-inferno/composition';
import { connect, jsonLogger, Operator, runOperator, type RunOperatorOptions } from 'cdk8s-inferno/operator';

export const site = (crd: CustomResourceDefinition) =>
  defineComposition({
    crd,
    children: [Kinds.Deployment],
    compose(scope, { metadata }: Resource<object, { readonly replicas: number }>) {
      new Child(scope, 'server', { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: metadata.name } });
    },
    project: ({ metadata }, observed) => ({
      replicas: observed.get(Kinds.Deployment, metadata.name)?.status?.readyReplicas ?? 0,
    }),
  });

const options: RunOperatorOptions = { compositions: [inferenceServiceComposition], leaderElect: true };

export function explicit(): Operator {
  return new Operator({ ...options, connection: connect({ context: 'test' }), log: jsonLogger('debug') });
}

try {
  new Operator({ compositions: [inferenceServiceComposition] });
} catch (error) {
  console.log(String(error));
}
void runOperator(options).then((code) => console.log('exit code', code));
`;

const embed = `
apiVersion: inference.inferno.io/v1alpha1
kind: InferenceService
metadata:
  name: embed
  namespace: models
spec:
  model: { uri: pvc://models/embed, framework: triton, version: "2.1" }
  replicas: { min: 2, max: 4 }
  autoscaling: { enabled: true, targetConcurrency: 8 }
  nodeSelector: { node.example.com/pool: gpu }
`;

beforeAll(() => {
  tarball = Project.pack();
  project = Project.init();
  generated = settings.map((file) => project.read(file));
  installed = project.run('npm', 'install', '--no-audit', '--no-fund', tarball);
  project.write('main.ts', main);
  project.write('operator.ts', operator);
  project.write('embed.yaml', embed);
}, 600_000);

afterAll(() => {
  rmSync(dirname(project.folder), { recursive: true, force: true });
  rmSync(dirname(tarball), { recursive: true, force: true });
});

function documents(text: string): readonly unknown[] {
  return parseAllDocuments(text).map((document): unknown => document.toJS());
}

test('installing the package adds one package, itself', () => {
  expect(installed).toContain('added 1 package ');
});

test('a project that cdk8s generated compiles, with the declarations of all libraries checked', () => {
  const { status, stdout } = project.attempt('npm', 'run', 'compile');
  expect({ status, errors: stdout.match(/^.*error TS.*$/gm) }).toEqual({ status: 0, errors: null });
});

test("the project's own jest passes", () => {
  // the snapshot of the empty chart is part of the template
  project.run('npm', 'test', '--', '-u');
  project.run('npm', 'test');
  expect(project.read('__snapshots__/main.test.ts.snap')).toContain('"name": "chat"');
});

test('cdk8s synth writes the inference service beside the objects of cdk8s-plus', () => {
  project.run('npm', 'run', 'synth');
  const objects = documents(project.read('dist/app.k8s.yaml'));
  expect(objects).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        kind: 'Deployment',
        metadata: expect.objectContaining({ name: 'chat', annotations: expect.objectContaining({ team: 'search' }) }),
      }),
      expect.objectContaining({ kind: 'HorizontalPodAutoscaler', metadata: expect.objectContaining({ name: 'chat' }) }),
      expect.objectContaining({ kind: 'Deployment', spec: expect.objectContaining({ minReadySeconds: 10 }) }),
      expect.objectContaining({ kind: 'Secret', metadata: { name: 'app-token' } }),
    ]),
  );
  expect(JSON.stringify(objects)).toContain('"backend":{"service":{"name":"chat","port":{"number":80}}}');
});

test('the construct of the resource itself renders the resource, for those who leave the rest to an operator', () => {
  project.run('npm', 'run', 'synth');
  expect(documents(project.read('dist/resource.k8s.yaml'))).toEqual([
    {
      apiVersion: 'inference.inferno.io/v1alpha1',
      kind: 'InferenceService',
      metadata: { name: 'stored' },
      spec: { model: { uri: 'demo', framework: 'fake', version: '1' }, replicas: { min: 1, max: 1 } },
    },
  ]);
});

test('the construct that installs the operator gives what inferno install prints', () => {
  const printed = project.run('npx', 'inferno', 'install', '--replicas', '2', '--monitoring');
  expect(documents(project.read('dist/operator.k8s.yaml'))).toEqual(documents(printed));
});

test('inferno render gives what cdk8s synth gives, byte for byte', () => {
  project.run('npm', 'run', 'synth');
  const rendered = project.run('npx', '--no-install', 'inferno', 'render', '-f', 'embed.yaml');
  expect(rendered).toBe(project.read('dist/model.k8s.yaml'));
});

test('npx inferno is the command line of the installed package', () => {
  const { version }: { readonly version: string } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(project.run('npx', '--no-install', 'inferno', '--version')).toContain(version);
});

test('README: the command line says what is shown there', () => {
  const [, command = '', said] =
    /^\$ (.*^END\n)(.*)$/ms.exec(codeBlocks('README.md').find(({ language }) => language === 'console')?.text ?? '') ??
    [];
  expect(project.attempt('sh', '-c', command)).toMatchObject({ status: 1, stdout: `${said}\n` });
});

test("an operator in the project's own program starts, and says that it finds no cluster", () => {
  project.run('npm', 'run', 'compile');
  const nowhere = ['-u', 'KUBECONFIG', '-u', 'KUBERNETES_SERVICE_HOST', `HOME=${project.folder}`];
  const { status, stdout, stderr } = project.attempt('env', ...nowhere, 'node', 'operator.js');
  expect({ status, stdout: stdout.split('\n') }).toEqual({
    status: 0,
    stdout: [expect.stringContaining('found no cluster'), 'exit code 1', ''],
  });
  expect(JSON.parse(stderr)).toMatchObject({ level: 'error', error: expect.stringContaining('found no cluster') });
});

test('the settings that cdk8s generated are as they were', () => {
  expect(settings.map((file) => project.read(file))).toEqual(generated);
});

test('an ES module can import the package by name', () => {
  project.write('esm.mjs', "import { InferenceService } from 'cdk8s-inferno';\nconsole.log(InferenceService.name);\n");
  expect(project.run('node', 'esm.mjs')).toBe('InferenceService\n');
});

test('there is one library behind all entry points', () => {
  const asked = `const { InvalidResourceError } = require('cdk8s-inferno/composition');
    const { InvalidInferenceServiceError } = require('cdk8s-inferno');
    console.log(Object.getPrototypeOf(InvalidInferenceServiceError) === InvalidResourceError);`;
  expect(project.run('node', '-e', asked)).toBe('true\n');
});

test('importing the package loads cdk8s and nothing else', () => {
  const loaded = project.run(
    'node',
    '-e',
    `const before = (require('cdk8s'), require('constructs'), new Set(Object.keys(require.cache)));
     require('cdk8s-inferno');
     console.log(Object.keys(require.cache).filter((file) => !before.has(file)).join('\\n'));`,
  );
  const foreign = loaded.split('\n').filter((file) => file !== '' && !file.includes('/node_modules/cdk8s-inferno/'));
  expect(foreign).toEqual([]);
});

test('the package has its licence, changelog, CRD and notices, and no sources, maps or tests', () => {
  const files = readdirSync(`${project.folder}/node_modules/cdk8s-inferno`, { recursive: true, encoding: 'utf8' });
  expect(files).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'README.md',
      'CHANGELOG.md',
      'crds/inferenceservice.yaml',
      'build/bin/NOTICES.txt',
      'build/lib/vendor/NOTICES.txt',
    ]),
  );
  expect(
    files.filter((file) => /\.map$|(?<!\.d)\.ts$|^(test|cli|lib|crds\/src)\b|build\/(test|main)/.test(file)),
  ).toEqual([]);
});
