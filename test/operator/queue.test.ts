import { WorkQueue } from '../../operator/reconcile/queue';
import { FakeClock, settle } from './fake-clock';

function queueWith(clock: FakeClock): WorkQueue {
  return new WorkQueue({ clock });
}

/** Takes a key that must be there already. */
async function takeNow(queue: WorkQueue): Promise<string | undefined> {
  return Promise.race([queue.take(), settle().then(() => 'nothing')]);
}

test('10,000 events for one key in work lead to one more run', async () => {
  const queue = queueWith(new FakeClock());
  queue.add('a');
  expect(await queue.take()).toBe('a');
  for (let event = 0; event < 10_000; event++) queue.add('a');
  expect(queue.depth).toBe(0);
  queue.done('a');
  expect(queue.depth).toBe(1);
  expect(await queue.take()).toBe('a');
  queue.done('a');
  expect(queue.depth).toBe(0);
});

test('one key is never given to two workers at once', async () => {
  const queue = queueWith(new FakeClock());
  queue.add('a');
  expect(await queue.take()).toBe('a');
  queue.add('a');
  const second = queue.take();
  expect(await Promise.race([second, settle().then(() => 'waits')])).toBe('waits');
  queue.done('a');
  expect(await second).toBe('a');
});

test('keys come in the order in which they were added', async () => {
  const queue = queueWith(new FakeClock());
  for (const key of ['c', 'a', 'b', 'a']) queue.add(key);
  expect([await queue.take(), await queue.take(), await queue.take()]).toEqual(['c', 'a', 'b']);
});

test('low priority waits for high, but gets its turn', async () => {
  const queue = queueWith(new FakeClock());
  queue.add('low', 'low');
  for (let key = 0; key < 10; key++) queue.add(`high-${key}`);
  const order: (string | undefined)[] = [];
  for (let turn = 0; turn < 11; turn++) order.push(await queue.take());
  expect(order.indexOf('low')).toBe(4);
});

test('an event lifts a waiting key from low to high priority', async () => {
  const queue = queueWith(new FakeClock());
  queue.add('slow', 'low');
  queue.add('urgent', 'low');
  queue.add('urgent', 'high');
  expect(await queue.take()).toBe('urgent');
});

test('a failing key waits longer each time and starts over when it is forgotten', async () => {
  const queue = queueWith(new FakeClock());
  const waits: number[] = [];
  for (let failure = 0; failure < 4; failure++) {
    queue.add('a');
    await queue.take();
    waits.push(queue.addRateLimited('a'));
    queue.done('a');
  }
  expect(waits).toEqual([5, 10, 20, 40]);
  queue.forget('a');
  expect(queue.addRateLimited('a')).toBe(5);
});

test('the wait of a failing key never grows beyond 1000 s', async () => {
  const clock = new FakeClock();
  const queue = queueWith(clock);
  let last = 0;
  for (let failure = 0; failure < 40; failure++) {
    last = queue.addRateLimited('a');
    await clock.advance(1_000_000);
  }
  expect(last).toBe(1_000_000);
});

test('many failing keys together keep to the overall rate', () => {
  const queue = new WorkQueue({ clock: new FakeClock(), retries: { perSecond: 10, burst: 100 } });
  const waits = Array.from({ length: 200 }, (_, key) => queue.addRateLimited(`key-${key}`));
  expect(waits[99]).toBe(5);
  expect(waits[199]).toBeCloseTo(10_000);
});

test('an event overtakes a later time, and the key comes once', async () => {
  const clock = new FakeClock();
  const queue = queueWith(clock);
  queue.addAfter('a', 60_000);
  queue.add('a');
  expect(await takeNow(queue)).toBe('a');
  queue.done('a');
  await clock.advance(120_000);
  expect(queue.depth).toBe(0);
});

test('of two later times the earlier one holds', async () => {
  const clock = new FakeClock();
  const queue = queueWith(clock);
  queue.addAfter('a', 10_000);
  queue.addAfter('a', 60_000);
  await clock.advance(9_999);
  expect(queue.depth).toBe(0);
  await clock.advance(1);
  expect(queue.depth).toBe(1);
  queue.addAfter('b', 60_000);
  queue.addAfter('b', 10_000);
  await clock.advance(10_000);
  expect(queue.depth).toBe(2);
});

test('closing wakes every worker and leaves no timer behind', async () => {
  const clock = new FakeClock();
  const queue = queueWith(clock);
  const workers = [queue.take(), queue.take()];
  queue.addAfter('a', 1000);
  queue.close();
  expect(await Promise.all(workers)).toEqual([undefined, undefined]);
  expect(clock.pending).toBe(0);
  queue.add('b');
  expect(await queue.take()).toBeUndefined();
});

test('a failing key waits as long as the server asks, where that is longer than its backoff', async () => {
  const clock = new FakeClock();
  const queue = queueWith(clock);
  expect(queue.addRateLimited('a', 3000)).toBe(3000);
  await clock.advance(2999);
  expect(queue.depth).toBe(0);
  await clock.advance(1);
  expect(queue.depth).toBe(1);
});
