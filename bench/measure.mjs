import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Runs a task of bench/tasks in a process of its own and returns what it measured. */
export function runTask(task, ...parameters) {
  const args = [`${root}/bench/tasks/${task}.mjs`, ...parameters.map(String)];
  return JSON.parse(succeed(process.execPath, args).stdout);
}

/** Milliseconds from the start of a program to its end. */
export function wholeProcess(command, args) {
  const started = performance.now();
  succeed(command, args);
  return performance.now() - started;
}

/** Runs a command; throws with what it said where it fails. */
export function succeed(command, args, options = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    timeout: 600_000,
    ...options,
  });
  if (result.error) throw result.error;
  if (result.status !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${result.status}: ${result.stderr}`);
  return result;
}

/**
 * Measures several things in turn, A B C A B C …, so that other work of the machine falls on all of them alike.
 *
 * @param {{ [name: string]: () => number | object }} measures
 * @returns an array of what each measure returned, by name; the first round is left out, it warms the disk's cache
 */
export function interleave(rounds, measures) {
  const results = Object.fromEntries(Object.keys(measures).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, measure] of Object.entries(measures)) {
      const result = measure();
      if (round > 0) results[name].push(result);
    }
  }
  return results;
}

export function packageVersion(name) {
  return JSON.parse(readFileSync(`${root}/node_modules/${name}/package.json`, 'utf8')).version;
}
