import { spawn } from 'node:child_process';
import type { ExecResult } from '../runtime-types';
import { listen, type Told } from './channel';
import { StartError } from './start-error';

/** Bytes of output that are kept, as of a probe's in the kubelet. */
const LONGEST_OUTPUT = 10 * 1024;
/** Milliseconds after which the program that sees to the time limit is itself given up. */
const PATIENCE = 5000;
/** Milliseconds for which the output is waited for after the command's end. */
const GRACE = 50;

export interface Inside {
  /** The file that the container was started from. */
  readonly spec: string;
  readonly pid: number;
  readonly command: readonly string[];
  readonly timeoutSeconds: number;
}

/**
 * Runs a command inside a container, as its own program runs.
 *
 * @throws StartError when it cannot be executed
 */
export function runInside(program: string, { spec, pid, command, timeoutSeconds }: Inside): Promise<ExecResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ['exec', spec, `${pid}`, `${timeoutSeconds}`, ...command], {
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
      env: { GOMAXPROCS: '1' },
    });
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(0, LONGEST_OUTPUT);
    });
    let told: Told = {};
    listen(child, (line) => {
      told = { ...told, ...line };
    });
    const guard = setTimeout(() => child.kill('SIGKILL'), timeoutSeconds * 1000 + PATIENCE);
    child.once('error', (error) => reject(new StartError(error.message)));
    child.once('exit', () => {
      clearTimeout(guard);
      // What the command left running may keep the output open. What it has written itself is there to be read by now,
      // and is: before an immediate come the reads.
      setTimeout(() => setImmediate(() => child.stdout?.destroy()), GRACE);
    });
    child.once('close', (code, signal) => {
      if (told.timedOut) resolve('timeout');
      else if (told.exitCode !== undefined) resolve({ exitCode: told.exitCode, output });
      else reject(new StartError(told.error ?? `the container program ended with ${signal ?? `exit code ${code}`}`));
    });
  });
}
