// What the API server made of the InferenceServices, as text. Pure.

/**
 * @typedef {{ readonly [field: string]: any }} Json an object as the API server sent it
 * @typedef {{ readonly services: readonly Json[], readonly children: readonly Json[], readonly pods: readonly Json[] }} Found
 */

/**
 * A tree: each InferenceService, and below it its children with what matters about them.
 *
 * @param {Found} found
 * @returns {string}
 */
export function tree({ services, children, pods }) {
  return services
    .toSorted((a, b) => (path(a) < path(b) ? -1 : 1))
    .map((service) => {
      const own = children.filter((child) => path(child) === path(service));
      const ownPods = pods.filter((pod) => pod.metadata.labels?.app === service.metadata.name);
      return branch(
        service,
        own,
        ownPods.filter((pod) => pod.metadata.namespace === service.metadata.namespace),
      );
    })
    .join('\n');
}

/**
 * @param {Json} service
 * @param {readonly Json[]} children
 * @param {readonly Json[]} pods
 */
function branch(service, children, pods) {
  const { framework, uri, version } = service.spec.model;
  const rows = children
    .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
    .map((child) => [child.kind, describe(child, pods)]);
  const width = Math.max(0, ...rows.map(([kind = '']) => kind.length));
  const lines = rows.map(([kind = '', text], index) => {
    return `  ${index === rows.length - 1 ? '└' : '├'}─ ${kind.padEnd(width)}  ${text}`;
  });
  return [`${path(service)}  ${framework} ${uri}, version ${version}`, ...lines].join('\n');
}

const order = ['Deployment', 'Service', 'HorizontalPodAutoscaler'];

/**
 * @param {Json} child
 * @param {readonly Json[]} pods
 */
function describe(child, pods) {
  switch (child.kind) {
    case 'Deployment':
      return deployment(child, pods);
    case 'Service':
      return clusterService(child);
    case 'HorizontalPodAutoscaler':
      return autoscaler(child);
    default:
      return '';
  }
}

/**
 * @param {Json} object
 * @param {readonly Json[]} pods
 */
function deployment(object, pods) {
  const container = object.spec.template.spec.containers[0];
  const wanted = object.spec.replicas;
  const failure = object.status?.conditions?.find((/** @type {Json} */ { type }) => type === 'ReplicaFailure');
  const state = failure
    ? failure.message
    : wanted === 0
      ? 'parked'
      : `${pods.length} of ${wanted} pods made${waiting(pods)}`;
  return `${container.image}: ${state}`;
}

/** @param {readonly Json[]} pods */
function waiting(pods) {
  return pods.length > 0 && pods.every((pod) => !pod.spec.nodeName) ? ', waiting for a node' : '';
}

/** @param {Json} object */
function clusterService(object) {
  const ports = object.spec.ports.map((/** @type {Json} */ { port, targetPort }) => `${port} → ${targetPort}`);
  return `${object.spec.clusterIP}, ports ${ports.join(', ')}`;
}

/** @param {Json} object */
function autoscaler(object) {
  const { maxReplicas, metrics = [], minReplicas } = object.spec;
  return `${minReplicas} to ${maxReplicas} replicas, ${metrics.map(target).join(', ')}`;
}

/** @param {Json} metric */
function target(metric) {
  const source = metric.resource ?? metric.containerResource ?? metric.pods ?? metric.object ?? metric.external;
  const { averageUtilization, averageValue, value } = source.target;
  const aim = averageUtilization === undefined ? (averageValue ?? value) : `${averageUtilization} %`;
  return `${source.name ?? source.metric.name} ${aim}`;
}

/** @param {Json} object */
function path({ metadata }) {
  return `${metadata.namespace}/${metadata.name}`;
}
