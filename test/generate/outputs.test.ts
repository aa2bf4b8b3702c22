import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { root } from '../../tools/generate/paths';

const script = join(root, 'tools/generate/index.ts');
const folder = mkdtempSync(join(tmpdir(), 'generate-'));
const run = (...args: readonly string[]) =>
  execFileSync(process.execPath, ['--import=tsx', script, '--out', folder, ...args], { encoding: 'utf8' });
const check = () => {
  const { status, stderr } = spawnSync(process.execPath, ['--import=tsx', script, '--check', '--out', folder], {
    encoding: 'utf8',
  });
  return { status, stderr };
};

/** Texts by path of all files in the folder. */
function files(): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );
  return Object.fromEntries(paths.toSorted().map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

let report = '';
beforeAll(() => {
  report = run();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('what is committed is what the sources give', () => {
  const generated = files();
  const committed = Object.keys(generated).map((path) => [path, readFileSync(join(root, path), 'utf8')]);
  expect(Object.fromEntries(committed)).toEqual(generated);
  expect(Object.keys(generated)).toEqual([
    'crds/inferenceservice.schema.json',
    'crds/inferenceservice.yaml',
    'docs/api.md',
    'imports/inference-service.ts',
    'imports/inference.inferno.io.ts',
    'imports/inferenceservice.crd.json',
    'imports/inferenceservice.rules.ts',
    'imports/k8s.ts',
  ]);
});

test('the size of the CRD is printed', () => {
  expect(report).toMatch(/inferenceservices\.inference\.inferno\.io: \d+ bytes/);
});

test('no rule of ours is left to the engine', () => expect(report).not.toContain('left to the engine'));

test('every file names what made it, where its format has room for that', () => {
  const silent = Object.entries(files()).filter(([, text]) => !text.slice(0, 300).includes('npm run generate'));
  expect(silent.map(([path]) => path)).toEqual(['imports/inferenceservice.crd.json']);
});

test('no file speaks of the machine that it was made on', () => {
  const telling = Object.entries(files()).filter(([, text]) => text.includes(root) || text.includes(tmpdir() + sep));
  expect(telling.map(([path]) => path)).toEqual([]);
});

test('--check passes on fresh files, names the stale and the missing one, and writes nothing', () => {
  expect(check()).toEqual({ status: 0, stderr: '' });
  appendFileSync(join(folder, 'docs/api.md'), ' ');
  rmSync(join(folder, 'imports/k8s.ts'));
  const before = files();
  expect(check()).toEqual({ status: 1, stderr: 'stale, run npm run generate: imports/k8s.ts, docs/api.md\n' });
  expect(files()).toEqual(before);
});

test('a second run writes only the stale files, with the same bytes as the first', () => {
  expect(run()).toContain('written: imports/k8s.ts, docs/api.md\n');
  expect(run()).toContain('everything was current');
  expect(check().status).toBe(0);
});
