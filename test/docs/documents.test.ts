import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { synthesize } from '../../lib/composition';
import { inferenceServiceComposition } from '../../lib';
import { blocksIn, codeBlocks, documents } from './markdown';

let folder: string;

beforeEach(() => {
  // inside the repository, so that packages are found
  mkdirSync('coverage', { recursive: true });
  folder = mkdtempSync(resolve('coverage/docs-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function objects(text: string): readonly { readonly kind?: unknown }[] {
  return parseAllDocuments(text).map((document): { readonly kind?: unknown } => document.toJS());
}

const resources = blocksIn('yaml').flatMap(({ where, text }) =>
  objects(text)
    .filter(({ kind }) => kind === 'InferenceService')
    .map((resource) => ({ where, resource })),
);

test.each(resources)('the InferenceService at $where is valid and gives no warning', ({ resource }) => {
  expect(synthesize(inferenceServiceComposition, resource)).toMatchObject({ valid: true, warnings: [] });
});

test('the TypeScript in the documents compiles', () => {
  for (const [index, { text }] of blocksIn('ts').entries()) {
    writeFileSync(join(folder, `${index}.ts`), text);
  }
  mkdirSync(join(folder, 'engines'));
  for (const [index, { text }] of blocksIn('ts engine').entries()) {
    writeFileSync(join(folder, 'engines', `${index}.ts`), text);
  }
  const compilerOptions = {
    noEmit: true,
    rootDir: resolve('.'),
    paths: {
      'cdk8s-inferno': [resolve('lib/index.ts')],
      'cdk8s-inferno/composition': [resolve('lib/authoring.ts')],
      'cdk8s-inferno/install': [resolve('lib/install/index.ts')],
      'cdk8s-inferno/l1': [resolve('imports/inference.inferno.io.ts')],
      'cdk8s-inferno/operator': [resolve('operator/index.ts')],
    },
    // engines are checked as if they were beside the real ones
    rootDirs: [resolve('lib/inference'), folder],
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: resolve('tsconfig.json'), compilerOptions, include: ['**/*.ts'] }),
  );
  const { stdout, stderr } = spawnSync('node_modules/.bin/tsc', ['-p', folder], { encoding: 'utf8' });
  expect(stdout + stderr).toBe('');
});

test('README: the YAML and the TypeScript give the same objects, and those that it shows', async () => {
  const [resource, shown] = codeBlocks('README.md')
    .filter(({ language }) => language === 'yaml')
    .map(({ text }) => objects(text));
  const typescript = codeBlocks('README.md').find(({ language }) => language === 'ts');
  const synthesis = synthesize(inferenceServiceComposition, resource?.[0]);
  const rendered = synthesis.valid ? synthesis.manifests : [];
  expect(rendered).toMatchObject(shown ?? []);

  writeFileSync(join(folder, 'main.ts'), typescript?.text ?? '');
  process.env['CDK8S_OUTDIR'] = join(folder, 'dist');
  try {
    await import(join(folder, 'main.ts'));
  } finally {
    delete process.env['CDK8S_OUTDIR'];
  }
  const written = readdirSync(join(folder, 'dist')).flatMap((file) =>
    objects(readFileSync(join(folder, 'dist', file), 'utf8')),
  );
  expect(written).toEqual(rendered);
});

test.each(documents)('the links of %s lead somewhere', (document) => {
  const text = readFileSync(document, 'utf8').replaceAll(/```.*?```|`[^`\n]*`/gs, '');
  const targets = [...text.matchAll(/\]\((?!https?:)([^)\s]*)\)/g)].map(([, target = '']) => target);
  const broken = targets.filter((target) => {
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? document : join(dirname(document), path);
    return !existsSync(file) || (anchor !== undefined && !anchors(file).includes(anchor));
  });
  expect(broken).toEqual([]);
});

/** GitHub's names for the headings of a document. */
function anchors(document: string): readonly string[] {
  return readFileSync(document, 'utf8')
    .split('\n')
    .flatMap((line) => /^#+ (.*)$/.exec(line)?.[1] ?? [])
    .map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
        .replaceAll(' ', '-'),
    );
}

test('the scripts of npm that the documents name exist', () => {
  const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  );
  const text = documents.map((document) => readFileSync(document, 'utf8')).join('\n');
  // those two belong to the project that cdk8s generates
  const foreign = ['compile', 'synth'];
  const named = [...text.matchAll(/npm (?:run )?(start|test|(?<=run )[a-z:]+)/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !Object.hasOwn(scripts, name) && !foreign.includes(name))).toEqual([]);
});
