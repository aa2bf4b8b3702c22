import { formatPath } from '../../lib/composition';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Yaml } from 'cdk8s';
import { buildSync } from 'esbuild';
import { parse } from 'yaml';
import { synthesize } from '../../lib/composition/synthesize';
import { inferenceServiceComposition } from '../../lib/inference';
import { random } from './support';

// `npm run update` writes dist/samples; read the difference.
const root = path.join(__dirname, '../..');
const examples = path.join(root, 'examples');
const rendered = (file: string): string =>
  readFileSync(path.join(root, 'dist/samples', `${path.parse(file).name}.k8s.yaml`), 'utf8');
const samples = readdirSync(examples).filter(
  (file) =>
    file.endsWith('.yaml') && readFileSync(path.join(examples, file), 'utf8').includes('kind: InferenceService'),
);

function load(file: string): unknown {
  return parse(readFileSync(path.join(examples, file), 'utf8'));
}

function renderYaml(resource: unknown): string {
  const result = synthesize(inferenceServiceComposition, resource);
  if (!result.valid) throw new Error(JSON.stringify(result.errors));
  return Yaml.stringify(...result.manifests);
}

/** The same JSON with the keys of every map in another order. */
function shuffled(value: unknown, next: () => number): unknown {
  if (Array.isArray(value)) return value.map((entry) => shuffled(entry, next));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, entry]) => ({ key, entry: shuffled(entry, next), order: next() }));
  return Object.fromEntries(entries.toSorted((a, b) => a.order - b.order).map(({ key, entry }) => [key, entry]));
}

test('every sample that the table of samples names is there', () => {
  expect(samples).toEqual(
    expect.arrayContaining(
      ['minimal-fake', 'vllm-gpu', 'vllm-pvc', 'triton', 'custom', 'autoscaled', 'parked', 'everything-on'].map(
        (name) => `${name}.yaml`,
      ),
    ),
  );
});

test.each(samples)('%s renders what a person has read in dist/samples', (file) => {
  expect(renderYaml(load(file))).toBe(rendered(file));
});

test.each(samples)('%s renders without a warning, unless it shows one', (file) => {
  const result = synthesize(inferenceServiceComposition, load(file));
  const shown = file === 'everything-on.yaml' ? ['spec.args'] : [];
  expect(result.valid && result.warnings.map(({ path: at }) => formatPath(at))).toEqual(shown);
});

test.each(samples)('%s renders the same bytes for any order of its keys', (file) => {
  const expected = renderYaml(load(file));
  for (let seed = 1; seed <= 5; seed += 1) expect(renderYaml(shuffled(load(file), random(seed)))).toBe(expected);
});

test('the bytes do not depend on locale, time zone or the environment', () => {
  const [bundle] = buildSync({
    stdin: {
      contents: `
        import { readFileSync } from 'node:fs';
        import { Yaml } from 'cdk8s';
        import { parse } from 'yaml';
        import { synthesize } from './lib/composition/synthesize';
        import { inferenceServiceComposition } from './lib/inference';
        for (const file of ${JSON.stringify(samples.map((file) => path.join(examples, file)))}) {
          const result = synthesize(inferenceServiceComposition, parse(readFileSync(file, 'utf8')));
          process.stdout.write(Yaml.stringify(...result.manifests));
        }`,
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
    logLevel: 'silent',
  }).outputFiles;
  const expected = samples.map(rendered).join('');
  for (const env of [
    { LANG: 'C', TZ: 'UTC' },
    {
      LANG: 'tr_TR.UTF-8',
      LC_ALL: 'tr_TR.UTF-8',
      TZ: 'Asia/Kathmandu',
      CDK8S_DISABLE_SORT: '1',
      NODE_ENV: 'production',
    },
  ]) {
    const run = spawnSync(process.execPath, ['-'], {
      input: bundle?.text,
      encoding: 'utf8',
      env,
      cwd: root,
      timeout: 60_000,
    });
    expect(run.stderr).toBe('');
    expect(run.stdout).toBe(expected);
  }
}, 120_000);
