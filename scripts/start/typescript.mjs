// Lets `require` load the TypeScript of this repository as it is, without building it first.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

export const require = createRequire(import.meta.url);

registerHooks({
  // imports here have no extension, and Node looks for .js, .json and .node only
  resolve(specifier, context, nextResolve) {
    if (!specifier.startsWith('.') || extname(specifier) !== '' || !context.parentURL?.endsWith('.ts')) {
      return nextResolve(specifier, context);
    }
    const path = new URL(specifier, context.parentURL);
    const file = ['.ts', '/index.ts'].map((end) => new URL(path.href + end)).find((url) => existsSync(url));
    return nextResolve(file ? fileURLToPath(file) : specifier, context);
  },
  load(url, context, nextLoad) {
    if (!url.endsWith('.ts')) {
      return nextLoad(url, context);
    }
    const file = fileURLToPath(url);
    const { code } = transformSync(readFileSync(file, 'utf8'), {
      loader: 'ts',
      format: 'cjs',
      target: 'node24',
      sourcefile: file,
      sourcemap: 'inline',
    });
    return { format: 'commonjs', source: code, shortCircuit: true };
  },
});
