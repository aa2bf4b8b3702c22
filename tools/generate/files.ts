import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** @returns paths of the files that are missing or have other content */
export function staleFiles(root: string, files: ReadonlyMap<string, string>): string[] {
  return [...files].filter(([path, text]) => read(join(root, path)) !== text).map(([path]) => path);
}

/**
 * Writes the files that differ; a reader at the same time sees the old content or the new, whole.
 * @returns paths of the files that were written
 */
export function writeFiles(root: string, files: ReadonlyMap<string, string>): string[] {
  const stale = staleFiles(root, files);
  for (const path of stale) {
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(`${target}.new`, files.get(path) ?? '');
    renameSync(`${target}.new`, target);
  }
  return stale;
}

/** @returns undefined where there is no such file */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
