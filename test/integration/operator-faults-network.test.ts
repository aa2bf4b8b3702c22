import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_IDLE_MS } from '../../operator/watch/reflector';
import { poll, startControlPlane, type ControlPlane } from '../../tools/local-cluster';
import { FaultProxy, pass, type Verdict } from '../faults/proxy';
import { startOperator, World, type Started } from '../faults/world';

jest.setTimeout(120_000);

let cluster: ControlPlane;
let proxy: FaultProxy;
let world: World;
let operator: Started | undefined;

beforeAll(async () => {
  // After SIGTERM it waits for its watches for as long as a request may take.
  const flags = { 'kube-apiserver': ['--request-timeout=10s'] };
  cluster = await startControlPlane({ audit: true, crds: ['crds/inferenceservice.yaml'], flags });
  proxy = await FaultProxy.start(cluster);
  world = await World.make(cluster, 'default');
}, 600_000);
afterAll(async () => {
  await proxy?.stop();
  await cluster?.stop();
});
afterEach(async () => {
  proxy.reset();
  await operator?.stop();
  operator = undefined;
});

/** An operator behind the proxy that has settled one resource of that name. */
async function settled(name: string, options: Parameters<typeof startOperator>[1] = {}): Promise<Started> {
  const started = startOperator(proxy.kubeconfig(cluster), { requestTimeoutMs: 2000, ...options });
  operator = started;
  await world.create(name);
  await world.follows(name);
  return started;
}

const watches = () => proxy.seen.filter(({ watch }) => watch).length;
const lists = () =>
  proxy.seen.filter(({ method, url, watch }) => method === 'GET' && !watch && url.searchParams.has('limit')).length;

test.each(['SIGTERM', 'SIGKILL'] as const)('goes on after a restart of the API server by %s', async (signal) => {
  const name = `api-${signal.toLowerCase()}`;
  const { errors } = await settled(name);
  await cluster.restart('kube-apiserver', signal);
  await world.setVersion(name, '2');
  await world.follows(name, '2');
  expect(errors()).toEqual([]);
});

test('goes on after etcd was gone for a while, and after it froze', async () => {
  const { errors } = await settled('etcd');
  await cluster.stopComponent('etcd');
  await sleep(3000);
  await cluster.startComponent('etcd');
  await world.setVersion('etcd', '2');
  await world.follows('etcd', '2');
  await cluster.pause('etcd');
  await sleep(4000);
  await cluster.resume('etcd');
  await poll('a write to go through', async () => (await cluster.request('GET', '/readyz')).status === 200);
  await world.setVersion('etcd', '3');
  await world.follows('etcd', '3');
  expect(errors()).toEqual([]);
});

test('goes on after the API server froze for longer than a request may take', async () => {
  const { errors } = await settled('frozen');
  const change = world.setVersion('frozen', '2');
  await change;
  await cluster.pause('kube-apiserver');
  await sleep(5000);
  await cluster.resume('kube-apiserver');
  await world.follows('frozen', '2');
  expect(errors()).toEqual([]);
});

const refusals: readonly (readonly [string, Verdict])[] = [
  ['answers 500', { do: 'answer', status: 500 }],
  ['answers 502 with a page for people', { do: 'answer', status: 502, body: '<html>Bad gateway</html>' }],
  ['answers 503', { do: 'answer', status: 503, headers: { 'retry-after': '1' } }],
  ['answers 429', { do: 'answer', status: 429 }],
  ['answers 429 with Retry-After', { do: 'answer', status: 429, headers: { 'retry-after': '1' } }],
  ['answers 401', { do: 'answer', status: 401 }],
  ['answers 200 with something else', { do: 'answer', status: 200, body: '{}' }],
  ['answers 200 with no JSON', { do: 'answer', status: 200, body: '<html>Log in</html>' }],
  ['answers 410', { do: 'answer', status: 410 }],
  ['never answers', { do: 'hang' }],
  ['closes the connection', { do: 'cut' }],
  ['loses the answer', { do: 'lose' }],
  ['cuts the answer off', { do: 'truncate', bytes: 100 }],
  ['takes its time', { do: 'delay', ms: 1500 }],
];

test.each(refusals)('goes on after a network that %s for a while', async (what, verdict) => {
  const name = `net-${what.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase()}`;
  const { errors } = await settled(name);
  proxy.rule = () => verdict;
  proxy.cutAll();
  await sleep(300);
  await world.setVersion(name, '2');
  const before = proxy.seen.length;
  await sleep(3000);
  // Five watches and one resource, all in backoff: no storm.
  expect(proxy.seen.length - before).toBeLessThan(60);
  proxy.rule = () => pass;
  await world.follows(name, '2');
  expect(errors()).toEqual([]);
});

test('goes on after connections were accepted and never answered', async () => {
  const { errors } = await settled('half-open');
  proxy.halfOpen = true;
  proxy.cutAll();
  await world.setVersion('half-open', '2');
  await sleep(5000);
  proxy.halfOpen = false;
  await world.follows('half-open', '2');
  expect(errors()).toEqual([]);
});

test('a lost connection costs no list: watches go on from where they were', async () => {
  await settled('resume');
  const before = lists();
  proxy.cutAll();
  await world.setVersion('resume', '2');
  await world.follows('resume', '2');
  expect(lists() - before).toBe(0);
});

test('a watch that is refused again and again is not answered by list after list', async () => {
  await settled('refused');
  const before = lists();
  proxy.rule = ({ watch }) => (watch ? { do: 'answer', status: 400 } : pass);
  proxy.cutAll();
  await sleep(10_000);
  // One for each of five kinds at each try, in backoff: about 0.6, 1.2, 2.4 and 4.8 s.
  expect(lists() - before).toBeLessThanOrEqual(5 * 6);
});

test('a watch that is silently dead is noticed, by default within 75 s', async () => {
  expect(DEFAULT_IDLE_MS).toBeLessThanOrEqual(75_000);
  const { errors, log } = await settled('silent', { watchIdleMs: 2000 });
  proxy.silent = true;
  await world.setVersion('silent', '2');
  await poll('a word of it', async () => log.some((line) => line.includes('silent for 2000 ms')));
  proxy.silent = false;
  await world.follows('silent', '2');
  expect(errors()).toEqual([]);
});

test('an event that was lost with its connection is heard after all', async () => {
  await settled('dropped');
  proxy.rule = ({ watch }) => (watch ? { do: 'filter', keep: (line) => !line.includes('"dropped"') } : pass);
  proxy.cutAll();
  await poll('new watches', async () => watches() >= 10);
  await world.setVersion('dropped', '2');
  await sleep(1000);
  expect(JSON.stringify((await world.get('deployment', 'dropped'))?.spec)).toContain('"MODEL_VERSION","value":"1"');
  proxy.rule = () => pass;
  proxy.cutAll();
  await world.follows('dropped', '2');
});

test('events that something in between swallows for good are made up for by the next full list', async () => {
  await settled('swallowed', { resyncMs: 3000, watchIdleMs: 2000 });
  proxy.rule = ({ watch }) => (watch ? { do: 'filter', keep: (line) => !line.includes('"swallowed"') } : pass);
  proxy.cutAll();
  await poll('new watches', async () => watches() >= 10);
  await world.setVersion('swallowed', '2');
  await world.follows('swallowed', '2');
});

test('a 410 in a watch leads to a list', async () => {
  await settled('gone');
  const gone = { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' } };
  const before = lists();
  proxy.rule = ({ watch }) => (watch ? { do: 'answer', status: 200, body: `${JSON.stringify(gone)}\n` } : pass);
  proxy.cutAll();
  await world.setVersion('gone', '2');
  await poll('lists', async () => lists() - before >= 5);
  await world.follows('gone', '2');
});

test('lists come in pages, and all at once where the pages went out of date', async () => {
  await Promise.all(Array.from({ length: 7 }, (_, n) => world.create(`page-${n}`)));
  const started = await settled('paged', { pageSize: 3 });
  await Promise.all(Array.from({ length: 7 }, (_, n) => world.follows(`page-${n}`)));
  const pages = proxy.seen.filter(({ url }) => url.searchParams.get('limit') === '3');
  expect(pages.filter(({ url }) => url.searchParams.has('continue')).length).toBeGreaterThanOrEqual(2);
  await started.stop();
  proxy.reset();
  proxy.rule = ({ url }) => (url.searchParams.has('continue') ? { do: 'answer', status: 410 } : pass);
  await settled('paged-again', { pageSize: 3 });
  expect(
    proxy.seen.some(({ url }) => url.pathname.endsWith('inferenceservices') && !url.search.includes('limit')),
  ).toBe(true);
  expect(started.errors()).toEqual([]);
});

test('a 429 with Retry-After silences the whole process for so long', async () => {
  await settled('busy');
  let refused = 0;
  proxy.rule = ({ write }) =>
    write && refused++ === 0 ? { do: 'answer', status: 429, headers: { 'retry-after': '2' } } : pass;
  await world.setVersion('busy', '2');
  await poll('the refusal', async () => refused > 0);
  const [since, before] = [Date.now(), proxy.seen.length];
  await world.create('busy-too');
  await sleep(1500);
  expect(proxy.seen.slice(before).filter(({ watch }) => !watch)).toEqual([]);
  await world.follows('busy', '2');
  await world.follows('busy-too');
  expect(Date.now() - since).toBeGreaterThanOrEqual(1900);
});

test('a token that was replaced and is no longer valid is noticed by nobody', async () => {
  await world.cluster.request('POST', '/api/v1/namespaces/default/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'rotated' },
  });
  await world.cluster.request('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'rotated' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name: 'rotated', namespace: 'default' }],
  });
  const [first, second] = [await boundToken('one'), await boundToken('two')];
  const file = join(cluster.folder, 'token');
  writeFileSync(file, first);
  const started = startOperator(withTokenFile(proxy.kubeconfig(cluster), file));
  operator = started;
  await world.create('rotating');
  await world.follows('rotating');
  writeFileSync(file, second);
  await cluster.request('DELETE', '/api/v1/namespaces/default/secrets/one');
  await poll('the end of the old token', async () => !(await isValid(first)));
  await world.setVersion('rotating', '2');
  await world.follows('rotating', '2', 10);
  proxy.cutAll();
  await world.setVersion('rotating', '3');
  await world.follows('rotating', '3');
  expect(started.errors()).toEqual([]);
});

/** A token that is valid as long as a Secret exists. */
async function boundToken(secret: string): Promise<string> {
  const made = await cluster.request<{ metadata: { uid: string } }>('POST', '/api/v1/namespaces/default/secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: secret },
  });
  const boundObjectRef = { kind: 'Secret', apiVersion: 'v1', name: secret, uid: made.body.metadata.uid };
  const { body } = await cluster.request<{ status: { token: string } }>(
    'POST',
    '/api/v1/namespaces/default/serviceaccounts/rotated/token',
    { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600, boundObjectRef } },
  );
  return body.status.token;
}

async function isValid(token: string): Promise<boolean> {
  const spec = { token };
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec };
  const { body } = await cluster.request<{ status: { authenticated?: boolean } }>(
    'POST',
    '/apis/authentication.k8s.io/v1/tokenreviews',
    review,
  );
  return body.status.authenticated === true;
}

/** The kubeconfig with the pod's way of reading a token: from a file that somebody else renews. */
function withTokenFile(kubeconfig: string, tokenFile: string): string {
  const config = JSON.parse(readFileSync(kubeconfig, 'utf8')) as { users: object[] };
  config.users = [{ name: 'inferno', user: { 'auth-provider': { name: 'tokenFile', config: { tokenFile } } } }];
  const path = `${kubeconfig}.token-file`;
  writeFileSync(path, JSON.stringify(config));
  return path;
}
