import { connect, type Socket } from 'node:net';
import { bodyLimit } from '../../fake-server/http';
import { call, chat, eventually, metric, withServer } from './client';

const path = '/v1/chat/completions';

/** A raw connection, and what the server has said on it so far. */
async function open(port: number): Promise<{ socket: Socket; said: () => string; closed: Promise<void> }> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => resolve());
  });
  await new Promise((resolve) => {
    socket.on('connect', resolve);
  });
  return { socket, said: () => text, closed };
}

test('a body over the limit is refused with 413, which a client that sends all before it reads gets, too', () =>
  withServer({}, async (port) => {
    const { socket, said, closed } = await open(port);
    socket.pause();
    const body = JSON.stringify(chat({ user: 'x'.repeat(16 * bodyLimit) }));
    const sent = await new Promise((resolve) => {
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`, resolve);
    });
    expect(sent).toBeFalsy();
    socket.resume();
    await closed;
    expect(said()).toMatch(/^HTTP\/1\.1 413 [^]*\r\nConnection: close\r\n[^]*"code":"request_too_large"/);
  }));

test('a chunked body is cut at the limit too', () =>
  withServer({}, async (port) => {
    const { socket, said, closed } = await open(port);
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    for (let sent = 0; sent <= bodyLimit; sent += 0x10000) socket.write(piece);
    await eventually(() => said().includes('\r\n\r\n'));
    expect(said()).toMatch(/^HTTP\/1\.1 413 /);
    socket.end('0\r\n\r\n');
    await closed;
  }));

test('a body of just the limit is taken', () =>
  withServer({}, async (port) => {
    const fill = bodyLimit - Buffer.byteLength(JSON.stringify(chat({ user: '' })));
    const body = JSON.stringify(chat({ user: 'x'.repeat(fill) }));
    expect(await call({ port, path, body })).toMatchObject({ status: 200 });
  }));

test('a compressed body is refused', () =>
  withServer({}, async (port) => {
    const answer = await call({ port, path, body: 'x', headers: { 'Content-Encoding': 'gzip' } });
    expect(answer).toMatchObject({ status: 415 });
  }));

test('a head over 16 KiB is refused', () =>
  withServer({}, async (port) => {
    const answer = await call({ port, path: '/health', headers: { 'X-Long': 'x'.repeat(17_000) } });
    expect(answer.status).toBe(431);
  }));

test('a client that sends its head drop by drop is cut off', () =>
  withServer(
    {},
    async (port) => {
      const { socket, said, closed } = await open(port);
      socket.write('GET /health HTTP/1.1\r\n');
      const drip = setInterval(() => socket.write('X: y\r\n'), 50);
      await closed;
      clearInterval(drip);
      expect(said()).toMatch(/^HTTP\/1\.1 408 /);
    },
    { patience: { head: 200 } },
  ));

test('a client that never finishes its body is cut off', () =>
  withServer(
    {},
    async (port) => {
      const { socket, said, closed } = await open(port);
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{`);
      await closed;
      expect(said()).toMatch(/^(HTTP\/1\.1 408 .*)?/);
      expect(await metric(port, 'num_requests_running')).toBe(0);
    },
    { patience: { head: 200, request: 300 } },
  ));

test('a client that does not read its stream is cut off, and its slot is free again', () =>
  withServer(
    { maxRunning: 1 },
    async (port) => {
      const { socket, closed } = await open(port);
      socket.pause();
      const body = JSON.stringify(chat({ stream: true, ignore_eos: true, max_tokens: 32_000, user: 'x' }));
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      await eventually(async () => (await metric(port, 'num_requests_running')) === 1);
      expect(await call({ port, path, body: chat() })).toMatchObject({ status: 200 });
      expect(await metric(port, 'request_success_total', '"abort"')).toBe(1);
      socket.resume();
      await closed;
    },
    { patience: { stall: 200 } },
  ));

test('a connection that breaks inside a body leaves the server whole', () =>
  withServer({}, async (port) => {
    const { socket } = await open(port);
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"model"`);
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
    socket.resetAndDestroy();
    expect(await call({ port, path, body: chat() })).toMatchObject({ status: 200 });
  }));
