import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, ConnectionError, NotLeaderError } from '../../operator/cluster/api-error';
import { connect } from '../../operator/cluster/connection';
import { Transport, type TransportOptions } from '../../operator/cluster/transport';
import { Api } from '../faults/api';

let api: Api;
let transport: Transport | undefined;
beforeEach(async () => {
  api = await Api.start();
});
afterEach(async () => {
  transport?.close();
  await api.stop();
});

function start(options: Partial<TransportOptions> = {}, maxSockets?: number): Transport {
  const connection = connect({ kubeconfig: api.kubeconfig(), ...(maxSockets === undefined ? {} : { maxSockets }) });
  transport = new Transport(connection, { userAgent: 'test', ...options });
  return transport;
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

async function collect(lines: AsyncGenerator<string>): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

const GET = { method: 'GET', path: '/x' } as const;
const PATCH = { method: 'PATCH', path: '/x', body: { a: 1 } } as const;

test('requests share connections, and say who sends them', async () => {
  const client = start();
  let agent: string | undefined;
  api.answer = (request, response) => {
    agent = request.headers['user-agent'];
    response.end('{"a":1}');
  };
  for (let n = 0; n < 5; n++) expect(await client.json(GET)).toEqual({ a: 1 });
  expect(api.connections).toBe(1);
  expect(agent).toBe('test');
});

test('watches never take the sockets of requests', async () => {
  const client = start({}, 2);
  const stop = new AbortController();
  api.answer = (request, response) => {
    if (request.url?.startsWith('/watch') === true) response.writeHead(200).flushHeaders();
    else response.end('{}');
  };
  const watches = Array.from({ length: 20 }, (_, n) =>
    collect(client.lines({ method: 'GET', path: `/watch${n}`, signal: stop.signal }, 60_000)),
  );
  while (api.requests.length < 20) await sleep(5);
  expect(await client.json(GET)).toEqual({});
  stop.abort();
  expect(await Promise.all(watches)).toEqual(watches.map(() => []));
});

test.each([
  ['headers', () => undefined],
  ['the rest of the body', (response: { write(text: string): unknown }) => void response.write('{')],
])('a request whose server never sends %s ends by its time limit', async (_what, begin) => {
  const client = start({ timeoutMs: 100 });
  api.answer = (_request, response) => begin(response);
  const error = await failure(client.json(GET));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(String(error)).toContain('GET /x: no answer within 100 ms');
});

test('a watch whose server never begins is a lost connection, not an end', async () => {
  const client = start({ timeoutMs: 100 });
  api.answer = () => undefined;
  expect(await failure(collect(client.lines(GET, 60_000)))).toBeInstanceOf(ConnectionError);
});

test('a watch without a byte for too long ends with an error, one with a byte now and then does not', async () => {
  const client = start();
  api.answer = (_request, response) => {
    response.write('{"a":1}\n{"b"');
    let count = 0;
    const timer = setInterval(() => {
      response.write(':2}\n{"b"');
      if (++count === 5) clearInterval(timer);
    }, 60);
  };
  const lines: string[] = [];
  const error = await failure(
    (async () => {
      for await (const line of client.lines(GET, 200)) lines.push(line);
    })(),
  );
  expect(String(error)).toContain('silent for 200 ms');
  expect(lines).toEqual(['{"a":1}', ...Array.from({ length: 5 }, () => '{"b":2}')]);
});

test('a line that is cut off is no line, and its connection is lost', async () => {
  const client = start();
  api.answer = (_request, response) => {
    response.write('{"a":1}\n{"b"', () => api.cutAll());
  };
  const lines: string[] = [];
  const error = await failure(
    (async () => {
      for await (const line of client.lines(GET, 60_000)) lines.push(line);
    })(),
  );
  expect(error).toBeInstanceOf(ConnectionError);
  expect(lines).toEqual(['{"a":1}']);
});

test('text that is split within a character arrives whole', async () => {
  const client = start();
  const bytes = Buffer.from('{"a":"ä"}\n');
  api.answer = (_request, response) => {
    response.write(bytes.subarray(0, 7));
    setTimeout(() => response.end(bytes.subarray(7)), 30);
  };
  expect(await collect(client.lines(GET, 60_000))).toEqual(['{"a":"ä"}']);
});

test('requests and watches leave nothing on a signal that lives as long as the process', async () => {
  const client = start();
  const { signal } = new AbortController();
  let listeners = 0;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners += 1;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners -= 1;
    remove(...args);
  };
  await client.json({ ...GET, signal });
  await collect(client.lines({ ...GET, signal }, 60_000));
  api.answer = (_request, response) => api.cutAll() ?? response.destroy();
  await failure(client.json({ ...GET, signal }));
  expect(listeners).toBe(0);
});

test('a kept connection that the server closed meanwhile is replaced without a word', async () => {
  const client = start();
  let count = 0;
  api.answer = (_request, response) => {
    // What a server does that closes an idle connection just as a request comes.
    if (++count === 2) response.socket?.destroy();
    else response.end('{}');
  };
  await client.json(PATCH);
  expect(await client.json(PATCH)).toEqual({});
  expect(count).toBe(3);
});

test('a new connection that is closed is an error', async () => {
  const client = start();
  api.answer = (_request, response) => response.socket?.destroy();
  expect(await failure(client.json(GET))).toBeInstanceOf(ConnectionError);
  expect(api.requests).toHaveLength(1);
});

test('a write does not leave the process while the gate is closed; a read and the lease do', async () => {
  const client = start({ gate: { open: () => false, safeMs: () => 0 } });
  expect(await failure(client.json(PATCH))).toBeInstanceOf(NotLeaderError);
  expect(api.requests).toEqual([]);
  await client.json(GET);
  await client.json({ ...PATCH, ungated: true });
  expect(api.requests.map(({ method }) => method)).toEqual(['GET', 'PATCH']);
});

test('a write that waited for a free connection is not sent if the gate was closed meanwhile', async () => {
  let open = true;
  const client = start({ gate: { open: () => open, safeMs: () => 1000 } }, 1);
  const answers: (() => void)[] = [];
  api.answer = (_request, response) => {
    answers.push(() => response.end('{}'));
  };
  const first = client.json(PATCH);
  while (answers.length === 0) await sleep(5);
  const second = failure(client.json({ ...PATCH, path: '/second' }));
  await sleep(20);
  open = false;
  answers[0]?.();
  await first;
  expect(await second).toBeInstanceOf(NotLeaderError);
  expect(api.requests.map(({ url }) => url.split('?')[0])).toEqual(['/x']);
});

test('a write that waited for a new connection is not sent if the gate was closed meanwhile', async () => {
  let calls = 0;
  const client = start({ gate: { open: () => ++calls === 1, safeMs: () => 1000 } });
  expect(await failure(client.json(PATCH))).toBeInstanceOf(NotLeaderError);
  expect(calls).toBe(2);
  expect(api.requests).toEqual([]);
});

test('a write that waited for the handshake is not sent if the gate was closed meanwhile', async () => {
  const waiting: Socket[] = [];
  const slow = createServer((socket) => waiting.push(socket));
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  const { port } = slow.address() as AddressInfo;
  let open = true;
  const connection = connect({ kubeconfig: api.kubeconfig({ token: 'x' }, { server: `https://127.0.0.1:${port}` }) });
  transport = new Transport(connection, { userAgent: 'test', gate: { open: () => open, safeMs: () => 1000 } });
  const write = failure(transport.json(PATCH));
  while (waiting.length === 0) await sleep(5);
  open = false;
  api.server.emit('connection', waiting[0]);
  expect(await write).toBeInstanceOf(NotLeaderError);
  expect(api.requests).toEqual([]);
  waiting[0]?.destroy();
  slow.close();
});

test('the API server is asked to drop a write once another process may lead', async () => {
  const client = start({ gate: { open: () => true, safeMs: () => 12_345.6 } });
  await client.json({ ...PATCH, query: { force: true } });
  await client.json(GET);
  expect(api.requests.map(({ url }) => url)).toEqual(['/x?force=true&timeout=12345ms', '/x']);
});

test('a 429 with Retry-After is tried again after that time, and holds back the others meanwhile, but not the lease', async () => {
  const client = start();
  let count = 0;
  api.answer = (_request, response) => {
    if (++count === 1) response.writeHead(429, { 'retry-after': '1' }).end('{}');
    else response.end('{}');
  };
  const began = performance.now();
  const first = client.json(PATCH);
  while (api.requests.length === 0) await sleep(5);
  await sleep(20);
  const other = client.json({ ...GET, path: '/other' });
  await client.json({ ...PATCH, path: '/lease', ungated: true });
  expect(performance.now() - began).toBeLessThan(900);
  await Promise.all([first, other]);
  expect(performance.now() - began).toBeGreaterThanOrEqual(990);
  expect(api.requests.slice(0, 2).map(({ url }) => url)).toEqual(['/x', '/lease']);
});

test('a 429 that asks for more patience than a request has is reported at once', async () => {
  const client = start();
  api.answer = (_request, response) => response.writeHead(429, { 'retry-after': '40' }).end('{"message":"busy"}');
  const error = await failure(client.json(GET));
  expect(error).toBeInstanceOf(ApiError);
  expect((error as ApiError).retryAfterMs).toBe(40_000);
});

test('requests wait for the rate limit, the lease does not', async () => {
  const client = start({ limit: { perSecond: 10, burst: 2 } });
  const began = performance.now();
  const slow = Promise.all(Array.from({ length: 5 }, () => client.json(GET)));
  await client.json({ ...PATCH, ungated: true });
  expect(performance.now() - began).toBeLessThan(200);
  await slow;
  expect(performance.now() - began).toBeGreaterThan(290);
});

test('a refusal is reported with what the server said', async () => {
  const client = start();
  api.answer = (_request, response) => response.writeHead(422).end('{"message":"no","reason":"Invalid"}');
  const error = await failure(client.json(PATCH));
  expect(error).toMatchObject({ status: 422, reason: 'Invalid', message: 'no' });
  api.answer = (_request, response) => response.writeHead(502).end('<html>');
  expect(await failure(client.json(PATCH))).toMatchObject({ status: 502, message: '<html>' });
});

test('an answer that is no JSON is a lost connection', async () => {
  const client = start();
  api.answer = (_request, response) => response.end('<html>');
  expect(await failure(client.json(GET))).toBeInstanceOf(ConnectionError);
});

test('each try is counted, with its verb and code', async () => {
  const seen: string[] = [];
  const client = start({ observer: { answered: (verb, _host, code) => seen.push(`${verb} ${code}`) } });
  await client.json(GET);
  api.answer = (_request, response) => response.writeHead(500).end();
  await failure(client.json(PATCH));
  api.answer = (_request, response) => response.socket?.destroy();
  await failure(client.json({ ...GET, path: '/new' }));
  expect(seen.slice(0, 2)).toEqual(['GET 200', 'PATCH 500']);
  expect(new Set(seen.slice(2))).toEqual(new Set(['GET <error>']));
});
