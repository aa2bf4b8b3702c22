import { existsSync } from 'node:fs';
import { KubeConfig } from '@kubernetes/client-node';
import type { ConfigSource } from './config-source';

const SERVICE_ACCOUNT_TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/** Reads the configuration, in controller-runtime's order. Throws where there is none that can be used. */
export function loadConfig(source: ConfigSource, env: NodeJS.ProcessEnv = process.env): KubeConfig {
  const config = new KubeConfig();
  const inPod = env['KUBERNETES_SERVICE_HOST'] !== undefined && existsSync(SERVICE_ACCOUNT_TOKEN);
  if (source.kubeconfig !== undefined) loadFile(config, source.kubeconfig);
  else if ((env['KUBECONFIG'] ?? '') === '' && inPod) config.loadFromCluster();
  else config.loadFromDefault();
  if (source.context !== undefined) {
    if (config.getContextObject(source.context) === null) {
      const known = config.getContexts().map((context) => context.name);
      throw new Error(`the kubeconfig has no context ${source.context}; it has ${known.join(', ') || 'none'}`);
    }
    config.setCurrentContext(source.context);
  }
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw new Error('the kubeconfig has no cluster for its current context');
  if (cluster.server === 'http://localhost:8080') {
    throw new Error('found no cluster: give a kubeconfig, set KUBECONFIG, or run in a pod with a service account');
  }
  const { protocol } = new URL(cluster.server);
  if (protocol !== 'https:')
    throw new Error(`the API server's address must start with https://, got ${cluster.server}`);
  return config;
}

function loadFile(config: KubeConfig, path: string): void {
  try {
    config.loadFromFile(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the kubeconfig ${path} cannot be read: ${reason}`, { cause: error });
  }
}
