import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { quantityValue } from '../../../../lib/inference/quantity';
import type { Pod, Volume } from '../pod';
import { type ObjectReader, UnsupportedError, type Volumes } from '../runtime-types';
import { type VolumeFiles, writeFiles } from './atomic-files';
import { takesUsers } from './users';
import { type ContentContext, type ContentKind, contentKinds, Tokens, volumeFiles } from './volume-content';

const run = promisify(execFile);

interface EmptyDir {
  readonly medium?: string;
  readonly sizeLimit?: string;
}

/** The volumes of one pod, as folders of this machine. */
export class PodVolumes implements Volumes {
  /** Volume to what its files were made from, to leave what has not changed as it is. */
  readonly #written = new Map<string, string>();
  readonly #mounted = new Set<string>();

  private constructor(
    private readonly folder: string,
    private readonly context: ContentContext,
  ) {}

  /**
   * Makes all volumes of a pod. It may be called again with the same folder after it has failed.
   *
   * @throws UnsupportedError for a kind that there is not; Error in the kubelet's words where an object is missing
   */
  static async prepare(pod: Pod, folder: string, reader: ObjectReader): Promise<PodVolumes> {
    const tokens = new Tokens(reader);
    const user = takesUsers() ? commonUser(pod) : undefined;
    const volumes = new PodVolumes(folder, { pod, reader, tokens, user });
    const kinds = new Map(volumes.#all.map((volume) => [volume, kindOf(volume)]));
    await mkdir(folder, { recursive: true });
    // What is only read comes first: it may be missing, and then there is nothing to unmount.
    await volumes.refresh();
    try {
      for (const [volume, kind] of kinds) if (kind === 'emptyDir') await volumes.#makeEmpty(volume);
    } catch (error) {
      await volumes.#unmount();
      throw error;
    }
    return volumes;
  }

  path(volume: string): string {
    if (this.#all.some(({ name }) => name === volume)) return join(this.folder, volume);
    const names = this.#all.map(({ name }) => name).join(', ') || 'none';
    throw new Error(`the pod has no volume "${volume}"; it has ${names}`);
  }

  async refresh(): Promise<void> {
    for (const volume of this.#all) {
      const kind = kindOf(volume);
      if (kind === 'emptyDir') continue;
      const files = await volumeFiles(volume, kind, this.context);
      const digest = digestOf(files);
      if (this.#written.get(volume.name) === digest) continue;
      await writeFiles(this.path(volume.name), files, this.#group);
      this.#written.set(volume.name, digest);
    }
  }

  async remove(): Promise<void> {
    await this.#unmount();
    await rm(this.folder, { recursive: true, force: true });
  }

  async #unmount(): Promise<void> {
    for (const path of this.#mounted) await run('umount', ['--lazy', path]);
    this.#mounted.clear();
  }

  get #all(): readonly Volume[] {
    return this.context.pod.spec.volumes ?? [];
  }

  get #group(): number | undefined {
    return takesUsers() ? this.context.pod.spec.securityContext?.fsGroup : undefined;
  }

  async #makeEmpty(volume: Volume): Promise<void> {
    const path = this.path(volume.name);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API server has checked its shape
    const { medium = '', sizeLimit } = volume['emptyDir'] as EmptyDir;
    await mkdir(path, { recursive: true });
    if (medium === 'Memory') {
      const size = sizeLimit === undefined ? [] : ['-o', `size=${Math.ceil(quantityValue(sizeLimit))}`];
      await run('mount', ['-t', 'tmpfs', ...size, 'tmpfs', path]);
      this.#mounted.add(path);
    }
    const group = this.#group;
    if (group !== undefined) await chown(path, 0, group);
    await chmod(path, group === undefined ? 0o777 : 0o2777);
  }
}

function kindOf(volume: Volume): ContentKind | 'emptyDir' {
  const { name } = volume;
  const kinds = Object.keys(volume).filter((key) => key !== 'name');
  const kind = (['emptyDir', ...contentKinds] as const).find((known) => kinds.includes(known));
  if (kind === undefined) {
    throw new UnsupportedError(`volume "${name}": ${kinds.join(', ') || 'a volume without a kind'} is not known here`);
  }
  if (kind !== 'emptyDir') return kind;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API server has checked its shape
  const { medium = '' } = volume[kind] as EmptyDir;
  if (medium === '' || medium === 'Memory') return kind;
  throw new UnsupportedError(`volume "${name}": emptyDir.medium "${medium}" is not known here`);
}

/** The user that all containers run as, as far as the pod itself says it. */
function commonUser({ spec }: Pod): number | undefined {
  const users = new Set(
    [...(spec.initContainers ?? []), ...spec.containers].map(
      ({ securityContext }) => securityContext?.runAsUser ?? spec.securityContext?.runAsUser,
    ),
  );
  const [user] = users;
  return users.size === 1 ? user : undefined;
}

function digestOf(files: VolumeFiles): string {
  const hash = createHash('sha256');
  for (const [path, { content, mode, uid }] of files) {
    hash.update(JSON.stringify([path, mode, uid ?? null, content.length])).update(content);
  }
  return hash.digest('hex');
}
