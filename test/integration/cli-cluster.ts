import { Operator } from '../../operator/operator';
import { connect } from '../../operator/cluster/connection';
import { jsonLogger } from '../../operator/report/log';
import { inferenceServiceComposition } from '../../lib';
import type { Manifest } from '../../lib/composition';
import type { ControlPlane } from '../../tools/local-cluster';
import { poll } from '../../tools/local-cluster';

const COLLECTIONS: Readonly<Record<string, string>> = {
  Deployment: '/apis/apps/v1/namespaces/default/deployments',
  HorizontalPodAutoscaler: '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
  InferenceService: '/apis/inference.inferno.io/v1alpha1/namespaces/default/inferenceservices',
  Pod: '/api/v1/namespaces/default/pods',
  Service: '/api/v1/namespaces/default/services',
};

/** The objects of the namespace "default" of a control plane, for tests of commands. */
export class Objects {
  constructor(private readonly cluster: ControlPlane) {}

  async get(kind: string, name: string): Promise<Manifest | undefined> {
    const { status, body } = await this.cluster.request<Manifest>('GET', `${COLLECTIONS[kind] ?? ''}/${name}`);
    return status === 200 ? body : undefined;
  }

  async create(manifest: object & { readonly kind: string }): Promise<void> {
    const { status, body } = await this.cluster.request('POST', COLLECTIONS[manifest.kind] ?? '', manifest);
    if (status !== 201) throw new Error(JSON.stringify(body));
  }

  async patch(kind: string, name: string, change: object, subresource = ''): Promise<void> {
    const path = `${COLLECTIONS[kind] ?? ''}/${name}${subresource}`;
    const type = { 'content-type': 'application/merge-patch+json' };
    const { status, body } = await this.cluster.request('PATCH', path, change, type);
    if (status !== 200) throw new Error(JSON.stringify(body));
  }

  async delete(kind: string, name: string): Promise<void> {
    await this.cluster.request('DELETE', `${COLLECTIONS[kind] ?? ''}/${name}`);
  }

  /** Every object of the kinds with its version: the same before and after means that nothing was written. */
  async versions(): Promise<string> {
    const lists = await Promise.all(
      ['Deployment', 'HorizontalPodAutoscaler', 'InferenceService', 'Service'].map(async (kind) => {
        const { body } = await this.cluster.request<{ items: Manifest[] }>('GET', COLLECTIONS[kind] ?? '');
        return body.items.map(({ metadata }) => `${kind} ${metadata.name} ${metadata.resourceVersion}`);
      }),
    );
    return lists.flat().join('\n');
  }

  /** Runs an operator until the service has a status, and ends it. */
  async operate(name: string, isDone: (service: Manifest) => boolean): Promise<void> {
    const stop = new AbortController();
    const running = new Operator({
      compositions: [inferenceServiceComposition],
      connection: connect({ kubeconfig: this.cluster.kubeconfig }),
      log: jsonLogger(
        'error',
        () => undefined,
        () => new Date(),
      ),
      metricsBindAddress: '0',
      healthProbeBindAddress: '0',
    }).run(stop.signal);
    try {
      await poll(`the operator to see to ${name}`, async () => {
        const service = await this.get('InferenceService', name);
        return service !== undefined && isDone(service);
      });
    } finally {
      stop.abort();
      await running;
    }
  }
}

/** Whether the operator has applied what the newest spec says. */
export function isSynced(service: Manifest): boolean {
  const status: unknown = service['status'];
  return (
    typeof status === 'object' &&
    status !== null &&
    Reflect.get(status, 'observedGeneration') === service.metadata.generation
  );
}

/** Somebody else's autoscaler for the Deployment of that name, which has no metric to go by. */
export function foreignAutoscaler(target: string): Manifest {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: `${target}-theirs` },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: target },
      minReplicas: 1,
      maxReplicas: 9,
    },
  };
}
