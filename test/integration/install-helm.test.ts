import { spawn } from 'node:child_process';
import { infernoImage } from '../../lib/inference/engines/fake';
import { poll, startControlPlane, type ControlPlane } from '../../tools/local-cluster';
import { helm as findHelm } from '../tools/helm';
import {
  CRD,
  installFile,
  kubectl,
  makeModelServer,
  modelServers,
  operatorPods,
  untilProtected,
  type Outcome,
} from './install-support';

jest.setTimeout(180_000);

const CHART = 'dist/charts/inferno';
let cluster: ControlPlane;
let helmFile: string;

beforeAll(async () => {
  helmFile = await findHelm();
  cluster = await startControlPlane({ controllerManager: true });
}, 1_800_000);

afterAll(() => cluster?.stop());

/** Helm, with its own files in the folder of the control plane. */
function helm(...args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env['PATH'], HOME: cluster.folder, KUBECONFIG: cluster.kubeconfig };
    const child = spawn(helmFile, [...args, '-n', 'inferno-system'], { env, timeout: 120_000 });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? -1, ...said }));
  });
}

async function exists(...what: readonly string[]): Promise<boolean> {
  return (await kubectl(cluster, ['get', ...what])).code === 0;
}

/** What has to stay as it is while the operator is replaced: everything but its Deployment and what is counted of it. */
async function others(): Promise<string> {
  const kinds = 'crd,validatingadmissionpolicy,sa,svc,netpol,role,rolebinding,clusterrole,priorityclass';
  const version = '{range .items[*]}{.kind}={.metadata.uid}/{.metadata.generation} {end}';
  const selection = ['-n', 'inferno-system', '-l', 'app.kubernetes.io/name=inferno'];
  return (await cluster.kubectl(['get', kinds, ...selection, '-o', `jsonpath=${version}`])).stdout;
}

test('installed, upgraded, uninstalled and installed again by Helm: definition and model servers stay as they are', async () => {
  expect(await helm('install', 'inferno', CHART, '--create-namespace', '--set', 'image.tag=0.0.9')).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining('kubectl rollout status -n inferno-system deployment/inferno-controller-manager'),
  });
  await makeModelServer(cluster);
  await poll('the ReplicaSet', async () => (await modelServers(cluster)).length === 4);
  await untilProtected(cluster);
  const before = await modelServers(cluster);
  const untouched = await others();

  expect(await helm('upgrade', 'inferno', CHART, '--reset-values')).toMatchObject({ code: 0, stderr: '' });
  await poll('the newer pod', async () => (await operatorPods(cluster)).length === 2);
  expect((await operatorPods(cluster)).map(({ image }) => image)).toContain(infernoImage);
  expect(await others()).toBe(untouched);

  expect(await helm('uninstall', 'inferno')).toMatchObject({ code: 0 });
  expect(await exists('deployment', '-n', 'inferno-system', 'inferno-controller-manager')).toBe(false);
  expect(await exists('clusterrole', 'inferno-system-inferno-controller-manager')).toBe(false);
  expect(await modelServers(cluster)).toEqual(before);
  expect(await kubectl(cluster, ['delete', 'crd', CRD])).toMatchObject({ code: 1 });

  expect(await helm('install', 'inferno', CHART)).toMatchObject({ code: 0, stderr: '' });
  expect(await exists('deployment', '-n', 'inferno-system', 'inferno-controller-manager')).toBe(true);
  expect(await helm('upgrade', 'inferno', CHART, '--set', 'crds.install=false')).toMatchObject({ code: 0 });
  expect(await exists('crd', CRD)).toBe(true);
  expect(await modelServers(cluster)).toEqual(before);
  await helm('uninstall', 'inferno');
});

test('Helm takes over what kubectl has installed, if it is asked to', async () => {
  await cluster.kubectl(['apply', '-f', installFile]);
  expect((await helm('install', 'mine', CHART)).code).toBe(1);
  const taken = await helm('install', 'mine', CHART, '--take-ownership', '--force-conflicts');
  expect(taken).toMatchObject({ code: 0, stderr: '' });
  expect(await helm('uninstall', 'mine')).toMatchObject({ code: 0 });
  expect(await exists('crd', CRD)).toBe(true);
});
