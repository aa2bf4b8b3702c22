import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from './chat';
import { describeLoad, startLoad } from './load';

const fine: Outcome = { ok: true, text: 'yes' };

test('requests are sent by the clock, however long their answers take', async () => {
  const sent: number[] = [];
  const load = startLoad({
    rate: 50,
    seconds: 0.4,
    send: async () => {
      sent.push(performance.now());
      await sleep(500);
      return fine;
    },
  });
  const report = await load.finished;
  expect(report).toMatchObject({ requests: 20, failures: [], running: 20 });
  expect((sent.at(-1) ?? 0) - (sent[0] ?? 0)).toBeGreaterThan(300);
  expect(report.latency.p50).toBeGreaterThanOrEqual(499);
});

test('latency counts from when a request was due, not from when a busy sender came to it', async () => {
  let first = true;
  const load = startLoad({
    rate: 100,
    seconds: 0.1,
    send: async () => {
      const until = performance.now() + (first ? 300 : 0);
      first = false;
      while (performance.now() < until);
      return fine;
    },
  });
  expect((await load.finished).latency.p50).toBeGreaterThan(150);
});

test('a load that is stopped sends no more, and reports when the last answer is there', async () => {
  let answered = 0;
  const load = startLoad({
    rate: 20,
    seconds: 60,
    send: async () => {
      await sleep(200);
      answered += 1;
      return fine;
    },
  });
  await sleep(300);
  const { requests } = await load.stop();
  expect(answered).toBe(requests);
  expect(requests).toBeGreaterThan(3);
  expect(requests).toBeLessThan(12);
});

test('failures are reported with their time and place, and summed up by cause', async () => {
  let count = 0;
  const load = startLoad({
    rate: 100,
    seconds: 0.1,
    send: async () => {
      count += 1;
      return count > 3 ? fine : { ok: false, error: `cause ${Math.min(count, 2)}`, endpoint: '10.244.1.1:8000' };
    },
  });
  const report = await load.finished;
  expect(report.failures.map(({ error }) => error)).toEqual(['cause 1', 'cause 2', 'cause 2']);
  const text = describeLoad(report);
  expect(text).toMatch(/^10 requests, 3 failed; latency p50 \d+ ms/);
  expect(text).toContain('\n  2 × cause 2\n');
  expect(text).toContain('sent at 0 s, failed at 0 s, 10.244.1.1:8000: cause 1');
});

test('a rate that makes no sense is refused', () => {
  const send = async (): Promise<Outcome> => fine;
  expect(() => startLoad({ rate: 0, seconds: 1, send })).toThrow('must be above 0, got 0 and 1');
});
