import type { Volume, VolumeMount } from '../../../imports/k8s';
import type { Engine } from '../engines';
import { bytes, quantityText, quantityValue } from '../quantity';
import type { AdmittedSpec } from '../admitted';
import { memoryLimit } from './resources';
import type { ModelSource } from '../sources';

/** Volumes of the pod and their mounts in the server's container. */
export interface Volumes {
  readonly volumes: readonly Volume[];
  readonly volumeMounts: readonly VolumeMount[];
}

/** The largest default of shared memory, in bytes. */
const sharedMemoryDefault = 2 * 2 ** 30;

/**
 * The model's volumes, shared memory, scratch space, then the user's. A mount of the user's takes the place of shared
 * memory or scratch space.
 */
export function volumes(spec: AdmittedSpec, engine: Engine, source: ModelSource): Volumes {
  const user = spec.volumeMounts ?? [];
  const taken = new Set(user.map(({ mountPath }) => mountPath.replace(/(?<!\/)\/+$/, '')));
  const generated: Volumes[] = [];
  if (spec.sharedMemory?.enabled ?? engine.sharedMemory) {
    generated.push(emptyDir('inferno-shm', '/dev/shm', { medium: 'Memory', sizeLimit: sharedMemorySize(spec) }));
  }
  if (engine.scratch) generated.push(emptyDir('inferno-tmp', '/tmp', {}));
  const free = generated.filter((entry) => entry.volumeMounts.every(({ mountPath }) => !taken.has(mountPath)));
  return {
    volumes: [...source.volumes, ...free.flatMap((entry) => entry.volumes), ...(spec.volumes ?? [])],
    volumeMounts: [...source.volumeMounts, ...free.flatMap((entry) => entry.volumeMounts), ...user],
  };
}

function emptyDir(name: string, mountPath: string, settings: NonNullable<Volume['emptyDir']>): Volumes {
  return { volumes: [{ name, emptyDir: settings }], volumeMounts: [{ name, mountPath }] };
}

/** What is written to shared memory counts against the container's memory, so it leaves room for the server. */
function sharedMemorySize(spec: AdmittedSpec): string {
  const size = spec.sharedMemory?.sizeLimit;
  if (size !== undefined) return quantityText(size);
  const limit = memoryLimit(spec);
  return bytes(limit === undefined ? sharedMemoryDefault : Math.min(sharedMemoryDefault, quantityValue(limit) / 2));
}
