import type { RequestOptions } from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import { ConnectionError } from './api-error';
import { Agents, type Purpose, type Route } from './agents';
import { loadConfig } from './config';
import type { ConfigSource } from './config-source';
import { proxyFor } from './proxy';
import { defined } from '../../lib/composition/objects';

/** Where the API server is and how a request proves who sends it. */
export interface Connection {
  /** The API server's host and port, for metrics and messages. */
  readonly host: string;
  /** The namespace that the kubeconfig's context or the pod's own files name; "default" otherwise. */
  readonly namespace: string;
  /**
   * What a request needs right now: address, TLS agent and credentials.
   *
   * @throws ConnectionError where the credentials can't be had at the moment
   */
  options(purpose?: Purpose): Promise<RequestOptions>;
  /** Drops credentials that were refused with a 401. True where it is worth asking for new ones at once. */
  refresh(refused: RequestOptions): boolean;
  /** Closes all sockets. */
  close(): void;
}

/** How to find the cluster. */
export interface ConnectionOptions extends ConfigSource {
  /** Sockets to the API server for requests; watches have their own. @default 16 */
  readonly maxSockets?: number;
}

/** Credentials are asked for again after this time; the token file and exec plugins decide themselves whether they changed. */
const CREDENTIALS_TTL_MS = 10_000;
/** After this time an answer of an exec plugin is no longer waited for. */
const CREDENTIALS_TIMEOUT_MS = 60_000;
/** Refused credentials are replaced this often at most, so that no plugin is run in a loop. */
const REFRESH_EVERY_MS = 5000;

/** What was loaded: `request` lacks its agent where {@link Agents} is to give it one. */
interface Loaded {
  readonly request: RequestOptions;
  readonly route: Route;
}

interface Credentials {
  readonly loadedAt: number;
  readonly loading: Promise<Loaded>;
  settled: boolean;
}

/**
 * Finds the cluster as kubectl does and opens no socket yet. Throws where there is no usable configuration.
 *
 * Guarantees: a token file is read anew every minute, a certificate file every 10 s, and all of it, the configuration
 * included, after a 401; credentials are loaded once at a time, however many requests wait for them.
 */
export function connect(options: ConnectionOptions = {}): Connection {
  let config = loadConfig(options);
  const url = new URL(config.getCurrentCluster()?.server ?? '');
  const agents = new Agents(options.maxSockets ?? 16);
  const issued = new WeakMap<RequestOptions, Credentials>();
  let current: Credentials | undefined;
  let refreshedAt = -Infinity;
  let reload = false;

  const load = async (): Promise<Loaded> => {
    if (reload) {
      reload = false;
      try {
        config = loadConfig(options);
      } catch {
        // A configuration that is just being replaced leaves the old one in force until the next refusal.
      }
    }
    return timely(readCredentials(config, url));
  };

  const credentials = (): Credentials => {
    const now = performance.now();
    if (current !== undefined && (!current.settled || current.loadedAt + CREDENTIALS_TTL_MS > now)) return current;
    const loaded: Credentials = { loadedAt: now, loading: load(), settled: false };
    current = loaded;
    const settle = (failed: boolean): void => {
      loaded.settled = true;
      if (failed && current === loaded) current = undefined;
    };
    loaded.loading.then(
      () => settle(false),
      () => settle(true),
    );
    return loaded;
  };

  return {
    host: url.host,
    namespace: config.getContextObject(config.getCurrentContext())?.namespace ?? 'default',
    async options(purpose = 'request') {
      const from = credentials();
      try {
        const { request, route } = await from.loading;
        // Only a SOCKS proxy comes with an agent of its own.
        const ready = { ...request, agent: request.agent ?? agents.of(purpose, route) };
        issued.set(ready, from);
        return ready;
      } catch (error) {
        throw new ConnectionError('the credentials for the API server could not be loaded', { cause: error });
      }
    },
    refresh(refused) {
      // Another request may have had them replaced already.
      if (issued.get(refused) !== current) return true;
      const now = performance.now();
      if (now - refreshedAt < REFRESH_EVERY_MS) return false;
      refreshedAt = now;
      reload = true;
      current = undefined;
      return true;
    },
    close() {
      agents.close();
    },
  };
}

async function readCredentials(config: KubeConfig, url: URL): Promise<Loaded> {
  const raw: RequestOptions = { headers: {} };
  await config.applyToHTTPSOptions(raw);
  const { ca, cert, key, servername, rejectUnauthorized, auth, headers } = raw;
  // An undefined rejectUnauthorized must not reach TLS: versions of Node took it for false.
  const tls = { ca, cert, key, servername, ...defined({ rejectUnauthorized }) };
  const proxy = config.getCurrentCluster()?.proxyUrl ?? proxyFor(url, process.env);
  return {
    route: { ...tls, proxy },
    request: {
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? 443 : url.port,
      path: url.pathname.replace(/\/$/, ''),
      headers: headers ?? {},
      auth,
      ...tls,
      agent: proxy?.startsWith('socks') === true ? raw.agent : undefined,
    },
  };
}

function timely<T>(loading: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new Error(`no answer within ${CREDENTIALS_TIMEOUT_MS} ms`));
    const timer = setTimeout(late, CREDENTIALS_TIMEOUT_MS).unref();
    void loading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
