import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { type Cluster, type ClusterOptions, poll, startCluster } from '../../tools/local-cluster';
import { infernoImage, testImages } from '../../tools/local-cluster/images';
import { chat, type ChatOptions, type Load, ServiceClient, type ServiceClientOptions, startLoad } from '../load';
import { complaints } from './clean-logs';
import { collection, type Kind, type Live, type Named, type Pod } from './objects';

/** Namespace that the tests' resources are in. */
export const NAMESPACE = 'models';
/** Namespace of the operator. */
export const SYSTEM = 'inferno-system';
export const OPERATOR = 'inferno-controller-manager';

/** What `kubectl apply -f` is given, as it lies in the repository. */
export const INSTALL = 'dist/install.yaml';

/** The smallest model server. It ends quickly, which most tests want. */
export const small = {
  model: { uri: 'demo', framework: 'fake', version: '1' },
  replicas: { min: 1, max: 1 },
  drain: { preStopSeconds: 1, shutdownSeconds: 5 },
};

export interface InfernoOptions extends Omit<ClusterOptions, 'images'> {
  /** Beside the project's own and those of the tests. @default none */
  readonly moreImages?: ClusterOptions['images'];
}

/** A cluster with nodes and with the operator installed in it, as a user has it after the documented steps. */
export class Inferno {
  readonly #clients: ServiceClient[] = [];
  readonly #loads: Load[] = [];

  private constructor(readonly cluster: Cluster) {}

  /** @returns once the operator's Deployment is available */
  static async start({ moreImages = [], ...options }: InfernoOptions): Promise<Inferno> {
    const images = [await infernoImage(), ...testImages(), ...moreImages];
    const cluster = await startCluster({ ...options, images });
    const inferno = new Inferno(cluster);
    try {
      await inferno.install();
      await inferno.kubectl('create', 'namespace', NAMESPACE);
    } catch (error) {
      await inferno.stop();
      throw error;
    }
    return inferno;
  }

  async stop(): Promise<void> {
    // One goes on where its test has failed.
    for (const load of this.#loads.splice(0)) void load.stop();
    await Promise.all(this.#clients.splice(0).map((client) => client.stop()));
    await this.cluster.stop();
  }

  /** `kubectl apply` of the committed manifest, and the wait for the operator. */
  async install(): Promise<void> {
    await this.apply(readFileSync(INSTALL, 'utf8'));
    await this.available(OPERATOR, SYSTEM);
  }

  async kubectl(...args: readonly string[]): Promise<string> {
    return (await this.cluster.controlPlane.kubectl(args)).stdout;
  }

  async apply(yaml: string): Promise<string> {
    return (await this.cluster.controlPlane.kubectl(['apply', '--server-side', '-f', '-'], { input: yaml })).stdout;
  }

  /** Applies an InferenceService. What an earlier call gave and this one does not is removed. */
  async service(name: string, spec: object = small): Promise<void> {
    const metadata = { name, namespace: NAMESPACE };
    const resource = { apiVersion: 'inference.inferno.io/v1alpha1', kind: 'InferenceService', metadata, spec };
    await this.apply(JSON.stringify(resource));
  }

  async get<T extends Named = Live>(kind: Kind, name: string, namespace = NAMESPACE): Promise<T | undefined> {
    const path = `${collection(kind, namespace)}/${name}`;
    const { body, status } = await this.cluster.controlPlane.request<T>('GET', path);
    if (status === 200) return body;
    if (status === 404) return undefined;
    throw new Error(`GET ${path} was answered with ${status}: ${JSON.stringify(body)}`);
  }

  async list<T extends Named = Live>(kind: Kind, namespace = NAMESPACE, labels = ''): Promise<readonly T[]> {
    const path = `${collection(kind, namespace)}?labelSelector=${encodeURIComponent(labels)}`;
    const { body, status } = await this.cluster.controlPlane.request<{ readonly items: readonly T[] }>('GET', path);
    if (status !== 200) throw new Error(`GET ${path} was answered with ${status}: ${JSON.stringify(body)}`);
    return body.items;
  }

  /** The pods of a service, those that are about to end left out. */
  async pods(service: string): Promise<readonly Pod[]> {
    const pods = await this.list<Pod>('Pod', NAMESPACE, `app=${service}`);
    return pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  }

  /** The only pod of a service. */
  async pod(service: string): Promise<Pod> {
    const [pod, ...more] = await this.pods(service);
    if (pod !== undefined && more.length === 0) return pod;
    throw new Error(`${service} should have one pod, it has ${pod === undefined ? 0 : more.length + 1}`);
  }

  async operatorPods(): Promise<readonly Pod[]> {
    const pods = await this.list<Pod>('Pod', SYSTEM);
    return pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  }

  /** Waits; where it takes too long, the error shows what the cluster looks like. */
  async until<T>(what: string, look: () => Promise<T | undefined | false>, seconds = 60): Promise<T> {
    try {
      return await poll(what, look, { seconds, interval: 200 });
    } catch (error) {
      throw new Error(`${String(error)}\n${await this.dump()}`, { cause: error });
    }
  }

  /** Waits until an InferenceService says this of itself, for its newest spec. */
  untilSays(name: string, type: string, status: string, message = /(?:)/, seconds = 60): Promise<Live> {
    const what = `InferenceService ${name} to say ${type}=${status} ${message.source}`;
    return this.until(
      what,
      async () => {
        const live = await this.get('InferenceService', name);
        const found = condition(live, type);
        const current = live?.status?.['observedGeneration'] === live?.metadata.generation;
        return current && found?.['status'] === status && message.test(`${found['reason']} ${found['message']}`)
          ? live
          : undefined;
      },
      seconds,
    );
  }

  ready(name: string, seconds = 60): Promise<Live> {
    return this.untilSays(name, 'Ready', 'True', undefined, seconds);
  }

  available(deployment: string, namespace: string, seconds = 90): Promise<true> {
    return this.until(
      `Deployment ${namespace}/${deployment} to be available`,
      async () => {
        const live = await this.get('Deployment', deployment, namespace);
        const { availableReplicas = 0, observedGeneration = 0, updatedReplicas = 0 } = live?.status ?? {};
        const wanted = live?.spec?.['replicas'];
        const seen = Number(observedGeneration) >= (live?.metadata.generation ?? 1);
        return seen && wanted === availableReplicas && wanted === updatedReplicas ? true : undefined;
      },
      seconds,
    );
  }

  /** A client of a Service in the tests' namespace, stopped with the cluster. */
  async client(service: string, options: ServiceClientOptions = {}): Promise<ServiceClient> {
    const client = await ServiceClient.start(this.cluster.controlPlane, NAMESPACE, service, options);
    this.#clients.push(client);
    return client;
  }

  /** Many users of a service, who ask without regard to each other: so many a second, for so long. */
  async users(service: string, rate: number, seconds: number, ask: Partial<ChatOptions> = {}): Promise<Load> {
    const client = await this.client(service);
    const load = startLoad({ rate, seconds, send: () => chat(client, { model: service, ...ask }) });
    this.#loads.push(load);
    return load;
  }

  /** Asks a model one question through its Service. Throws where the answer is not whole. */
  async ask(service: string, options: Partial<ChatOptions> = {}): Promise<string> {
    const client = await this.client(service, { lagSeconds: 0 });
    const outcome = await chat(client, { model: service, ...options });
    if (!outcome.ok) throw new Error(`${service} does not answer: ${outcome.error}\n${await this.dump()}`);
    return outcome.text;
  }

  /** `curl http://SERVICE/PATH`: status and text. */
  async curl(service: string, path: string): Promise<readonly [status: number, text: string]> {
    const { agent } = await this.client(service, { lagSeconds: 0 });
    return new Promise((resolve, reject) => {
      const sent = get({ agent, path, host: service }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.once('end', () => resolve([response.statusCode ?? 0, text.trim()])).once('error', reject);
      });
      sent.once('error', reject);
    });
  }

  /** Pid of the server of a pod, as this process sees it. */
  pid(pod: Pod): number {
    const { name, namespace } = pod.metadata;
    const pid = this.cluster.pid(namespace, name);
    if (pid === undefined) throw new Error(`pod ${namespace}/${name} runs no process`);
    return pid;
  }

  /** What operator, API server, controllers, scheduler and nodes complained about, and nothing on `expected` covers. */
  async complaints(expected: readonly RegExp[] = []): Promise<readonly string[]> {
    const nodes = (await this.list('Node', '')).map(({ metadata }) => metadata.name);
    return complaints(this.cluster, await this.list<Pod>('Pod', SYSTEM), nodes, expected);
  }

  /** What one wants to see of the cluster when something did not happen. */
  async dump(): Promise<string> {
    const parts: string[] = [];
    const show = async (title: string, tell: () => Promise<string> | string, lines: number): Promise<void> => {
      const text = await Promise.resolve()
        .then(tell)
        .catch((error: unknown) => String(error));
      parts.push(`--- ${title}`, ...text.trimEnd().split('\n').slice(-lines));
    };
    await show('InferenceServices', () => this.kubectl('get', 'isvc', '-A', '-o', 'wide'), 30);
    await show('pods', () => this.kubectl('get', 'pods', '-A', '-o', 'wide'), 40);
    await show('events', () => this.kubectl('get', 'events', '-A', '--sort-by=.metadata.creationTimestamp'), 40);
    for (const pod of await this.operatorPods().catch(() => [])) {
      const { name } = pod.metadata;
      await show(`log of ${name}`, () => this.cluster.podLog(SYSTEM, name), 15);
    }
    for (const { metadata } of await this.list('Node', '').catch(() => [])) {
      await show(`log of node ${metadata.name}`, () => this.cluster.nodeLog(metadata.name), 15);
    }
    return parts.join('\n');
  }
}

/** The condition of a type. */
export function condition(live: Live | undefined, type: string): Readonly<Record<string, string>> | undefined {
  return live?.status?.conditions?.find((each) => each['type'] === type);
}
