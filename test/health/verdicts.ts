import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Manifest } from '../../lib/composition';
import { findPrograms, singleProgram } from '../../tools/go/programs';

export interface Verdict {
  readonly status: string;
  readonly message: string;
}

export interface Verdicts {
  /** What argocd/health.lua says, in Argo CD's own interpreter. */
  readonly argo: Verdict;
  /** What the library says that Flux and Helm wait with. */
  readonly kstatus: Verdict;
}

/** How Argo CD and kstatus see these objects. */
export async function judge(objects: readonly Manifest[], script = 'argocd/health.lua'): Promise<readonly Verdicts[]> {
  const { health } = await findPrograms(singleProgram('health', join(__dirname, 'modules')), ['health']);
  const { status, stdout, stderr } = spawnSync(health, [script], {
    input: objects.map((object) => `${JSON.stringify(object)}\n`).join(''),
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (status !== 0) throw new Error(`health ended with ${status}: ${stderr}`);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Verdicts);
}
