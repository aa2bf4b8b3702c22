import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleProgram } from './bundle';
import type { ControlPlane } from './control-plane';
import { tail } from './logs';
import { makeNetwork, removeNetwork } from './node/cluster-network';
import type { Image } from './node/image';
import type { NodeOptions } from './node/node-object';
import type { NodeConfig } from './node/run-node';
import { runtimePrograms } from './node/runtime/programs';
import { poll } from './poll';
import { Processes } from './processes';
import { type ControlPlaneOptions, startControlPlane } from './start';

export interface ClusterOptions extends Omit<ControlPlaneOptions, 'controllerManager' | 'scheduler' | 'podNetwork'> {
  readonly nodes: readonly NodeOptions[];
  /** What the pods' image names stand for. A pod with another image gets ErrImagePull. */
  readonly images: readonly Image[];
}

/** More would not fit into the addresses that nodes have. */
const MOST_NODES = 12;

/**
 * Starts a control plane with controller-manager and scheduler, and nodes that run pods as processes of this machine,
 * each pod in a network namespace of its own. It resolves when all nodes are Ready. Everything ends with this process.
 *
 * It needs Linux, root, and a network namespace for itself (`unshare --net`, or `unshare --map-root-user --net`), where
 * only it may listen and make addresses.
 *
 * @throws Error when it cannot run here, or with the end of the log of the part that does not start
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { images, nodes, parentFolder = tmpdir(), ...rest } = options;
  if (nodes.length > MOST_NODES) throw new Error(`a cluster has at most ${MOST_NODES} nodes, got ${nodes.length}`);
  await makeNetwork(nodes.length);
  const folder = mkdtempSync(join(parentFolder, 'inferno-nodes-'));
  const processes = new Processes(folder);
  let controlPlane: ControlPlane | undefined;
  try {
    const bundled = bundle(folder);
    const programs = runtimePrograms(folder, { log: options.log });
    // If the control plane does not start, that is what is reported.
    programs.catch(() => undefined);
    bundled.catch(() => undefined);
    const plane = { ...rest, parentFolder, controllerManager: true, scheduler: true, podNetwork: true };
    controlPlane = await startControlPlane(plane);
    const { ca, token, url } = controlPlane;
    const agent = await bundled;
    const common = { api: { ca, token, url }, images, programs: await programs };
    const configs = new Map(
      nodes.map((node, place) => [node.name, { ...common, node, index: place + 1, folder: join(folder, node.name) }]),
    );
    const cluster = new Cluster(controlPlane, { agent, configs, folder, processes, signal: options.signal });
    await Promise.all(nodes.map(({ name }) => cluster.startNode(name)));
    return cluster;
  } catch (error) {
    await processes.stop().catch(() => rmSync(folder, { recursive: true, force: true }));
    await controlPlane?.stop();
    await removeNetwork().catch(() => undefined);
    throw error;
  }
}

interface Parts {
  /** The bundled code of a node. */
  readonly agent: string;
  readonly configs: ReadonlyMap<string, NodeConfig>;
  readonly folder: string;
  readonly processes: Processes;
  /** Ends the wait for a node. */
  readonly signal: AbortSignal | undefined;
}

/** A control plane with nodes, all of them on this machine. */
export class Cluster {
  constructor(
    readonly controlPlane: ControlPlane,
    private readonly parts: Parts,
  ) {}

  /** What a container has said in all its runs, standard output and standard error together. @default its only container */
  podLog(namespace: string, pod: string, container?: string): string {
    return this.#folders(namespace, pod, container)
      .flatMap((folder) => logFiles(folder))
      .map((file) => readFileSync(file, 'utf8'))
      .join('');
  }

  /** Pid, on this machine, of a container's own process 1; undefined when it does not run. @default its only container */
  pid(namespace: string, pod: string, container?: string): number | undefined {
    const files = this.#folders(namespace, pod, container).map((folder) => join(folder, 'pid'));
    const pids = files.flatMap((file) => (existsSync(file) ? [Number(readFileSync(file, 'utf8'))] : []));
    return pids.find((pid) => existsSync(`/proc/${pid}`));
  }

  /** A power cut: the node and all its pods are gone at once, and nothing is reported to the API server. */
  async stopNode(name: string): Promise<void> {
    const { processes } = this.parts;
    this.#config(name);
    await processes.signal(processName(name), 'SIGKILL');
    await processes.exited(processName(name), 30);
  }

  /** Starts a node, also one that was stopped: then its pods begin anew. Resolves when it is Ready. */
  async startNode(name: string): Promise<void> {
    const config = this.#config(name);
    const { agent, processes, signal } = this.parts;
    const file = join(config.folder, 'config.json');
    const began = Date.now();
    mkdirSync(config.folder, { recursive: true });
    // The token of an administrator is in it.
    writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
    // What it mounts for its pods is gone with it.
    const command = [
      '--mount',
      '--propagation',
      'private',
      '--',
      process.execPath,
      '--enable-source-maps',
      agent,
      file,
    ];
    await processes.start(processName(name), 'unshare', command, this.#log(name));
    try {
      await poll(`node ${name} to be Ready`, () => this.#isReady(name, began), { seconds: 60, signal });
    } catch (error) {
      signal?.throwIfAborted();
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(`${message}; its log ends with\n${tail(this.#log(name))}`, { cause: error });
    }
  }

  /** What the node itself said: lines of JSON. What it refuses and its own faults have the level "error". */
  nodeLog(name: string): string {
    return readFileSync(this.#log(name), 'utf8');
  }

  /** Pid of the process of a node, undefined when it does not run. */
  nodePid(name: string): number | undefined {
    return this.parts.processes.pid(processName(name));
  }

  /** Kills everything and removes what was made. Calling it again does nothing. */
  async stop(): Promise<void> {
    try {
      await this.parts.processes.stop();
    } finally {
      await this.controlPlane.stop();
      await removeNetwork().catch(() => undefined);
    }
  }

  async #isReady(name: string, since: number): Promise<boolean> {
    const ended = this.parts.processes.ended(processName(name));
    if (ended !== undefined) throw new Error(`node ${name} has ended with ${ended.how}`);
    const { body, status } = await this.controlPlane.request<ReadyNode>('GET', `/api/v1/nodes/${name}`);
    if (status !== 200) return false;
    const ready = body.status?.conditions?.find(({ type }) => type === 'Ready');
    const recent = Date.parse(ready?.lastTransitionTime ?? '') >= Math.floor(since / 1000) * 1000;
    const tainted = body.spec?.taints?.some(({ key }) => /^node\.kubernetes\.io\/(not-ready|unreachable)$/.test(key));
    return ready?.status === 'True' && recent && tainted !== true;
  }

  #log(name: string): string {
    return join(this.#config(name).folder, 'node.log');
  }

  #config(name: string): NodeConfig {
    const found = this.parts.configs.get(name);
    if (found !== undefined) return found;
    throw new Error(`this cluster has no node ${name}; it has ${[...this.parts.configs.keys()].join(', ')}`);
  }

  /** Folders of the logs of a container, of all pods that had this name, the oldest first. */
  #folders(namespace: string, pod: string, container: string | undefined): readonly string[] {
    const pods = [...this.parts.configs.values()]
      .map(({ folder }) => join(folder, 'pods'))
      .filter((folder) => existsSync(folder))
      .flatMap((folder) =>
        readdirSync(folder)
          .filter((name) => name.startsWith(`${namespace}_${pod}_`))
          .map((name) => join(folder, name)),
      )
      .toSorted((a, b) => statSync(a).birthtimeMs - statSync(b).birthtimeMs);
    return pods.flatMap((folder) => {
      const containers = readdirSync(folder);
      if (container === undefined && containers.length > 1) {
        throw new Error(`pod ${namespace}/${pod} has the containers ${containers.join(', ')}: say which one`);
      }
      return containers
        .filter((name) => container === undefined || name === container)
        .map((name) => join(folder, name));
    });
  }
}

interface ReadyNode {
  readonly spec?: { readonly taints?: readonly { readonly key: string }[] };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly lastTransitionTime: string;
    }[];
  };
}

function processName(node: string): string {
  return `node ${node}`;
}

/** The logs of a container's runs in order: 0.log, 1.log, … */
function logFiles(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
    .map((name) => join(folder, name));
}

async function bundle(folder: string): Promise<string> {
  const outfile = join(folder, 'node.cjs');
  await bundleProgram(join(__dirname, 'node', 'run-node.ts'), outfile, { sourcemap: true });
  return outfile;
}
