import { inferenceServiceComposition } from '../../lib';
import { connect } from '../../operator/cluster/connection';
import { jsonLogger } from '../../operator/report/log';
import { Operator, type OperatorOptions } from '../../operator/operator';
import { poll, type ControlPlane } from '../../tools/local-cluster';

/** An object, as far as these tests look into it. */
export interface Live {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly generation: number;
    readonly resourceVersion: string;
    readonly ownerReferences?: readonly { readonly uid: string }[];
  };
  readonly spec: { readonly [field: string]: unknown };
  readonly status?: { readonly [field: string]: unknown };
}

const COLLECTIONS = {
  isvc: ['/apis/inference.inferno.io/v1alpha1', 'inferenceservices'],
  deployment: ['/apis/apps/v1', 'deployments'],
  service: ['/api/v1', 'services'],
  hpa: ['/apis/autoscaling/v2', 'horizontalpodautoscalers'],
} as const;
export type Collection = keyof typeof COLLECTIONS;

/** A resource with three children. */
export const scaled = {
  model: { uri: 'demo', framework: 'fake', version: '1' },
  replicas: { min: 1, max: 3 },
  autoscaling: { enabled: true },
};

const MERGE = { 'content-type': 'application/merge-patch+json' };

/** What a user of one namespace does and sees, past any proxy. */
export class World {
  constructor(
    readonly cluster: ControlPlane,
    readonly namespace: string,
  ) {}

  static async make(cluster: ControlPlane, namespace: string): Promise<World> {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    await cluster.request('POST', '/api/v1/namespaces', body);
    return new World(cluster, namespace);
  }

  path(collection: Collection, name?: string): string {
    const [group, plural] = COLLECTIONS[collection];
    return `${group}/namespaces/${this.namespace}/${plural}${name === undefined ? '' : `/${name}`}`;
  }

  async get(collection: Collection, name: string): Promise<Live | undefined> {
    const { status, body } = await this.cluster.request<Live>('GET', this.path(collection, name));
    return status === 200 ? body : undefined;
  }

  async list(collection: Collection): Promise<readonly Live[]> {
    return (await this.cluster.request<{ items: Live[] }>('GET', this.path(collection))).body.items;
  }

  async create(name: string, spec: object = scaled): Promise<Live> {
    const resource = {
      apiVersion: 'inference.inferno.io/v1alpha1',
      kind: 'InferenceService',
      metadata: { name },
      spec,
    };
    const { status, body } = await this.cluster.request<Live>('POST', this.path('isvc'), resource);
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body;
  }

  async patch(collection: Collection, name: string, change: object): Promise<Live> {
    const { status, body } = await this.cluster.request<Live>('PATCH', this.path(collection, name), change, MERGE);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body;
  }

  setVersion(name: string, version: string): Promise<Live> {
    return this.patch('isvc', name, { spec: { model: { version } } });
  }

  /** Waits until the children and the status say what the resource says. */
  async follows(name: string, version = '1', seconds = 40): Promise<void> {
    await poll(
      `${name} to follow version ${version}`,
      async () => {
        const [resource, deployment, service, hpa] = await Promise.all([
          this.get('isvc', name),
          this.get('deployment', name),
          this.get('service', name),
          this.get('hpa', name),
        ]);
        return (
          JSON.stringify(deployment?.spec ?? {}).includes(`"MODEL_VERSION","value":"${version}"`) &&
          service !== undefined &&
          hpa !== undefined &&
          resource?.status?.['observedGeneration'] === resource?.metadata.generation
        );
      },
      { seconds },
    );
  }
}

/** An operator in this process. */
export interface Started {
  readonly log: readonly string[];
  readonly errors: () => readonly string[];
  readonly stop: () => Promise<void>;
  /** Addresses of the status servers: probes, then metrics. */
  readonly addresses: () => readonly string[];
}

export function startOperator(kubeconfig: string, options: Partial<OperatorOptions> = {}): Started {
  const log: string[] = [];
  const stop = new AbortController();
  const operator = new Operator({
    compositions: [inferenceServiceComposition],
    connection: connect({ kubeconfig }),
    log: jsonLogger(
      'debug',
      (line) => log.push(line),
      () => new Date(),
    ),
    metricsBindAddress: '0',
    healthProbeBindAddress: '0',
    ...options,
  });
  const running = operator.run(stop.signal);
  running.catch(() => undefined);
  return {
    log,
    errors: () => log.filter((line) => line.startsWith('{"level":"error"')),
    stop: async () => {
      stop.abort();
      await running;
    },
    addresses: () => {
      const line = log.find((each) => each.includes('"msg":"Started"')) ?? '{}';
      return (JSON.parse(line) as { addresses?: string[] }).addresses ?? [];
    },
  };
}
