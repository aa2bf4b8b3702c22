import { custom, fake, type GoodCase, service, vllm } from './case';

/** The pods around the server: volumes, security, metadata, further containers, and what only podTemplate says. */
export const pods: readonly GoodCase[] = [
  {
    title: 'volumes of every usual kind',
    resource: service('volumes', vllm, {
      volumes: [
        { name: 'cache', persistentVolumeClaim: { claimName: 'cache', readOnly: false } },
        { name: 'scratch', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } },
        { name: 'settings', configMap: { name: 'settings', defaultMode: 292, items: [{ key: 'a', path: 'b/c' }] } },
        { name: 'keys', secret: { secretName: 'keys', optional: true } },
        { name: 'pod', downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
        { name: 'host', hostPath: { path: '/var/models', type: 'Directory' } },
        {
          name: 'all',
          projected: {
            sources: [
              { serviceAccountToken: { path: 'token', audience: 'vault', expirationSeconds: 600 } },
              { configMap: { name: 'settings' } },
            ],
          },
        },
        {
          name: 'own',
          ephemeral: {
            volumeClaimTemplate: {
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '100Gi' } } },
            },
          },
        },
        { name: 'weights', image: { reference: 'registry.example.com/weights:1', pullPolicy: 'IfNotPresent' } },
        { name: 'remote', nfs: { server: 'nfs.example.com', path: '/models' } },
        { name: 'driver', csi: { driver: 'csi.example.com', volumeAttributes: { a: 'b' } } },
      ],
      volumeMounts: [
        { name: 'cache', mountPath: '/root/.cache' },
        { name: 'scratch', mountPath: '/scratch' },
        { name: 'settings', mountPath: '/etc/settings', readOnly: true, subPath: 'b' },
        { name: 'weights', mountPath: '/weights', readOnly: true },
        { name: 'host', mountPath: '/host', mountPropagation: 'HostToContainer' },
      ],
    }),
  },
  {
    title: 'mounts in the place of the generated ones',
    resource: service('mounts', vllm, {
      volumes: [
        { name: 'shm', emptyDir: { medium: 'Memory' } },
        { name: 'tmp', emptyDir: {} },
      ],
      volumeMounts: [
        { name: 'shm', mountPath: '/dev/shm' },
        { name: 'tmp', mountPath: '/tmp' },
      ],
    }),
  },
  {
    title: 'labels and annotations of pods',
    resource: service('metadata', fake, {
      podMetadata: {
        labels: { team: 'ml', 'example.com/tier': '', version: 'V1.2_x' },
        annotations: { 'prometheus.io/scrape': 'true', note: 'any text, even ünïcode\nand lines', empty: '' },
      },
    }),
  },
  {
    title: 'security settings of the pod',
    resource: service('pod-security', fake, {
      podSecurityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        runAsGroup: 3000,
        fsGroup: 2000,
        fsGroupChangePolicy: 'OnRootMismatch',
        supplementalGroups: [4000],
        seccompProfile: { type: 'RuntimeDefault' },
        sysctls: [{ name: 'net.core.somaxconn', value: '1024' }],
      },
    }),
  },
  {
    title: 'security settings of the container',
    resource: service('security', vllm, {
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: false,
        runAsNonRoot: false,
        runAsUser: 0,
        capabilities: { add: ['IPC_LOCK'], drop: ['ALL'] },
        seccompProfile: { type: 'Localhost', localhostProfile: 'profiles/a.json' },
      },
    }),
  },
  {
    title: 'a privileged container',
    resource: service('privileged', custom, { securityContext: { privileged: true, allowPrivilegeEscalation: true } }),
  },
  {
    title: 'a ServiceAccount with its token, and service links',
    resource: service('account', vllm, {
      serviceAccountName: 'model-reader',
      automountServiceAccountToken: true,
      enableServiceLinks: true,
    }),
  },
  {
    title: 'sidecars',
    resource: service('sidecars', vllm, {
      sidecars: [
        {
          name: 'proxy',
          image: 'registry.example.com/proxy:1',
          args: ['--upstream=http://127.0.0.1:8000'],
          ports: [{ name: 'proxy', containerPort: 8443 }],
          resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '128Mi' } },
          readinessProbe: { httpGet: { path: '/', port: 'proxy' } },
          lifecycle: { preStop: { sleep: { seconds: 5 } } },
        },
        { name: 'logs', image: 'registry.example.com/logs:1', env: [{ name: 'A', value: 'b' }] },
      ],
    }),
  },
  {
    title: 'init containers, one of which stays as a native sidecar',
    resource: service('init', vllm, {
      initContainers: [
        {
          name: 'fetch',
          image: 'registry.example.com/fetch:1',
          command: ['fetch', 's3://bucket/model', '/scratch'],
          volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
        },
        {
          name: 'mesh',
          image: 'registry.example.com/mesh:1',
          restartPolicy: 'Always',
          startupProbe: { httpGet: { path: '/ready', port: 15021 } },
        },
      ],
      volumes: [{ name: 'scratch', emptyDir: {} }],
      volumeMounts: [{ name: 'scratch', mountPath: '/scratch', readOnly: true }],
    }),
  },
  {
    title: 'fields of the pod that only podTemplate has',
    resource: service('template', vllm, {
      podTemplate: {
        spec: {
          hostNetwork: true,
          dnsPolicy: 'ClusterFirstWithHostNet',
          dnsConfig: { nameservers: ['10.0.0.10'], options: [{ name: 'ndots', value: '2' }] },
          hostAliases: [{ ip: '10.1.2.3', hostnames: ['models.example.com'] }],
          shareProcessNamespace: true,
          preemptionPolicy: 'Never',
          readinessGates: [{ conditionType: 'example.com/registered' }],
          os: { name: 'linux' },
        },
      },
    }),
  },
  {
    title: 'fields of the server’s container that only podTemplate has',
    resource: service('template-container', vllm, {
      podTemplate: {
        spec: {
          containers: [
            {
              name: 'inference-server',
              workingDir: '/srv',
              stdin: true,
              tty: true,
              terminationMessagePolicy: 'FallbackToLogsOnError',
              lifecycle: { postStart: { exec: { command: ['/bin/true'] } } },
            },
          ],
        },
      },
    }),
  },
];
