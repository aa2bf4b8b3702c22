import { inferenceServiceComposition } from '../../lib';
import type { Composition } from '../../lib/composition';
import { connect } from '../../operator/cluster/connection';
import { jsonLogger } from '../../operator/report/log';
import { Operator, type OperatorOptions } from '../../operator/operator';
import {
  poll,
  startControlPlane,
  type AuditEvent,
  type ControlPlane,
  type ControlPlaneOptions,
} from '../../tools/local-cluster';

/** An object in the cluster, as far as tests look at it. */
export interface Live {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly generation: number;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly deletionTimestamp?: string;
    readonly [field: string]: unknown;
  };
  readonly spec: { readonly [field: string]: unknown };
  readonly status?: {
    readonly phase?: string;
    readonly message?: string;
    readonly conditions?: readonly Readonly<Record<string, string>>[];
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

const GROUPS = {
  isvc: '/apis/inference.inferno.io/v1alpha1/namespaces/NS/inferenceservices',
  deployment: '/apis/apps/v1/namespaces/NS/deployments',
  replicaset: '/apis/apps/v1/namespaces/NS/replicasets',
  service: '/api/v1/namespaces/NS/services',
  pod: '/api/v1/namespaces/NS/pods',
  quota: '/api/v1/namespaces/NS/resourcequotas',
  hpa: '/apis/autoscaling/v2/namespaces/NS/horizontalpodautoscalers',
  configmap: '/api/v1/namespaces/NS/configmaps',
  stack: '/apis/example.com/v1/namespaces/NS/stacks',
  event: '/apis/events.k8s.io/v1/namespaces/NS/events',
} as const;
export type Collection = keyof typeof GROUPS;

/** The three kinds of children. */
export const CHILDREN = ['deployment', 'service', 'hpa'] as const;
/** The smallest service without, and with, an autoscaler. */
export const fake = { model: { uri: 'demo', framework: 'fake', version: '1' }, replicas: { min: 1, max: 3 } };
export const scaled = { ...fake, autoscaling: { enabled: true } };

/** An operator that runs in this process. */
export interface Running {
  /** As SIGTERM does it. */
  stop(): Promise<void>;
  readonly log: readonly string[];
  /** The log's lines of level error, except those about other namespaces. */
  errors(space: Space): readonly string[];
}

/** A control plane with operators, and short words for what tests do with it. */
export class Bench {
  readonly #running: Running[] = [];
  #namespaces = 0;

  private constructor(readonly cluster: ControlPlane) {}

  static async start(options: ControlPlaneOptions = {}): Promise<Bench> {
    const crds = ['crds/inferenceservice.yaml', ...(options.crds ?? [])];
    return new Bench(await startControlPlane({ controllerManager: true, audit: true, ...options, crds }));
  }

  /** Stops the operators that still run; for afterEach. */
  async calm(): Promise<void> {
    await Promise.all(this.#running.splice(0).map((running) => running.stop()));
  }

  async stop(): Promise<void> {
    await this.calm();
    await this.cluster.stop();
  }

  operator(options: Partial<OperatorOptions> = {}): Running {
    const log: string[] = [];
    const abort = new AbortController();
    const compositions: readonly Composition[] = [inferenceServiceComposition];
    const operator = new Operator({
      compositions,
      connection: connect({ kubeconfig: this.cluster.kubeconfig }),
      log: jsonLogger(
        'debug',
        (line) => log.push(line),
        () => new Date(),
      ),
      metricsBindAddress: '0',
      healthProbeBindAddress: '0',
      shutdownMs: 1000,
      ...options,
    });
    const done = operator.run(abort.signal);
    const running: Running = {
      log,
      errors: (space) =>
        log
          .filter((line) => line.includes('"level":"error"'))
          .filter((line) => !line.includes('"namespace":') || line.includes(`"namespace":"${space.name}"`)),
      stop: async () => {
        abort.abort();
        await done;
      },
    };
    this.#running.push(running);
    return running;
  }

  /** A new namespace, with short words for what is in it. */
  async space(): Promise<Space> {
    this.#namespaces += 1;
    const name = `t${this.#namespaces}`;
    const { status } = await this.cluster.request('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name },
    });
    if (status !== 201) throw new Error(`namespace ${name} was answered with ${status}`);
    return new Space(this, name);
  }

  /** Requests of operators so far, newest last. */
  requests(where: (event: AuditEvent) => boolean = () => true): readonly AuditEvent[] {
    return this.cluster
      .auditEvents()
      .filter(
        (event) =>
          event.stage === 'ResponseComplete' &&
          String(event['userAgent']).startsWith('inferno-operator') &&
          where(event),
      );
  }

  /** Requests of operators that change something. */
  writes(where: (event: AuditEvent) => boolean = () => true): readonly AuditEvent[] {
    return this.requests((event) => !['get', 'list', 'watch'].includes(event.verb) && where(event));
  }
}

/** A namespace. */
export class Space {
  constructor(
    readonly bench: Bench,
    readonly name: string,
  ) {}

  path(collection: Collection, name?: string): string {
    const path = GROUPS[collection].replace('NS', this.name);
    return name === undefined ? path : `${path}/${name}`;
  }

  async get(collection: Collection, name: string): Promise<Live | undefined> {
    const { status, body } = await this.bench.cluster.request<Live>('GET', this.path(collection, name));
    return status === 200 ? body : undefined;
  }

  async list(collection: Collection): Promise<readonly Live[]> {
    const { body } = await this.bench.cluster.request<{ items: Live[] }>('GET', this.path(collection));
    return body.items;
  }

  /** Makes an InferenceService. */
  service(name: string, spec: object = fake, metadata: object = {}): Promise<Live> {
    const apiVersion = 'inference.inferno.io/v1alpha1';
    return this.make('isvc', { apiVersion, kind: 'InferenceService', metadata: { name, ...metadata }, spec });
  }

  async make(collection: Collection, object: object): Promise<Live> {
    const { status, body } = await this.bench.cluster.request<Live>('POST', this.path(collection), object);
    expect([status, body]).toEqual([201, expect.anything()]);
    return body;
  }

  async patch(collection: Collection, name: string, change: object, subresource = ''): Promise<Live> {
    const type = { 'content-type': 'application/merge-patch+json' };
    const path = this.path(collection, name) + subresource;
    const { status, body } = await this.bench.cluster.request<Live>('PATCH', path, change, type);
    expect([status, body]).toEqual([200, expect.anything()]);
    return body;
  }

  async delete(collection: Collection, name: string): Promise<void> {
    const { status } = await this.bench.cluster.request('DELETE', this.path(collection, name));
    expect([200, 202]).toContain(status);
  }

  /** Waits until an object is as `is` says; with what it last was in the error where it never is. */
  async until(collection: Collection, name: string, is: (live: Live) => boolean, seconds = 30): Promise<Live> {
    let last: Live | undefined;
    try {
      return await poll(
        `${collection} ${name}`,
        async () => {
          last = await this.get(collection, name);
          return last !== undefined && is(last) ? last : undefined;
        },
        { seconds },
      );
    } catch (error) {
      throw new Error(`${String(error)}; it is ${JSON.stringify(last?.status ?? last)}`, { cause: error });
    }
  }

  async gone(collection: Collection, name: string, seconds = 30): Promise<void> {
    const look = async (): Promise<true | undefined> => {
      return (await this.get(collection, name)) === undefined ? true : undefined;
    };
    await poll(`the end of ${collection} ${name}`, look, { seconds });
  }

  /** Writes of operators to what is in the namespace. */
  writes(): readonly AuditEvent[] {
    return this.bench.writes((event) => event.objectRef?.namespace === this.name);
  }
}

/** The condition of a type. */
export function condition(live: Live | undefined, type: string): Readonly<Record<string, string>> | undefined {
  return live?.status?.conditions?.find((each) => each['type'] === type);
}

/** Whether a condition has a status, and a reason where one is given. */
export function has(type: string, status: string, reason?: string): (live: Live) => boolean {
  return (live) => {
    const found = condition(live, type);
    return found?.['status'] === status && (reason === undefined || found['reason'] === reason);
  };
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
