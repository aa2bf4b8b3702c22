// Builds the package into build/: types with tsc, what runs with esbuild. It takes the place of the last build when it is
// whole, so that neither a build that fails nor one that still runs disturbs those who use the last one.
//   build/lib/library.js      the library in one file: as 90 files it would take half as long again to load
//   build/lib/{index,authoring}.js, build/lib/install/index.js  the entry points, on top of that
//   build/lib/vendor/         engines that it loads when the first rule or the first pattern needs them
//   build/bin/inferno.cjs     the command; turns Node's compile cache on, which only helps files loaded after that
//   build/bin/cli.cjs         what it does
//   build/bin/operator.cjs    what talks to a cluster, with the Kubernetes client; loaded by the commands that do
//   build/bin/{cel,re2}.cjs    engines that both load when the first rule or the first pattern needs them
//   build/operator/index.js   the operator for a user's own program
//   build/main.js             what `cdk8s synth` runs; not in the package
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { newBuild, useBuild } from './folder';
import { kubeConfigOnly } from './kube-config';
import { lazyCdk8s, lazyNode, parsedJson } from './lazy';
import { notices } from './notices';

const common = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.19',
  // classes are known by their names, in errors and to users
  keepNames: true,
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;
const library: BuildOptions = { ...common, external: ['cdk8s', 'constructs'], sourcemap: true };
// cel-js is an ES module, which the Jest of a user's project cannot require: it goes into the package as CommonJS
const vendored = ['cel', 're2'];
const program = {
  ...common,
  keepNames: false,
  minify: true,
  sourcemap: 'external',
  sourcesContent: false,
} as const satisfies BuildOptions;

/** What comes in a file of its own, and where that stands, seen from the bundle. */
const apart = (name: string, filter: RegExp, where: (path: string) => string): Plugin => ({
  name,
  setup: (builder) => builder.onResolve({ filter }, ({ path }) => ({ path: where(path), external: true })),
});
const vendorApart = (folder: string): Plugin =>
  apart('vendor-apart', /\/vendor\/\w+$/, (path) => `${folder}/${basename(path)}.js`);
// The library itself stays where it is, so that there is one of it.
const libraryApart = (path: string): Plugin =>
  apart('library-apart', /^\.\.?\/(\.\.\/)*(composition|inference)$/, () => path);
// The programs share the engines, and keep what they do not need out of memory.
const enginesApart = apart('engines-apart', /\/vendor\/\w+$/, (path) => `./${basename(path)}.cjs`);
const kubernetesApart = apart('kubernetes-apart', /^(\.\.?\/)+(cluster\/)?kubernetes$/, () => './operator.cjs');

// undici does not load on Node 20, and nothing that is used of the Kubernetes client needs it
const withoutUndici: Plugin = {
  name: 'without-undici',
  setup(builder) {
    builder.onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'without-undici' }));
    builder.onLoad({ filter: /.*/, namespace: 'without-undici' }, () => ({ contents: 'module.exports = {};' }));
  },
};

async function bundleInto(out: string): Promise<void> {
  const vendor = await build({
    ...common,
    entryPoints: vendored.map((name) => `lib/vendor/${name}.ts`),
    outdir: `${out}/lib/vendor`,
    allowOverwrite: true,
  });
  writeFileSync(`${out}/lib/vendor/NOTICES.txt`, notices(vendor));
  keepTypes(
    `${out}/lib`,
    vendored.map((name) => `vendor/${name}.js`),
  );
  await build({
    ...library,
    entryPoints: ['lib/library.ts'],
    outfile: `${out}/lib/library.js`,
    plugins: [vendorApart('./vendor'), parsedJson],
  });
  for (const [entry, file] of [
    ['index', './library.js'],
    ['authoring', './library.js'],
    ['install/index', '../library.js'],
  ] as const) {
    await build({
      ...library,
      entryPoints: [`lib/${entry}.ts`],
      outfile: `${out}/lib/${entry}.js`,
      plugins: [libraryApart(file), parsedJson],
    });
  }
  keepTypes(`${out}/imports`, ['inference.inferno.io.js']);
  keepTypes(`${out}/operator`, []);
  const operator = await build({
    ...library,
    metafile: true,
    entryPoints: ['operator/index.ts'],
    outfile: `${out}/operator/index.js`,
    plugins: [withoutUndici, kubeConfigOnly],
  });
  writeFileSync(`${out}/operator/NOTICES.txt`, notices(operator));
  const engines = await build({
    ...program,
    entryPoints: vendored.map((name) => `lib/vendor/${name}.ts`),
    outdir: `${out}/bin`,
    outExtension: { '.js': '.cjs' },
  });
  const cli = await build({
    ...program,
    entryPoints: ['cli/main.ts'],
    outfile: `${out}/bin/cli.cjs`,
    // cdk8s brings a copy of its own
    alias: { yaml: join(process.cwd(), 'node_modules/yaml') },
    plugins: [kubernetesApart, enginesApart, lazyCdk8s, lazyNode, parsedJson],
  });
  const kubernetes = await build({
    ...program,
    entryPoints: ['cli/cluster/kubernetes.ts'],
    outfile: `${out}/bin/operator.cjs`,
    plugins: [enginesApart, withoutUndici, kubeConfigOnly],
  });
  writeFileSync(`${out}/bin/NOTICES.txt`, notices(cli, kubernetes, engines));
  writeFileSync(
    `${out}/bin/inferno.cjs`,
    "#!/usr/bin/env node\n'use strict';\nrequire('node:module').enableCompileCache?.();\nrequire('./cli.cjs');\n",
  );
  chmodSync(`${out}/bin/inferno.cjs`, 0o755);
  for (const folder of [`${out}/cli`, `${out}/packaging`]) rmSync(folder, { recursive: true, force: true });
  await build({
    ...common,
    entryPoints: ['main.ts'],
    outfile: `${out}/main.js`,
    allowOverwrite: true,
    packages: 'external',
    plugins: [vendorApart('./lib/vendor'), parsedJson],
    sourcemap: true,
  });
}

/** Removes what tsc made in a folder, except the types and the files that are named. */
function keepTypes(folder: string, files: readonly string[]): void {
  for (const file of readdirSync(folder, { encoding: 'utf8', recursive: true })) {
    if (/\.js(\.map)?$/.test(file) && !files.includes(file)) rmSync(`${folder}/${file}`);
  }
}

async function main(): Promise<void> {
  process.chdir(join(__dirname, '../..'));
  const out = newBuild();
  const { status, signal, error } = spawnSync('node_modules/.bin/tsc', ['-p', 'tsconfig.json', '--outDir', out], {
    stdio: 'inherit',
  });
  if (error !== undefined) throw error;
  if (status !== 0) {
    console.error(`error: tsc ended with ${signal ?? `exit code ${status}`}; build/ is as it was`);
    process.exit(status ?? 1);
  }
  await bundleInto(out);
  useBuild(out);
}

void main();
