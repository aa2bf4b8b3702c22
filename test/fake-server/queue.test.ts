import { call, chat, eventually, metric, withServer } from './client';

const path = '/v1/chat/completions';

test('waiting requests get their turn in the order in which they came', () =>
  withServer({ maxRunning: 1, firstTokenMilliseconds: 15, answerTokens: 1 }, async (port) => {
    const order: number[] = [];
    const calls: Promise<unknown>[] = [];
    for (let index = 0; index < 12; index += 1) {
      calls.push(call({ port, path, body: chat() }).then(() => order.push(index)));
      // oxlint-disable-next-line no-await-in-loop -- the next is sent when this one is in the queue
      await eventually(async () => {
        const { text } = await call({ port, path: '/load' });
        return order.length + (JSON.parse(text) as { server_load: number }).server_load > index;
      });
    }
    await Promise.all(calls);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  }));

test('never more answers than slots are made at a time, and every one is made', () =>
  withServer({ maxRunning: 3, answerTokens: 4, tokenMilliseconds: 10 }, async (port) => {
    const seen = new Set<number | undefined>();
    const done = new AbortController();
    const watching = (async () => {
      while (!done.signal.aborted) {
        // oxlint-disable-next-line no-await-in-loop -- each look waits for the one before it
        seen.add(await metric(port, 'num_requests_running'));
      }
    })();
    const calls = Array.from({ length: 40 }, () => call({ port, path, body: chat({ stream: true }) }));
    expect((await Promise.all(calls)).every(({ status }) => status === 200)).toBe(true);
    done.abort();
    await watching;
    expect(seen).toContain(3);
    expect([...seen].every((running) => running !== undefined && running <= 3)).toBe(true);
    expect(await metric(port, 'request_success_total', '"stop"')).toBe(40);
  }));

test('a request for which the queue has no place is answered 503 with Retry-After, and costs no other', () =>
  withServer({ maxRunning: 1, maxWaiting: 2, firstTokenMilliseconds: 200, answerTokens: 1 }, async (port) => {
    const calls = [1, 2, 3].map(() => call({ port, path, body: chat() }));
    await eventually(async () => (await metric(port, 'num_requests_waiting')) === 2);
    const refused = await call({ port, path, body: chat({ stream: true }) });
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(JSON.parse(refused.text)).toMatchObject({ error: { type: 'server_error', code: 'overloaded' } });
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200]);
  }));

test('a client that leaves frees its slot at once, and one that waits its place', () =>
  withServer({ maxRunning: 1, firstTokenMilliseconds: 60_000 }, async (port) => {
    const first = new AbortController();
    const second = new AbortController();
    const calls = [first, second, second].map(({ signal }) => call({ port, path, body: chat(), signal }));
    const settled = Promise.allSettled(calls);
    await eventually(async () => (await metric(port, 'num_requests_waiting')) === 2);
    first.abort();
    await eventually(async () => (await metric(port, 'num_requests_waiting')) === 1);
    expect(await metric(port, 'num_requests_running')).toBe(1);
    second.abort();
    await eventually(async () => (await metric(port, 'num_requests_running')) === 0);
    expect(await metric(port, 'num_requests_waiting')).toBe(0);
    await settled;
  }));

test('a client that leaves in the middle of a stream ends its answer', () =>
  withServer({ tokenMilliseconds: 5 }, async (port) => {
    const leave = new AbortController();
    const body = chat({ stream: true, ignore_eos: true, max_tokens: 10_000 });
    const stream = call({ port, path, body, signal: leave.signal, onData: () => leave.abort() });
    await expect(stream).rejects.toThrow();
    await eventually(async () => (await metric(port, 'request_success_total', '"abort"')) === 1);
    expect(await metric(port, 'generation_tokens_total')).toBeLessThan(100);
  }));
