import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { styleText } from 'node:util';
import { parse } from 'yaml';
import { ask } from './ask.mjs';
import { require } from './typescript.mjs';

/** @type {typeof import('../../tools/local-cluster/index.ts')} */
const { poll } = require('../../tools/local-cluster/index.ts');

/** Those whose image there is on this machine. */
const samples = ['examples/minimal-fake.yaml', 'examples/parked.yaml'];
/** What minimal-fake.yaml describes. */
const service = { namespace: 'default', name: 'hello' };
const inferenceServices = (/** @type {string} */ namespace) =>
  `/apis/inference.inferno.io/v1alpha1/namespaces/${namespace}/inferenceservices`;
const question = 'What do you do all day?';

/**
 * Installs the operator, gives it the samples, and shows what it makes of them.
 *
 * @param {import('../../tools/local-cluster/index.ts').Cluster} cluster
 * @param {(text: string) => void} log
 */
export async function show({ controlPlane }, log) {
  log('installing the operator from dist/install.yaml');
  await controlPlane.kubectl(['apply', '--server-side', '-f', 'dist/install.yaml']);
  log(`applying ${samples.join(' and ')}`);
  await Promise.all(samples.map((file) => apply(controlPlane, file)));
  log('waiting for the operator to run, and for the model server that it makes');
  await poll(`InferenceService ${service.name} to be Ready`, () => isReady(controlPlane), { interval: 100 }).catch(
    async ({ message }) => {
      throw new Error(`${message}\n${await trouble(controlPlane)}`);
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

/**
 * What one wants to see where that takes too long.
 *
 * @param {import('../../tools/local-cluster/index.ts').ControlPlane} controlPlane
 * @returns {Promise<string>}
 */
async function trouble(controlPlane) {
  const looks = [
    ['get', 'inferenceservices', '-A'],
    ['get', 'pods', '-A', '-o', 'wide'],
    ['get', 'events', '-A', '--sort-by=.lastTimestamp'],
    ['logs', '-n', 'inferno-system', 'deployment/inferno-controller-manager'],
  ];
  const texts = await Promise.all(
    looks.map(async (parameters) => {
      const { stdout } = await controlPlane.kubectl(parameters).catch(({ message }) => ({ stdout: message }));
      return `kubectl ${parameters.join(' ')}\n${stdout.trim().split('\n').slice(-25).join('\n')}`;
    }),
  );
  return texts.join('\n\n');
}

/**
 * Applies a resource as `kubectl apply --server-side` does, but waits until the API server knows of its kind.
 *
 * @param {import('../../tools/local-cluster/index.ts').ControlPlane} controlPlane
 * @param {string} file
 */
async function apply(controlPlane, file) {
  const text = readFileSync(file, 'utf8');
  const { name, namespace } = parse(text).metadata;
  const path = `${inferenceServices(namespace)}/${name}?fieldManager=kubectl&fieldValidation=Strict`;
  await poll(`the API server to take ${file}`, async () => {
    const { body, status } = await controlPlane.request('PATCH', path, text);
    if (status >= 400 && status !== 404) {
      throw new Error(`the API server refuses ${file} with status ${status}: ${body.message ?? body}`);
    }
    return status < 400;
  });
}

/** @param {import('../../tools/local-cluster/index.ts').ControlPlane} controlPlane */
async function isReady(controlPlane) {
  const { body } = await controlPlane.request('GET', `${inferenceServices(service.namespace)}/${service.name}`);
  /** @type {{ readonly status?: { readonly conditions?: readonly { readonly type: string, readonly status: string }[] } }} */
  const { status } = body;
  return status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;
}

/**
 * Runs the command line as its users do, with its colours.
 *
 * @param {readonly string[]} parameters
 * @param {string} kubeconfig
 */
async function inferno(parameters, kubeconfig) {
  const all = ['build/bin/inferno.cjs', ...parameters, '--kubeconfig', kubeconfig];
  const [code] = await once(spawn(process.execPath, all, { stdio: ['ignore', 'inherit', 'inherit'] }), 'exit');
  if (code !== 0) {
    throw new Error(`inferno ${parameters.join(' ')} ended with exit code ${code}`);
  }
}

/**
 * The table without its last columns, which are empty.
 *
 * @param {string} table
 */
function narrow(table) {
  const width = table.indexOf('NOMINATED NODE');
  const lines = table.trimEnd().split('\n');
  return lines.map((line) => line.slice(0, width < 0 ? undefined : width).trimEnd()).join('\n');
}
