// Builds the package into build/: types with tsc, what runs with esbuild. It takes the place of the last build when it is
// whole, so that neither a build that fails nor one that still runs disturbs who uses that one.
//   build/lib/library.js      the library in one file: as 90 files it would take half as long again to load
//   build/lib/{index,authoring}.js, build/lib/install/index.js  the entry points, on top of that
//   build/lib/vendor/         engines that it loads when the first rule or the first pattern needs them
//   build/bin/inferno.cjs     the command; turns Node's compile cache on, which only helps files loaded after that
//   build/bin/cli.cjs         what it does
//   build/bin/operator.cjs    what talks to a cluster, with the Kubernetes client; loaded by the commands that do
//   build/operator/index.js   the operator for a user's own program
//   build/main.js             what `cdk8s synth` runs; not in the package
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { newBuild, useBuild } from './build-folder.mjs';
import { kubeConfigAlone } from './kube-config.mjs';
import { lazyCdk8s, lazyNode, parsedJson } from './lazy.mjs';
import { notices } from './notices.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const out = newBuild();
const { status, signal, error } = spawnSync('node_modules/.bin/tsc', ['-p', 'tsconfig.json', '--outDir', out], {
  stdio: 'inherit',
});
if (error !== undefined) throw error;
if (status !== 0) {
  console.error(`error: tsc ended with ${signal ?? `exit code ${status}`}; build/ is as it was`);
  process.exit(status ?? 1);
}

const common = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.19',
  // classes are known by their names, in errors and to users
  keepNames: true,
  metafile: true,
  logLevel: 'warning',
};

// cel-js is an ES module, which the Jest of a user's project cannot require: it goes into the package as CommonJS
const vendored = ['cel', 're2'];
const vendor = await build({
  ...common,
  entryPoints: vendored.map((name) => `lib/vendor/${name}.ts`),
  outdir: `${out}/lib/vendor`,
  allowOverwrite: true,
});
writeFileSync(`${out}/lib/vendor/NOTICES.txt`, notices(vendor.metafile));

const vendorApart = (folder) => ({
  name: 'vendor-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/vendor\/\w+$/ }, ({ path }) => ({
      path: `${folder}/${path.slice(path.lastIndexOf('/') + 1)}.js`,
      external: true,
    }));
  },
});
keepTypes(
  `${out}/lib`,
  vendored.map((name) => `vendor/${name}.js`),
);
await build({
  ...common,
  entryPoints: ['lib/library.ts'],
  outfile: `${out}/lib/library.js`,
  external: ['cdk8s', 'constructs'],
  plugins: [vendorApart('./vendor'), parsedJson],
  sourcemap: true,
});
// The library itself stays where it is, so that there is one of it.
const libraryApart = (path) => ({
  name: 'library-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\/(\.\.\/)*(composition|inference)$/ }, () => ({ path, external: true }));
  },
});
for (const [entry, library] of [
  ['index', './library.js'],
  ['authoring', './library.js'],
  ['install/index', '../library.js'],
]) {
  await build({
    ...common,
    entryPoints: [`lib/${entry}.ts`],
    outfile: `${out}/lib/${entry}.js`,
    external: ['cdk8s', 'constructs'],
    plugins: [libraryApart(library), parsedJson],
    sourcemap: true,
  });
}

// undici does not load on Node 20, and nothing that is used of the Kubernetes client needs it
const withoutUndici = {
  name: 'without-undici',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'without-undici' }));
    onLoad({ filter: /.*/, namespace: 'without-undici' }, () => ({ contents: 'module.exports = {};' }));
  },
};
keepTypes(`${out}/operator`, []);
const operator = await build({
  ...common,
  entryPoints: ['operator/index.ts'],
  outfile: `${out}/operator/index.js`,
  external: ['cdk8s', 'constructs'],
  plugins: [withoutUndici, kubeConfigAlone],
  sourcemap: true,
});
writeFileSync(`${out}/operator/NOTICES.txt`, notices(operator.metafile));

const kubernetesApart = {
  name: 'kubernetes-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^(\.\.?\/)+(cluster\/)?kubernetes$/ }, () => ({ path: './operator.cjs', external: true }));
  },
};
const program = { ...common, keepNames: false, minify: true, sourcemap: 'external', sourcesContent: false };
const cli = await build({
  ...program,
  entryPoints: ['cli/main.ts'],
  outfile: `${out}/bin/cli.cjs`,
  // cdk8s brings a copy of its own
  alias: { yaml: `${root}/node_modules/yaml` },
  plugins: [kubernetesApart, lazyCdk8s, lazyNode, parsedJson],
});
const kubernetes = await build({
  ...program,
  entryPoints: ['cli/cluster/kubernetes.ts'],
  outfile: `${out}/bin/operator.cjs`,
  plugins: [withoutUndici, kubeConfigAlone],
});
const outputs = { ...cli.metafile.outputs, ...kubernetes.metafile.outputs };
writeFileSync(`${out}/bin/NOTICES.txt`, notices({ outputs }));
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
useBuild(out);

/** Removes what tsc made in a folder, but for the types and the files that are named. */
function keepTypes(folder, files) {
  for (const file of readdirSync(folder, { encoding: 'utf8', recursive: true })) {
    if (/\.js(\.map)?$/.test(file) && !files.includes(file)) {
      rmSync(`${folder}/${file}`);
    }
  }
}
