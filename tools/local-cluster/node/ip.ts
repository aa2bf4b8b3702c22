import { spawn } from 'node:child_process';

/** Runs commands of `ip` in one go; the first that fails ends it. */
async function batch(program: string, args: readonly string[], commands: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text: Buffer) => {
    said += text.toString();
  });
  // A program that ends early does not read all; its exit code says why.
  child.stdin.on('error', () => undefined);
  child.stdin.end(`${commands.join('\n')}\n`);
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`ip ${commands.join('; ')}: exit code ${code}: ${said.trim().replaceAll('\n', ': ')}`));
    });
  });
}

/** Commands of `ip` in this process's network namespace, or inside that of a file. */
export const ip = Object.assign(
  (...commands: readonly string[]): Promise<void> => batch('ip', ['-batch', '-'], commands),
  {
    inside: (namespace: string, commands: readonly string[]): Promise<void> =>
      batch('nsenter', [`--net=${namespace}`, 'ip', '-batch', '-'], commands),
  },
);
