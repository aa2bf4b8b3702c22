import { Agent } from 'node:http';
import { connect } from 'node:net';
import { type FakeServer, startFakeServer } from '../../fake-server/index';
import { call, chat, events, eventually, metric, streamedText } from './client';

const path = '/v1/chat/completions';
const running: FakeServer[] = [];

async function start(...[options, surroundings]: Parameters<typeof startFakeServer>): Promise<FakeServer> {
  const server = await startFakeServer({ port: 0, ...options }, surroundings);
  running.push(server);
  return server;
}

afterEach(() => {
  for (const server of running.splice(0)) server.destroy();
});

test('running and waiting requests are answered in full while the listener is closed', async () => {
  const server = await start({ maxRunning: 2, answerTokens: 10, tokenMilliseconds: 5 });
  const { port } = server;
  const calls = Array.from({ length: 6 }, (_, index) => call({ port, path, body: chat({ stream: index % 2 === 0 }) }));
  await eventually(async () => (await metric(port, 'num_requests_waiting')) === 4);
  const closed = server.close();
  await expect(call({ port, path: '/health' })).rejects.toThrow('ECONNREFUSED');
  const answers = await Promise.all(calls);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  expect(events(answers[0]?.text ?? '').at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
  expect(await closed).toEqual({ cutOff: 0 });
});

test('a request on an idle connection is still answered while the server stops, and ends the connection', async () => {
  const server = await start({ firstTokenMilliseconds: 20 });
  const { port } = server;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect((await call({ port, path: '/health', agent })).headers.connection).toBe('keep-alive');
  const closed = server.close();
  const late = await call({ port, path, body: chat(), agent });
  expect(late).toMatchObject({ status: 200, headers: { connection: 'close' } });
  expect(await closed).toEqual({ cutOff: 0 });
});

test('idle and silent connections do not delay the stop', async () => {
  const server = await start({});
  const agent = new Agent({ keepAlive: true });
  await call({ port: server.port, path: '/health', agent });
  const silent = connect(server.port, '127.0.0.1');
  await new Promise((resolve) => {
    silent.on('connect', resolve);
  });
  const begun = Date.now();
  expect(await server.close()).toEqual({ cutOff: 0 });
  expect(Date.now() - begun).toBeLessThan(3000);
  silent.destroy();
});

test('what is not finished in time ends with abort, in order, and is reported', async () => {
  const server = await start({ maxRunning: 2, shutdownSeconds: 0.3, tokenMilliseconds: 10 });
  const { port } = server;
  const long = { ignore_eos: true, max_tokens: 10_000 };
  const stream = call({ port, path, body: chat({ stream: true, ...long }) });
  const whole = call({ port, path, body: chat(long) });
  await eventually(async () => (await metric(port, 'num_requests_running')) === 2);
  const waiting = call({ port, path, body: chat() });
  await eventually(async () => (await metric(port, 'num_requests_waiting')) === 1);
  expect(await server.close()).toEqual({ cutOff: 3 });
  const list = events((await stream).text);
  expect(list.at(-1)).toMatchObject({ choices: [{ finish_reason: 'abort' }] });
  expect(streamedText(list).split(' ').length).toBeGreaterThan(10);
  for (const answer of [await whole, await waiting]) {
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'shutting_down' } });
  }
});

test('closing twice is closing once', async () => {
  const messages: string[] = [];
  const server = await start({}, { log: ({ msg }) => messages.push(msg) });
  expect(await Promise.all([server.close(), server.close()])).toEqual([{ cutOff: 0 }, { cutOff: 0 }]);
  expect(messages).toEqual(['stopping']);
});

test('destroying cuts everything off at once', async () => {
  const server = await start({ firstTokenMilliseconds: 60_000 });
  const lost = call({ port: server.port, path, body: chat() });
  await eventually(async () => (await metric(server.port, 'num_requests_running')) === 1);
  server.destroy();
  await expect(lost).rejects.toThrow();
});

test('a port that is taken is an error that says so', async () => {
  const { port } = await start({});
  await expect(startFakeServer({ port })).rejects.toThrow(/EADDRINUSE/);
});

test('nothing listens beyond loopback unless asked, and :: is every address', async () => {
  const { port } = await start({});
  await expect(call({ port, path: '/health' })).resolves.toMatchObject({ status: 200 });
  const everywhere = await start({ host: '::' });
  expect(await call({ port: everywhere.port, path: '/health' })).toMatchObject({ status: 200 });
});
