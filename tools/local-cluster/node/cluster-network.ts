import { networkInterfaces } from 'node:os';
import { ip } from './ip';
import { BRIDGE, GATEWAY, nodeAddress, PREFIX } from './network';

/** First address of the Service range, at which pods reach the API server. */
const API_SERVICE = '10.0.0.1';
/**
 * Without one of its own a bridge takes that of one of its ports, so that it changes when a pod goes, and all others
 * cannot reach the API server until they ask for it anew, half a minute later.
 */
const BRIDGE_MAC = '02:00:0a:f0:00:01';
const HOW = 'run it in a new one: `unshare --net` as root, else `unshare --map-root-user --net`';

/**
 * Makes the cluster's network in this process's network namespace: the bridge that the pods are tied to, and the
 * addresses of the API server and the nodes.
 *
 * @throws Error when the namespace is not one that belongs only to the cluster
 */
export async function makeNetwork(nodes: number): Promise<void> {
  if (process.platform !== 'linux') {
    throw new Error(
      `a cluster with nodes needs Linux, because it runs in a network namespace; this is ${process.platform}`,
    );
  }
  if (process.getuid?.() !== 0) {
    throw new Error(
      `a cluster with nodes needs root in its user and network namespace, but this is uid ${process.getuid?.()}: ${HOW}`,
    );
  }
  const foreign = Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
    addresses.some(({ internal, scopeid }) => !internal && !scopeid) ? [name] : [],
  );
  if (foreign.includes(BRIDGE)) throw new Error('another cluster runs in this network namespace: stop it first');
  if (foreign.length > 0) {
    throw new Error(
      `a cluster with nodes needs a network namespace of its own; this one has ${foreign.join(', ')}: ${HOW}`,
    );
  }
  await ip(
    'link set lo up',
    `addr replace ${API_SERVICE}/32 dev lo`,
    `link add ${BRIDGE} address ${BRIDGE_MAC} type bridge`,
    `addr add ${GATEWAY}/${PREFIX} dev ${BRIDGE}`,
    ...addressesOf(nodes).map((address) => `addr add ${address}/32 dev ${BRIDGE}`),
    `link set ${BRIDGE} up`,
  );
}

export async function removeNetwork(): Promise<void> {
  await ip(`link del ${BRIDGE}`, `addr del ${API_SERVICE}/32 dev lo`);
}

function addressesOf(nodes: number): readonly string[] {
  return Array.from({ length: nodes }, (_, index) => nodeAddress(index + 1));
}
