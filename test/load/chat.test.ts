import { Agent, createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { startFakeServer } from '../../fake-server';
import { chat, type Target } from './chat';

const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

function target(port: number): Target {
  const agent = new Agent();
  agent.createConnection = () => connect(port, '127.0.0.1');
  closers.push(() => agent.destroy());
  return { agent, endpointOf: () => ({ address: '10.244.1.1', port: 8000 }) };
}

async function serve(answer: RequestListener): Promise<Target> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close().closeAllConnections());
  return target((server.address() as AddressInfo).port);
}

/** A stream of these tokens, without its end. */
function tokensOf(...tokens: readonly string[]): string {
  return tokens.map((content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`).join('');
}

test('the fake server answers, in whole and token by token', async () => {
  const server = await startFakeServer({ port: 0, modelName: 'm' });
  closers.push(() => server.destroy());
  for (const stream of [false, true]) {
    const outcome = await chat(target(server.port), { model: 'm', stream, maxTokens: 5 });
    expect(outcome).toEqual({ ok: true, text: expect.stringMatching(/\w/) });
  }
});

test('a refused connection is a failure with its endpoint', async () => {
  const server = await startFakeServer({ port: 0 });
  server.destroy();
  expect(await chat(target(server.port), { model: 'm' })).toEqual({
    ok: false,
    error: expect.stringContaining('ECONNREFUSED'),
    endpoint: '10.244.1.1:8000',
  });
});

test('an answer with an error, or with another model, is a failure with the words of the server', async () => {
  const server = await startFakeServer({ port: 0, modelName: 'm' });
  closers.push(() => server.destroy());
  const outcome = await chat(target(server.port), { model: 'other' });
  expect(outcome).toMatchObject({ ok: false, error: expect.stringMatching(/^status 404: .*other/) });
});

test('a stream whose connection is cut is a failure', async () => {
  const service = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(tokensOf('one ', 'two'), () => response.destroy());
  });
  const outcome = await chat(service, { model: 'm', stream: true });
  expect(outcome).toMatchObject({ ok: false, error: expect.stringMatching(/aborted|ECONNRESET|cut/) });
});

test('a stream that ends without [DONE] is a failure', async () => {
  const service = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(tokensOf('one ', 'two'));
  });
  const outcome = await chat(service, { model: 'm', stream: true });
  expect(outcome).toMatchObject({ ok: false, error: 'the stream ended without [DONE]' });
});

test('an answer that the server gave up while it stopped is a failure', async () => {
  const server = await startFakeServer({ port: 0, modelName: 'm', tokenMilliseconds: 50, shutdownSeconds: 0.2 });
  const answers = [false, true].map((stream) => chat(target(server.port), { model: 'm', stream, maxTokens: 1000 }));
  await new Promise((resolve) => setTimeout(resolve, 200));
  await server.close();
  expect(await Promise.all(answers)).toMatchObject([
    { ok: false, error: expect.stringMatching(/^status 503: .*shutting_down/) },
    { ok: false, error: 'the answer ended with finish_reason abort' },
  ]);
});

test('an answer that takes too long is a failure', async () => {
  const service = await serve(() => undefined);
  const outcome = await chat(service, { model: 'm', timeoutSeconds: 0.2 });
  expect(outcome).toMatchObject({ ok: false, error: 'no whole answer within 0.2 s' });
});
