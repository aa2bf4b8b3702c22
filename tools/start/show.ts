import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { styleText } from 'node:util';
import { parse } from 'yaml';
import { type Cluster, type ControlPlane, poll } from '../local-cluster';
import { ask } from './ask';

interface Conditions {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Those whose image there is on this machine. */
const samples = ['examples/minimal-fake.yaml', 'examples/parked.yaml'];
/** What minimal-fake.yaml describes. */
const service = { namespace: 'default', name: 'hello' };
const inferenceServices = (namespace: string): string =>
  `/apis/inference.inferno.io/v1alpha1/namespaces/${namespace}/inferenceservices`;
const question = 'What do you do all day?';

/** Installs the operator, gives it the samples, and shows what it makes of them. */
export async function show({ controlPlane }: Cluster, log: (text: string) => void): Promise<void> {
  log('installing the operator from dist/install.yaml');
  await controlPlane.kubectl(['apply', '--server-side', '-f', 'dist/install.yaml']);
  log(`applying ${samples.join(' and ')}`);
  await Promise.all(samples.map((file) => apply(controlPlane, file)));
  log('waiting for the operator to run, and for the model server that it makes');
  await poll(`InferenceService ${service.name} to be Ready`, () => isReady(controlPlane), { interval: 100 }).catch(
    async (error: unknown) => {
      throw new Error(`${String(error)}\n${await trouble(controlPlane)}`, { cause: error });
    },
  );
  log('asking the model a question');
  const { answer, endpoint } = await ask(controlPlane, service, question);
  log(`${service.name} has answered, from ${endpoint}`);
  const pods = controlPlane.kubectl(['get', 'pods', '-A', '-o', 'wide']);
  console.log();
  await inferno(['status', '-A'], controlPlane.kubeconfig);
  console.log(`\n${narrow((await pods).stdout)}\n`);
  console.log(`${styleText('bold', 'You:')} ${question}`);
  console.log(`${styleText('bold', `${service.name}:`)} ${answer}\n`);
}

/** What one wants to see where that takes too long. */
async function trouble(controlPlane: ControlPlane): Promise<string> {
  const looks = [
    ['get', 'inferenceservices', '-A'],
    ['get', 'pods', '-A', '-o', 'wide'],
    ['get', 'events', '-A', '--sort-by=.lastTimestamp'],
    ['logs', '-n', 'inferno-system', 'deployment/inferno-controller-manager'],
  ];
  const texts = await Promise.all(
    looks.map(async (parameters) => {
      const { stdout } = await controlPlane.kubectl(parameters).catch((error: unknown) => ({ stdout: String(error) }));
      return `kubectl ${parameters.join(' ')}\n${stdout.trim().split('\n').slice(-25).join('\n')}`;
    }),
  );
  return texts.join('\n\n');
}

/** Applies a resource as `kubectl apply --server-side` does, but waits until the API server knows of its kind. */
async function apply(controlPlane: ControlPlane, file: string): Promise<void> {
  const text = readFileSync(file, 'utf8');
  const { metadata }: { readonly metadata: { readonly name: string; readonly namespace: string } } = parse(text);
  const { name, namespace } = metadata;
  const path = `${inferenceServices(namespace)}/${name}?fieldManager=kubectl&fieldValidation=Strict`;
  await poll(`the API server to take ${file}`, async () => {
    const { body, status } = await controlPlane.request('PATCH', path, text);
    if (status >= 400 && status !== 404) {
      throw new Error(`the API server refuses ${file} with status ${status}: ${JSON.stringify(body)}`);
    }
    return status < 400;
  });
}

async function isReady(controlPlane: ControlPlane): Promise<boolean> {
  const path = `${inferenceServices(service.namespace)}/${service.name}`;
  const { status } = (await controlPlane.request<Conditions>('GET', path)).body;
  return status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;
}

/** Runs the command line as its users do, with its colours. */
async function inferno(parameters: readonly string[], kubeconfig: string): Promise<void> {
  const all = ['build/bin/inferno.cjs', ...parameters, '--kubeconfig', kubeconfig];
  const [code]: unknown[] = await once(
    spawn(process.execPath, all, { stdio: ['ignore', 'inherit', 'inherit'] }),
    'exit',
  );
  if (code !== 0) {
    throw new Error(`inferno ${parameters.join(' ')} ended with exit code ${String(code)}`);
  }
}

/** The table without its last columns, which are empty. */
function narrow(table: string): string {
  const width = table.indexOf('NOMINATED NODE');
  const lines = table.trimEnd().split('\n');
  return lines.map((line) => line.slice(0, width < 0 ? undefined : width).trimEnd()).join('\n');
}
