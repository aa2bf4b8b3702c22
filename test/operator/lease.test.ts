import type { Manifest } from '../../lib/composition/manifest';
import { ApiError } from '../../operator/cluster/api-error';
import type { KubeClient } from '../../operator/cluster/kube';
import { LeaderElector } from '../../operator/lead/lease';
import type { LeaseTimes } from '../../operator/lead/lease-times';
import { readSettings } from '../../operator/settings/read';
import { FakeClock, settle } from './fake-clock';

/** A Lease as the API server keeps it: versions checked, and a switch that makes every request fail. */
class LeaseStore {
  lease: Manifest | undefined;
  down = false;
  writes: string[] = [];
  #version = 0;

  readonly client = {
    get: async (): Promise<Manifest> => {
      this.#check();
      if (this.lease === undefined) throw new ApiError('get', 404, {}, 0);
      return this.lease;
    },
    create: async (_kind: unknown, manifest: Manifest): Promise<Manifest> => {
      this.#check();
      if (this.lease !== undefined) throw new ApiError('create', 409, {}, 0);
      return this.put(manifest);
    },
    replace: async (_kind: unknown, manifest: Manifest): Promise<Manifest> => {
      this.#check();
      if (this.lease === undefined) throw new ApiError('replace', 404, {}, 0);
      if (manifest.metadata.resourceVersion !== this.lease.metadata.resourceVersion)
        throw new ApiError('replace', 409, {}, 0);
      return this.put(manifest);
    },
  } as unknown as KubeClient;

  put(manifest: Manifest): Manifest {
    this.lease = { ...manifest, metadata: { ...manifest.metadata, resourceVersion: String(++this.#version) } };
    this.writes.push(this.holder);
    return this.lease;
  }

  /** Another process writes the lease. */
  steal(identity: string, seconds = 15): void {
    const base = this.lease ?? { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'x' } };
    this.put({
      ...base,
      spec: { holderIdentity: identity, leaseDurationSeconds: seconds, renewTime: String(this.#version) },
    });
  }

  get spec(): { readonly holderIdentity?: string; readonly renewTime?: string } {
    return this.lease?.['spec'] ?? {};
  }

  get holder(): string {
    return this.spec.holderIdentity ?? '';
  }

  #check(): void {
    if (this.down) throw new ApiError('lease', 503, {}, 0);
  }
}

const times: LeaseTimes = readSettings({ flags: new Map(), env: {} });

function elector(store: LeaseStore, clock: FakeClock, identity = 'me'): LeaderElector {
  return new LeaderElector({ client: store.client, namespace: 'default', name: 'x', identity, clock, times });
}

test('the first to come leads, and its times have the six digits that the API server wants', async () => {
  const [store, clock] = [new LeaseStore(), new FakeClock()];
  const leader = elector(store, clock);
  expect(leader.open()).toBe(false);
  expect(await leader.acquire(new AbortController().signal)).toBe(true);
  expect(leader.open()).toBe(true);
  expect(store.spec.renewTime).toMatch(/\.\d{6}Z$/);
});

test('writes are not sent once the deadline has passed without a renewal, no matter what the loop does', async () => {
  const [store, clock] = [new LeaseStore(), new FakeClock()];
  const leader = elector(store, clock);
  await leader.acquire(new AbortController().signal);
  await clock.advance(9_999);
  expect(leader.open()).toBe(true);
  await clock.advance(1);
  expect(leader.open()).toBe(false);
});

test('a leader whose renewals fail loses before anybody else may take over', async () => {
  const [store, clock] = [new LeaseStore(), new FakeClock()];
  const leader = elector(store, clock);
  await leader.acquire(new AbortController().signal);
  let ended: string | undefined;
  void leader.renew(new AbortController().signal).then((how) => (ended = how));
  await clock.advance(20_000);
  expect(ended).toBeUndefined();
  store.down = true;
  await clock.advance(9_000);
  expect(leader.open()).toBe(true);
  await clock.advance(4_000);
  expect(leader.open()).toBe(false);
  expect(ended).toBe('lost');
});

test('a stolen lease ends the leadership with the next renewal', async () => {
  const [store, clock] = [new LeaseStore(), new FakeClock()];
  const leader = elector(store, clock);
  await leader.acquire(new AbortController().signal);
  let ended: string | undefined;
  void leader.renew(new AbortController().signal).then((how) => (ended = how));
  store.steal('thief');
  await clock.advance(2_500);
  expect(leader.open()).toBe(false);
  expect(ended).toBe('lost');
  expect(store.holder).toBe('thief');
});

test('another holder is respected as long as its record changes, however old its times are', async () => {
  const [store, clock] = [new LeaseStore(), new FakeClock()];
  store.steal('other');
  let acquired = false;
  void elector(store, clock)
    .acquire(new AbortController().signal)
    .then((got) => (acquired = got));
  for (let round = 0; round < 10; round++) {
    await clock.advance(10_000);
    store.steal('other');
  }
  expect(acquired).toBe(false);
  await clock.advance(14_000);
  expect(acquired).toBe(false);
  await clock.advance(6_000);
  expect(acquired).toBe(true);
  expect(store.holder).toBe('me');
});

test('of two that compete for an expired lease one wins', async () => {
  const [store, clock] = [new LeaseStore(), new FakeClock()];
  store.steal('dead');
  const both = ['a', 'b'].map((name) => elector(store, clock, name));
  const { signal } = new AbortController();
  for (const each of both) void each.acquire(signal).then(() => each.renew(signal));
  await clock.advance(60_000);
  expect(both.filter((each) => each.open()).length).toBe(1);
  expect(['a', 'b']).toContain(store.holder);
  expect(new Set(store.writes.filter((holder) => holder !== 'dead')).size).toBe(1);
});

test('a released lease is free for the next at once', async () => {
  const [store, clock] = [new LeaseStore(), new FakeClock()];
  const first = elector(store, clock, 'first');
  await first.acquire(new AbortController().signal);
  await first.release();
  expect(first.open()).toBe(false);
  const second = elector(store, clock, 'second');
  expect(await second.acquire(new AbortController().signal)).toBe(true);
  expect(store.holder).toBe('second');
});

test('a leader never takes back a lease that was deleted under it', async () => {
  const [store, clock] = [new LeaseStore(), new FakeClock()];
  const leader = elector(store, clock);
  await leader.acquire(new AbortController().signal);
  let ended: string | undefined;
  void leader.renew(new AbortController().signal).then((how) => (ended = how));
  store.lease = undefined;
  await clock.advance(2_500);
  await settle();
  expect(ended).toBe('lost');
  expect(leader.open()).toBe(false);
});

/** A clock whose wall jumps by hand, as after NTP or a sleep of the machine. */
class JumpingClock extends FakeClock {
  jump = 0;

  override wall(): Date {
    return new Date(super.wall().getTime() + this.jump);
  }
}

test('a wall clock that jumps ahead closes the gate until a renewal has proven that nobody came in between', async () => {
  const [store, clock] = [new LeaseStore(), new JumpingClock()];
  const leader = elector(store, clock);
  await leader.acquire(new AbortController().signal);
  let ended: string | undefined;
  void leader.renew(new AbortController().signal).then((how) => (ended = how));
  clock.jump = 3_600_000;
  expect(leader.open()).toBe(false);
  await clock.advance(2_100);
  expect(leader.open()).toBe(true);
  expect(ended).toBeUndefined();
});

test('a machine that slept while another took over finds the gate closed, and keeps it closed', async () => {
  const [store, clock] = [new LeaseStore(), new JumpingClock()];
  const leader = elector(store, clock);
  await leader.acquire(new AbortController().signal);
  let ended: string | undefined;
  void leader.renew(new AbortController().signal).then((how) => (ended = how));
  // Its monotonic clock slept with it.
  clock.jump = 60_000;
  store.steal('other');
  expect(leader.open()).toBe(false);
  await clock.advance(2_100);
  expect(leader.open()).toBe(false);
  expect(ended).toBe('lost');
});

test('a wall clock that jumps back neither prolongs the leadership nor shortens it', async () => {
  const [store, clock] = [new LeaseStore(), new JumpingClock()];
  const leader = elector(store, clock);
  await leader.acquire(new AbortController().signal);
  clock.jump = -3_600_000;
  expect(leader.open()).toBe(true);
  await clock.advance(10_000);
  expect(leader.open()).toBe(false);
});

test('a renewal whose answer was lost is made up for in the same round', async () => {
  const [store, clock] = [new LeaseStore(), new FakeClock()];
  const leader = elector(store, clock);
  await leader.acquire(new AbortController().signal);
  void leader.renew(new AbortController().signal);
  // The API server has a newer one of ours than we know of.
  store.steal('me');
  await clock.advance(2_100);
  await clock.advance(9_000);
  expect(leader.open()).toBe(true);
});

test('a lease is given up also when the answer to the last renewal was lost', async () => {
  const [store, clock] = [new LeaseStore(), new FakeClock()];
  const leader = elector(store, clock);
  await leader.acquire(new AbortController().signal);
  store.steal('me');
  await leader.release();
  expect(store.holder).toBe('');
});

test('a write may take until shortly before others may lead', async () => {
  const [store, clock] = [new LeaseStore(), new FakeClock()];
  const leader = elector(store, clock);
  expect(leader.safeMs()).toBe(0);
  await leader.acquire(new AbortController().signal);
  expect(leader.safeMs()).toBe(14_000);
  await clock.advance(9_000);
  expect(leader.safeMs()).toBe(5_000);
});

test('times that do not fit together are refused', () => {
  const [store, clock] = [new LeaseStore(), new FakeClock()];
  const base = { client: store.client, namespace: 'default', name: 'x', identity: 'me', clock };
  const elect = (other: Partial<LeaseTimes>): LeaderElector =>
    new LeaderElector({ ...base, times: { ...times, ...other } });
  expect(() => elect({ leaseMs: 10_000, renewDeadlineMs: 9_500 })).toThrow(
    'renewDeadlineMs must be at least 1000 ms shorter than leaseMs, 10000 ms, got 9500 ms',
  );
  expect(() => elect({ retryPeriodMs: 9_000 })).toThrow(
    'retryPeriodMs must be shorter than renewDeadlineMs, 10000 ms, divided by 1.2, got 9000 ms',
  );
  expect(() => elect({ leaseMs: 11_000, retryPeriodMs: 8_000 })).not.toThrow();
});
