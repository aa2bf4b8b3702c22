import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whether a built file is missing or older than one of its sources.
 *
 * @param {string} built
 * @param {readonly string[]} sources files and folders
 */
export function isStale(built, sources) {
  const time = modified(built);
  return time === undefined || sources.some((source) => newest(source) > time);
}

/** @param {string} path @returns {number} */
function newest(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) {
    return stats?.mtimeMs ?? 0;
  }
  // the folder itself changes where a file in it is removed
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** @param {string} path */
function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
