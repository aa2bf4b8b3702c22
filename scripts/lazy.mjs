// Plugins of esbuild that make bundles load faster: what only some runs need is loaded when it is first used.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Modules of Node that take milliseconds to load; the rest is there already or is needed anyway. */
const slow = ['child_process', 'crypto', 'fs/promises', 'os'];

/** Node's own modules: `createHash` is a getter, which loads the module. */
export const lazyNode = {
  name: 'lazy-node',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^(?:node:)?(?:${slow.join('|')})$`) }, ({ path, namespace }) =>
      namespace === 'lazy-node' ? undefined : { path: path.replace('node:', ''), namespace: 'lazy-node' },
    );
    onLoad({ filter: /^/, namespace: 'lazy-node' }, ({ path }) => ({
      contents: getters(`node:${path}`, Object.keys(require(`node:${path}`))),
    }));
  },
};

/** cdk8s' index: each of its files is loaded with the first of its names. */
export const lazyCdk8s = {
  name: 'lazy-cdk8s',
  setup({ onLoad }) {
    const index = require.resolve('cdk8s');
    onLoad({ filter: /[\\/]cdk8s[\\/]lib[\\/]index\.js$/ }, ({ path }) => {
      const files = [...readFileSync(path, 'utf8').matchAll(/^__exportStar\(require\("([^"]+)"\), exports\);$/gm)];
      const load = createRequire(index);
      return { contents: files.map(([, file]) => getters(file, Object.keys(load(file)))).join('') };
    });
  },
};

const getters = (module, names) =>
  names
    .map((name) => {
      const text = JSON.stringify(name);
      return `Object.defineProperty(exports, ${text}, { enumerable: true, get: () => require("${module}")[${text}] });\n`;
    })
    .join('');

/** Large data: JSON.parse reads it several times as fast as the engine reads the same as an expression. */
export const parsedJson = {
  name: 'parsed-json',
  setup({ onLoad }) {
    onLoad({ filter: /\.crd\.json$/ }, ({ path }) => {
      const text = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')));
      return { contents: `export default JSON.parse(${JSON.stringify(text)});` };
    });
  },
};
