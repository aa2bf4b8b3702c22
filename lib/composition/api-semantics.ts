/**
 * What the API server does to values on their way from an apply to the stored object: which lists are merged by a key,
 * which zero and empty values vanish, which fields are quantities. Made from the Go types and the OpenAPI document of
 * Kubernetes, for the kinds that compositions create. The names are unambiguous there, so no paths are needed, except
 * where a rule names the parent.
 */

const BUILT_IN_GROUPS: ReadonlySet<string> = new Set([
  '',
  'apps',
  'batch',
  'autoscaling',
  'policy',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
]);

/** Whether a group's objects go through Go types. Custom resources are stored as they were sent. */
export function isBuiltIn(group: string): boolean {
  return BUILT_IN_GROUPS.has(group);
}

/** Maps whose keys are the user's: no rule about field names applies inside. */
const USER_MAPS: ReadonlySet<string> = new Set([
  'annotations',
  'binaryData',
  'capacity',
  'data',
  'hard',
  'labels',
  'limits',
  'matchLabels',
  'nodeSelector',
  'options',
  'overhead',
  'requests',
  'selector',
  'stringData',
  'volumeAttributes',
]);

/** Maps of quantities by the name of a resource. */
const QUANTITY_MAPS: ReadonlySet<string> = new Set([
  'capacity',
  'default',
  'defaultRequest',
  'hard',
  'limits',
  'max',
  'maxLimitRequestRatio',
  'min',
  'overhead',
  'requests',
]);

/** Fields that are a quantity; `value` is one only in an autoscaler's target. */
const QUANTITIES: ReadonlySet<string> = new Set(['sizeLimit', 'divisor', 'averageValue', 'tolerance']);

/** Texts, numbers and booleans that are stored only where they are not "", 0 or false. */
const DROPPED_AT_ZERO: ReadonlySet<string> = new Set(
  `action apiVersion audience clusterIP concurrencyPolicy container dnsPolicy effect externalName externalTrafficPolicy
  failureThreshold fieldPath generateName group healthCheckNodePort host hostIP hostIPC hostNetwork hostPID hostPort
  hostname imagePullPolicy initialDelaySeconds ip key keyring level loadBalancerIP medium minReadySeconds nodePort
  number operator path paused periodSeconds podManagementPolicy prefix priorityClassName publishNotReadyAddresses
  role schedulerName scheme secretFile secretName serviceAccount serviceAccountName sessionAffinity stdin stdinOnce
  subPath subPathExpr subdomain subresource successThreshold targetContainerName terminationMessagePath
  terminationMessagePolicy tty unschedulable version volumeName whenDeleted whenScaled workingDir`.split(/\s+/),
);

/** Fields that are dropped at zero in some types and kept in others: parents in which they are kept. */
const KEPT_AT_ZERO_IN: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    apiGroup: ['parameters', 'resource', 'dataSource', 'dataSourceRef'],
    containerName: ['onExitCodes'],
    fsType: ['csi', 'azureDisk', 'local'],
    image: [],
    kind: ['azureDisk'],
    name: ['clusterTrustBundle'],
    namespace: ['parameters', 'dataSourceRef'],
    nodeName: ['addresses'],
    partition: ['rollingUpdate'],
    protocol: ['httpGet'],
    readOnly: ['csi', 'azureDisk'],
    restartPolicy: ['containers', 'initContainers', 'ephemeralContainers'],
    timeoutSeconds: ['clientIP'],
    type: ['hostPath'],
    user: ['items'],
    value: ['target', 'options'],
  }).map(([name, parents]) => [name, new Set(parents)]),
);

/** Fields for which the API server puts a value of its own in the place of a zero. */
const DEFAULTED_AT_ZERO: ReadonlySet<string> = new Set(
  `apiVersion clusterIP concurrencyPolicy dnsPolicy externalTrafficPolicy failureThreshold healthCheckNodePort
  imagePullPolicy nodePort periodSeconds podManagementPolicy protocol apiGroup restartPolicy schedulerName scheme
  sessionAffinity successThreshold terminationMessagePath terminationMessagePolicy timeoutSeconds type`.split(/\s+/),
);

/** Fields that merge their elements by these keys. A list that is not named is replaced as a whole. */
const LIST_KEYS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    claims: ['name'],
    conditions: ['type'],
    containers: ['name'],
    env: ['name'],
    ephemeralContainers: ['name'],
    finalizers: [],
    hostAliases: ['ip'],
    imagePullSecrets: ['name'],
    initContainers: ['name'],
    ownerReferences: ['uid'],
    resourceClaims: ['name'],
    schedulingGates: ['name'],
    secrets: ['name'],
    topologySpreadConstraints: ['topologyKey', 'whenUnsatisfiable'],
    volumeDevices: ['devicePath'],
    volumeMounts: ['mountPath'],
    volumes: ['name'],
    webhooks: ['name'],
  }),
);

/** Whether the members of a map are the user's, not a type's. */
export function isUserMap(name: string): boolean {
  return USER_MAPS.has(name);
}

/** Whether a field of that name, in a parent of that name, is a quantity. */
export function isQuantity(name: string, parent: string): boolean {
  return QUANTITY_MAPS.has(parent) || QUANTITIES.has(name) || (name === 'value' && parent === 'target');
}

/** Whether a field is a time, of which there are several ways to write one. */
export function isTime(name: string, parent: string): boolean {
  return /(Time|Timestamp)$/.test(name) && !isUserMap(parent);
}

/** What is stored for "", 0 or false: `kept`, `dropped`, or the API server's own value (`defaulted`). */
export function atZero(name: string, parent: string): 'kept' | 'dropped' | 'defaulted' {
  if (isUserMap(parent)) {
    return 'kept';
  }
  const keptIn = KEPT_AT_ZERO_IN.get(name);
  if (keptIn === undefined ? !DROPPED_AT_ZERO.has(name) : keptIn.has(parent)) {
    return 'kept';
  }
  return DEFAULTED_AT_ZERO.has(name) ? 'defaulted' : 'dropped';
}

/** Whether an empty map of that name may vanish. Structs stay, as `emptyDir: {}` must. */
export function vanishesEmpty(name: string, kind: string): boolean {
  return USER_MAPS.has(name) && (name !== 'selector' || kind === 'Service');
}

/**
 * The keys by which a list's elements are merged: a set has none, and of an atomic list there is undefined. Ports are
 * merged in a container and in a Service, by different numbers; elsewhere they are atomic.
 */
export function listKeys(name: string, parent: string, kind: string): readonly string[] | undefined {
  if (name === 'ports') {
    if (/^(c|initC|ephemeralC)ontainers$/.test(parent)) {
      return ['containerPort', 'protocol'];
    }
    return kind === 'Service' && parent === 'spec' ? ['port', 'protocol'] : undefined;
  }
  if (name === 'imagePullSecrets' && kind === 'ServiceAccount') {
    return undefined;
  }
  return LIST_KEYS.get(name);
}

/** Values of list keys that the API server fills in. */
export const LIST_KEY_DEFAULTS: { readonly [key: string]: string } = { protocol: 'TCP' };
