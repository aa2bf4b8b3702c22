import type { Observation } from '../../lib/composition/composition';
import type { LiveObject, Manifest } from '../../lib/composition/manifest';
import { applyManifest, type Owner } from '../../lib/composition/ownership';
import { Kinds } from '../../lib/composition/kinds';
import { plan, type Step, type Wanted } from '../../lib/composition/plan';
import { ClusterView, ObjectLists } from '../../lib/composition/view';

export const owner: Owner = {
  apiVersion: 'example.com/v1',
  kind: 'Cache',
  name: 'sessions',
  uid: 'uid-of-owner',
  children: [Kinds.Deployment, Kinds.Service, Kinds.HorizontalPodAutoscaler, Kinds.ConfigMap],
};

// Between them something of everything: keyed and atomic lists, quantities, maps with odd keys.
export const config: Manifest = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'sessions', namespace: 'team' },
  data: { 'a.conf': 'on', constructor: 'x' },
};

export const deployment: Manifest = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'sessions',
    namespace: 'team',
    labels: { app: 'sessions', 'app.kubernetes.io/managed-by': 'inferno' },
    annotations: { note: 'first' },
  },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'sessions' } },
    template: {
      metadata: { labels: { app: 'sessions' } },
      spec: {
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: 30,
        containers: [
          {
            name: 'server',
            image: 'example/server:1',
            args: ['--port=80', '--fast'],
            env: [
              { name: 'A', value: '1000m' },
              { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            ],
            ports: [{ name: 'http', containerPort: 80 }],
            resources: { requests: { cpu: '500m', memory: '1Gi' }, limits: { memory: '1Gi' } },
            readinessProbe: { httpGet: { path: '/health', port: 'http' }, periodSeconds: 5 },
            securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
            volumeMounts: [{ name: 'data', mountPath: '/data' }],
          },
        ],
        volumes: [{ name: 'data', emptyDir: { sizeLimit: '1Gi' } }],
        tolerations: [{ key: 'gpu', operator: 'Exists' }],
      },
    },
  },
};

export const service: Manifest = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'sessions', namespace: 'team' },
  spec: { type: 'ClusterIP', selector: { app: 'sessions' }, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
};

export const autoscaler: Manifest = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'sessions', namespace: 'team' },
  spec: {
    minReplicas: 1,
    maxReplicas: 3,
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'sessions' },
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }],
  },
};

/** In the order of creation. */
export const desired: readonly Manifest[] = [config, deployment, service, autoscaler];

/** What the cluster has once a manifest was applied. */
export function live(manifest: Manifest, uid = `uid-of-${manifest.kind}`): LiveObject {
  const applied = applyManifest(manifest, owner);
  return structuredClone({ ...applied, metadata: { ...applied.metadata, uid, resourceVersion: '7' } });
}

/** The plan of an owner where these objects are in the cluster, no matter who made them. */
export function planned(
  wanted: readonly Manifest[] | Wanted,
  there: readonly Manifest[],
  of: Owner = owner,
  others: readonly Manifest[] = [],
): readonly Step[] {
  const everything: Observation = {
    kind: Kinds.HorizontalPodAutoscaler,
    labelSelector: '',
    resourceName: () => of.name,
  };
  const store = new ObjectLists(there, new Map([[everything, others]]));
  const resource = {
    ...of,
    metadata: { name: of.name, namespace: others[0]?.metadata.namespace ?? 'team', uid: of.uid },
  };
  const view = new ClusterView({ children: of.children, observes: [everything] }, store).of(resource);
  return plan('manifests' in wanted ? wanted : { manifests: wanted }, view, of);
}
