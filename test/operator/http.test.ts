import { parseBindAddress } from '../../lib/settings/address';
import { connect, type Socket } from 'node:net';
import { sharedAnswer, startStatusServer, type Answer, type StatusServer } from '../../operator/serve/http';
import { FakeClock } from './fake-clock';

let server: StatusServer | undefined;
afterEach(() => server?.close());

async function start(routes: Parameters<typeof startStatusServer>[1]): Promise<string> {
  server = await startStatusServer({ host: '127.0.0.1', port: 0 }, routes);
  return `http://${server.address}`;
}

test.each([
  ['0', 'off'],
  [':8081', { host: undefined, port: 8081 }],
  ['127.0.0.1:80', { host: '127.0.0.1', port: 80 }],
  ['[::1]:8080', { host: '::1', port: 8080 }],
  ['localhost:0', { host: 'localhost', port: 0 }],
])('%s is an address as Go operators write it', (text, expected) => {
  expect(parseBindAddress(text)).toEqual(expected);
});

test.each(['8080', '127.0.0.1', ':99999', '::1:80', '', 'a b:'])('%j is not such an address', (text) => {
  expect(parseBindAddress(text)).toBeUndefined();
});

test('answers GET and HEAD of its paths and nothing else', async () => {
  const url = await start({ '/healthz': () => ({ status: 200, body: 'ok\n' }) });
  expect(await (await fetch(`${url}/healthz?verbose`)).text()).toBe('ok\n');
  expect((await fetch(`${url}/healthz`, { method: 'HEAD' })).status).toBe(200);
  expect((await fetch(`${url}/healthz`, { method: 'POST', body: 'x' })).status).toBe(405);
  for (const path of ['/', '/__proto__', '/constructor']) expect((await fetch(url + path)).status).toBe(404);
});

test('a fault of a route is a 500 without its words', async () => {
  const url = await start({
    '/x': () => {
      throw new Error('secret');
    },
  });
  const answer = await fetch(`${url}/x`);
  expect([answer.status, await answer.text()]).toEqual([500, 'internal error\n']);
});

test('an open connection does not keep it from closing', async () => {
  const url = new URL(await start({}));
  const socket = connect(Number(url.port), url.hostname);
  await new Promise((resolve) => socket.once('connect', resolve));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await server?.close();
  await closed;
});

test('all who ask while an answer is made, and shortly after, get the same one', async () => {
  const clock = new FakeClock();
  let [made, finish] = [0, (_answer: Answer): void => undefined];
  const make = (): Promise<Answer> => {
    made++;
    return new Promise((resolve) => {
      finish = resolve;
    });
  };
  const ask = sharedAnswer(make, clock, 500);
  const [first, second] = [ask(), ask()];
  finish({ status: 200, body: 'a' });
  expect(await first).toBe(await second);
  await clock.advance(499);
  expect([await ask(), made]).toEqual([{ status: 200, body: 'a' }, 1]);
  await clock.advance(1);
  const third = ask();
  finish({ status: 200, body: 'b' });
  expect([await third, made]).toEqual([{ status: 200, body: 'b' }, 2]);
});

test('an answer that could not be made is tried again', async () => {
  const clock = new FakeClock();
  let made = 0;
  const ask = sharedAnswer(
    async () => {
      if (made++ === 0) throw new Error('not now');
      return { status: 200, body: 'ok' };
    },
    clock,
    500,
  );
  await expect(ask()).rejects.toThrow('not now');
  await clock.advance(500);
  expect(await ask()).toEqual({ status: 200, body: 'ok' });
});

async function crowd(url: URL): Promise<{ readonly sockets: readonly Socket[]; readonly closed: Set<Socket> }> {
  const closed = new Set<Socket>();
  const sockets: Socket[] = [];
  for (let count = 0; count < 100; count++) {
    const socket = connect(Number(url.port), url.hostname);
    socket.on('error', () => undefined).once('close', () => closed.add(socket));
    await new Promise((resolve) => socket.once('connect', resolve));
    sockets.push(socket);
  }
  return { sockets, closed };
}

test('a crowd of connections that ask for nothing is limited, and keeps nobody out', async () => {
  const url = new URL(await start({ '/healthz': () => ({ status: 200, body: 'ok\n' }) }));
  const { sockets, closed } = await crowd(url);
  expect((await fetch(`${url.href}healthz`)).status).toBe(200);
  for (let waited = 0; closed.size < 37 && waited < 5000; waited += 10) await pause(10);
  expect(closed).toEqual(new Set(sockets.slice(0, 37)));
  for (const socket of sockets) socket.destroy();
});

test('a crowd that waits for answers is limited, and lets others in when it goes', async () => {
  let answer = (_: Answer): void => undefined;
  const slow = new Promise<Answer>((resolve) => {
    answer = resolve;
  });
  const url = new URL(await start({ '/slow': () => slow, '/healthz': () => ({ status: 200, body: 'ok\n' }) }));
  const sockets = Array.from({ length: 64 }, () => connect(Number(url.port), url.hostname));
  const answered = new Set<Socket>();
  for (const socket of sockets) {
    socket.once('data', () => answered.add(socket));
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  }
  await pause(200);
  await expect(fetch(`${url.href}healthz`)).rejects.toThrow('fetch failed');
  answer({ status: 200, body: 'late\n' });
  for (let waited = 0; answered.size < 64 && waited < 5000; waited += 10) await pause(10);
  expect(answered.size).toBe(64);
  expect((await fetch(`${url.href}healthz`)).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

test('a port that is taken is an error that says so', async () => {
  const url = new URL(await start({}));
  await expect(startStatusServer({ host: url.hostname, port: Number(url.port) }, {})).rejects.toThrow('EADDRINUSE');
});
