import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { BindAddress } from '../../lib/settings/address';
import type { Clock } from '../clock';

/** What a path answers. */
export interface Answer {
  readonly status: number;
  /** Bytes where the same go to several clients: text would be copied for each. */
  readonly body: string | Uint8Array;
  /** @default text/plain */
  readonly contentType?: string;
}

/** A small HTTP server for probes and metrics: GET and HEAD of fixed paths, nothing else. */
export interface StatusServer {
  readonly address: string;
  close(): Promise<void>;
}

/** How long a client may read nothing of its answer. */
const SLOWEST_READER_MS = 30_000;
/** How often connections are looked at that send nothing. */
const CHECK_MS = 5000;
/** Connections at once; more than all that ask have a use for, and few enough that slow ones keep little in memory. */
const MAX_CONNECTIONS = 64;

/**
 * An answer that costs time to make, made once for all who ask while it is made and for `freshMs` after that: a crowd of
 * scrapers costs no more than one, and a client that asks again and again cannot keep the process from its work.
 */
export function sharedAnswer(make: () => Promise<Answer>, clock: Clock, freshMs: number): () => Promise<Answer> {
  let shared: Promise<Answer> | undefined;
  return () => {
    shared ??= make().finally(() => clock.schedule(freshMs, () => (shared = undefined)));
    return shared;
  };
}

/** Starts a server on the address; `routes` are asked for each request. */
export async function startStatusServer(
  bind: BindAddress,
  routes: { readonly [path: string]: (query: URLSearchParams) => Answer | Promise<Answer> },
): Promise<StatusServer> {
  const server: Server = createServer({ connectionsCheckingInterval: CHECK_MS }, (request, response) => {
    const [path = '/', query = ''] = (request.url ?? '/').split('?', 2);
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    const send = ({ status, body, contentType = 'text/plain; charset=utf-8' }: Answer): void => {
      response.setTimeout(SLOWEST_READER_MS, () => response.destroy());
      response.writeHead(status, { 'content-type': contentType, 'x-content-type-options': 'nosniff' });
      response.end(request.method === 'HEAD' ? undefined : body);
    };
    request.resume();
    if (route === undefined) send({ status: 404, body: 'not found\n' });
    else if (request.method !== 'GET' && request.method !== 'HEAD') send({ status: 405, body: 'only GET\n' });
    else
      Promise.resolve()
        .then(() => route(new URLSearchParams(query)))
        .then(send, () => send({ status: 500, body: 'internal error\n' }));
  });
  server.headersTimeout = 10_000;
  server.requestTimeout = 10_000;
  server.keepAliveTimeout = 30_000;
  limitConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: bind.port, host: bind.host }, resolve);
  });
  server.unref();
  const address = server.address();
  return {
    address: isAddressInfo(address)
      ? `${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
      : '',
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Keeps a crowd of connections out. One that asks for nothing makes room for the next: a client that opens many and is
 * silent would keep the probes out otherwise, and the operator would be restarted for it.
 */
function limitConnections(server: Server): void {
  let open = 0;
  const idle = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    if (open >= MAX_CONNECTIONS) {
      const [oldest] = idle;
      if (oldest === undefined) {
        socket.destroy();
        return;
      }
      idle.delete(oldest);
      oldest.destroy();
    }
    open++;
    idle.add(socket);
    socket.once('close', () => {
      open--;
      idle.delete(socket);
    });
  });
  server.on('request', ({ socket }, response) => {
    idle.delete(socket);
    response.once('close', () => {
      if (!socket.destroyed) idle.add(socket);
    });
  });
}

function isAddressInfo(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}
