import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A file of a volume. */
export interface VolumeFile {
  readonly content: Buffer;
  readonly mode: number;
  /** @default this process's own */
  readonly uid?: number | undefined;
}

/** Path in the volume to file. */
export type VolumeFiles = ReadonlyMap<string, VolumeFile>;

const DATA = '..data';

/**
 * Writes all files of a volume so that its readers see the old ones or the new ones, never a mixture: as the kubelet
 * does, they lie in a folder of their own that `..data` points to, and each name at the top points into `..data`.
 *
 * @param group who owns the files besides, undefined for nobody
 */
export async function writeFiles(folder: string, files: VolumeFiles, group: number | undefined): Promise<void> {
  await mkdir(folder, { recursive: true });
  const fresh = await mkdtemp(`${folder}/..`);
  await chmod(fresh, 0o755);
  for (const [path, file] of files) await writeOne(join(fresh, path), file, group);
  const link = join(folder, '..data_tmp');
  await rm(link, { force: true });
  await symlink(basename(fresh), link);
  await rename(link, join(folder, DATA));
  const names = new Set([...files.keys()].map((path) => path.split('/')[0] ?? ''));
  for (const name of names) {
    const visible = join(folder, name);
    if ((await lstat(visible).catch(() => undefined)) === undefined) await symlink(join(DATA, name), visible);
  }
  // The old folder, and what a failure may have left.
  for (const name of await readdir(folder)) {
    const kept = name === DATA || name === basename(fresh) || names.has(name);
    if (!kept) await rm(join(folder, name), { recursive: true, force: true });
  }
}

async function writeOne(path: string, { content, mode, uid }: VolumeFile, group: number | undefined): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content, { flag: 'wx' });
  if (uid !== undefined || group !== undefined) {
    await chown(path, uid ?? process.getuid?.() ?? 0, group ?? process.getgid?.() ?? 0);
  }
  // After the change of owner, which takes bits away; the group can always read what is given to it.
  await chmod(path, group === undefined ? mode : mode | 0o440);
}
