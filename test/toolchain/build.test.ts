import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const sources = [
  ...['cli', 'fake-server', 'imports', 'lib', 'operator', 'packaging', 'crds', 'tools/package'],
  ...['main.ts', 'package.json', 'tsconfig.json'],
];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inferno-build-'));
  for (const entry of sources) cpSync(entry, join(folder, entry), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'build'));
  writeFileSync(join(folder, 'build', 'of-the-last-build'), '');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function build(): { readonly status: number | null; readonly said: string } {
  const { status, stderr, stdout } = spawnSync(process.execPath, ['--import', 'tsx', 'tools/package/build.ts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

function builds(): readonly string[] {
  return readdirSync(folder).filter((name) => name.includes('build'));
}

test('a build that fails leaves the last one in its place', () => {
  writeFileSync(join(folder, 'lib', 'wrong.ts'), "export const wrong: number = 'text';\n");
  const { said, status } = build();
  expect(status).toBe(2);
  expect(said).toContain("lib/wrong.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'.");
  expect(said).toContain('error: tsc ended with exit code 2; build/ is as it was');
  expect(readdirSync(join(folder, 'build'))).toEqual(['of-the-last-build']);
  expect(builds()).toEqual(['build']);
}, 60_000);

test('a build takes the place of the last one, and of what a killed one left', () => {
  const left = join(folder, '.build-of-a-killed-one');
  mkdirSync(left);
  const yesterday = new Date(Date.now() - 24 * 3600_000);
  utimesSync(left, yesterday, yesterday);
  expect(build()).toEqual({ status: 0, said: '' });
  expect(readdirSync(join(folder, 'build')).toSorted()).toEqual([
    ...['bin', 'imports', 'lib', 'main.d.ts', 'main.js', 'main.js.map', 'operator'],
  ]);
  expect(builds()).toEqual(['build']);
}, 60_000);
