import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { devDependencies, version } from '../../package.json';
import { makeImage } from './container';

interface Component {
  readonly 'bom-ref': string;
  readonly type: string;
  readonly name: string;
  readonly version?: string;
  readonly purl?: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses?: readonly unknown[];
  readonly components?: readonly Component[];
}

interface Bill {
  readonly specVersion: string;
  readonly serialNumber: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

let folder = '';
let text = '';
let bill: Bill;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'inferno-sbom-'));
  text = make('sbom.json');
  bill = JSON.parse(text) as Bill;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function make(name: string): string {
  makeImage('--sbom', join(folder, name));
  return readFileSync(join(folder, name), 'utf8');
}

const libraries = (): readonly Component[] => bill.components.filter(({ type }) => type === 'library');

/** `name@version` of the packages whose source a bundle's source map names: what is really in it. */
function bundled(map: string): readonly string[] {
  const { sources } = JSON.parse(readFileSync(map, 'utf8')) as { readonly sources: readonly string[] };
  const folders = sources.map((source) => /^(?:\.\.\/)*(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1]);
  return [...new Set(folders)]
    .filter((path) => path !== undefined)
    .map((path) => JSON.parse(readFileSync(`${path}/package.json`, 'utf8')) as { name: string; version: string })
    .map((manifest) => `${manifest.name}@${manifest.version}`);
}

test('it lists every package that is in the bundles, and none that is not', () => {
  const expected = new Set(['cli', 'operator'].flatMap((name) => bundled(`build/bin/${name}.cjs.map`)));
  const listed = libraries().map((library) => `${library.name}@${library.version}`);
  expect(listed.toSorted()).toEqual([...expected].toSorted());
  expect(listed).toContain('@kubernetes/client-node@2.0.1');
});

test('it says of each package what npm says of it', () => {
  const sbom = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx'], { encoding: 'utf8', maxBuffer: 50_000_000 });
  const known = JSON.parse(sbom) as { readonly components: readonly Component[] };
  for (const { 'bom-ref': _, name, ...library } of libraries()) {
    const same = known.components.find(({ purl }) => purl === library.purl);
    expect([name, same]).toEqual([name, expect.objectContaining(library)]);
  }
});

test('it lists Node under the name that scanners look for', () => {
  expect(bill.components.filter(({ type }) => type === 'platform')).toEqual([
    expect.objectContaining({
      name: 'node',
      version: devDependencies.node,
      cpe: `cpe:2.3:a:nodejs:node.js:${devDependencies.node}:*:*:*:*:*:*:*`,
    }),
  ]);
});

test('it lists the files of the program with their digests', () => {
  const program = bill.components.find(({ type }) => type === 'application');
  const file = program?.components?.find(({ name }) => name === '/app/cli.cjs');
  const content = createHash('sha256').update(readFileSync('build/bin/cli.cjs')).digest('hex');
  expect(file?.hashes).toEqual([{ alg: 'SHA-256', content }]);
  expect(program).toMatchObject({ version, purl: `pkg:npm/cdk8s-inferno@${version}` });
});

test('everything has a name of its own, and all names that are referred to are there', () => {
  const all = [
    bill.metadata.component,
    ...bill.components,
    ...bill.components.flatMap((part) => part.components ?? []),
  ];
  const refs = all.map((part) => part['bom-ref']);
  expect(new Set(refs).size).toBe(refs.length);
  const referred = bill.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
  expect(referred.filter((ref) => !refs.includes(ref))).toEqual([]);
});

test('the same files give the same bill, under a name made of what it says', () => {
  expect(make('again.json')).toBe(text);
  expect(bill.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(bill.specVersion).toBe('1.6');
});
