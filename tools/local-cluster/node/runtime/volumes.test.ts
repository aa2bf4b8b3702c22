import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ControlPlane, startControlPlane } from '../../index';
import type { Pod, PodSpec, Volume } from '../pod';
import type { ObjectReader, Token, TokenRequest } from '../runtime-types';
import { Owner } from './testing/owner';
import { Tokens } from './volume-content';

jest.setTimeout(60_000);

let controlPlane: ControlPlane;
let owner: Owner;
/** What the test API server's namespace has, besides what the real one has. */
const objects = new Map<string, Readonly<Record<string, unknown>>>();

const secret = '/api/v1/namespaces/default/secrets/keys';
const configMap = '/api/v1/namespaces/default/configmaps/settings';

const reader: ObjectReader = {
  read: async (path) => objects.get(path),
  token: async (request): Promise<Token> => {
    const { expirationSeconds, namespace, pod, serviceAccount } = request;
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${serviceAccount}/token`;
    const { body } = await controlPlane.request<{ readonly status: { readonly token: string } }>('POST', path, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {
        expirationSeconds,
        boundObjectRef: { apiVersion: 'v1', kind: 'Pod', ...pod },
      },
    });
    return { token: body.status.token, expires: new Date(Date.now() + 3600_000) };
  },
};

beforeAll(async () => {
  [controlPlane, owner] = await Promise.all([startControlPlane(), Owner.start(reader)]);
});

afterAll(async () => {
  // Undefined where they did not start.
  await Promise.all([controlPlane?.stop(), owner?.stop()]);
});

beforeEach(() => {
  const data = { token: base64('s3cret'), user: base64('me') };
  objects.set(secret, { data }).set(configMap, { data: { 'a.json': '{}' }, binaryData: { blob: base64('\0') } });
});

let count = 0;

function podWith(volumes: readonly Volume[], spec: Partial<PodSpec> = {}): Pod {
  return {
    metadata: { name: 'chat', namespace: 'default', uid: '1b2c', labels: { app: 'chat' } },
    spec: { containers: [], volumes, ...spec },
  };
}

async function prepare(volumes: readonly Volume[], spec?: Partial<PodSpec>) {
  count += 1;
  return owner.volumes(podWith(volumes, spec), `volumes-${count}`);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

const mode = (path: string): string => (statSync(path).mode & 0o7777).toString(8);
const text = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8');
const visible = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => !name.startsWith('..'))
    .toSorted();

test('a Secret and a ConfigMap lie there as files, with their modes', async () => {
  const volumes = await prepare([
    { name: 'all', secret: { secretName: 'keys', defaultMode: 0o400 } },
    {
      name: 'some',
      configMap: {
        name: 'settings',
        defaultMode: 0o444,
        items: [{ key: 'a.json', path: 'deep/er/b.json', mode: 0o640 }],
      },
    },
    { name: 'plain', configMap: { name: 'settings' } },
    { name: 'none', secret: { secretName: 'none', optional: true } },
  ]);
  const all = await volumes.path('all');
  expect(visible(all)).toEqual(['token', 'user']);
  expect(text(all, 'token')).toBe('s3cret');
  expect(mode(join(all, 'token'))).toBe('400');
  expect(readlinkSync(join(all, 'token'))).toBe('..data/token');
  const some = await volumes.path('some');
  expect(visible(some)).toEqual(['deep']);
  expect(text(some, 'deep/er/b.json')).toBe('{}');
  expect(mode(join(some, 'deep/er/b.json'))).toBe('640');
  const plain = await volumes.path('plain');
  expect([text(plain, 'blob'), mode(join(plain, 'blob'))]).toEqual(['\0', '644']);
  expect(visible(await volumes.path('none'))).toEqual([]);
  await expect(volumes.path('other')).rejects.toThrow('no volume "other"; it has all, some, plain, none');
});

test('files belong to the group of fsGroup, which can read them', async () => {
  const volumes = await prepare(
    [
      { name: 'keys', secret: { secretName: 'keys', defaultMode: 0o400 } },
      { name: 'scratch', emptyDir: {} },
    ],
    { securityContext: { fsGroup: 2000 } },
  );
  const container = await owner.shell('id -u; cat /keys/token; echo mine >/scratch/file && cat /scratch/file', {
    groups: [2000],
    mounts: [
      { source: await volumes.path('keys'), path: '/keys', readOnly: true },
      { source: await volumes.path('scratch'), path: '/scratch', readOnly: false },
    ],
  });
  const users = await owner.takesUsers();
  expect(container.output).toBe(`${users ? 65_532 : 0}\ns3cretmine\n`);
  if (users) expect(statSync(join(await volumes.path('scratch'), 'file')).gid).toBe(2000);
});

test('files change all at once when their object does, and only then', async () => {
  const volumes = await prepare([{ name: 'keys', secret: { secretName: 'keys' } }]);
  const folder = await volumes.path('keys');
  const first = readlinkSync(join(folder, '..data'));
  await volumes.refresh();
  expect(readlinkSync(join(folder, '..data'))).toBe(first);
  objects.set(secret, { data: { token: base64('new'), more: base64('x') } });
  await volumes.refresh();
  expect(readlinkSync(join(folder, '..data'))).not.toBe(first);
  expect(visible(folder)).toEqual(['more', 'token']);
  expect(text(folder, 'token')).toBe('new');
  expect(readdirSync(folder).filter((name) => name.startsWith('..'))).toHaveLength(2);
});

test('a container sees the change without a restart', async () => {
  const volumes = await prepare([{ name: 'keys', secret: { secretName: 'keys' } }]);
  const mounts = [{ source: await volumes.path('keys'), path: '/keys', readOnly: true }];
  const container = await owner.container({ command: ['/bin/sleep', '60'], mounts });
  expect(await container.exec(['/bin/cat', '/keys/token'])).toMatchObject({ output: 's3cret' });
  objects.set(secret, { data: { token: base64('new') } });
  await volumes.refresh();
  expect(await container.exec(['/bin/cat', '/keys/token'])).toMatchObject({ output: 'new' });
  await container.signal('SIGKILL');
});

test('the projected token is taken by the real API server, as the one of the ServiceAccount and bound to the pod', async () => {
  await controlPlane.request('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'runner' } });
  const { body } = await controlPlane.request<{ readonly metadata: { readonly uid: string } }>(
    'POST',
    '/api/v1/namespaces/default/pods',
    {
      metadata: { name: 'bound' },
      spec: {
        serviceAccountName: 'runner',
        automountServiceAccountToken: false,
        containers: [{ name: 'main', image: 'x' }],
      },
    },
  );
  const { uid } = body.metadata;
  objects.set('/api/v1/namespaces/default/configmaps/kube-root-ca.crt', { data: { 'ca.crt': controlPlane.ca } });
  const projected = {
    defaultMode: 0o644,
    sources: [
      { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      { downwardAPI: { items: [{ path: 'namespace', fieldRef: { fieldPath: 'metadata.namespace' } }] } },
    ],
  };
  const pod: Pod = {
    metadata: { name: 'bound', namespace: 'default', uid },
    spec: {
      containers: [{ name: 'main', image: 'x' }],
      serviceAccountName: 'runner',
      securityContext: { runAsUser: 65_532 },
      volumes: [{ name: 'access', projected }],
    },
  };
  const volumes = await owner.volumes(pod, 'volumes-bound');
  const folder = await volumes.path('access');
  expect(text(folder, 'namespace')).toBe('default');
  expect(text(folder, 'ca.crt')).toBe(controlPlane.ca);
  expect(mode(join(folder, 'token'))).toBe((await owner.takesUsers()) ? '600' : '644');
  // As the container's own user reads it.
  const read = await owner.shell('cat /access/token', {
    mounts: [{ source: folder, path: '/access', readOnly: true }],
  });
  const review = await controlPlane.request<{ readonly status: Readonly<Record<string, unknown>> }>(
    'POST',
    '/apis/authentication.k8s.io/v1/tokenreviews',
    { spec: { token: read.output } },
  );
  expect(review.body.status).toMatchObject({
    authenticated: true,
    user: {
      username: 'system:serviceaccount:default:runner',
      extra: { 'authentication.kubernetes.io/pod-uid': [uid] },
    },
  });
});

test('a token is kept for four fifths of its life, and then asked for again', async () => {
  const asked: TokenRequest[] = [];
  let now = 1_000_000;
  const source: ObjectReader = {
    read: async () => undefined,
    token: async (request) => {
      asked.push(request);
      return { token: `token ${asked.length}`, expires: new Date(now + 1000) };
    },
  };
  const tokens = new Tokens(source, () => now);
  const pod = podWith([], { serviceAccountName: 'runner' });
  const get = (): Promise<string> => tokens.get('volume/0', pod, { path: 'token', audience: 'vault' });
  expect(await get()).toBe('token 1');
  now += 799;
  expect(await get()).toBe('token 1');
  now += 1;
  expect(await get()).toBe('token 2');
  expect(asked[1]).toEqual({
    namespace: 'default',
    serviceAccount: 'runner',
    audience: 'vault',
    expirationSeconds: 3600,
    pod: { name: 'chat', uid: '1b2c' },
  });
});

test('an emptyDir in memory is a tmpfs of its size, and goes with the pod', async () => {
  const volumes = await prepare([
    { name: 'fast', emptyDir: { medium: 'Memory', sizeLimit: '3Mi' } },
    { name: 'disk', emptyDir: {} },
  ]);
  const fast = await volumes.path('fast');
  const { output } = await owner.shell(
    'df -kP /fast | tail -1; dd if=/dev/zero of=/fast/big bs=1M count=4 2>&1; ls -ld /disk',
    {
      mounts: [
        { source: fast, path: '/fast', readOnly: false },
        { source: await volumes.path('disk'), path: '/disk', readOnly: false },
      ],
    },
  );
  expect(output).toMatch(/^tmpfs +3072 /);
  expect(output).toContain('No space left on device');
  expect(output).toContain('drwxrwxrwx');
  await volumes.remove();
  expect(existsSync(fast)).toBe(false);
});

test.each<[string, Volume, string, string]>([
  ['a missing Secret', { name: 'v', secret: { secretName: 'none' } }, 'Error', 'secret "none" not found'],
  ['a missing ConfigMap', { name: 'v', configMap: { name: 'none' } }, 'Error', 'configmap "none" not found'],
  [
    'a missing key',
    { name: 'v', secret: { secretName: 'keys', items: [{ key: 'none', path: 'x' }] } },
    'Error',
    'references non-existent secret key: none',
  ],
  [
    'another kind of volume',
    { name: 'v', persistentVolumeClaim: { claimName: 'models' } },
    'UnsupportedError',
    'volume "v": persistentVolumeClaim is not known here',
  ],
  [
    'huge pages',
    { name: 'v', emptyDir: { medium: 'HugePages' } },
    'UnsupportedError',
    'volume "v": emptyDir.medium "HugePages" is not known here',
  ],
  [
    'another projected source',
    { name: 'v', projected: { sources: [{ clusterTrustBundle: { path: 'x' } }] } },
    'UnsupportedError',
    'projected volume: source clusterTrustBundle is not known here',
  ],
])('says so of %s', async (_, volume, name, message) => {
  await expect(prepare([volume])).rejects.toMatchObject({ name, message });
});

test('can be prepared again after a failure, in the same folder', async () => {
  objects.delete(configMap);
  const volumes: readonly Volume[] = [
    { name: 'keys', secret: { secretName: 'keys' } },
    { name: 'settings', configMap: { name: 'settings' } },
    { name: 'fast', emptyDir: { medium: 'Memory' } },
  ];
  await expect(owner.volumes(podWith(volumes), 'volumes-again')).rejects.toThrow('configmap "settings" not found');
  objects.set(configMap, { data: { a: 'now' } });
  const prepared = await owner.volumes(podWith(volumes), 'volumes-again');
  expect(text(await prepared.path('keys'), 'token')).toBe('s3cret');
  expect(text(await prepared.path('settings'), 'a')).toBe('now');
});
