import { spawn, type SpawnOptions } from 'node:child_process';

interface RunOptions extends Omit<SpawnOptions, 'stdio' | 'signal'> {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a program quietly.
 *
 * @returns its standard output
 * @throws Error with all that it said, where it does not end with 0
 */
export function run(file: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      said += chunk.toString();
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', (code, killed) => {
      if (code === 0) {
        resolve(output);
        return;
      }
      reject(new Error(`${file} ${args.join(' ')} ended with ${killed ?? `exit code ${code}`}:\n${said.trim()}`));
    });
  });
}
