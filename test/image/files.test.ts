import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseDockerfile, type Stage } from '../../scripts/image/dockerfile.mjs';
import { assemble, filesOf } from '../../scripts/image/files.mjs';
import { makeImage, type ImageConfig } from './container';

const megabyte = 1_000_000;
let folder = '';
let root = '';
let config: ImageConfig;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'inferno-files-'));
  root = join(folder, 'root');
  config = makeImage('--out', root);
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
    'file 644 /app/cli.cjs',
    'file 644 /app/inferno.cjs',
    'file 644 /app/operator.cjs',
    'folder 755 /nodejs',
    'folder 755 /nodejs/bin',
    'file 755 /nodejs/bin/node',
  ]);
  expect(config.missing).toEqual(['/nodejs/LICENSE']);
});

test('the image adds no more than 3 MB of its own and 130 MB of Node to its base', () => {
  const sum = (start: string): number =>
    found().reduce((bytes, file) => (file.isFile && file.path.startsWith(start) ? bytes + file.bytes : bytes), 0);
  expect(sum('/app/')).toBeLessThan(3 * megabyte);
  expect(sum('/nodejs/')).toBeLessThan(130 * megabyte);
  expect(sum('/')).toBe(sum('/app/') + sum('/nodejs/'));
});

test('its files are what was built, and they refer to no source map, test or package outside', () => {
  for (const name of ['cli.cjs', 'inferno.cjs', 'operator.cjs', 'NOTICES.txt']) {
    expect(readFileSync(join(root, 'app', name)).equals(readFileSync(`build/bin/${name}`))).toBe(true);
  }
  const program = ['cli.cjs', 'operator.cjs'].map((name) => readFileSync(join(root, 'app', name), 'utf8')).join('\n');
  expect(program).not.toContain('sourceMappingURL');
  expect(program).not.toContain(resolve('.'));
  expect(program).not.toMatch(/require\("(jest|esbuild|typescript|cdk8s|constructs|yaml)[/"]/);
});

test('its folders and files can be read by all, whatever the umask is', () => {
  const before = process.umask(0o077);
  const out = join(folder, 'strict', 'root');
  try {
    makeImage('--out', out);
  } finally {
    process.umask(before);
  }
  expect((statSync(out).mode & 0o777).toString(8)).toBe('755');
  expect((statSync(join(out, 'app')).mode & 0o777).toString(8)).toBe('755');
  expect((statSync(join(out, 'app/LICENSE')).mode & 0o777).toString(8)).toBe('644');
});

test('a folder that holds something is not written to', () => {
  expect(() => makeImage('--out', root)).toThrow(`${root} has to be empty, but holds app, nodejs`);
});

const build: readonly Stage[] = parseDockerfile('FROM node:1 AS build\nWORKDIR /src\nFROM a:1\n');

function stages(lines: string): readonly Stage[] {
  return parseDockerfile(`FROM node:1 AS build\nWORKDIR /src\nFROM b:1 AS other\nFROM a:1\n${lines}`);
}

test.each([
  ['RUN true', 'the last stage has no shell to RUN true'],
  ['COPY a /b', 'the last stage copies a from the context, not from a stage'],
  ['COPY --from=build /etc/passwd /etc/', 'nothing here stands for /etc/passwd of the stage build'],
  ['COPY --from=build /src/there /app/../../x', 'expected an absolute path without "." and ".." to COPY to'],
  ['COPY --from=build /src/there app', 'to COPY to, got app'],
  ['COPY --from=other /usr/local/bin/node /node', 'nothing here stands for /usr/local/bin/node of the stage other'],
])('a last stage with %s is refused', (line, message) => {
  expect(build).toHaveLength(2);
  expect(() => filesOf(stages(line), folder)).toThrow(message);
});

test('what has not been built yet is asked for, and nothing is written', () => {
  const repository = join(folder, 'repository');
  mkdirSync(repository);
  writeFileSync(join(repository, 'there'), '');
  const { entries } = filesOf(stages('COPY --from=build /src/there /src/absent /app/'), repository);
  const out = join(folder, 'absent');
  expect(() => assemble(entries, out)).toThrow(`${repository}/absent is not there: run npm ci and npm run build first`);
  expect(existsSync(out)).toBe(false);
});
