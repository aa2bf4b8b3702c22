// What the API server checks in code and the OpenAPI document does not know. Put into the CRD, it is refused where the
// user writes it; else only the Deployment would be refused, long after the resource was admitted.

import { NAME_PATTERNS } from '../../lib/composition/schema/names';
import type { Rule, Schema } from './schema';

interface Refinement {
  /**
   * Fields that no cluster takes as it is set up by default: it drops them without a word, or warns that nothing works any more;
   * and those of Windows, where none of the engines runs.
   */
  readonly without?: readonly string[];
  /** Fields without which the object is refused. */
  readonly required?: readonly string[];
  /** Further limits of fields. */
  readonly fields?: Readonly<Record<string, Schema>>;
  /** Rules for the object, and for an overlay too. */
  readonly rules?: readonly Rule[];
  /** Rules only for an overlay. */
  readonly partial?: readonly Rule[];
  /** Rules only for the whole object. */
  readonly whole?: readonly Rule[];
}

const CORE = 'io.k8s.api.core.v1.';
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.';

const subdomain: Schema = { minLength: 1, maxLength: 253, pattern: NAME_PATTERNS.subdomain };
const label: Schema = { minLength: 1, maxLength: 63, pattern: NAME_PATTERNS.label };
const qualifiedName = { minLength: 1, maxLength: 317, pattern: NAME_PATTERNS.qualifiedName };
const labelValue: Schema = { maxLength: 63, pattern: NAME_PATTERNS.labelValue };
/** A key of a ConfigMap or a Secret. */
const dataKey: Schema = { minLength: 1, maxLength: 253, pattern: '^([-_A-Za-z0-9]|[.]+[-_A-Za-z0-9])[-._A-Za-z0-9]*$' };
const notParent = '([^/.]|[.][^/.]|[.][.][^/])[^/]*|[.]';
/** A path below a volume's root, without a part "..". */
const relativePath: Schema = { maxLength: 4096, pattern: `^((${notParent})(/(${notParent})?)*)?$` };
/** The same for a file that is made, which may not look like one of the kubelet's own. */
const file: Schema = { minLength: 1, maxLength: 4096, pattern: `^(([^/.]|[.][^/.])[^/]*|[.])(/(${notParent})?)*$` };

const fieldPath =
  "^(metadata[.](name|namespace|uid|(labels|annotations)(\\['[^']+'\\])?)|spec[.](nodeName|serviceAccountName)|status[.](host|pod)IPs?)$";
const iscsiName = '^(iqn|eui|naa)[.][-:.A-Za-z0-9]+$';

const rule = (text: string, message: string, path?: string): Rule => ({
  rule: text,
  message,
  ...(path !== undefined && { fieldPath: path }),
});
const oneOf = (...values: string[]) => ({ enum: values });
const atLeast = (minimum: number) => ({ minimum });
const atMostItems = (maxItems: number) => ({ maxItems });

const given = (fields: string) =>
  `[${fields
    .split(' ')
    .map((field) => `has(self.${field})`)
    .join()}].filter(given, given).size()`;
const atMostOne = (fields: string) =>
  rule(`${given(fields)} <= 1`, `takes only one of ${fields.split(' ').join(', ')}`);
const exactlyOne = (fields: string) =>
  rule(`${given(fields)} == 1`, `needs exactly one of ${fields.split(' ').join(', ')}`);

const pullPolicy = oneOf('Always', 'IfNotPresent', 'Never');
const profileType = oneOf('Localhost', 'RuntimeDefault', 'Unconfined');
const handlers = 'exec grpc httpGet tcpSocket';
const hooks = 'exec httpGet sleep tcpSocket';
const volumeSources =
  'awsElasticBlockStore azureDisk azureFile cinder configMap csi downwardAPI emptyDir ephemeral fc flexVolume ' +
  'gcePersistentDisk hostPath image iscsi nfs persistentVolumeClaim portworxVolume projected secret vsphereVolume';

const succeedsOnce = (probe: string) =>
  `(!has(self.${probe}) || !has(self.${probe}.successThreshold) || self.${probe}.successThreshold == 1)`;

const localhostProfile = rule(
  "(self.type == 'Localhost') == has(self.localhostProfile)",
  'is needed for type Localhost, and only for it',
  '.localhostProfile',
);
const keysOfSelector = rule(
  '!has(self.matchLabelKeys) || self.matchLabelKeys.all(key, (!has(self.labelSelector.matchLabels) || ' +
    '!(key in self.labelSelector.matchLabels)) && (!has(self.labelSelector.matchExpressions) || ' +
    'self.labelSelector.matchExpressions.all(e, e.key != key)))',
  'must not have keys that labelSelector has',
  '.matchLabelKeys',
);
const valuesOfOperator = rule(
  "(self.operator in ['Exists', 'DoesNotExist']) != (has(self.values) && self.values.size() > 0)",
  'are for all operators but Exists and DoesNotExist',
  '.values',
);
const commandOfExec = rule(
  '!has(self.exec) || (has(self.exec.command) && self.exec.command.size() > 0)',
  'needs a command',
  '.exec',
);

// The API server takes seconds to compare quantities with exponents of many digits; the pattern refuses those.
const huge = (value: string) => `string(${value}).matches('[eE][+-]?[0-9]{3}')`;
const whole = (value: string) =>
  `(string(${value}).matches('[eE][+-]?[0-9]{3}|^[0-9]+000m$') || quantity(string(${value})).isInteger())`;
const wholeCpu = (value: string) =>
  `!string(${value}).matches('[.][0-9]*[num]$|[.][0-9]{4}|(^|[^0])0{0,2}u$|(^|[^0])0{0,5}n$|[eE]-([4-9]|[0-9]{2})')`;
const quantities = '[has(self.requests) ? self.requests : {}, has(self.limits) ? self.limits : {}]';
const resourceName =
  "k in ['cpu', 'memory', 'ephemeral-storage'] || k.startsWith('hugepages-') || " +
  "k.matches('^[a-z0-9]([-.a-z0-9]*[a-z0-9])?/[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$')";
const device = "k.startsWith('hugepages-') || (k.contains('/') && !k.contains('kubernetes.io/'))";
const qualifiedKeys = rule(
  `self.all(key, key.matches('${qualifiedName.pattern}'))`,
  'keys must be names such as app or example.com/app',
);

/** By the name of the definition. */
export const refinements: Readonly<Record<string, Refinement>> = {
  [`${CORE}AppArmorProfile`]: {
    fields: { type: profileType, localhostProfile: { minLength: 1 } },
    rules: [localhostProfile],
  },
  [`${CORE}SeccompProfile`]: {
    fields: { type: profileType, localhostProfile: { minLength: 1 } },
    rules: [localhostProfile],
  },
  [`${CORE}ConfigMapEnvSource`]: { required: ['name'], fields: { name: subdomain } },
  [`${CORE}SecretEnvSource`]: { required: ['name'], fields: { name: subdomain } },
  [`${CORE}ConfigMapKeySelector`]: { required: ['name'], fields: { name: subdomain, key: dataKey } },
  [`${CORE}SecretKeySelector`]: { required: ['name'], fields: { name: subdomain, key: dataKey } },
  [`${CORE}FileKeySelector`]: { fields: { volumeName: label } },
  [`${CORE}ObjectFieldSelector`]: { fields: { apiVersion: oneOf('v1'), fieldPath: { pattern: fieldPath } } },
  [`${CORE}ResourceFieldSelector`]: {
    fields: {
      divisor: { pattern: '^(0|1m?|1[kMGTPE]i?|1Ki)$' },
      resource: { pattern: '^(limits|requests)[.](cpu|memory|ephemeral-storage|hugepages-[0-9A-Za-z]+)$' },
    },
    rules: [
      rule(
        "!has(self.divisor) || string(self.divisor) in ['0', '1'] || " +
          "(self.resource.endsWith('cpu') == (string(self.divisor) == '1m'))",
        'must be 1 or 1m for cpu; for all else 1 or one of a unit, such as 1Mi',
        '.divisor',
      ),
    ],
  },
  [`${CORE}EnvVar`]: {
    fields: { name: { minLength: 1, maxLength: 1024, pattern: '^[ -<>-~]+$' } },
    rules: [
      rule(
        "!has(self.valueFrom) || !has(self.value) || self.value == ''",
        'give value or valueFrom, not both',
        '.value',
      ),
    ],
  },
  [`${CORE}EnvVarSource`]: { whole: [exactlyOne('configMapKeyRef fieldRef fileKeyRef resourceFieldRef secretKeyRef')] },
  [`${CORE}EnvFromSource`]: {
    fields: { prefix: { maxLength: 1024, pattern: '^[ -<>-~]*$' } },
    whole: [exactlyOne('configMapRef secretRef')],
  },
  [`${CORE}Container`]: {
    required: ['image'],
    fields: {
      image: { minLength: 1, maxLength: 1024, pattern: '^[^\\s]+$' },
      imagePullPolicy: pullPolicy,
      terminationMessagePolicy: oneOf('FallbackToLogsOnError', 'File'),
      restartPolicy: oneOf('Always', 'Never', 'OnFailure'),
      env: atMostItems(512),
      envFrom: atMostItems(64),
      ports: atMostItems(64),
      resizePolicy: atMostItems(8),
      restartPolicyRules: atMostItems(20),
      volumeMounts: atMostItems(64),
      volumeDevices: atMostItems(64),
    },
    whole: [
      rule(
        '(!has(self.readinessProbe) || !has(self.readinessProbe.terminationGracePeriodSeconds)) && ' +
          ['livenessProbe', 'startupProbe'].map(succeedsOnce).join(' && '),
        'the successThreshold of startupProbe and livenessProbe must be 1; readinessProbe has no terminationGracePeriodSeconds',
      ),
      rule(
        '!has(self.resizePolicy) || self.resizePolicy.all(a, ' +
          'self.resizePolicy.exists_one(b, a.resourceName == b.resourceName))',
        'must have each resource once',
        '.resizePolicy',
      ),
      rule(
        '!has(self.restartPolicyRules) || self.restartPolicyRules.size() == 0 || has(self.restartPolicy)',
        'needs restartPolicy',
        '.restartPolicyRules',
      ),
    ],
  },
  [`${CORE}ContainerPort`]: {
    fields: {
      containerPort: { minimum: 1, maximum: 65535 },
      hostPort: { minimum: 1, maximum: 65535 },
      name: { maxLength: 15, pattern: '^([0-9]+-)*[0-9]*[a-z][a-z0-9]*(-[a-z0-9]+)*$' },
      protocol: oneOf('SCTP', 'TCP', 'UDP'),
    },
    rules: [rule("!has(self.hostIP) || self.hostIP == '' || has(self.hostPort)", 'needs hostPort', '.hostIP')],
  },
  [`${CORE}ResourceRequirements`]: {
    fields: { claims: atMostItems(32), limits: { maxProperties: 32 }, requests: { maxProperties: 32 } },
    rules: [
      rule(
        `${quantities}.all(q, q.all(k, (${resourceName}) && !string(q[k]).startsWith('-') && (k == 'cpu' ? ${wholeCpu('q[k]')} : ${whole('q[k]')})))`,
        'names: cpu, memory, ephemeral-storage, hugepages-SIZE or DOMAIN/NAME; values: whole numbers, cpu whole ' +
          'thousandths (250m); none negative',
      ),
      rule(
        `!has(self.requests) || !has(self.limits) || self.requests.all(k, !(k in self.limits) || ${huge('self.requests[k]')} || ${huge('self.limits[k]')} || quantity(string(self.requests[k])).compareTo(quantity(string(self.limits[k]))) <= 0)`,
        'must be no more than limits',
        '.requests',
      ),
      rule(
        `!has(self.requests) || self.requests.all(k, !(${device}) || (has(self.limits) && k in self.limits && (${huge('self.requests[k]')} || ${huge('self.limits[k]')} || quantity(string(self.requests[k])).compareTo(quantity(string(self.limits[k]))) == 0)))`,
        'hugepages and devices need the same number in limits',
        '.requests',
      ),
    ],
  },
  [`${CORE}ContainerResizePolicy`]: {
    fields: { resourceName: oneOf('cpu', 'memory'), restartPolicy: oneOf('NotRequired', 'RestartContainer') },
  },
  [`${CORE}ContainerRestartRule`]: {
    required: ['exitCodes'],
    fields: { action: oneOf('Restart', 'RestartAllContainers') },
  },
  [`${CORE}ContainerRestartRuleOnExitCodes`]: {
    required: ['values'],
    fields: { operator: oneOf('In', 'NotIn'), values: { minItems: 1, maxItems: 255 } },
  },
  [`${CORE}Probe`]: {
    fields: {
      failureThreshold: atLeast(1),
      initialDelaySeconds: atLeast(0),
      periodSeconds: atLeast(1),
      successThreshold: atLeast(1),
      timeoutSeconds: atLeast(1),
      terminationGracePeriodSeconds: atLeast(1),
    },
    partial: [atMostOne(handlers), commandOfExec],
    whole: [exactlyOne(handlers)],
  },
  [`${CORE}LifecycleHandler`]: { partial: [atMostOne(hooks), commandOfExec], whole: [exactlyOne(hooks)] },
  [`${CORE}ExecAction`]: { required: ['command'], fields: { command: { minItems: 1 } } },
  [`${CORE}Lifecycle`]: { without: ['stopSignal'] },
  [`${CORE}EmptyDirVolumeSource`]: { without: ['mode'] },
  [`${CORE}ProjectedVolumeSource`]: {
    without: ['defaultUser'],
    fields: { defaultMode: { minimum: 0, maximum: 511 }, sources: atMostItems(32) },
  },
  [`${CORE}VolumeProjection`]: {
    whole: [exactlyOne('clusterTrustBundle configMap downwardAPI podCertificate secret serviceAccountToken')],
  },
  [`${CORE}ServiceAccountTokenProjection`]: {
    fields: { expirationSeconds: { minimum: 600, maximum: 4294967296 }, path: file },
  },
  [`${CORE}ClusterTrustBundleProjection`]: { fields: { path: file } },
  [`${CORE}PodCertificateProjection`]: {
    fields: {
      certificateChainPath: file,
      credentialBundlePath: file,
      keyPath: file,
      keyType: oneOf('ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519', 'RSA3072', 'RSA4096'),
      signerName: { maxLength: 571, pattern: '^[a-z0-9]+(([.]|-+)[a-z0-9]+)*/[-.a-z0-9]+$' },
    },
    rules: [
      rule('has(self.credentialBundlePath) || has(self.keyPath) || has(self.certificateChainPath)', 'needs a path'),
    ],
  },
  [`${CORE}VolumeResourceRequirements`]: {
    required: ['requests'],
    fields: { limits: { maxProperties: 8 }, requests: { minProperties: 1, maxProperties: 8 } },
    whole: [rule("'storage' in self.requests", 'needs storage, such as 10Gi', '.requests')],
  },
  [`${CORE}ISCSIVolumeSource`]: {
    fields: { initiatorName: { pattern: iscsiName }, iqn: { pattern: iscsiName }, lun: { minimum: 0, maximum: 255 } },
    whole: [
      rule(
        '((!has(self.chapAuthDiscovery) || !self.chapAuthDiscovery) && (!has(self.chapAuthSession) || ' +
          '!self.chapAuthSession)) || has(self.secretRef)',
        'is needed for chapAuthDiscovery and chapAuthSession',
        '.secretRef',
      ),
    ],
  },
  [`${CORE}FCVolumeSource`]: {
    whole: [
      rule(
        '(has(self.targetWWNs) && self.targetWWNs.size() > 0) != (has(self.wwids) && self.wwids.size() > 0)',
        'must have either targetWWNs or wwids',
      ),
    ],
  },
  [`${CORE}EphemeralVolumeSource`]: { required: ['volumeClaimTemplate'] },
  [`${CORE}LocalObjectReference`]: { required: ['name'], fields: { name: subdomain } },
  [`${CORE}Sysctl`]: {
    fields: {
      name: { maxLength: 253, pattern: '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$' },
    },
  },
  [`${CORE}PodReadinessGate`]: { fields: { conditionType: qualifiedName } },
  [`${CORE}PodDNSConfig`]: {
    fields: {
      nameservers: atMostItems(3),
      searches: { maxItems: 32, items: { maxLength: 254, pattern: '^([.]|[_a-z0-9]([-_.a-z0-9]*[_a-z0-9])?[.]?)$' } },
    },
  },
  [`${CORE}PodDNSConfigOption`]: { required: ['name'], fields: { name: { minLength: 1 } } },
  [`${CORE}HTTPGetAction`]: {
    without: ['protocol'],
    fields: { path: { minLength: 1 }, scheme: oneOf('HTTP', 'HTTPS') },
  },
  [`${CORE}HTTPHeader`]: { fields: { name: { pattern: '^[-A-Za-z0-9]+$' } } },
  [`${CORE}GRPCAction`]: { without: ['mode'], fields: { port: { minimum: 1, maximum: 65535 } } },
  [`${CORE}SleepAction`]: { fields: { seconds: atLeast(0) } },
  [`${CORE}SecurityContext`]: {
    without: ['windowsOptions'],
    fields: {
      procMount: oneOf('Default', 'Unmasked'),
      runAsUser: { minimum: 0, maximum: 2147483647 },
      runAsGroup: { minimum: 0, maximum: 2147483647 },
    },
    rules: [
      rule(
        '!has(self.allowPrivilegeEscalation) || self.allowPrivilegeEscalation || ((!has(self.privileged) || ' +
          '!self.privileged) && (!has(self.capabilities) || !has(self.capabilities.add) || ' +
          "!('CAP_SYS_ADMIN' in self.capabilities.add)))",
        'cannot be false with privileged or with the capability CAP_SYS_ADMIN',
        '.allowPrivilegeEscalation',
      ),
    ],
  },
  [`${CORE}Capabilities`]: { fields: { add: atMostItems(64), drop: atMostItems(64) } },
  [`${CORE}PodSecurityContext`]: {
    without: ['windowsOptions'],
    fields: {
      fsGroup: { minimum: 0, maximum: 2147483647 },
      fsGroupChangePolicy: oneOf('Always', 'OnRootMismatch'),
      runAsUser: { minimum: 0, maximum: 2147483647 },
      runAsGroup: { minimum: 0, maximum: 2147483647 },
      seLinuxChangePolicy: oneOf('MountOption', 'Recursive'),
      supplementalGroups: { items: { minimum: 0, maximum: 2147483647 } },
      supplementalGroupsPolicy: oneOf('Merge', 'Strict'),
    },
  },
  [`${CORE}PodSpec`]: {
    without: ['schedulingGroup'],
    fields: {
      dnsPolicy: oneOf('ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'),
      hostname: label,
      hostnameOverride: { ...subdomain, maxLength: 64 },
      nodeName: subdomain,
      preemptionPolicy: oneOf('Never', 'PreemptLowerPriority'),
      subdomain: label,
    },
  },
  [`${CORE}PodOS`]: { fields: { name: oneOf('linux') } },
  [`${CORE}VolumeDevice`]: { fields: { name: { minLength: 1 }, devicePath: { pattern: '^[^:]+$' } } },
  [`${CORE}PodResourceClaim`]: {
    fields: { name: label, resourceClaimName: subdomain, resourceClaimTemplateName: subdomain },
    whole: [exactlyOne('resourceClaimName resourceClaimTemplateName')],
  },
  [`${CORE}ResourceClaim`]: { fields: { name: { minLength: 1 }, request: label } },
  [`${CORE}VolumeMount`]: {
    without: ['bindMountOptions'],
    fields: {
      mountPath: { minLength: 1, maxLength: 4096, pattern: '^[^:]+$' },
      mountPropagation: oneOf('Bidirectional', 'HostToContainer', 'None'),
      name: { minLength: 1 },
      recursiveReadOnly: oneOf('Disabled', 'Enabled', 'IfPossible'),
      subPath: relativePath,
      subPathExpr: relativePath,
    },
    rules: [rule('!has(self.subPath) || !has(self.subPathExpr)', 'must not be there beside subPath', '.subPathExpr')],
  },
  [`${CORE}Volume`]: {
    without: 'cephfs flocker gitRepo glusterfs photonPersistentDisk quobyte rbd scaleIO storageos'.split(' '),
    fields: { name: label },
    rules: [{ ...atMostOne(volumeSources), message: 'must have only one source' }],
  },
  [`${CORE}ConfigMapVolumeSource`]: {
    without: ['defaultUser'],
    required: ['name'],
    fields: { defaultMode: { minimum: 0, maximum: 511 }, name: subdomain, items: atMostItems(512) },
  },
  [`${CORE}ConfigMapProjection`]: { required: ['name'], fields: { name: subdomain, items: atMostItems(512) } },
  [`${CORE}SecretVolumeSource`]: {
    without: ['defaultUser'],
    required: ['secretName'],
    fields: { defaultMode: { minimum: 0, maximum: 511 }, secretName: subdomain, items: atMostItems(512) },
  },
  [`${CORE}SecretProjection`]: { required: ['name'], fields: { name: subdomain, items: atMostItems(512) } },
  [`${CORE}KeyToPath`]: { without: ['user'], fields: { key: dataKey, mode: { minimum: 0, maximum: 511 }, path: file } },
  [`${CORE}DownwardAPIVolumeFile`]: {
    without: ['user'],
    fields: { mode: { minimum: 0, maximum: 511 }, path: file },
    whole: [
      rule('has(self.fieldRef) != has(self.resourceFieldRef)', 'needs exactly one of fieldRef, resourceFieldRef'),
    ],
  },
  [`${CORE}DownwardAPIVolumeSource`]: {
    without: ['defaultUser'],
    fields: { defaultMode: { minimum: 0, maximum: 511 }, items: atMostItems(64) },
  },
  [`${CORE}DownwardAPIProjection`]: { fields: { items: atMostItems(64) } },
  [`${CORE}HostPathVolumeSource`]: {
    fields: {
      path: { minLength: 1, maxLength: 4096, pattern: `^(${notParent})?(/(${notParent})?)*$` },
      type: oneOf('', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'),
    },
  },
  [`${CORE}PersistentVolumeClaimVolumeSource`]: { fields: { claimName: subdomain } },
  [`${CORE}PersistentVolumeClaimSpec`]: {
    required: ['accessModes', 'resources'],
    fields: {
      accessModes: {
        minItems: 1,
        items: { ...oneOf('ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod') },
      },
      storageClassName: { ...subdomain, minLength: 0, pattern: `^$|${subdomain.pattern ?? ''}` },
      volumeMode: oneOf('Block', 'Filesystem'),
    },
  },
  [`${CORE}ImageVolumeSource`]: { required: ['reference'], fields: { reference: { minLength: 1 }, pullPolicy } },
  [`${CORE}NFSVolumeSource`]: { fields: { server: { minLength: 1 }, path: { pattern: '^/' } } },
  [`${CORE}CSIVolumeSource`]: { fields: { driver: { minLength: 1 } } },
  [`${CORE}AzureDiskVolumeSource`]: {
    fields: { cachingMode: oneOf('None', 'ReadOnly', 'ReadWrite'), kind: oneOf('Dedicated', 'Managed', 'Shared') },
    whole: [
      rule(
        "self.diskURI.startsWith(has(self.kind) && self.kind == 'Managed' ? '/subscriptions/' : 'https://')",
        'must start with /subscriptions/ for kind Managed, with https:// for the others',
        '.diskURI',
      ),
    ],
  },
  [`${CORE}Toleration`]: {
    fields: {
      effect: oneOf('', 'NoExecute', 'NoSchedule', 'PreferNoSchedule'),
      key: { maxLength: 317, pattern: qualifiedName.pattern?.replace(/^\^(.*)\$$/, '^($1)?$') ?? '' },
      operator: oneOf('', 'Equal', 'Exists'),
      value: labelValue,
    },
    rules: [
      rule(
        "(has(self.key) && self.key != '') || (has(self.operator) && self.operator == 'Exists')",
        'must be Exists where there is no key, which means all taints',
        '.operator',
      ),
      rule(
        "!has(self.operator) || self.operator != 'Exists' || !has(self.value) || self.value == ''",
        'must not be there with operator Exists',
        '.value',
      ),
      rule(
        "!has(self.tolerationSeconds) || (has(self.effect) && self.effect == 'NoExecute')",
        'is only for effect NoExecute',
        '.tolerationSeconds',
      ),
    ],
  },
  [`${CORE}TopologySpreadConstraint`]: {
    // Without it no pod is counted, and the API server warns.
    required: ['labelSelector'],
    fields: {
      maxSkew: atLeast(1),
      minDomains: atLeast(1),
      nodeAffinityPolicy: oneOf('Honor', 'Ignore'),
      nodeTaintsPolicy: oneOf('Honor', 'Ignore'),
      topologyKey: qualifiedName,
      whenUnsatisfiable: oneOf('DoNotSchedule', 'ScheduleAnyway'),
      matchLabelKeys: { maxItems: 64, items: { type: 'string', ...qualifiedName } },
    },
    rules: [
      rule(
        "!has(self.minDomains) || self.whenUnsatisfiable == 'DoNotSchedule'",
        'is only for DoNotSchedule',
        '.minDomains',
      ),
      keysOfSelector,
    ],
  },
  [`${CORE}PodAffinityTerm`]: {
    required: ['labelSelector'],
    fields: {
      topologyKey: qualifiedName,
      namespaces: { maxItems: 64, items: { type: 'string', ...label } },
      matchLabelKeys: { maxItems: 64, items: { type: 'string', ...qualifiedName } },
      mismatchLabelKeys: { maxItems: 64, items: { type: 'string', ...qualifiedName } },
    },
    rules: [
      rule(
        '!has(self.matchLabelKeys) || !has(self.mismatchLabelKeys) || ' +
          'self.matchLabelKeys.all(key, !(key in self.mismatchLabelKeys))',
        'must not share keys with matchLabelKeys',
        '.mismatchLabelKeys',
      ),
      keysOfSelector,
    ],
  },
  ...Object.fromEntries(
    ['PodAffinity', 'PodAntiAffinity', 'NodeAffinity'].map((name) => [
      `${CORE}${name}`,
      {
        fields: {
          preferredDuringSchedulingIgnoredDuringExecution: atMostItems(32),
          ...(name === 'NodeAffinity' ? {} : { requiredDuringSchedulingIgnoredDuringExecution: atMostItems(32) }),
        },
      },
    ]),
  ),
  [`${CORE}WeightedPodAffinityTerm`]: { fields: { weight: { minimum: 1, maximum: 100 } } },
  [`${CORE}PreferredSchedulingTerm`]: { fields: { weight: { minimum: 1, maximum: 100 } } },
  [`${CORE}NodeSelector`]: { fields: { nodeSelectorTerms: { minItems: 1, maxItems: 32 } } },
  [`${CORE}NodeSelectorTerm`]: {
    fields: { matchExpressions: atMostItems(32), matchFields: atMostItems(32) },
    rules: [
      rule(
        "!has(self.matchFields) || self.matchFields.all(field, field.key == 'metadata.name' && " +
          "field.operator in ['In', 'NotIn'] && has(field.values) && field.values.size() == 1)",
        'knows only metadata.name, with operator In or NotIn and one value',
        '.matchFields',
      ),
    ],
  },
  [`${CORE}NodeSelectorRequirement`]: {
    fields: {
      key: qualifiedName,
      operator: oneOf('DoesNotExist', 'Exists', 'Gt', 'In', 'Lt', 'NotIn'),
      values: { maxItems: 1024, items: { type: 'string', ...labelValue } },
    },
    rules: [
      valuesOfOperator,
      rule(
        "!(self.operator in ['Gt', 'Lt']) || !has(self.values) || self.values.size() == 1",
        'operators Gt and Lt need one value',
        '.values',
      ),
    ],
  },
  [`${META}LabelSelectorRequirement`]: {
    fields: {
      key: qualifiedName,
      operator: oneOf('DoesNotExist', 'Exists', 'In', 'NotIn'),
      values: { maxItems: 1024, items: { type: 'string', ...labelValue } },
    },
    rules: [valuesOfOperator],
  },
  [`${META}LabelSelector`]: {
    fields: {
      matchExpressions: atMostItems(32),
      matchLabels: {
        maxProperties: 64,
        additionalProperties: { type: 'string', ...labelValue },
        'x-kubernetes-validations': [qualifiedKeys],
      },
    },
  },
};
