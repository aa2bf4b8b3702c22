import { spawn } from 'node:child_process';

/**
 * Runs a program quietly; what it said is in the error where it fails.
 *
 * @param {string} file
 * @param {readonly string[]} parameters
 * @param {{ readonly signal: AbortSignal }} options
 * @returns {Promise<string>} its standard output
 */
export function run(file, parameters, { signal }) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, parameters, { stdio: ['ignore', 'pipe', 'pipe'], signal });
    let output = '';
    let said = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      said += chunk;
    });
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    child.once('error', reject);
    child.once('close', (code, killed) => {
      if (code === 0) {
        resolve(output);
      } else {
        reject(
          new Error(`${file} ${parameters.join(' ')} ended with ${killed ?? `exit code ${code}`}:\n${said.trim()}`),
        );
      }
    });
  });
}
