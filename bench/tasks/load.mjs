// node bench/tasks/load.mjs MODULE: what it costs to load a module, in a process of its own.
import { createRequire } from 'node:module';
import { measured } from './measured.mjs';

const require = createRequire(import.meta.url);
measured(() => {
  require(process.argv[2] === 'inferno' ? '../../build/lib/index.js' : process.argv[2]);
  const files = Object.keys(require.cache);
  return {
    files: files.length,
    unwanted: files.filter((file) => /node_modules\/(@kubernetes\/client-node|cdk8s-plus-)/.test(file)),
  };
});
