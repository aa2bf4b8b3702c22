import { Construct } from 'constructs';
import { Child, type Manifest } from '../../composition';
import { alertRules, type AlertOptions } from './alerts';
import { modelMonitor, operatorMonitor } from './scraping';

/** What {@link Monitoring} is made from. */
export interface MonitoringProps extends Omit<AlertOptions, 'namespace'> {
  /** The namespace of the operator, where the monitors and the rules go. */
  readonly namespace: string;
  /**
   * The namespaces that the operator watches, whose model servers are scraped.
   *
   * @default - all
   */
  readonly watchNamespaces?: readonly string[];
  /**
   * Further labels of the objects, for a Prometheus that selects by them: `{ release: 'kube-prometheus-stack' }`.
   *
   * @default - none
   */
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * For the Prometheus operator, whose definitions have to be in the cluster: a ServiceMonitor of the operator, one of the
 * model servers, and the alerts.
 */
export class Monitoring extends Construct {
  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    for (const object of objects(props)) new Child(this, `${object.kind}.${object.metadata.name}`, object);
  }
}

function objects(props: MonitoringProps): readonly Manifest[] {
  const { namespace, watchNamespaces = [], labels = {} } = props;
  const object = (kind: string, name: string, component: string, spec: object): Manifest => ({
    apiVersion: 'monitoring.coreos.com/v1',
    kind,
    metadata: {
      name,
      namespace,
      labels: { ...labels, 'app.kubernetes.io/name': 'inferno', 'app.kubernetes.io/component': component },
    },
    spec,
  });
  return [
    object('ServiceMonitor', 'inferno-controller-manager', 'operator', operatorMonitor()),
    object('ServiceMonitor', 'inferno-model-servers', 'monitoring', modelMonitor(watchNamespaces)),
    object('PrometheusRule', 'inferno', 'monitoring', alertRules(props)),
  ];
}
