// A plugin of esbuild for what reads kubeconfigs with the Kubernetes client and needs nothing else of it.
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';

const folder = dirname(require.resolve('@kubernetes/client-node'));
const config = join(folder, 'config.js');

/**
 * Puts only the client's KubeConfig into a bundle. Else all its models come along, as they have side effects: 0.5 MB of
 * code, which an operator would keep in 11 MB of memory. Where more of the client is used, or its files are arranged in
 * another way, the build fails.
 */
export const kubeConfigOnly: Plugin = {
  name: 'kube-config-only',
  setup(builder) {
    builder.onResolve({ filter: /^@kubernetes\/client-node$/ }, () => ({ path: config }));
    builder.onResolve({ filter: /^\.\/gen\/index\.js$/ }, ({ importer }) =>
      importer === config ? { path: 'gen', namespace: 'kube-config-only' } : undefined,
    );
    builder.onLoad({ filter: /^/, namespace: 'kube-config-only' }, () => ({
      resolveDir: join(folder, 'gen'),
      contents: `
        export { createConfiguration } from './configuration.js';
        export { ServerConfiguration } from './servers.js';`,
    }));
  },
};
