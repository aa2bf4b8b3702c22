import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { assembleImage } from '../../tools/image';

const megabyte = 1_000_000;
let folder = '';
let root = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'inferno-files-'));
  root = join(folder, 'root');
  assembleImage(root);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Found {
  readonly path: string;
  readonly mode: string;
  readonly isFile: boolean;
  readonly bytes: number;
}

function found(): readonly Found[] {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { mode, size } = statSync(path);
      return {
        path: `/${relative(root, path)}`,
        mode: (mode & 0o7777).toString(8),
        isFile: entry.isFile(),
        bytes: size,
      };
    })
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

test('the image has these files and folders, and nothing else', () => {
  expect(found().map(({ path, mode, isFile }) => `${isFile ? 'file' : 'folder'} ${mode} ${path}`)).toEqual([
    'folder 755 /app',
    'file 644 /app/LICENSE',
    'file 644 /app/NOTICES.txt',
    'file 644 /app/cel.cjs',
    'file 644 /app/cli.cjs',
    'file 644 /app/inferno.cjs',
    'file 644 /app/operator.cjs',
    'file 644 /app/re2.cjs',
    'folder 755 /nodejs',
    'folder 755 /nodejs/bin',
    'file 755 /nodejs/bin/node',
  ]);
});

test('the image adds no more than 3 MB of its own and 130 MB of Node to its base', () => {
  const sum = (start: string): number =>
    found().reduce((bytes, file) => (file.isFile && file.path.startsWith(start) ? bytes + file.bytes : bytes), 0);
  expect(sum('/app/')).toBeLessThan(3 * megabyte);
  expect(sum('/nodejs/')).toBeLessThan(130 * megabyte);
  expect(sum('/')).toBe(sum('/app/') + sum('/nodejs/'));
});

test('its files are what was built, and they refer to no source map, test or package outside', () => {
  for (const name of ['cel.cjs', 'cli.cjs', 'inferno.cjs', 'operator.cjs', 're2.cjs', 'NOTICES.txt']) {
    expect(readFileSync(join(root, 'app', name)).equals(readFileSync(`build/bin/${name}`))).toBe(true);
  }
  const program = ['cli.cjs', 'operator.cjs', 'cel.cjs', 're2.cjs']
    .map((name) => readFileSync(join(root, 'app', name), 'utf8'))
    .join('\n');
  expect(program).not.toContain('sourceMappingURL');
  expect(program).not.toContain(resolve('.'));
  expect(program).not.toMatch(/require\("(jest|esbuild|typescript|cdk8s|constructs|yaml)[/"]/);
});

test('its folders and files can be read by all, with any umask', () => {
  const before = process.umask(0o077);
  const out = join(folder, 'strict', 'root');
  try {
    assembleImage(out);
  } finally {
    process.umask(before);
  }
  expect((statSync(out).mode & 0o777).toString(8)).toBe('755');
  expect((statSync(join(out, 'app')).mode & 0o777).toString(8)).toBe('755');
  expect((statSync(join(out, 'app/LICENSE')).mode & 0o777).toString(8)).toBe('644');
});

test('a folder that holds something is not written to', () => {
  expect(() => assembleImage(root)).toThrow(`${root} has to be empty, but holds app, nodejs`);
});
