import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, badRequest } from './errors';

/** The largest request body, in bytes. */
export const bodyLimit = 1024 * 1024;

/** Reads a body of up to {@link bodyLimit} bytes as text. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new ApiError(415, 'Content-Encoding is not supported; send the body as it is.', {
      type: 'invalid_request_error',
      code: 'unsupported_encoding',
    });
  }
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > bodyLimit) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  // Not destroyed on the way out: what is left of the body is read and dropped while the refusal is sent.
  const body: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  for await (const chunk of body) {
    size += chunk.length;
    if (size > bodyLimit) throw tooLarge();
    chunks.push(chunk);
  }
  if (!request.complete) throw badRequest('the body ended before its length was reached');
  return Buffer.concat(chunks).toString('utf8');
}

function tooLarge(): ApiError {
  return new ApiError(413, `The body is larger than ${bodyLimit} bytes.`, {
    type: 'invalid_request_error',
    code: 'request_too_large',
    headers: { Connection: 'close' },
  });
}

export function sendJson(response: ServerResponse, status: number, body: object, headers: object = {}): void {
  send(response, status, 'application/json', JSON.stringify(body), headers);
}

/** Sends a whole answer, unless the client has gone or got one. HEAD gets only the head. */
export function send(response: ServerResponse, status: number, type: string, body: string, headers: object = {}): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body), ...headers });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** Sends an error, and takes in what the client still sends, so that it reads the answer instead of a reset. */
export async function sendError(request: IncomingMessage, response: ServerResponse, error: ApiError): Promise<void> {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(error.body());
  response.writeHead(error.status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...error.details.headers,
  });
  response.write(text);
  if (!request.complete) await drain(request);
  response.end();
}

const drainMilliseconds = 2000;

async function drain(request: IncomingMessage): Promise<void> {
  const stop = new AbortController();
  request.on('error', () => {});
  request.resume();
  await Promise.race([
    once(request, 'close', { signal: stop.signal }).catch(() => {}),
    once(request, 'end', { signal: stop.signal }).catch(() => {}),
    sleep(drainMilliseconds, undefined, { signal: stop.signal }).catch(() => {}),
  ]);
  stop.abort();
}

/**
 * Writes a piece of a stream and waits while the client does not take it.
 *
 * @param stallMilliseconds after so long without any progress the connection is cut
 */
export async function writePiece(response: ServerResponse, piece: string, stallMilliseconds: number): Promise<void> {
  if (response.destroyed || response.write(piece)) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => response.destroy(), stallMilliseconds);
    const done = (): void => {
      clearTimeout(timer);
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
