import { join } from 'node:path';
import type { PodAddress } from './network';
import type { NodeParts } from './node-parts';
import type { Pod } from './pod';
import type { Volumes } from './runtime-types';
import { textOf } from './texts';

/** What a pod's containers share. */
export interface Sandbox {
  readonly place: PodAddress;
  readonly volumes: Volumes;
}

export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

/** Makes the volumes and the network of a pod. When it fails it can be called again. */
export async function makeSandbox(pod: Pod, node: NodeParts): Promise<Sandbox> {
  const { api, folder, images, network } = node;
  const { uid = '' } = pod.metadata;
  const volumes = await node.prepareVolumes(pod, join(folder, 'volumes', uid), api);
  const light = images.get(pod.spec.containers[0]?.image ?? '')?.kind === 'light';
  try {
    return { volumes, place: await network.create(uid, light ? 'light' : 'process') };
  } catch (error) {
    const why = textOf(error);
    throw new NetworkError(`the pod gets no network: ${why}`, { cause: error });
  }
}

export async function removeSandbox(pod: Pod, { network }: NodeParts, sandbox: Sandbox | undefined): Promise<void> {
  network.remove(pod.metadata.uid ?? '');
  await sandbox?.volumes.remove();
}
