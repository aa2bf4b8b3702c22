import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder for a script of this repository to run in as if it were the repository. */
export class Sandbox {
  readonly folder = mkdtempSync(join(tmpdir(), 'inferno-script-'));

  constructor(private readonly script: string) {
    mkdirSync(dirname(join(this.folder, script)), { recursive: true });
    cpSync(script, join(this.folder, script));
  }

  write(file: string, content: string | object): void {
    const path = join(this.folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  run(
    parameters: readonly string[] = [],
    env: NodeJS.ProcessEnv = {},
  ): { readonly status: number | null; readonly output: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, [this.script, ...parameters], {
      cwd: this.folder,
      env: { ...process.env, ...env },
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
