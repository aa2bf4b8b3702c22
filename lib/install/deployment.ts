import type { Container, Deployment, PodSpec, TopologySpreadConstraint } from '../../imports/k8s';
import type { Identified } from '../composition';
import { nobody, restrictedContainer, restrictedPod } from '../inference/engines/security';
import { defined } from '../composition/objects';
import { clusterName, managerName, operatorLabels, ports } from './names';
import type { CompleteProps } from './complete-props';

/** The operators: a new one is ready before an old one goes, and the Lease says which of them works. */
export function deployment(props: CompleteProps): Identified<Deployment> {
  const { namespace, replicas, podLabels, podAnnotations } = props;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: managerName, namespace, labels: operatorLabels },
    spec: {
      replicas,
      selector: { matchLabels: operatorLabels },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: {
          labels: { ...podLabels, ...operatorLabels },
          ...(isFilled(podAnnotations) ? { annotations: podAnnotations } : {}),
        },
        spec: podSpec(props),
      },
    },
  };
}

function podSpec(props: CompleteProps): PodSpec {
  const { namespace, replicas, priorityClass = true, priorityClassName, imagePullSecrets = [] } = props;
  const { nodeSelector, tolerations = [], affinity, topologySpreadConstraints } = props;
  const spread = topologySpreadConstraints ?? (replicas > 1 ? [overNodes] : []);
  return defined<PodSpec>({
    serviceAccountName: managerName,
    // The ServiceAccount says no, so that no other pod gets its token without asking.
    automountServiceAccountToken: true,
    enableServiceLinks: false,
    priorityClassName: priorityClassName ?? (priorityClass ? clusterName(namespace) : undefined),
    // 30 s for running work, and some for the last events and the Lease
    terminationGracePeriodSeconds: 40,
    securityContext: restrictedPod(nobody),
    imagePullSecrets: imagePullSecrets.length > 0 ? imagePullSecrets : undefined,
    nodeSelector: isFilled(nodeSelector) ? nodeSelector : undefined,
    tolerations: tolerations.length > 0 ? tolerations : undefined,
    affinity: isFilled(affinity) ? affinity : undefined,
    topologySpreadConstraints: spread.length > 0 ? spread : undefined,
    containers: [manager(props)],
  });
}

const overNodes: TopologySpreadConstraint = {
  maxSkew: 1,
  topologyKey: 'kubernetes.io/hostname',
  whenUnsatisfiable: 'ScheduleAnyway',
  labelSelector: { matchLabels: operatorLabels },
};

function manager({
  image,
  imagePullPolicy,
  watchNamespaces,
  logLevel,
  args = [],
  env = [],
  resources,
}: CompleteProps): Container {
  return defined<Container>({
    name: 'manager',
    image,
    imagePullPolicy,
    args: [
      'operator',
      '--leader-elect',
      `--metrics-bind-address=:${ports.metrics}`,
      `--health-probe-bind-address=:${ports.health}`,
      `--log-level=${logLevel}`,
      ...(watchNamespaces.length > 0 ? [`--watch-namespace=${watchNamespaces.join(',')}`] : []),
      ...args,
    ],
    env: env.length > 0 ? env : undefined,
    ports: [
      { name: 'metrics', containerPort: ports.metrics, protocol: 'TCP' },
      { name: 'health', containerPort: ports.health, protocol: 'TCP' },
    ],
    livenessProbe: {
      httpGet: { path: '/healthz', port: 'health' },
      initialDelaySeconds: 15,
      periodSeconds: 20,
      timeoutSeconds: 5,
    },
    readinessProbe: { httpGet: { path: '/readyz', port: 'health' }, periodSeconds: 5, timeoutSeconds: 5 },
    resources,
    securityContext: restrictedContainer,
  });
}

function isFilled(object: object | undefined): object is object {
  return object !== undefined && Object.keys(object).length > 0;
}
