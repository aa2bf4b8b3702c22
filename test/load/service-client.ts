import { Agent, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request } from 'node:https';
import { connect, Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Endpoint, type EndpointSlice, usableEndpoints } from './endpoints';

/** The API server that the Service is in: a ControlPlane has all of it. */
export interface Api {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

export interface ServiceClientOptions {
  /** How late a change of the endpoints is followed, as by kube-proxy on a busy node. @default 1 */
  readonly lagSeconds?: number;
  /** Use connections for more than one request, which stay with their endpoint whatever becomes of it. @default false */
  readonly keepAlive?: boolean;
}

interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: EndpointSlice;
}

/**
 * Reaches a Service as a pod of the cluster does through DNS and kube-proxy: each new connection goes to one of the
 * endpoints at random, as they were known a moment ago. Nothing is tried again.
 */
export class ServiceClient {
  /** For requests of `node:http`; host and port of a request play no part. */
  readonly agent: Agent;
  readonly #path: string;
  readonly #stop = new AbortController();
  readonly #tls: TlsAgent;
  readonly #connections = new WeakMap<Socket, Endpoint>();
  readonly #lagMs: number;
  #endpoints: readonly Endpoint[] = [];
  #watching: Promise<void> = Promise.resolve();

  private constructor(
    private readonly api: Api,
    readonly namespace: string,
    readonly service: string,
    { lagSeconds = 1, keepAlive = false }: ServiceClientOptions,
  ) {
    this.#lagMs = lagSeconds * 1000;
    this.#tls = new TlsAgent({ keepAlive: true, ca: api.ca });
    const selector = encodeURIComponent(`kubernetes.io/service-name=${service}`);
    this.#path = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices?labelSelector=${selector}`;
    this.agent = new Agent({ keepAlive, maxFreeSockets: 1024 });
    this.agent.createConnection = (_options, done) => {
      const endpoint = this.#endpoints[Math.floor(Math.random() * this.#endpoints.length)];
      if (endpoint === undefined) {
        // As kube-proxy, which refuses connections then.
        process.nextTick(() => done?.(new Error(`Service ${service} has no endpoint`), new Socket()));
        return undefined;
      }
      const socket = connect({ host: endpoint.address, port: endpoint.port, noDelay: true });
      this.#connections.set(socket, endpoint);
      return socket;
    };
  }

  /** @returns once the endpoints of now are known, be they none */
  static async start(
    api: Api,
    namespace: string,
    service: string,
    options: ServiceClientOptions = {},
  ): Promise<ServiceClient> {
    const client = new ServiceClient(api, namespace, service, options);
    const version = await client.#list((endpoints) => (client.#endpoints = endpoints));
    client.#watching = client.#follow(version);
    return client;
  }

  /** The endpoints that a new connection may go to. */
  get endpoints(): readonly Endpoint[] {
    return this.#endpoints;
  }

  /** Where a connection of `agent` goes to. */
  endpointOf(socket: Socket): Endpoint | undefined {
    return this.#connections.get(socket);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.agent.destroy();
    await this.#watching;
    this.#tls.destroy();
  }

  /** Follows the endpoints until `stop`, anew from a list wherever a watch ends. */
  async #follow(first: Slices): Promise<void> {
    let slices = first;
    while (!this.#stop.signal.aborted) {
      try {
        await this.#watch(slices);
        slices = await this.#list((endpoints) => this.#later(endpoints));
      } catch {
        // The API server may be away; what was known last is used meanwhile, as kube-proxy does.
        await sleep(200, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      }
    }
  }

  async #list(use: (endpoints: readonly Endpoint[]) => void): Promise<Slices> {
    const response = await this.#get(this.#path);
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
    const { items, metadata } = JSON.parse(text) as {
      items: readonly EndpointSlice[];
      metadata: { resourceVersion: string };
    };
    const byName = new Map(items.map((slice) => [slice.metadata.name, slice]));
    use(usableEndpoints(byName.values()));
    return { byName, resourceVersion: metadata.resourceVersion };
  }

  async #watch({ byName, resourceVersion }: Slices): Promise<void> {
    const response = await this.#get(`${this.#path}&watch=1&resourceVersion=${resourceVersion}`);
    for await (const line of createInterface({ input: response })) {
      const { type, object } = JSON.parse(line) as WatchEvent;
      if (type === 'ERROR') return;
      if (type === 'DELETED') byName.delete(object.metadata.name);
      else byName.set(object.metadata.name, object);
      this.#later(usableEndpoints(byName.values()));
    }
  }

  #later(endpoints: readonly Endpoint[]): void {
    setTimeout(() => (this.#endpoints = endpoints), this.#lagMs).unref();
  }

  #get(path: string): Promise<IncomingMessage> {
    const { token, url } = this.api;
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
      const sent = request(new URL(path, url), { agent: this.#tls, headers, signal: this.#stop.signal });
      sent.once('error', reject);
      sent.once('response', (response: IncomingMessage) => {
        if (response.statusCode === 200) resolve(response);
        else reject(new Error(`GET ${path} was answered with ${response.statusCode}`));
      });
      sent.end();
    });
  }
}

interface Slices {
  readonly byName: Map<string, EndpointSlice>;
  readonly resourceVersion: string;
}
