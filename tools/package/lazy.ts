// Plugins of esbuild that make bundles load faster: what only some runs need is loaded when it is first used.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

/** Modules of Node that take milliseconds to load; the rest is there already or is needed anyway. */
const slow = ['child_process', 'crypto', 'fs/promises', 'os'];

/** Node's own modules: `createHash` is a getter, which loads the module. */
export const lazyNode: Plugin = {
  name: 'lazy-node',
  setup(builder) {
    builder.onResolve({ filter: new RegExp(`^(?:node:)?(?:${slow.join('|')})$`) }, ({ path, namespace }) =>
      namespace === 'lazy-node' ? undefined : { path: path.replace('node:', ''), namespace: 'lazy-node' },
    );
    builder.onLoad({ filter: /^/, namespace: 'lazy-node' }, ({ path }) => ({
      contents: getters(`node:${path}`, namesOf(require, `node:${path}`)),
    }));
  },
};

/** cdk8s' index: each of its files is loaded with the first of its names. */
export const lazyCdk8s: Plugin = {
  name: 'lazy-cdk8s',
  setup(builder) {
    const load = createRequire(require.resolve('cdk8s'));
    builder.onLoad({ filter: /[\\/]cdk8s[\\/]lib[\\/]index\.js$/ }, ({ path }) => {
      const files = [...readFileSync(path, 'utf8').matchAll(/^__exportStar\(require\("([^"]+)"\), exports\);$/gm)];
      return { contents: files.map(([, file = '']) => getters(file, namesOf(load, file))).join('') };
    });
  },
};

function namesOf(load: NodeJS.Require, module: string): readonly string[] {
  const exports: object = load(module);
  return Object.keys(exports);
}

function getters(module: string, names: readonly string[]): string {
  return names
    .map((name) => {
      const text = JSON.stringify(name);
      return `Object.defineProperty(exports, ${text}, { enumerable: true, get: () => require("${module}")[${text}] });\n`;
    })
    .join('');
}

/** Large data: JSON.parse reads it several times as fast as the engine reads the same as an expression. */
export const parsedJson: Plugin = {
  name: 'parsed-json',
  setup(builder) {
    builder.onLoad({ filter: /\.crd\.json$/ }, ({ path }) => {
      const text = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')));
      return { contents: `export default JSON.parse(${JSON.stringify(text)});` };
    });
  },
};
