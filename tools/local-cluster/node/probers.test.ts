import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { selfSigned } from '../../../test/faults/certificate';
import type { Container, Handler } from './pod';
import { type Answer, probe } from './probers';
import type { RunningContainer } from './runtime-types';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

function listen(server: Server): Promise<number> {
  servers.push(server);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens at a port
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));
}

function ask(handler: Handler, container: Partial<Container> = {}, running: Partial<RunningContainer> = {}) {
  const target = {
    podIP: '127.0.0.1',
    container: { name: 'main', image: 'image', ...container },
    running: {
      pid: undefined,
      exited: new Promise<never>(() => undefined),
      signal: () => undefined,
      exec: () => Promise.resolve({ exitCode: 0, output: '' }),
      ...running,
    },
  };
  return probe(handler, target, 1);
}

test.each([
  [200, { ok: true, output: 'body' }],
  [302, { ok: true, output: 'body' }],
  [503, { ok: false, output: 'HTTP probe failed with statuscode: 503' }],
])('an HTTP probe that is answered with %i gives %j', async (status, expected) => {
  const port = await listen(createServer((_request, response) => response.writeHead(status).end('body')));
  const ports = [{ name: 'http', containerPort: port }];
  expect(await ask({ httpGet: { port: 'http' } }, { ports })).toEqual(expected);
});

test('an HTTP probe sends its path and its headers', async () => {
  const port = await listen(
    createServer(({ headers, url }, response) => response.end(`${url} ${headers.host} ${headers['user-agent']}`)),
  );
  const httpHeaders = [{ name: 'Host', value: 'model' }];
  const { output } = await ask({ httpGet: { port, path: 'ready?x=1', httpHeaders } });
  expect(output).toBe('/ready?x=1 model kube-probe/1.37');
});

test('an HTTPS probe trusts every certificate', async () => {
  const port = await listen(createSecureServer(selfSigned(), (_request, response) => response.end('body')));
  expect(await ask({ httpGet: { port, scheme: 'HTTPS' } })).toEqual({ ok: true, output: 'body' });
});

test('probes fail where nobody listens, and where the answer takes too long', async () => {
  const port = await listen(createServer(() => undefined));
  const silent = await ask({ httpGet: { port } });
  expect(silent.ok).toBe(false);
  expect(silent.output).toContain('context deadline exceeded');
  const nobody = await ask({ tcpSocket: { port: 1 } });
  expect(nobody).toEqual({ ok: false, output: 'dial tcp 127.0.0.1:1: connect: connection refused' });
});

test('a TCP probe succeeds where somebody listens', async () => {
  const port = await listen(createTcpServer((socket) => socket.destroy()));
  expect(await ask({ tcpSocket: { port } })).toEqual({ ok: true, output: '' });
});

test('an unknown name of a port is not an answer', async () => {
  const { ok, output } = await ask({ httpGet: { port: 'metrics' } });
  expect(ok).toBeUndefined();
  expect(output).toMatch(/port metrics is neither a number nor a port's name in container main/);
});

test('a command counts by its exit code, and by its time', async () => {
  const run = (result: Awaited<ReturnType<RunningContainer['exec']>>) =>
    ask({ exec: { command: ['check'] } }, {}, { exec: () => Promise.resolve(result) });
  expect(await run({ exitCode: 0, output: 'fine' })).toEqual({ ok: true, output: 'fine' });
  expect(await run({ exitCode: 1, output: 'bad' })).toEqual({ ok: false, output: 'bad' });
  expect(await run('timeout')).toEqual({ ok: false, output: 'command timed out: "check" timed out after 1s' });
});

test.each<[string, readonly number[], Answer]>([
  ['serving', [0x08, 1], { ok: true, output: 'service healthy' }],
  ['not serving', [0x08, 2], { ok: false, output: 'service unhealthy (responded with status 2)' }],
])('a gRPC probe understands %s', async (_state, message, expected) => {
  let asked = '';
  const server = createHttp2Server();
  server.on('stream', (stream, headers) => {
    asked = `${headers[':path']}`;
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.on('data', (chunk: Buffer) => {
      asked += ` ${chunk.subarray(7).toString()}`;
    });
    stream.on('end', () => stream.end(Buffer.from([0, 0, 0, 0, message.length, ...message])));
  });
  const port = await listen(server);
  expect(await ask({ grpc: { port, service: 'model' } })).toEqual(expected);
  expect(asked).toBe('/grpc.health.v1.Health/Check model');
});
