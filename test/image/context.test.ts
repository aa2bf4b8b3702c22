import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The patterns of .dockerignore, of which the last that matches decides. */
const patterns = readFileSync('.dockerignore', 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ keeps: line.startsWith('!'), pattern: line.replace('!', '') }));

/** In these patterns, other than in a shell's, a star stands for a leading dot, too. */
function matches(path: string, pattern: string): boolean {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\?]/g, String.raw`\$&`)
    .replaceAll(/\*\*\/|\*/g, (star) => (star === '*' ? '[^/]*' : '(?:.*/)?'));
  return new RegExp(`^${source}$`).test(path);
}

/** Whether a builder gets to see that file. A pattern covers what is below it, too. */
function isSent(path: string): boolean {
  const parents = path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
  const decisive = patterns.findLast(({ pattern }) => parents.some((parent) => matches(parent, pattern)));
  return decisive?.keeps ?? true;
}

test('what the builder gets suffices to build the very files that the image has', () => {
  const folder = mkdtempSync(join(tmpdir(), 'inferno-context-'));
  try {
    const filter = (path: string): boolean => {
      const isFolder = statSync(path).isDirectory();
      return (
        path === '.' || isSent(path) || (isFolder && patterns.some(({ pattern }) => pattern.startsWith(`${path}/`)))
      );
    };
    for (const entry of readdirSync('.')) {
      if (filter(entry)) cpSync(entry, join(folder, entry), { recursive: true, filter });
    }
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'tools/package/build.ts'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' });
    for (const name of ['cel.cjs', 'cli.cjs', 'inferno.cjs', 'operator.cjs', 're2.cjs', 'NOTICES.txt']) {
      expect([name, readFileSync(join(folder, 'build/bin', name)).equals(readFileSync(`build/bin/${name}`))]).toEqual([
        name,
        true,
      ]);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);

test.each([
  ...['.env', '.npmrc', '.git/config', '.kube/config', 'kubeconfig', 'node_modules/a/index.js', 'build/bin/cli.cjs'],
  ...[
    'coverage/package.tgz',
    'test/image/context.test.ts',
    'lib/.DS_Store',
    'operator/cluster/debug.log',
    'dist/a.yaml',
  ],
])('%s stays away from the builder', (path) => {
  expect(isSent(path)).toBe(false);
});
