import type { PodSpec } from '../../imports/k8s';
import { synthesize, type Manifest } from '../../lib/composition';
import { inferenceServiceComposition } from '../../lib/inference';
import { inferno } from '../cli/support';
import { KubectlError, poll, type ControlPlane } from '../../tools/local-cluster';

export const CRD = 'inferenceservices.inference.inferno.io';
export const SERVICES = '/apis/inference.inferno.io/v1alpha1/namespaces/team/inferenceservices';
const service = {
  apiVersion: 'inference.inferno.io/v1alpha1',
  kind: 'InferenceService',
  metadata: { name: 'chat', namespace: 'team' },
  spec: { model: { uri: 'demo', framework: 'fake', version: '1' }, replicas: { min: 1, max: 1 } },
};

/** How a command ended. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs kubectl; a failure is an outcome too. */
export async function kubectl(cluster: ControlPlane, args: readonly string[], input?: string): Promise<Outcome> {
  try {
    return { code: 0, ...(await cluster.kubectl(args, input === undefined ? {} : { input })) };
  } catch (error) {
    if (!(error instanceof KubectlError)) throw error;
    return { code: error.code ?? -1, stdout: error.stdout, stderr: error.stderr };
  }
}

/** What `inferno install` prints. */
export async function installation(...flags: readonly string[]): Promise<string> {
  return (await inferno(['install', ...flags])).stdout;
}

/** Waits until the policy is in force, which the API server learns of with a delay. */
export async function untilProtected(cluster: ControlPlane): Promise<void> {
  await poll('the policy to be in force', async () => {
    const { code } = await kubectl(cluster, ['delete', 'crd', CRD, '--dry-run=server']);
    return code !== 0;
  });
}

/** Makes a namespace with an InferenceService in it and its children, as the operator leaves them. */
export async function makeModelServer(cluster: ControlPlane): Promise<void> {
  await kubectl(cluster, ['create', 'namespace', 'team']);
  await poll(`${CRD} to be served`, async () => (await cluster.request('GET', SERVICES)).status === 200);
  const { body } = await cluster.request<{ readonly metadata: { readonly uid: string } }>('POST', SERVICES, service);
  const synthesis = synthesize(inferenceServiceComposition, service);
  if (!synthesis.valid) throw new Error('the sample is invalid');
  const { apiVersion, kind, metadata } = service;
  const owner = { apiVersion, kind, name: metadata.name, uid: body.metadata.uid, controller: true };
  const owned = synthesis.manifests.map((child) => ({
    ...child,
    metadata: { ...child.metadata, ownerReferences: [{ ...owner, blockOwnerDeletion: true }] },
  }));
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: owned });
  await kubectl(cluster, ['apply', '-f', '-'], list);
}

/** What there is of model servers, down to their ReplicaSets: unchanged, nothing was touched. */
export async function modelServers(cluster: ControlPlane): Promise<readonly string[]> {
  const kinds = 'deployments,replicasets,services';
  const { body: services } = await cluster.request<{ readonly items?: readonly Manifest[] }>('GET', SERVICES);
  const { stdout } = await cluster.kubectl(['get', kinds, '-n', 'team', '-o', 'json']);
  const list: { readonly items: readonly Manifest[] } = JSON.parse(stdout);
  const all = [...(services.items ?? []).map((each) => ({ ...each, kind: 'InferenceService' })), ...list.items];
  return all.map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.uid} ${metadata.generation ?? ''}`);
}

/** The pods of the operator, by their image. */
export async function operatorPods(
  cluster: ControlPlane,
): Promise<readonly { readonly image: string; readonly spec: PodSpec }[]> {
  const { stdout } = await cluster.kubectl(['get', 'pods', '-n', 'inferno-system', '-o', 'json']);
  const { items }: { readonly items: readonly { readonly spec: PodSpec }[] } = JSON.parse(stdout);
  const pods = items.map(({ spec }) => ({ image: spec.containers[0]?.image ?? '', spec }));
  return pods.toSorted((a, b) => (a.image < b.image ? -1 : 1));
}

export const installFile = 'dist/install.yaml';
