import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPrometheus } from './prometheus';

/** How promtool ended, and what it said. */
export interface PromtoolResult {
  readonly ok: boolean;
  readonly said: string;
}

/** Runs promtool in a folder with these files. */
export async function promtool(
  args: readonly string[],
  files: Readonly<Record<string, string>>,
): Promise<PromtoolResult> {
  const { promtool: program } = await findPrometheus();
  const folder = mkdtempSync(join(tmpdir(), 'inferno-promtool-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return await new Promise((resolve) => {
      execFile(program, args, { cwd: folder, timeout: 60_000 }, (error, stdout, stderr) => {
        resolve({ ok: error === null, said: `${stdout}${stderr}` });
      });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
