import type { ClientRequest, IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Deadline } from './deadline';

/** A kept connection turned out to be closed by the server: nothing is known but that no answer came. */
export class StaleSocketError extends Error {
  override readonly name = 'StaleSocketError';
}

/** An answer, or a line of one, is read up to this size; a page of 500 large objects stays below it. */
const LARGEST_ANSWER = 256 * 1024 * 1024;

/**
 * Sends one request and resolves when the answer begins. `beforeSend` is called at the moment at which the connection
 * takes the request's first byte, which may be long after the call; what it throws keeps the request from being sent.
 */
export function exchange(
  options: RequestOptions,
  body: Buffer | undefined,
  beforeSend: () => void,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(options);
    outgoing.once('response', (response) => {
      // Its reader hears of its errors; where nobody reads it any more, they must not end the process.
      response.on('error', () => undefined);
      resolve(response);
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => reject(isStale(outgoing, error) ? stale(error) : error));
    outgoing.once('socket', (socket) => {
      whenOpen(socket, () => {
        try {
          beforeSend();
          outgoing.end(body);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
          outgoing.destroy();
        }
      });
    });
  });
}

/** Runs `task` now where the connection is made, else once it is. Nothing is written before. */
function whenOpen(socket: Socket, task: () => void): void {
  if (socket instanceof TLSSocket && (socket.connecting || !hasShakenHands(socket))) {
    socket.once('secureConnect', task);
  } else if (socket.connecting) {
    socket.once('connect', task);
  } else {
    task();
  }
}

function hasShakenHands(socket: TLSSocket): boolean {
  return socket.getProtocol()?.startsWith('TLS') === true;
}

function isStale(outgoing: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

function stale(cause: Error): Error {
  return new StaleSocketError('a kept connection was closed', { cause });
}

/** The whole body as text. */
export async function readAll(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  const onAbort = (): void => {
    response.destroy();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response) {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      size += bytes.length;
      if (size > LARGEST_ANSWER) throw new Error(`the answer is larger than ${LARGEST_ANSWER} bytes`);
      chunks.push(bytes);
    }
    signal.throwIfAborted();
    if (!response.complete) throw new Error('the answer was cut off');
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** The body's whole lines; each byte renews the deadline. A line that is cut off at the end is dropped. */
export async function* readLines(response: IncomingMessage, deadline: Deadline): AsyncGenerator<string, void, void> {
  const onAbort = (): void => {
    response.destroy();
  };
  deadline.signal.addEventListener('abort', onAbort, { once: true });
  response.setEncoding('utf8');
  let rest = '';
  try {
    for await (const chunk of response) {
      deadline.renew();
      const text = String(chunk);
      if (!text.includes('\n')) {
        rest += text;
        if (rest.length > LARGEST_ANSWER) throw new Error(`a line is longer than ${LARGEST_ANSWER} characters`);
        continue;
      }
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield line;
    }
    deadline.signal.throwIfAborted();
  } finally {
    deadline.signal.removeEventListener('abort', onAbort);
  }
}
