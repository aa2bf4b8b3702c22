import { version } from '../../package.json';
import type { ChildKind, Manifest } from '../../lib/composition';
import { defined } from '../../lib/composition/objects';
import type { KubeClient, Transport } from './kubernetes';
import type { Parsed } from '../command';
import { ClusterError } from '../errors';
import { connectionOptions } from './flags';

/** An open way to a cluster. */
export interface Cluster {
  readonly client: KubeClient;
  readonly transport: Transport;
  /** The namespace of the kubeconfig's context. */
  readonly namespace: string;
}

/**
 * Does something with the cluster that the flags name.
 *
 * @throws ClusterError where there is none, or where it refuses
 */
export async function withCluster<T>(parsed: Parsed, act: (cluster: Cluster) => Promise<T>): Promise<T> {
  const { ApiError, connect, ConnectionError, KubeClient, Transport } =
    require('./kubernetes') as typeof import('./kubernetes');
  const connection = attempt(() => connect(connectionOptions(parsed)));
  const transport = new Transport(connection, { userAgent: `inferno-cli/${version}`, timeoutMs: 30_000 });
  try {
    return await act({ client: new KubeClient(transport), transport, namespace: connection.namespace });
  } catch (error) {
    if (error instanceof ApiError || error instanceof ConnectionError) throw clusterError(error);
    throw error;
  } finally {
    transport.close();
  }
}

function attempt<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw new ClusterError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function clusterError(error: Error): ClusterError {
  return new ClusterError(`the API server: ${error.message}`, { cause: error });
}

/** The HTTP status of a refusal. */
export function statusOf(error: unknown): number | undefined {
  const { ApiError } = require('./kubernetes') as typeof import('./kubernetes');
  return error instanceof ApiError ? error.status : undefined;
}

/** The object, or undefined where there is none. */
export async function find(
  { client }: Cluster,
  kind: ChildKind,
  namespace: string | undefined,
  name: string,
): Promise<Manifest | undefined> {
  try {
    return await client.get(kind, namespace, name);
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

/** Which objects are asked for. @default - all */
export interface Selection {
  readonly namespace?: string;
  readonly labelSelector?: string;
}

/** All objects of a kind; undefined where the cluster does not know the kind. */
export async function findAll(
  { client }: Cluster,
  kind: ChildKind,
  selection: Selection,
): Promise<readonly Manifest[] | undefined> {
  const items: Manifest[] = [];
  let next: string | undefined;
  try {
    do {
      const page = await client.list(kind, selection, defined<{ readonly next?: string }>({ next }));
      items.push(...page.items);
      ({ next } = page);
    } while (next !== undefined);
    return items;
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}
