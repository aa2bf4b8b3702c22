import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const sources = ['lib', 'imports', 'cli', 'operator', 'fake-server', 'crds', 'packaging', 'main.ts'];
const configuration = ['tools/package', 'package.json', 'package-lock.json', 'tsconfig.json'];

/** Whether build/ is there, and newer than all that it is made from. */
export function buildIsCurrent(): boolean {
  const built = statSync('build/bin/inferno.cjs', { throwIfNoEntry: false })?.mtimeMs;
  return built !== undefined && [...sources, ...configuration].every((source) => newest(source) <= built);
}

function newest(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats?.mtimeMs ?? 0;
  // the folder itself changes where a file in it is removed
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}
