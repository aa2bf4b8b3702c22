import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { InputError, Interrupted, systemCode, systemMessage } from '../errors';
import type { Io } from '../io';

/** A file to be written. */
export interface OutputFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Writes files into a folder, which is made if it is not there. All texts are on the disk under other names before the
 * first file gets its own, so a full disk or Ctrl-C leaves neither half a file nor half of the files.
 * @throws InputError
 */
export async function writeFiles(folder: string, files: readonly OutputFile[], io: Io): Promise<void> {
  const path = resolve(io.cwd, folder);
  const temporary: string[] = [];
  let current = folder;
  try {
    await mkdir(path, { recursive: true });
    for (const { name } of files) {
      current = join(folder, name);
      // One by one, as the first that fails ends it; a folder in the way would fail only after others were renamed.
      // oxlint-disable-next-line no-await-in-loop
      await refuseFolder(join(path, name));
    }
    for (const { name, text } of files) {
      if (io.interrupted.aborted) throw new Interrupted();
      current = join(folder, name);
      const file = join(path, `.${name.slice(0, 200)}.${process.pid}.${temporary.length}.tmp`);
      temporary.push(file);
      // oxlint-disable-next-line no-await-in-loop
      await writeFile(file, text, { flag: 'wx' });
    }
    for (const [index, { name }] of files.entries()) {
      current = join(folder, name);
      // oxlint-disable-next-line no-await-in-loop
      await rename(temporary[index] ?? '', join(path, name));
    }
  } catch (error) {
    await Promise.all(temporary.map((file) => rm(file, { force: true })));
    if (error instanceof Interrupted) throw error;
    throw new InputError(`cannot be written: ${systemMessage(error)}`, { file: current });
  }
}

async function refuseFolder(path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    // Any other fault, such as a name that is too long, would come only after the first files are in place.
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (found?.isDirectory() === true) throw new InputError('a folder of that name is in the way');
}
