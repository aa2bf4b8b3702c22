import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { connect as connectTcp, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { ApiError, ConnectionError } from '../../operator/cluster/api-error';
import { connect } from '../../operator/cluster/connection';
import { proxyFor } from '../../operator/cluster/proxy';
import { Transport } from '../../operator/cluster/transport';
import { Api } from '../faults/api';

let api: Api;
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  api = await Api.start();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await api.stop();
});

function start(kubeconfig: string): Transport {
  const transport = new Transport(connect({ kubeconfig }), { userAgent: 'test' });
  closing.push(() => transport.close());
  return transport;
}

const GET = { method: 'GET', path: '/x' } as const;
const tokens = () => api.requests.map(({ authorization }) => authorization.replace('Bearer ', ''));

/** Lets in all who have this token. */
function admits(token: () => string): void {
  api.answer = ({ headers }, response) => {
    response.writeHead(headers.authorization === `Bearer ${token()}` ? 200 : 401).end('{}');
  };
}

test('a token file that was replaced is read again after a 401, and the request goes through', async () => {
  const file = join(api.folder, 'token');
  let valid = 'one';
  admits(() => valid);
  writeFileSync(file, valid);
  const client = start(api.kubeconfig({ 'auth-provider': { name: 'tokenFile', config: { tokenFile: file } } }));
  await client.json(GET);
  valid = 'two';
  writeFileSync(file, valid);
  await Promise.all(Array.from({ length: 4 }, () => client.json(GET)));
  expect(tokens().filter((token) => token === 'two')).toHaveLength(4);
  expect(tokens().filter((token) => token === 'one').length).toBeLessThanOrEqual(5);
});

test('a kubeconfig that was replaced is read again after a 401', async () => {
  let valid = 'one';
  admits(() => valid);
  const client = start(api.kubeconfig({ token: 'one' }));
  await client.json(GET);
  valid = 'two';
  api.kubeconfig({ token: 'two' });
  await client.json(GET);
  expect(tokens()).toEqual(['one', 'one', 'two']);
});

test('credentials that stay refused are not asked for in a loop', async () => {
  admits(() => 'never');
  const runs = join(api.folder, 'runs');
  const client = start(execConfig(`echo x >> ${runs}`, 'stale'));
  for (let n = 0; n < 5; n++) await expect(client.json(GET)).rejects.toBeInstanceOf(ApiError);
  expect(readFileSync(runs, 'utf8').length).toBe(4);
});

/** A kubeconfig whose user comes from a program. */
function execConfig(script: string, token: string): string {
  const plugin = join(api.folder, 'plugin.sh');
  const credential = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token } };
  writeFileSync(plugin, `#!/bin/sh\n${script}\necho '${JSON.stringify(credential)}'\n`);
  chmodSync(plugin, 0o755);
  return api.kubeconfig({ exec: { apiVersion: 'client.authentication.k8s.io/v1', command: plugin, args: [] } });
}

test('a plugin is run once for all who wait for it, and again after a 401', async () => {
  let valid = 'one';
  admits(() => valid);
  const runs = join(api.folder, 'runs');
  const client = start(execConfig(`echo x >> ${runs}`, 'one'));
  await Promise.all(Array.from({ length: 10 }, () => client.json(GET)));
  expect(readFileSync(runs, 'utf8')).toBe('x\n');
  valid = 'two';
  execConfig(`echo x >> ${runs}`, 'two');
  await client.json(GET);
  expect(readFileSync(runs, 'utf8')).toBe('x\nx\n');
});

test('a plugin that fails is a connection that fails, with what it said', async () => {
  const client = start(execConfig('echo "no smart card" >&2; exit 1', ''));
  const error = await client.json(GET).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ConnectionError);
  expect(String((error as Error).cause)).toContain('no smart card');
});

test('a plugin that hangs does not hold a request longer than its time', async () => {
  const config = execConfig('sleep 1', 'late');
  const transport = new Transport(connect({ kubeconfig: config }), { userAgent: 'test', timeoutMs: 200 });
  const began = performance.now();
  await expect(transport.json(GET)).rejects.toBeInstanceOf(ConnectionError);
  expect(performance.now() - began).toBeLessThan(900);
  transport.close();
});

test('new certificates lead to new connections, and what runs on the old ones ends in peace', async () => {
  const connection = connect({ kubeconfig: api.kubeconfig() });
  const transport = new Transport(connection, { userAgent: 'test' });
  closing.push(() => transport.close());
  api.answer = (request, response) => {
    if (request.url !== '/watch') response.end('{}');
    else {
      response.write('first\n');
      setTimeout(() => response.end('last\n'), 500);
    }
  };
  const lines: string[] = [];
  const watching = (async () => {
    for await (const line of transport.lines({ method: 'GET', path: '/watch' }, 60_000)) lines.push(line);
  })();
  while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  // The same authority with another end of line: other bytes.
  api.kubeconfig(
    { token: 'new' },
    { 'certificate-authority-data': Buffer.from(`${api.certificate.cert}\n`).toString('base64') },
  );
  connection.refresh(await connection.options());
  const before = api.connections;
  await transport.json(GET);
  expect(api.connections).toBe(before + 1);
  await watching;
  expect(lines).toEqual(['first', 'last']);
});

test('an API server with an IPv6 address is reached', async () => {
  const six = await Api.start('::1').catch(() => undefined);
  // Not every machine has it.
  if (six === undefined) return;
  closing.push(() => six.stop());
  const client = start(six.kubeconfig());
  expect(await client.json(GET)).toEqual({});
});

test('the proxy of the kubeconfig is used, with kept connections', async () => {
  const tunnels: string[] = [];
  const sockets = new Set<Socket>();
  const proxy = createHttpServer().on('connect', (request, socket: Socket, head: Buffer) => {
    tunnels.push(request.url ?? '');
    const through = connectTcp(api.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      through.write(head);
      through.pipe(socket).pipe(through);
    });
    for (const each of [socket, through]) sockets.add(each.on('error', () => undefined));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => proxy.close(resolve));
  });
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const client = start(api.kubeconfig({ token: 'x' }, { 'proxy-url': address }));
  await client.json(GET);
  await client.json({ ...GET, method: 'PATCH', body: {} });
  expect(tunnels).toEqual([`127.0.0.1:${api.port}`]);
});

test.each([
  ['10.96.0.1', { HTTPS_PROXY: 'http://p' }, true],
  ['10.96.0.1', { https_proxy: 'http://p' }, true],
  ['10.96.0.1', { HTTPS_PROXY: '' }, false],
  ['10.96.0.1', { HTTP_PROXY: 'http://p' }, false],
  ['10.96.0.1', { HTTPS_PROXY: 'http://p', NO_PROXY: '10.0.0.0/8' }, false],
  ['10.96.0.1', { HTTPS_PROXY: 'http://p', NO_PROXY: '192.168.0.0/16, 10.96.0.1' }, false],
  ['10.96.0.1', { HTTPS_PROXY: 'http://p', NO_PROXY: '10.0.0.0/99,,0.1' }, true],
  ['[fd00::1]', { HTTPS_PROXY: 'http://p', NO_PROXY: 'fd00::/8' }, false],
  ['api.example.com', { HTTPS_PROXY: 'http://p', NO_PROXY: 'example.com' }, false],
  ['api.example.com', { HTTPS_PROXY: 'http://p', NO_PROXY: '.example.com' }, false],
  ['example.com', { HTTPS_PROXY: 'http://p', NO_PROXY: '.example.com' }, true],
  ['notexample.com', { HTTPS_PROXY: 'http://p', NO_PROXY: 'example.com' }, true],
  ['api.example.com', { HTTPS_PROXY: 'http://p', NO_PROXY: 'example.com:8443' }, true],
  ['api.example.com:8443', { HTTPS_PROXY: 'http://p', NO_PROXY: 'example.com:8443' }, false],
  ['api.example.com', { HTTPS_PROXY: 'http://p', NO_PROXY: '*' }, false],
  ['127.0.0.1', { HTTPS_PROXY: 'http://p' }, false],
  ['localhost', { HTTPS_PROXY: 'http://p' }, false],
] as const)('%s with %j goes through a proxy or not', (host, env, proxied) => {
  expect(proxyFor(new URL(`https://${host}`), env)).toBe(proxied ? 'http://p' : undefined);
});

test.each([
  [{ 'current-context': 'other' }, 'has no cluster'],
  [
    { clusters: [{ name: 'c', cluster: { server: 'http://127.0.0.1:1' } }] },
    'must start with https://, got http://127.0.0.1:1',
  ],
])('a kubeconfig with %j is refused', (change, message) => {
  const path = api.kubeconfig();
  writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), ...change }));
  expect(existsSync(path)).toBe(true);
  expect(() => connect({ kubeconfig: path })).toThrow(message);
});

test('a context that is not there is refused with those that are', () => {
  expect(() => connect({ kubeconfig: api.kubeconfig(), context: 'y' })).toThrow('no context y; it has x');
});
