import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import {
  Kinds,
  ownerOf,
  synthesize,
  type ChildKind,
  type LiveObject,
  type Manifest,
  type Owner,
  type Resource,
} from '../../lib/composition';
import { redisCache } from '../../examples/redis-cache/composition';
import { type ControlPlane, startControlPlane } from '../../tools/local-cluster';
import { planned } from '../composition/fixtures';
import { apply, collection, makeNamespaces } from './objects';

const example = join(__dirname, '..', '..', 'examples', 'redis-cache');

let controlPlane: ControlPlane;

beforeAll(async () => {
  controlPlane = await startControlPlane({ crds: [join(example, 'crd.yaml')] });
}, 60_000);

afterAll(async () => {
  // Undefined where it did not start.
  await controlPlane?.stop();
});

const owner: Owner = {
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  name: 'thing',
  uid: '6f4ea1c2-1111-4222-8333-944444444444',
  children: Object.values(Kinds),
};

// Values in every form that the API server drops, defaults, or writes in another way.
const probe = {
  httpGet: { path: '/', port: 'http', host: '', httpHeaders: [] },
  initialDelaySeconds: 0,
  periodSeconds: 0,
  timeoutSeconds: 0,
  successThreshold: 0,
  failureThreshold: 0,
};
const labels = { app: 'thing', operator: '', 'a.b/c': '' };
const template = {
  metadata: { labels, annotations: {} },
  spec: {
    affinity: {},
    automountServiceAccountToken: false,
    dnsConfig: { nameservers: [], options: [{ name: 'ndots', value: '' }] },
    dnsPolicy: '',
    enableServiceLinks: false,
    hostAliases: [{ ip: '10.0.0.1', hostnames: ['a'] }],
    hostIPC: false,
    hostNetwork: false,
    hostPID: false,
    hostname: '',
    imagePullSecrets: [{ name: 'b' }, { name: 'a' }],
    initContainers: [],
    nodeName: '',
    nodeSelector: {},
    overhead: {},
    priorityClassName: '',
    readinessGates: [],
    schedulerName: '',
    securityContext: {
      fsGroup: 0,
      runAsNonRoot: false,
      runAsUser: 0,
      seLinuxOptions: { level: '' },
      supplementalGroups: [],
      sysctls: [],
    },
    serviceAccountName: '',
    shareProcessNamespace: false,
    subdomain: '',
    terminationGracePeriodSeconds: 0,
    tolerations: [{ key: 'a', operator: '', value: '', effect: '' }, { operator: 'Exists' }],
    topologySpreadConstraints: [
      {
        topologyKey: 'zone',
        whenUnsatisfiable: 'DoNotSchedule',
        maxSkew: 1,
        labelSelector: { matchLabels: {}, matchExpressions: [] },
      },
      { topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 1 },
    ],
    volumes: [
      { name: 'scratch', emptyDir: {} },
      { name: 'memory', emptyDir: { medium: '', sizeLimit: 1073741824 } },
      { name: 'config', configMap: { name: 'thing', optional: false, items: [], defaultMode: 0 } },
      { name: 'claim', persistentVolumeClaim: { claimName: 'thing', readOnly: false } },
      { name: 'host', hostPath: { path: '/x', type: '' } },
      {
        name: 'projected',
        projected: {
          sources: [
            { serviceAccountToken: { path: 't', audience: '', expirationSeconds: 600 } },
            { downwardAPI: { items: [{ path: 'l', fieldRef: { fieldPath: 'metadata.labels' } }] } },
          ],
        },
      },
      { name: 'driver', csi: { driver: 'd.example.com', readOnly: false, fsType: '', volumeAttributes: { a: '' } } },
    ],
    containers: [
      {
        name: 'server',
        image: 'example/server',
        imagePullPolicy: '',
        command: [],
        args: ['', '0'],
        workingDir: '',
        stdin: false,
        tty: false,
        terminationMessagePath: '',
        env: [
          { name: 'EMPTY', value: '' },
          { name: 'QUANTITY', value: '1000m' },
          { name: 'FIELD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          { name: 'RESOURCE', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1000m' } } },
          { name: 'SECRET', valueFrom: { secretKeyRef: { name: 's', key: 'k', optional: false } } },
        ],
        envFrom: [{ prefix: '', configMapRef: { name: 'thing', optional: false } }],
        ports: [
          { name: 'http', containerPort: 80, hostPort: 0, hostIP: '' },
          { containerPort: 80, protocol: 'UDP' },
        ],
        resources: {
          limits: { cpu: '1000m', memory: '1024Mi', 'nvidia.com/gpu': 0 },
          requests: { cpu: 0.5, memory: '0.5Gi' },
          claims: [],
        },
        livenessProbe: probe,
        readinessProbe: { ...probe, httpGet: { ...probe.httpGet, scheme: '' } },
        startupProbe: { exec: { command: ['true'] }, terminationGracePeriodSeconds: 1 },
        lifecycle: { preStop: { sleep: { seconds: 0 } } },
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { add: [], drop: ['ALL'] },
          privileged: false,
          readOnlyRootFilesystem: false,
        },
        volumeMounts: [{ name: 'scratch', mountPath: '/s', subPath: '', readOnly: false, subPathExpr: '' }],
      },
      { name: 'bare', image: 'example/bare', resources: {}, securityContext: {}, lifecycle: {} },
    ],
  },
};
const selector = { matchLabels: { app: 'thing' }, matchExpressions: [] };
const jobSpec = {
  template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } },
  backoffLimit: 0,
  completions: 1,
  suspend: false,
  ttlSecondsAfterFinished: 0,
};

const objects: readonly (readonly [ChildKind, object])[] = [
  [Kinds.ConfigMap, { data: { a: '', operator: '' }, binaryData: {}, immutable: false }],
  [Kinds.Secret, { type: '', data: { b: '' }, stringData: { a: 'ü', c: '' } }],
  [Kinds.ServiceAccount, { automountServiceAccountToken: false, secrets: [], imagePullSecrets: [{ name: 'a' }] }],
  [
    Kinds.Role,
    { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'], resourceNames: [], nonResourceURLs: [] }] },
  ],
  [
    Kinds.RoleBinding,
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'thing' },
      subjects: [{ kind: 'ServiceAccount', name: 'a', namespace: 'default', apiGroup: '' }],
    },
  ],
  [
    Kinds.PersistentVolumeClaim,
    {
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1024Mi' }, limits: {} },
        volumeName: '',
        storageClassName: '',
      },
    },
  ],
  [
    Kinds.Service,
    {
      spec: {
        type: '',
        clusterIP: '',
        sessionAffinity: '',
        externalName: '',
        externalIPs: [],
        publishNotReadyAddresses: false,
        selector: { app: 'thing', operator: '' },
        ports: [
          { name: 'http', port: 80, targetPort: 'http', nodePort: 0 },
          { name: 'u', port: 80, protocol: 'UDP', targetPort: 80 },
        ],
      },
    },
  ],
  [
    Kinds.Deployment,
    {
      spec: {
        replicas: 0,
        minReadySeconds: 0,
        paused: false,
        revisionHistoryLimit: 0,
        selector,
        strategy: {},
        template,
      },
    },
  ],
  [
    Kinds.StatefulSet,
    {
      spec: {
        replicas: 0,
        serviceName: '',
        podManagementPolicy: '',
        updateStrategy: { rollingUpdate: { partition: 0 } },
        selector,
        template,
        volumeClaimTemplates: [
          {
            metadata: { name: 'data', labels: {} },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1.5Gi' } } },
          },
        ],
        persistentVolumeClaimRetentionPolicy: {},
      },
    },
  ],
  [Kinds.DaemonSet, { spec: { minReadySeconds: 0, selector, template, updateStrategy: {} } }],
  [Kinds.Job, { spec: jobSpec }],
  [
    Kinds.CronJob,
    {
      spec: {
        schedule: '0 * * * *',
        concurrencyPolicy: '',
        suspend: false,
        successfulJobsHistoryLimit: 0,
        jobTemplate: { metadata: {}, spec: jobSpec },
      },
    },
  ],
  [
    Kinds.HorizontalPodAutoscaler,
    {
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'thing' },
        metrics: [
          {
            type: 'Pods',
            pods: { metric: { name: 'm', selector: {} }, target: { type: 'AverageValue', averageValue: '1000m' } },
          },
          { type: 'External', external: { metric: { name: 'q' }, target: { type: 'Value', value: '2000m' } } },
        ],
        behavior: {
          scaleDown: { stabilizationWindowSeconds: 0, policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] },
          scaleUp: { stabilizationWindowSeconds: 0 },
        },
      },
    },
  ],
  [Kinds.PodDisruptionBudget, { spec: { maxUnavailable: 0, selector: {} } }],
  [
    Kinds.NetworkPolicy,
    {
      spec: {
        podSelector: {},
        policyTypes: ['Ingress', 'Egress'],
        ingress: [{}],
        egress: [{ ports: [{ port: 80 }], to: [{ podSelector: {} }, { namespaceSelector: { matchLabels: {} } }] }],
      },
    },
  ],
  [
    Kinds.Ingress,
    {
      spec: {
        tls: [],
        rules: [
          {
            host: '',
            http: {
              paths: [
                {
                  path: '',
                  pathType: 'ImplementationSpecific',
                  backend: { service: { name: 'thing', port: { number: 80, name: '' } } },
                },
              ],
            },
          },
        ],
      },
    },
  ],
];

for (const [kind, rest] of objects) {
  test(`${kind.kind}: what was applied is unchanged, though zero and empty values vanish and quantities are rewritten`, async () => {
    const manifest: Manifest = {
      apiVersion: kind.apiVersion,
      kind: kind.kind,
      metadata: { name: 'thing', namespace: 'default', labels, annotations: { empty: '' } },
      ...rest,
    };
    const [create] = planned([manifest], [], owner);
    if (create?.action !== 'create') {
      throw new Error(`expected create, got ${create?.action}`);
    }
    const answer = await apply(controlPlane, kind, create.manifest);
    expect({ status: answer.status, message: answer.body['message'] }).toStrictEqual({
      status: 201,
      message: undefined,
    });

    const { body } = await controlPlane.request<LiveObject>('GET', `${collection(kind, 'default')}/thing`);
    const [step] = planned([manifest], [body], owner);
    expect({ action: step?.action, changes: step?.action === 'update' ? step.changes : [] }).toStrictEqual({
      action: 'unchanged',
      changes: [],
    });
  });
}

test('a composition of one page: the API server takes the resource and its children, and then nothing is left to do', async () => {
  await makeNamespaces(controlPlane, ['shop']);
  const written: Manifest = parse(readFileSync(join(example, 'sessions.yaml'), 'utf8'));
  const kind = { apiVersion: written.apiVersion, kind: written.kind, plural: 'rediscaches' };
  const created = await controlPlane.request<Resource>('POST', collection(kind, 'shop'), written);
  expect(created.status).toBe(201);

  const offline = synthesize(redisCache, written);
  const online = synthesize(redisCache, created.body);
  if (!offline.valid || !online.valid) {
    throw new Error('the API server takes the resource, the composition does not');
  }
  expect(online.manifests).toStrictEqual(offline.manifests);

  const owned = ownerOf(redisCache, online.resource);
  const steps = planned(online.manifests, [], owned);
  const live = await Promise.all(
    steps.map(async (step): Promise<LiveObject> => {
      const kindOfStep = redisCache.children.find(
        (child) => step.action === 'create' && child.kind === step.manifest.kind,
      );
      if (step.action !== 'create' || kindOfStep === undefined) {
        throw new Error(`expected create, got ${step.action}`);
      }
      const answer = await apply(controlPlane, kindOfStep, step.manifest);
      expect({ status: answer.status, warnings: answer.warnings }).toStrictEqual({ status: 201, warnings: [] });
      const path = `${collection(kindOfStep, 'shop')}/${step.manifest.metadata.name}`;
      return (await controlPlane.request<LiveObject>('GET', path)).body;
    }),
  );
  expect(planned(online.manifests, live, owned).map(({ action }) => action)).toStrictEqual(['unchanged', 'unchanged']);
});
