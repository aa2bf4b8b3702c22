import { Chart, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import type { Deployment } from '../../imports/k8s';
import { defined } from '../composition/objects';
import { Child, type Identified, type KubernetesObject } from '../composition';
import { podDisruptionBudget, priorityClass } from './availability';
import { keptCrd } from './crds';
import { deployment } from './deployment';
import { Monitoring } from './monitoring';
import { namespace } from './namespace';
import { metricsService, networkPolicy } from './network';
import type { InfernoProps } from './props';
import { operatorRbac } from './rbac';
import { completeProps, type CompleteProps } from './complete-props';

/**
 * The operator, installed: all objects that `inferno install` prints, as constructs. Change one with `addJsonPatch`; each
 * can be found by its kind and name, such as `inferno.node.findChild('Service.inferno-controller-manager-metrics')`.
 *
 * @example
 * const inferno = new Inferno(chart, 'inferno', { replicas: 2, monitoring: true });
 * inferno.deployment.addJsonPatch(JsonPatch.add('/spec/template/spec/dnsPolicy', 'Default'));
 */
export class Inferno extends Construct {
  /** The Deployment of the operator. */
  readonly deployment: Child<Deployment>;

  /** @throws InvalidInstallationError for a prop that Kubernetes or the operator would refuse */
  constructor(scope: Construct, id: string, props: InfernoProps = {}) {
    super(scope, id);
    const { namespace: ofChart } = Chart.of(this);
    const complete = completeProps({ ...defined<InfernoProps>({ namespace: ofChart }), ...props });
    for (const object of surroundings(complete)) this.#add(object, complete);
    this.deployment = this.#add(deployment(complete), complete);
    if (complete.monitoring === true) {
      new Monitoring(this, 'Monitoring', {
        namespace: complete.namespace,
        ...(complete.watchNamespaces.length > 0 ? { watchNamespaces: complete.watchNamespaces } : {}),
        ...defined({ labels: complete.monitoringLabels }),
      });
    }
  }

  #add<T extends KubernetesObject>(object: Identified<T>, props: CompleteProps): Child<T> {
    const child = new Child(this, idOf(object, props.namespace), object);
    // The chart's namespace goes to all its objects, also to those that can have none.
    if (object.metadata.namespace === undefined && child.chart.namespace !== undefined) {
      child.addJsonPatch(JsonPatch.remove('/metadata/namespace'));
    }
    return child;
  }
}

/** Kind and name, with the namespace where it is another one than the operator's. */
function idOf({ kind, metadata }: Identified<KubernetesObject>, own: string): string {
  const { name, namespace: of = own } = metadata;
  return `${kind}.${of === own ? '' : `${of}.`}${name}`;
}

/**
 * What the operator needs around it, in the order in which it is applied. Definitions stand before their policies, which
 * are to see them deleted.
 */
function surroundings(props: CompleteProps): readonly Identified<KubernetesObject>[] {
  const { namespace: name, compositions, watchNamespaces } = props;
  const rbac = operatorRbac({ compositions, namespace: name, watchNamespaces });
  const isOn = (flag: boolean | undefined): boolean => flag ?? true;
  return [
    ...(isOn(props.createNamespace) ? [namespace(name)] : []),
    ...(isOn(props.crds) ? compositions.flatMap(({ crd }) => keptCrd(crd)) : []),
    ...rbac.map((object) =>
      object.kind === 'ServiceAccount' ? { ...object, automountServiceAccountToken: false } : object,
    ),
    ...(isOn(props.priorityClass) && props.priorityClassName === undefined ? [priorityClass(name)] : []),
    ...(isOn(props.podDisruptionBudget) ? [podDisruptionBudget(name)] : []),
    metricsService(name),
    ...(isOn(props.networkPolicy) ? [networkPolicy(name)] : []),
  ];
}
