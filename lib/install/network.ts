import type { NetworkPolicy, Service } from '../../imports/k8s';
import type { Identified } from '../composition';
import { managerName, operatorLabels, ports } from './names';

/** Where Prometheus finds the operators. */
export function metricsService(namespace: string): Identified<Service> {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `${managerName}-metrics`, namespace, labels: operatorLabels },
    spec: {
      ports: [{ name: 'metrics', port: ports.metrics, targetPort: 'metrics', protocol: 'TCP' }],
      selector: operatorLabels,
    },
  };
}

/** The metrics are for Prometheus, by kubebuilder's convention of a label; the probes are for every node. */
export function networkPolicy(namespace: string): Identified<NetworkPolicy> {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: managerName, namespace, labels: operatorLabels },
    spec: {
      podSelector: { matchLabels: operatorLabels },
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: [{ namespaceSelector: { matchLabels: { metrics: 'enabled' } } }],
          ports: [{ port: ports.metrics, protocol: 'TCP' }],
        },
        { ports: [{ port: ports.health, protocol: 'TCP' }] },
      ],
    },
  };
}
