import { spawn } from 'node:child_process';

export interface KubectlOptions {
  /** Text for standard input, for `-f -`. */
  readonly input?: string;
  /** Another kubeconfig than the administrator's. */
  readonly kubeconfig?: string;
}

export interface KubectlOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** kubectl has ended with another exit code than 0. */
export class KubectlError extends Error {
  constructor(
    readonly args: readonly string[],
    readonly code: number | null,
    readonly stdout: string,
    readonly stderr: string,
  ) {
    super(`kubectl ${args.join(' ')} ended with exit code ${code}: ${stderr.trim() || stdout.trim()}`);
  }
}

/** Runs kubectl with its caches and settings in `home`, so that those of the person who runs it play no part. */
export function kubectl(
  file: string,
  home: string,
  kubeconfig: string,
  args: readonly string[],
  input = '',
): Promise<KubectlOutput> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env['PATH'], HOME: home, KUBECONFIG: kubeconfig };
    const child = spawn(file, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.stdin.once('error', () => undefined); // it may end without reading its input; its exit code says why
    child.once('error', reject);
    child.once('close', (code) => {
      const said = { stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
      if (code === 0) resolve(said);
      else reject(new KubectlError(args, code, said.stdout, said.stderr));
    });
    child.stdin.end(input);
  });
}
