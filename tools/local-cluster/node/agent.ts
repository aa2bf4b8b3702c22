import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { refusal } from './admit';
import { NodeApi } from './api';
import { EventRecorder } from './events';
import type { Image } from './image';
import { Limiter } from './limiter';
import type { Log } from './log';
import { type FindLogs, serveLogs } from './log-server';
import { nodeAddress, PodNetwork } from './network';
import { nodeObject, type NodeOptions, nodeStatus } from './node-object';
import type { NodeParts } from './node-parts';
import type { Pod } from './pod';
import type { Resolver } from './request';
import type { Runtime } from './runtime-types';
import { microseconds, textOf } from './texts';
import { PodWorker } from './worker';

/** What an agent is started with. */
export interface AgentOptions {
  readonly node: NodeOptions;
  /** Place of the node among those of its cluster, from 1. */
  readonly index: number;
  readonly api: { readonly url: string; readonly ca: string; readonly token: string };
  /** Folder of only this node; `pods` below it has the logs. */
  readonly folder: string;
  readonly images: readonly Image[];
}

/** What is below the agent. */
export interface Below extends Resolver {
  readonly runtime: Runtime;
  readonly prepareVolumes: NodeParts['prepareVolumes'];
}

const KUBELET_PORT = 10250;
const LEASE_SECONDS = 40;
const RENEW_SECONDS = 10;
const STATUS_SECONDS = 60;
const VOLUMES_SECONDS = 30;
/** Pods and containers that are started at the same time. */
const MOST_STARTS = 32;

/** The agent of one node: keeps the Node alive, and gives every pod that is bound to it a worker. */
export class NodeAgent {
  readonly #api: NodeApi;
  readonly #workers = new Map<string, PodWorker>();
  readonly #parts: NodeParts;
  readonly #images: ReadonlyMap<string, Image>;
  readonly #network: PodNetwork;
  readonly #since = new Date();

  constructor(
    private readonly options: AgentOptions,
    below: Below,
    private readonly log: Log,
  ) {
    const { api, folder, images, index, node } = options;
    this.#api = new NodeApi(api);
    this.#images = new Map(images.map((image) => [image.name, image]));
    this.#network = new PodNetwork(index);
    this.#parts = {
      hostIP: nodeAddress(index),
      folder,
      backoffSeconds: node.backoffSeconds ?? 10,
      images: this.#images,
      api: this.#api,
      events: new EventRecorder(this.#api, node.name, log),
      log,
      network: this.#network,
      runtime: below.runtime,
      resolver: below,
      starts: new Limiter(MOST_STARTS),
      prepareVolumes: below.prepareVolumes,
    };
  }

  /** Registers the node and runs its pods, for ever. */
  async run(): Promise<never> {
    for (const name of ['pods', 'volumes']) mkdirSync(join(this.#parts.folder, name), { recursive: true });
    await this.#network.prepare();
    const find: FindLogs = (namespace, pod, container) =>
      [...this.#workers.values()].find((worker) => worker.is(namespace, pod))?.logs(container);
    await serveLogs(this.#parts.hostIP, KUBELET_PORT, find);
    await this.#register();
    this.#every(RENEW_SECONDS, 'lease not renewed', () => this.#renew());
    this.#every(STATUS_SECONDS, 'node status not written', () => this.#writeStatus());
    this.#every(VOLUMES_SECONDS, 'volumes not refreshed', async () => {
      const done = await Promise.allSettled([...this.#workers.values()].map((worker) => worker.refreshVolumes()));
      for (const one of done) if (one.status === 'rejected') throw one.reason;
    });
    this.log.info('node registered', { name: this.options.node.name });
    return this.#watch();
  }

  async #register(): Promise<void> {
    await this.#renew();
    // 409: it is there since the agent's last run.
    await this.#api.send('POST', '/api/v1/nodes', nodeObject(this.options.node), [409]);
    await this.#writeStatus();
  }

  async #writeStatus(): Promise<void> {
    const { index, node } = this.options;
    const status = nodeStatus(node, nodeAddress(index), KUBELET_PORT, this.#since, new Date());
    await this.#api.send('PATCH', `/api/v1/nodes/${node.name}/status`, { status });
  }

  async #renew(): Promise<void> {
    const { name } = this.options.node;
    const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
    const spec = { holderIdentity: name, leaseDurationSeconds: LEASE_SECONDS, renewTime: microseconds(new Date()) };
    const answer = await this.#api.send('PATCH', `${leases}/${name}`, { spec }, [404]);
    if (answer.status === 404) await this.#api.send('POST', leases, { metadata: { name }, spec });
  }

  #every(period: number, failure: string, what: () => Promise<void>): void {
    setInterval(() => {
      what().catch((error: unknown) => {
        // A connection that fails is not this node's fault.
        const away = error instanceof Error && 'code' in error;
        this.log[away ? 'info' : 'error'](failure, { error: String(error) });
      });
    }, period * 1000);
  }

  /** Lists and watches the pods of this node; what breaks the watch is followed by a new list. */
  async #watch(): Promise<never> {
    const path = `/api/v1/pods?fieldSelector=spec.nodeName%3D${this.options.node.name}`;
    for (let first = true; ; first = false) {
      try {
        const { items, version } = await this.#api.pods(path);
        const present = new Set(items.map(({ metadata }) => metadata.uid));
        for (const [uid, worker] of this.#workers) if (!present.has(uid)) this.#lose(uid, worker);
        for (const pod of items) this.#have(pod, first);
        for (let at = version; ;) {
          at = await this.#api.watch(path, at, ({ object, type }) => {
            const worker = this.#workers.get(object.metadata.uid ?? '');
            if (type !== 'DELETED') this.#have(object, false);
            else if (worker !== undefined) this.#lose(object.metadata.uid ?? '', worker);
          });
        }
      } catch (error) {
        this.log.info('watching the pods anew', { because: textOf(error) });
        await sleep(500 + Math.random() * 500);
      }
    }
  }

  /** @param before whether the pod was there before this agent */
  #have(pod: Pod, before: boolean): void {
    const uid = pod.metadata.uid ?? '';
    const known = this.#workers.get(uid);
    if (known !== undefined) {
      known.update(pod);
      return;
    }
    const worker = new PodWorker(pod, this.#parts);
    this.#workers.set(uid, worker);
    worker.start(
      refusal(pod, (name) => this.#images.get(name)),
      before,
    );
  }

  #lose(uid: string, worker: PodWorker): void {
    this.#workers.delete(uid);
    worker.gone();
    this.#parts.events.forget(uid);
  }
}
