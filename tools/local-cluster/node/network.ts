import { type ChildProcess, spawn } from 'node:child_process';
import { ip } from './ip';

/** A pod's place in the network. */
export interface PodAddress {
  readonly address: string;
  /** File of its network namespace; undefined for a light pod, which lives in the cluster's. */
  readonly namespace: string | undefined;
}

interface Place extends PodAddress {
  readonly pause?: ChildProcess;
}

export const BRIDGE = 'pods';
/** Address of the bridge, the API server's own, and the length of the network that all pods share. */
export const GATEWAY = '10.240.0.1';
export const PREFIX = 8;

/** The address of a node, which is the `index`-th of its cluster, counted from 1. */
export function nodeAddress(index: number): string {
  return `10.${243 + index}.0.1`;
}

/**
 * The pods' network on one node. A pod has a network namespace of its own, which is tied to the cluster's bridge and
 * goes with the process that is in it. A light pod has only an address, from a range that is local as a whole.
 */
export class PodNetwork {
  readonly #places = new Map<string, Place>();
  readonly #used = new Set<string>();
  readonly #reserved = new Map<string, string>();
  #next = { process: 256, light: 128 * 256 };

  constructor(private readonly index: number) {}

  /** Makes the light pods' addresses local. */
  async prepare(): Promise<void> {
    await ip(`route replace local 10.${243 + this.index}.128.0/17 dev lo`);
  }

  /** Keeps the address that a pod had before this agent, so that no other pod gets it. */
  reserve(uid: string, address: string): void {
    this.#reserved.set(uid, address);
    this.#used.add(address);
  }

  /** Gives a pod its place; asked again, the same one. */
  async create(uid: string, kind: 'process' | 'light'): Promise<PodAddress> {
    const known = this.#places.get(uid);
    if (known !== undefined) return known;
    const address = this.#reserved.get(uid) ?? this.#free(kind);
    const place: Place =
      kind === 'light' ? { address, namespace: undefined } : await this.#connect(address).catch((error: unknown) => {
        if (!this.#reserved.has(uid)) this.#used.delete(address);
        throw error;
      }); // prettier-ignore
    this.#places.set(uid, place);
    return place;
  }

  /** Takes a pod's place away. What still runs in it is cut off. */
  remove(uid: string): void {
    const place = this.#places.get(uid);
    this.#used.delete(place?.address ?? this.#reserved.get(uid) ?? '');
    this.#reserved.delete(uid);
    this.#places.delete(uid);
    place?.pause?.kill('SIGKILL');
  }

  #free(kind: 'process' | 'light'): string {
    const [first, end] = kind === 'light' ? [128 * 256, 256 * 256] : [256, 128 * 256];
    for (let tries = first; tries < end; tries += 1) {
      const number = this.#next[kind];
      this.#next = { ...this.#next, [kind]: number + 1 === end ? first : number + 1 };
      const address = `10.${243 + this.index}.${number >> 8}.${number & 255}`;
      if (!this.#used.has(address)) {
        this.#used.add(address);
        return address;
      }
    }
    throw new Error(`all ${end - first} addresses of this node are taken`);
  }

  async #connect(address: string): Promise<Place> {
    const pause = await holdNamespace();
    const namespace = `/proc/${pause.pid}/ns/net`;
    const name = `n${this.index}p${pause.pid}`;
    try {
      await ip(`link add ${name} type veth peer name eth0 netns ${pause.pid}`, `link set ${name} master ${BRIDGE} up`);
      await ip.inside(namespace, [
        'link set lo up',
        `addr add ${address}/${PREFIX} dev eth0`,
        'link set eth0 up',
        `route add default via ${GATEWAY}`,
      ]);
    } catch (error) {
      pause.kill('SIGKILL');
      throw error;
    }
    return { address, namespace, pause };
  }
}

/** Starts the process that keeps a network namespace alive, for as long as this process lives. */
async function holdNamespace(): Promise<ChildProcess> {
  const args = ['--pdeathsig', 'KILL', 'unshare', '--net', 'sh', '-c', 'echo; exec sleep infinity'];
  const child = spawn('setpriv', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text: Buffer) => {
    said += text.toString();
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`no network namespace: exit code ${code}: ${said.trim()}`)));
  });
  child.stdout.destroy();
  child.stderr.destroy();
  child.unref();
  return child;
}
