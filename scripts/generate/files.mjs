// @ts-check
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * @param {string} root
 * @param {ReadonlyMap<string, string>} files
 * @returns {string[]} paths of the files that are missing or have other content
 */
export function staleFiles(root, files) {
  return [...files].filter(([path, text]) => read(join(root, path)) !== text).map(([path]) => path);
}

/**
 * Writes the files that differ; a reader at the same time sees the old content or the new, whole.
 * @param {string} root
 * @param {ReadonlyMap<string, string>} files
 * @returns {string[]} paths of the files that were written
 */
export function writeFiles(root, files) {
  const stale = staleFiles(root, files);
  for (const path of stale) {
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(`${target}.new`, files.get(path) ?? '');
    renameSync(`${target}.new`, target);
  }
  return stale;
}

/**
 * @param {string} path
 * @returns {string | undefined} undefined where there is no such file
 */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
