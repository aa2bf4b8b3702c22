import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { connect as connectHttp2, constants, type IncomingHttpHeaders } from 'node:http2';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import type { Container, Handler, HttpGet } from './pod';
import type { RunningContainer } from './runtime-types';
import { textOf } from './texts';

/** What a probe found. `undefined` means that it could not be made, which counts as nothing. */
export interface Answer {
  readonly ok: boolean | undefined;
  readonly output: string;
}

/** What is probed. */
export interface Target {
  readonly podIP: string;
  readonly container: Container;
  readonly running: RunningContainer;
}

const MAX_BODY = 10 * 1024;
// A connection of its own for each probe, as a kubelet makes.
const plain = new HttpAgent({ keepAlive: false });
const secure = new HttpsAgent({ keepAlive: false, rejectUnauthorized: false });

/** Runs a probe or a lifecycle hook once. */
export async function probe(handler: Handler, target: Target, timeoutSeconds: number): Promise<Answer> {
  try {
    if (handler.httpGet !== undefined) return await probeHttp(handler.httpGet, target, timeoutSeconds);
    if (handler.tcpSocket !== undefined) {
      const port = portOf(handler.tcpSocket.port, target.container);
      return await probeTcp(handler.tcpSocket.host ?? target.podIP, port, timeoutSeconds);
    }
    if (handler.grpc !== undefined) {
      return await probeGrpc(target.podIP, handler.grpc.port, handler.grpc.service ?? '', timeoutSeconds);
    }
    return await probeExec(handler.exec?.command ?? [], target.running, timeoutSeconds);
  } catch (error) {
    return { ok: undefined, output: textOf(error) };
  }
}

async function probeExec(command: readonly string[], running: RunningContainer, seconds: number): Promise<Answer> {
  const result = await running.exec(command, seconds);
  if (result === 'timeout') {
    return { ok: false, output: `command timed out: "${command.join(' ')}" timed out after ${seconds}s` };
  }
  return { ok: result.exitCode === 0, output: result.output };
}

/** A port by its number or by the name that the container gives it. */
export function portOf(port: number | string, container: Container): number {
  const found =
    typeof port === 'number'
      ? port
      : (container.ports?.find(({ name }) => name === port)?.containerPort ?? Number(port));
  if (Number.isInteger(found) && found > 0 && found < 65536) return found;
  const names = (container.ports ?? []).flatMap(({ name }) => name ?? []).join(', ') || 'none';
  throw new Error(
    `port ${port} is neither a number nor a port's name in container ${container.name} (it has ${names})`,
  );
}

function probeHttp(get: HttpGet, { podIP, container }: Target, timeoutSeconds: number): Promise<Answer> {
  const port = portOf(get.port, container);
  const host = get.host === undefined || get.host === '' ? podIP : get.host;
  const path = (get.path ?? '/').replace(/^(?!\/)/, '/');
  const https = get.scheme?.toUpperCase() === 'HTTPS';
  const url = `${https ? 'https' : 'http'}://${host}:${port}${path}`;
  const headers: Record<string, string> = { 'user-agent': 'kube-probe/1.37', accept: '*/*', connection: 'close' };
  for (const { name, value } of get.httpHeaders ?? []) headers[name.toLowerCase()] = value;
  return new Promise((resolve) => {
    const fail = (why: string): void => resolve({ ok: false, output: `Get "${url}": ${why}` });
    const send = https ? httpsRequest : httpRequest;
    const sent = send({ host, port, path, headers, agent: https ? secure : plain }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        body += body.length < MAX_BODY ? text : '';
      });
      response.once('error', (error) => fail(error.message));
      response.once('end', () => {
        const status = response.statusCode ?? 0;
        const ok = status >= 200 && status < 400;
        resolve({ ok, output: ok ? body : `HTTP probe failed with statuscode: ${status}` });
      });
    });
    const timer = setTimeout(() => {
      fail('context deadline exceeded (Client.Timeout exceeded while awaiting headers)');
      sent.destroy();
    }, timeoutSeconds * 1000);
    sent.once('close', () => clearTimeout(timer));
    sent.once('error', (error: NodeJS.ErrnoException) => fail(dialError(error, host, port)));
    sent.end();
  });
}

function dialError(error: NodeJS.ErrnoException, host: string, port: number): string {
  return error.code === 'ECONNREFUSED' ? `dial tcp ${host}:${port}: connect: connection refused` : error.message;
}

function probeTcp(host: string, port: number, timeoutSeconds: number): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutSeconds * 1000 });
    const end = (ok: boolean, output: string): void => {
      socket.destroy();
      resolve({ ok, output });
    };
    socket.once('connect', () => end(true, ''));
    socket.once('timeout', () => end(false, `dial tcp ${host}:${port}: i/o timeout`));
    socket.once('error', (error) => end(false, dialError(error, host, port)));
  });
}

/** grpc.health.v1.Health/Check: the request has the service's name as its field 1, the answer its state, 1 for serving. */
function probeGrpc(host: string, port: number, service: string, timeoutSeconds: number): Promise<Answer> {
  return new Promise((resolve) => {
    const session = connectHttp2(`http://${host}:${port}`);
    const end = (ok: boolean, output: string): void => {
      clearTimeout(timer);
      session.destroy();
      resolve({ ok, output });
    };
    const timer = setTimeout(
      () => end(false, `timeout: failed to connect service "${host}:${port}" within ${timeoutSeconds}s`),
      timeoutSeconds * 1000,
    );
    session.once('error', (error) => end(false, dialError(error, host, port)));
    const stream = session.request({
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: '/grpc.health.v1.Health/Check',
      [constants.HTTP2_HEADER_CONTENT_TYPE]: 'application/grpc',
      te: 'trailers',
    });
    const name = Buffer.from(service);
    if (name.length > 127) {
      end(false, `service name of ${name.length} bytes: at most 127 are supported`);
      return;
    }
    const message = name.length === 0 ? name : Buffer.concat([Buffer.from([0x0a, name.length]), name]);
    const chunks: Buffer[] = [];
    let code = '0';
    const read = (headers: IncomingHttpHeaders): void => {
      const status = headers['grpc-status'];
      if (typeof status === 'string') code = status;
    };
    stream.on('response', read);
    stream.on('trailers', read);
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.once('error', (error) => end(false, error.message));
    stream.once('end', () => {
      const body = Buffer.concat(chunks).subarray(5);
      const state = body[0] === 0x08 ? body[1] : 0;
      if (code !== '0') end(false, `error: health rpc failed: grpc-status ${code}`);
      else end(state === 1, state === 1 ? 'service healthy' : `service unhealthy (responded with status ${state})`);
    });
    stream.end(Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]));
  });
}
