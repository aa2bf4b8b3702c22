import { inferenceServiceComposition } from '../../lib';
import type { Composition, Manifest } from '../../lib/composition';
import { leaderElectionRules, operatorRbac, operatorRules, type PolicyRule } from '../../lib/install/rbac';
import { connect } from '../../operator/cluster/connection';
import { jsonLogger } from '../../operator/report/log';
import { Operator } from '../../operator/operator';
import { redisCache } from '../../examples/redis-cache/composition';
import { poll, startControlPlane, type ControlPlane } from '../../tools/local-cluster';

const SYSTEM = 'inferno-system';
const ACCOUNT = 'inferno-controller-manager';
const LEASE = 'inferno-operator.inferno.io';
const USER = `system:serviceaccount:${SYSTEM}:${ACCOUNT}`;
/** As OwnerReferencesPermissionEnforcement asks for it: no request of its own, so it is not in the audit log. */
const UNSEEN = 'inference.inferno.io/inferenceservices/finalizers update';

let cluster: ControlPlane;
const stops: (() => Promise<void>)[] = [];
const granting: Manifest[] = [];

beforeAll(async () => {
  cluster = await startControlPlane({
    controllerManager: true,
    audit: true,
    crds: ['crds/inferenceservice.yaml', 'examples/redis-cache/crd.yaml'],
    flags: { 'kube-apiserver': ['--enable-admission-plugins=OwnerReferencesPermissionEnforcement'] },
  });
  for (const name of [SYSTEM, 'team', 'other'])
    await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}, 600_000);
afterAll(() => cluster?.stop(), 60_000);
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
  for (const object of granting.splice(0)) await remove(object);
  for (const name of ['basic', 'taken', 'blocked']) await remove(service(name));
  await remove({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'taken', namespace: 'team' } });
  await poll('an empty namespace', async () => (await read(APPS, 'Deployment', 'taken')) === undefined);
});

const PLURALS: Readonly<Record<string, string>> = {
  Deployment: 'deployments',
  HorizontalPodAutoscaler: 'horizontalpodautoscalers',
  InferenceService: 'inferenceservices',
  Namespace: 'namespaces',
  RedisCache: 'rediscaches',
  Service: 'services',
  StatefulSet: 'statefulsets',
};

function pathOf({ apiVersion, kind, metadata }: Manifest): string {
  const plural = PLURALS[kind] ?? `${kind.toLowerCase()}s`;
  const scope = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
  return `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}${scope}/${plural}/${metadata.name}`;
}

async function apply(manifest: Manifest): Promise<Manifest> {
  const { status, body } = await cluster.request<Manifest>('PATCH', `${pathOf(manifest)}?fieldManager=test`, manifest);
  if (status > 201) throw new Error(JSON.stringify(body));
  return body;
}

function read(apiVersion: string, kind: string, name: string, namespace = 'team'): Promise<Manifest | undefined> {
  const path = pathOf({ apiVersion, kind, metadata: { name, namespace } });
  return cluster.request<Manifest>('GET', path).then(({ status, body }) => (status === 200 ? body : undefined));
}

async function patch(apiVersion: string, kind: string, name: string, change: object): Promise<void> {
  const path = pathOf({ apiVersion, kind, metadata: { name, namespace: 'team' } });
  const type = { 'content-type': 'application/merge-patch+json' };
  expect(await cluster.request('PATCH', path, change, type)).toMatchObject({ status: 200 });
}

async function grant(objects: readonly Manifest[]): Promise<void> {
  granting.push(...objects);
  for (const object of objects) await apply(object);
}

async function startOperator(
  compositions: readonly Composition[],
  namespaces: readonly string[] = [],
): Promise<() => Promise<void>> {
  const kubeconfig = await cluster.kubeconfigFor({ serviceAccount: ACCOUNT, namespace: SYSTEM });
  const stop = new AbortController();
  const running = new Operator({
    compositions,
    connection: connect({ kubeconfig }),
    log: jsonLogger(
      'error',
      () => undefined,
      () => new Date(),
    ),
    watchNamespaces: namespaces,
    leaderElect: true,
    leaderElectionId: LEASE,
    leaderElectionNamespace: SYSTEM,
    metricsBindAddress: '0',
    healthProbeBindAddress: '0',
  }).run(stop.signal);
  const end = async (): Promise<void> => {
    stop.abort();
    await running;
  };
  stops.push(end);
  return end;
}

const ISVC = 'inference.inferno.io/v1alpha1';
const APPS = 'apps/v1';
const SCALING = 'autoscaling/v2';

function service(name: string, spec: object = {}): Manifest {
  const basic = { model: { uri: 'demo', framework: 'fake', version: '1' }, replicas: { min: 2, max: 3 } };
  return {
    apiVersion: ISVC,
    kind: 'InferenceService',
    metadata: { name, namespace: 'team' },
    spec: { ...basic, ...spec },
  };
}

const scaled = { autoscaling: { enabled: true } };
const plainPods = {
  selector: { matchLabels: { a: 'b' } },
  template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'c:1' }] } },
};
const target = { scaleTargetRef: { apiVersion: APPS, kind: 'Deployment', name: 'none' }, maxReplicas: 1 };

/** A child that an older release might have left. */
function leftover(owner: Manifest, apiVersion: string, kind: string, spec: object): Manifest {
  const { name, uid = '' } = owner.metadata;
  const ownerReferences = [{ apiVersion: ISVC, kind: 'InferenceService', name, uid, controller: true }];
  const labels = { 'app.kubernetes.io/managed-by': 'inferno' };
  return { apiVersion, kind, metadata: { name: `${name}-old`, namespace: 'team', labels, ownerReferences }, spec };
}

/** Each verb that rules grant, as `GROUP/RESOURCE VERB`. */
function granted(rules: readonly PolicyRule[]): ReadonlySet<string> {
  const each = rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) => resources.flatMap((resource) => verbs.map((verb) => `${group}/${resource} ${verb}`))),
  );
  return new Set(each);
}

interface Use {
  readonly used: ReadonlySet<string>;
  readonly forbidden: readonly string[];
}

/** What the ServiceAccount has done since an entry of the audit log. */
function useSince(start: number): Use {
  const used = new Set<string>();
  const forbidden: string[] = [];
  for (const { verb, objectRef, requestURI, responseStatus, user } of cluster.auditEvents().slice(start)) {
    if (user.username !== USER || objectRef?.resource === undefined) continue;
    const { apiGroup = '', resource, subresource } = objectRef;
    const what = `${apiGroup}/${resource}${subresource === undefined ? '' : `/${subresource}`}`;
    if (responseStatus?.code === 403) forbidden.push(`${verb} ${requestURI}`);
    used.add(`${what} ${verb}`);
    // A server-side apply that makes an object needs both verbs.
    if (verb === 'patch' && responseStatus?.code === 201) used.add(`${what} create`);
  }
  return { used, forbidden };
}

async function fullScenario(compositions: readonly Composition[], namespaces: readonly string[]): Promise<void> {
  for (const foreign of [
    { apiVersion: APPS, kind: 'Deployment', spec: plainPods },
    { apiVersion: 'v1', kind: 'Service', spec: { ports: [{ port: 5432 }] } },
    { apiVersion: SCALING, kind: 'HorizontalPodAutoscaler', spec: target },
  ]) {
    await apply({ ...foreign, metadata: { name: 'taken', namespace: 'team' } });
  }
  const stop = await startOperator(compositions, namespaces);
  await apply(service('taken', scaled));
  const owner = await apply(service('basic', scaled));
  await poll('the autoscaler', () => read(SCALING, 'HorizontalPodAutoscaler', 'basic'));
  await patch(ISVC, 'InferenceService', 'basic', { spec: scaledOff });
  await poll('no autoscaler', async () => (await read(SCALING, 'HorizontalPodAutoscaler', 'basic')) === undefined);
  await patch(ISVC, 'InferenceService', 'basic', { spec: scaled });
  await poll('the autoscaler again', () => read(SCALING, 'HorizontalPodAutoscaler', 'basic'));
  await patch('v1', 'Service', 'basic', { metadata: { labels: { 'app.kubernetes.io/name': 'changed' } } });
  await poll(
    'the label back',
    async () => (await read('v1', 'Service', 'basic'))?.metadata.labels?.['app.kubernetes.io/name'] !== 'changed',
  );
  await apply(leftover(owner, APPS, 'Deployment', plainPods));
  await apply(leftover(owner, 'v1', 'Service', { ports: [{ port: 80 }] }));
  await poll('the end of the old Deployment', async () => (await read(APPS, 'Deployment', 'basic-old')) === undefined);
  await poll('the end of the old Service', async () => (await read('v1', 'Service', 'basic-old')) === undefined);
  await poll(
    'a failed phase',
    async () => statusOf(await read(ISVC, 'InferenceService', 'taken'))['phase'] === 'Failed',
  );
  for (const [apiVersion, kind] of FOREIGN)
    await remove({ apiVersion, kind, metadata: { name: 'taken', namespace: 'team' } });
  const healed = await poll('a Service of our own', () => read('v1', 'Service', 'taken'), { seconds: 150 });
  // A try that began before all three were removed heals a part, and trouble that is reported already is not reported again.
  const phase = async (): Promise<unknown> => statusOf(await read(ISVC, 'InferenceService', 'taken'))['phase'];
  await poll('an end of the failure', async () => (await phase()) !== 'Failed', { seconds: 150 });
  // The same trouble again: its event is counted up.
  const start = cluster.auditEvents().length;
  expect(healed.metadata.ownerReferences).toHaveLength(1);
  await patch('v1', 'Service', 'taken', { metadata: { ownerReferences: null } });
  await poll('an event counted up', async () => useSince(start).used.has('events.k8s.io/events patch'));
  await stop();
  // Another process takes the Lease over.
  await startOperator(compositions, namespaces);
  await remove(service('basic'));
  await poll('the end of the Deployment', async () => (await read(APPS, 'Deployment', 'basic')) === undefined);
}

const FOREIGN = [
  [APPS, 'Deployment'],
  ['v1', 'Service'],
  [SCALING, 'HorizontalPodAutoscaler'],
] as const;

async function remove(manifest: Manifest): Promise<void> {
  await cluster.request('DELETE', pathOf(manifest));
}

const scaledOff = { autoscaling: { enabled: false } };

function statusOf(object: Manifest | undefined): { readonly [field: string]: unknown } {
  const status = object?.['status'];
  return typeof status === 'object' && status !== null ? Object.fromEntries(Object.entries(status)) : {};
}

test('a ClusterRole grants the operator all that it does, and nothing that it does not do', async () => {
  const compositions = [inferenceServiceComposition];
  const objects = operatorRbac({ compositions, namespace: SYSTEM });
  await grant(objects);
  const start = cluster.auditEvents().length;
  await fullScenario(compositions, []);
  const { used, forbidden } = useSince(start);
  const all = granted([...operatorRules(compositions), ...leaderElectionRules()]);
  expect(forbidden).toEqual([]);
  expect([...used].filter((verb) => !all.has(verb))).toEqual([]);
  expect([...all].filter((verb) => !used.has(verb))).toEqual([UNSEEN]);
}, 180_000);

test('Roles for a namespace are enough for an operator that is confined to it', async () => {
  const compositions = [inferenceServiceComposition];
  const objects = operatorRbac({ compositions, namespace: SYSTEM, watchNamespaces: ['team'] });
  expect(objects.map(({ kind }) => kind)).not.toContain('ClusterRole');
  await grant(objects);
  const start = cluster.auditEvents().length;
  await fullScenario(compositions, ['team']);
  expect(useSince(start).forbidden).toEqual([]);
}, 180_000);

test('without the finalizers verb an API server that enforces it refuses the owner reference', async () => {
  const compositions = [inferenceServiceComposition];
  const objects = operatorRbac({ compositions, namespace: SYSTEM });
  const fewer = objects.map((object) => {
    const rules: readonly PolicyRule[] = Array.isArray(object['rules']) ? object['rules'] : [];
    const kept = rules.filter(({ resources }) => !resources.some((name) => name.endsWith('/finalizers')));
    return rules.length === 0 ? object : { ...object, rules: kept };
  });
  await grant(fewer);
  await startOperator(compositions);
  await apply(service('blocked'));
  const message = await poll('a refusal', async () => {
    const status = statusOf(await read(ISVC, 'InferenceService', 'blocked'));
    return status['phase'] === 'Failed' ? String(status['message']) : undefined;
  });
  expect(message).toContain('blockOwnerDeletion');
}, 120_000);

test("a user's own composition runs with the roles made for it", async () => {
  const compositions = [redisCache];
  const objects = operatorRbac({ compositions, namespace: SYSTEM });
  await grant(objects);
  const start = cluster.auditEvents().length;
  await startOperator(compositions);
  const metadata = { name: 'sessions', namespace: 'team' };
  await apply({
    apiVersion: 'cache.example.com/v1alpha1',
    kind: 'RedisCache',
    metadata,
    spec: { version: '7', memoryMi: 64 },
  });
  await poll('its pods', () => read(APPS, 'StatefulSet', 'sessions'));
  await poll(
    'its status',
    async () => statusOf(await read('cache.example.com/v1alpha1', 'RedisCache', 'sessions'))['address'],
  );
  expect(useSince(start).forbidden).toEqual([]);
}, 120_000);
