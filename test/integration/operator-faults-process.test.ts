import { setTimeout as sleep } from 'node:timers/promises';
import { poll, startControlPlane, type ControlPlane } from '../../tools/local-cluster';
import { bundleOperator, type OperatorBundle } from '../faults/operator-process';
import { FaultProxy, pass } from '../faults/proxy';
import { scaled, World } from '../faults/world';

jest.setTimeout(120_000);

let cluster: ControlPlane;
let world: World;
let bundle: OperatorBundle;
let proxy: FaultProxy;

beforeAll(async () => {
  cluster = await startControlPlane({ audit: true, crds: ['crds/inferenceservice.yaml'] });
  world = await World.make(cluster, 'default');
  proxy = await FaultProxy.start(cluster);
  bundle = await bundleOperator();
}, 600_000);
afterAll(async () => {
  await bundle?.remove();
  await proxy?.stop();
  await cluster?.stop();
});
afterEach(async () => {
  proxy.reset();
  await bundle.killAll();
});

/** What a resource goes through, and what must be there in the end of each step. */
const LIFE: readonly { readonly spec: object; readonly version: string; readonly hpa: boolean }[] = [
  { version: '1', hpa: true, min: 1, max: 3 },
  { version: '2', hpa: true, min: 1, max: 3 },
  { version: '2', hpa: false, min: 2, max: 3 },
  { version: '3', hpa: true, min: 2, max: 4 },
  { version: '4', hpa: false, min: 3, max: 4 },
  { version: '5', hpa: true, min: 2, max: 5 },
  { version: '6', hpa: false, min: 1, max: 5 },
  { version: '7', hpa: true, min: 4, max: 5 },
].map(({ version, hpa, min, max }) => ({
  version,
  hpa,
  spec: { model: { ...scaled.model, version }, replicas: { min, max }, autoscaling: { enabled: hpa } },
}));

/** All children of a resource, without what differs from one life to the next. */
async function picture(name: string): Promise<unknown> {
  const resource = await world.get('isvc', name);
  const children = await Promise.all((['deployment', 'service', 'hpa'] as const).map((kind) => world.list(kind)));
  return children.map((objects) =>
    objects
      .filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === resource?.metadata.uid))
      .map(({ metadata, spec }) =>
        JSON.stringify({ name: metadata.name, spec: { ...spec, clusterIP: '', clusterIPs: [] } }).replaceAll(
          name,
          'NAME',
        ),
      ),
  );
}

async function settles(name: string, { hpa, version }: (typeof LIFE)[number]): Promise<void> {
  await poll(`${name} to settle at version ${version}`, async () => {
    const [resource, deployment, scaler] = await Promise.all([
      world.get('isvc', name),
      world.get('deployment', name),
      world.get('hpa', name),
    ]);
    const conditions = resource?.status?.['conditions'] as { type: string; status: string }[] | undefined;
    return (
      resource?.status?.['observedGeneration'] === resource?.metadata.generation &&
      JSON.stringify(deployment?.spec ?? {}).includes(`"MODEL_VERSION","value":"${version}"`) &&
      conditions?.some(({ status, type }) => type === 'Synced' && status === 'True') === true &&
      (scaler !== undefined) === hpa
    );
  });
}

interface Kill {
  readonly write: number;
  /** Before the API server hears of the write, or when it was done and before the operator hears of that. */
  readonly when: 'before' | 'after';
}

/** Lives until the operator was killed at that point and the next one has put everything right; gives what is there then. */
async function live(name: string, kill?: Kill): Promise<readonly unknown[]> {
  let count = 0;
  let killed = false;
  let operator = bundle.start({ kubeconfig: proxy.kubeconfig(cluster) });
  const end = (): void => {
    killed = true;
    operator.signal('SIGKILL');
  };
  proxy.rule = ({ write }) => {
    if (!write || ++count !== kill?.write) return pass;
    if (kill.when === 'after') return { do: 'lose', onDone: end };
    end();
    return { do: 'cut' };
  };
  const pictures: unknown[] = [];
  for (const [step, of] of LIFE.entries()) {
    if (step === 0) await world.create(name, of.spec);
    else await world.patch('isvc', name, { spec: of.spec });
    await Promise.race([settles(name, of), operator.ended]);
    if (killed) {
      await operator.ended;
      operator = bundle.start({ kubeconfig: proxy.kubeconfig(cluster) });
      await settles(name, of);
    }
    pictures.push(await picture(name));
    if (killed) break;
  }
  expect(operator.errors).toEqual([]);
  await operator.kill('SIGKILL');
  return pictures;
}

test('killed at any of its writes, before or after it was done, it converges with nothing doubled or lost', async () => {
  const whole = await live('whole');
  const total = proxy.seen.filter(({ write }) => write).length;
  let points = 0;
  for (let write = 1; write <= total; write++) {
    for (const when of ['before', 'after'] as const) {
      const name = `cut-${write}-${when}`;
      const pictures = await live(name, { write, when });
      expect([name, pictures]).toEqual([name, whole.slice(0, pictures.length)]);
      points++;
      await cluster.request('DELETE', world.path('isvc', name));
      // Without a controller-manager nobody else collects the garbage.
      for (const kind of ['deployment', 'service', 'hpa'] as const)
        await cluster.request('DELETE', world.path(kind, name));
    }
  }
  expect(points).toBeGreaterThanOrEqual(50);
}, 900_000);

const LEASE = '/apis/coordination.k8s.io/v1/namespaces/default/leases/process';
const lease = () => cluster.request<{ spec: { holderIdentity: string } }>('GET', LEASE);

test('SIGTERM lets running reconciles end, gives the lease up and ends with 0 within a second', async () => {
  const operator = bundle.start({
    kubeconfig: proxy.kubeconfig(cluster),
    leaderElect: true,
    leaderElectionId: 'process',
  });
  await poll('leadership', async () => operator.has('Became leader'));
  proxy.rule = ({ write, url }) => (write && !url.pathname.includes('leases') ? { do: 'delay', ms: 150 } : pass);
  await world.create('last');
  await poll('the first write', async () => proxy.seen.some(({ url }) => url.pathname.endsWith('/last')));
  const began = Date.now();
  expect(await operator.kill('SIGTERM')).toBe(0);
  expect(Date.now() - began).toBeLessThan(1500);
  expect(await picture('last')).toEqual([[expect.anything()], [expect.anything()], [expect.anything()]]);
  expect((await world.get('isvc', 'last'))?.status).toBeDefined();
  expect((await lease()).body.spec.holderIdentity).toBe('');
  expect(operator.stderr).toBe('');
});

test('SIGTERM while the API server says nothing ends when the time for it is over', async () => {
  const options = { leaderElect: true, leaderElectionId: 'process', shutdownMs: 1000 };
  const operator = bundle.start({ kubeconfig: proxy.kubeconfig(cluster), ...options });
  await poll('leadership', async () => operator.has('Became leader'));
  proxy.rule = ({ url }) => (url.pathname.includes('leases') ? pass : { do: 'hang' });
  await world.setVersion('last', '2');
  await sleep(300);
  const began = Date.now();
  expect(await operator.kill('SIGTERM')).toBe(0);
  expect(Date.now() - began).toBeLessThan(2500);
  expect((await lease()).body.spec.holderIdentity).toBe('');
});

test('a second signal ends it at once', async () => {
  const operator = bundle.start({ kubeconfig: proxy.kubeconfig(cluster) });
  await poll('the caches', async () => operator.lines.filter((line) => line.includes('Cache synced')).length === 6);
  proxy.rule = ({ write }) => (write ? { do: 'hang' } : pass);
  await world.setVersion('last', '3');
  await poll('a write', async () => proxy.seen.some(({ write }) => write));
  operator.signal('SIGTERM');
  await poll('the shutdown', async () => operator.has('Shutting down, a second signal ends the process at once'));
  expect(await operator.kill('SIGINT')).toBe(1);
});

test('a cluster that can not be found ends it with 1 and says why', async () => {
  const operator = bundle.start({ kubeconfig: '/nowhere/kubeconfig' });
  expect(await operator.ended).toBe(1);
  expect(operator.errors.join()).toContain('/nowhere/kubeconfig');
});

test('hundreds of changes while a reconcile runs lead to one more', async () => {
  const operator = bundle.start({ kubeconfig: proxy.kubeconfig(cluster) });
  await world.create('flood');
  await world.follows('flood');
  const done = (): number => operator.lines.filter((line) => line.includes('"msg":"Applied children"')).length;
  const before = done();
  let held = 0;
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  proxy.rule = ({ write, url }) => {
    if (!write || !url.pathname.endsWith('/flood')) return pass;
    held += 1;
    return held === 1 ? { do: 'wait', until } : pass;
  };
  await world.setVersion('flood', '2');
  await poll('a running reconcile', async () => held === 1);
  // no more than a slow machine can make before the held write times out
  for (let change = 0; change < 300; change += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, n) => world.setVersion('flood', `v${change + n}`)));
  }
  await world.setVersion('flood', 'last');
  expect(held).toBe(1);
  release();
  await world.follows('flood', 'last');
  expect(done() - before).toBeLessThanOrEqual(3);
});
