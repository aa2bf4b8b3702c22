import { fake, type GoodCase, service, vllm } from './case';

/** Where the pods run, and how they roll. */
export const placement: readonly GoodCase[] = [
  {
    title: 'a node selector',
    resource: service('selector', vllm, {
      nodeSelector: { 'nvidia.com/gpu.product': 'NVIDIA-H100-80GB-HBM3', disk: '', 'example.com/a_b.c': 'X_y.z-1' },
    }),
  },
  {
    title: 'tolerations of every kind',
    resource: service('tolerations', vllm, {
      tolerations: [
        { key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' },
        { key: 'team', operator: 'Equal', value: 'ml', effect: 'PreferNoSchedule' },
        { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 30 },
        { operator: 'Exists' },
      ],
    }),
  },
  {
    title: 'affinity of every kind',
    resource: service('affinity', vllm, {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'gpu', operator: 'In', values: ['h100', 'h200'] }] },
              { matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['bad-node'] }] },
            ],
          },
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 100, preference: { matchExpressions: [{ key: 'memory', operator: 'Gt', values: ['512'] }] } },
          ],
        },
        podAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 1,
              podAffinityTerm: {
                topologyKey: 'topology.kubernetes.io/zone',
                labelSelector: { matchLabels: { app: 'cache' } },
                namespaces: ['caches'],
              },
            },
          ],
        },
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            {
              topologyKey: 'kubernetes.io/hostname',
              labelSelector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] },
              namespaceSelector: {},
            },
          ],
        },
      },
    }),
  },
  {
    title: 'topology spread',
    resource: service('spread', fake, {
      replicas: { min: 4, max: 4 },
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'topology.kubernetes.io/zone',
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { app: 'spread' } },
          minDomains: 2,
          nodeAffinityPolicy: 'Honor',
          nodeTaintsPolicy: 'Ignore',
        },
        {
          maxSkew: 2,
          topologyKey: 'kubernetes.io/hostname',
          whenUnsatisfiable: 'ScheduleAnyway',
          labelSelector: { matchLabels: { app: 'spread' } },
          matchLabelKeys: ['pod-template-hash'],
        },
      ],
    }),
  },
  {
    title: 'runtime class, priority class and scheduler',
    resource: service('classes', vllm, {
      runtimeClassName: 'nvidia',
      priorityClassName: 'system-cluster-critical',
      schedulerName: 'volcano',
    }),
  },
  {
    title: 'Recreate by wish',
    resource: service('recreate', fake, { strategy: { type: 'Recreate' } }),
  },
  {
    title: 'a rolling update in numbers and per cent',
    resource: service('rolling', vllm, {
      replicas: { min: 4, max: 4 },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: '25%' } },
    }),
  },
  {
    title: 'a single GPU replica that rolls with a spare GPU by wish',
    resource: service('spare', vllm, {
      resources: { gpu: 1 },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    }),
  },
  {
    title: 'deadline and history',
    resource: service('deadline', vllm, { progressDeadlineSeconds: 7200, revisionHistoryLimit: 0 }),
  },
  {
    title: 'a startup budget of seconds',
    resource: service('budget-seconds', fake, { startupBudget: '90s', progressDeadlineSeconds: 91 }),
  },
  { title: 'a startup budget of hours', resource: service('budget-hours', vllm, { startupBudget: '1h30m15s' }) },
  { title: 'the shortest startup budget', resource: service('budget-shortest', fake, { startupBudget: '1s' }) },
  {
    title: 'a drain of its own',
    resource: service('drain', vllm, {
      drain: { preStopSeconds: 30, shutdownSeconds: 600, terminationGracePeriodSeconds: 700 },
    }),
  },
  {
    title: 'no preStop',
    resource: service('drain-none', vllm, { drain: { preStopSeconds: 0, shutdownSeconds: 1 } }),
  },
];
