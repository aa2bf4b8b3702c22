import { setTimeout as sleep } from 'node:timers/promises';
import { poll, startControlPlane, type AuditEvent, type ControlPlane } from '../../tools/local-cluster';
import { bundleOperator, type OperatorBundle, type OperatorProcess } from '../faults/operator-process';
import { FaultProxy, pass } from '../faults/proxy';
import { World } from '../faults/world';

const LEASE = '/apis/coordination.k8s.io/v1/namespaces/default/leases/test';
const TIMES = { leaseMs: 4000, renewDeadlineMs: 2500, retryPeriodMs: 500 };

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
  await cluster.request('DELETE', LEASE);
});

/** An operator that says by its User-Agent which one it is. */
function start(version: string, kubeconfig = cluster.kubeconfig): OperatorProcess {
  return bundle.start({ kubeconfig, version, leaderElect: true, leaderElectionId: 'test', ...TIMES });
}

async function leads(operator: OperatorProcess): Promise<void> {
  await poll('leadership', async () => operator.has('Became leader'), { seconds: 30 });
}

/** The writes of both, except those of the lease, in the order in which the API server finished them. */
function writers(...versions: readonly string[]): readonly { readonly who: string; readonly at: number }[] {
  return cluster
    .auditEvents()
    .filter(isWrite)
    .map((event) => ({
      who: String(event['userAgent']).split('/')[1] ?? '',
      at: Date.parse(String(event['stageTimestamp'])),
    }))
    .filter(({ who }) => versions.includes(who))
    .toSorted((a, b) => a.at - b.at);
}

function isWrite(event: AuditEvent): boolean {
  const code = event.responseStatus?.code ?? 0;
  return (
    event.stage === 'ResponseComplete' &&
    !['get', 'list', 'watch'].includes(event.verb) &&
    event.objectRef?.resource !== 'leases' &&
    code >= 200 &&
    code < 300
  );
}

async function writes(version: string): Promise<void> {
  await poll(`a write of ${version}`, async () => writers(version).length > 0);
}

/** One wrote, then the other, never one after the other had begun. */
function expectOneAfterTheOther(first: string, second: string): void {
  const order = writers(first, second).map(({ who }) => who);
  expect(order).toContain(first);
  expect(order).toContain(second);
  expect(order.lastIndexOf(first)).toBeLessThan(order.indexOf(second));
}

/** Changes a resource every few milliseconds, so that all who may write do. */
async function busy<T>(name: string, during: () => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const changing = (async () => {
    for (let version = 2; !stop.signal.aborted && version < 2000; version++) {
      await world.setVersion(name, String(version)).catch(() => undefined);
      await sleep(20);
    }
  })();
  try {
    return await during();
  } finally {
    stop.abort();
    await changing;
  }
}

test('SIGTERM hands the leadership over at once', async () => {
  await world.create('handed');
  const first = start('term-1');
  await leads(first);
  const second = start('term-2');
  await poll('the second to wait', async () => second.has('Waiting for leadership'));
  await busy('handed', async () => {
    await writes('term-1');
    const began = Date.now();
    expect(await first.kill('SIGTERM')).toBe(0);
    expect(Date.now() - began).toBeLessThan(1500);
    await leads(second);
    expect(Date.now() - began).toBeLessThan(3000);
    await writes('term-2');
  });
  expectOneAfterTheOther('term-1', 'term-2');
  expect([...first.errors, ...second.errors, first.stderr]).toEqual(['']);
});

test('one that was killed is followed when its lease has expired', async () => {
  await world.create('killed');
  const first = start('kill-1');
  await leads(first);
  const second = start('kill-2');
  await busy('killed', async () => {
    await writes('kill-1');
    await first.kill('SIGKILL');
    await leads(second);
    await writes('kill-2');
  });
  expectOneAfterTheOther('kill-1', 'kill-2');
});

test('one that was stopped for longer than its lease writes nothing when it goes on', async () => {
  await world.create('stopped');
  const first = start('stop-1');
  await leads(first);
  const second = start('stop-2');
  await busy('stopped', async () => {
    await writes('stop-1');
    first.signal('SIGSTOP');
    await leads(second);
    await sleep(500);
    first.signal('SIGCONT');
    expect(await first.ended).toBe(1);
    await writes('stop-2');
  });
  expectOneAfterTheOther('stop-1', 'stop-2');
  expect(first.errors).toEqual([]);
});

test('one that is cut off from the API server ends before another begins', async () => {
  await world.create('parted');
  const first = start('part-1', proxy.kubeconfig(cluster));
  await leads(first);
  const second = start('part-2');
  await busy('parted', async () => {
    await writes('part-1');
    proxy.rule = () => ({ do: 'hang' });
    proxy.cutAll();
    await leads(second);
    proxy.rule = () => pass;
    expect(await first.ended).toBe(1);
    await writes('part-2');
  });
  expectOneAfterTheOther('part-1', 'part-2');
  expect(first.errors).toEqual([]);
});

test('writes that wait for a connection are not sent once the leadership is over', async () => {
  await Promise.all(Array.from({ length: 30 }, (_, n) => world.create(`queued-${n}`)));
  const first = start('queue-1', proxy.kubeconfig(cluster));
  let held = false;
  proxy.rule = ({ write, url }) => {
    if (!write) return pass;
    if (url.pathname.includes('leases')) return held ? { do: 'cut' } : pass;
    held = true;
    // Longer than the lease: it would be sent in the time of the next leader.
    return { do: 'delay', ms: 5000 };
  };
  await leads(first);
  await poll('held writes', async () => held);
  const second = start('queue-2');
  await leads(second);
  expect(await first.ended).toBe(1);
  await sleep(3000);
  expect(writers('queue-1')).toEqual([]);
  expect(writers('queue-2').length).toBeGreaterThan(30);
});

test('a stolen lease ends the leadership', async () => {
  await world.create('stolen');
  const first = start('steal-1');
  await leads(first);
  const theft = {
    spec: { holderIdentity: 'thief', leaseDurationSeconds: 4, renewTime: '2026-01-01T00:00:00.000000Z' },
  };
  const { status } = await cluster.request('PATCH', LEASE, theft, { 'content-type': 'application/merge-patch+json' });
  expect(status).toBe(200);
  expect(await first.ended).toBe(1);
  const before = writers('steal-1').length;
  await world.setVersion('stolen', '2');
  const second = start('steal-2');
  await leads(second);
  await world.follows('stolen', '2');
  expect(writers('steal-1').length).toBe(before);
  expect(first.errors).toEqual([]);
});

test('renewals survive an API server that restarts within the deadline', async () => {
  await world.create('renewed');
  const first = bundle.start({
    kubeconfig: cluster.kubeconfig,
    version: 'renew-1',
    leaderElect: true,
    leaderElectionId: 'test',
  });
  await leads(first);
  await cluster.restart('kube-apiserver');
  await world.setVersion('renewed', '2');
  await world.follows('renewed', '2');
  expect(first.has('Lost leadership')).toBe(false);
  expect(first.errors).toEqual([]);
});
