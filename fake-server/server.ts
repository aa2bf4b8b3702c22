import { once, setMaxListeners } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Engine } from './engine';
import { type FakeServerOptions, withDefaults } from './options';
import { type Context, handle, type LogEntry } from './routes';

/** A running fake server. */
export interface FakeServer {
  /** The port that it listens on. */
  readonly port: number;
  /**
   * Stops without losing a request: no new connections, requests on open ones are still answered, streams run to their end.
   * What is not finished after `shutdownSeconds` is ended with `finish_reason: "abort"`.
   *
   * @returns how many answers had to be cut off
   */
  close(): Promise<{ readonly cutOff: number }>;
  /** Stops at once; requests that run are lost. */
  destroy(): void;
}

/** What a caller may give besides the options. */
export interface Surroundings {
  /** Takes the log's lines. @default they are dropped */
  readonly log?: (entry: LogEntry) => void;
  /** Ends the loading; the promise is then rejected with its reason. */
  readonly signal?: AbortSignal;
  /** How long slow clients are tolerated. */
  readonly patience?: Partial<Patience>;
}

/** How long slow clients are tolerated, in milliseconds. */
export interface Patience {
  /** For the head of a request to arrive. @default 10000 */
  readonly head: number;
  /** For a whole request to arrive. @default 30000 */
  readonly request: number;
  /** For a stream to be taken further by its client. @default 30000 */
  readonly stall: number;
}

// Longer than the 60 s for which proxies keep an idle connection, so that it is the proxy that closes it, and never a
// request that meets a closing connection.
const keepAliveMilliseconds = 75_000;

// For so long idle connections stay open while the server stops: a request that is on its way then is still answered.
const lingerMilliseconds = 1000;

// For so long answers that were cut off have to reach their clients.
const flushMilliseconds = 1000;

/**
 * Starts a server with the OpenAI API that makes up its answers.
 *
 * @returns once the model is "loaded" and the port is open
 * @throws where the port cannot be opened
 */
export async function startFakeServer(
  given: Partial<FakeServerOptions> = {},
  { log = () => {}, signal, patience = {} }: Surroundings = {},
): Promise<FakeServer> {
  const options = withDefaults(given);
  // Like vLLM, which refuses connections until the model is there.
  if (options.loadSeconds > 0) await sleep(options.loadSeconds * 1000, undefined, signal && { signal });
  signal?.throwIfAborted();
  const cutOff = new AbortController();
  // Every running answer listens to it.
  setMaxListeners(0, cutOff.signal);
  const context: Context = {
    engine: new Engine(options),
    loadedAt: Math.floor(Date.now() / 1000),
    cutOff: cutOff.signal,
    stallMilliseconds: patience.stall ?? 30_000,
    log,
  };
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: patience.head ?? 10_000,
    requestTimeout: patience.request ?? 30_000,
    connectionsCheckingInterval: 500,
    keepAliveTimeout: keepAliveMilliseconds,
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('request', (request, response) => {
    // Once the listener is closed, every answer also ends its connection.
    if (!server.listening) response.setHeader('Connection', 'close');
    void handle(context, request, response);
  });
  await listen(server, options);
  let closing: Promise<{ readonly cutOff: number }> | undefined;
  return {
    port: portOf(server.address()),
    close: () => (closing ??= stop(server, sockets, context, cutOff)),
    destroy: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function listen(server: Server, { host, port }: FakeServerOptions): Promise<void> {
  // Without a host Node takes "::" where there is IPv6 and "0.0.0.0" where there is none.
  server.listen(host === '::' ? { port } : { host, port });
  await once(server, 'listening');
}

async function stop(
  server: Server,
  sockets: ReadonlySet<Socket>,
  { engine, log }: Context,
  cutOff: AbortController,
): Promise<{ readonly cutOff: number }> {
  log({ level: 'info', msg: 'stopping', requests: engine.load, connections: sockets.size });
  const stopped = new AbortController();
  const closed = once(server, 'close').then(() => stopped.abort());
  const after = async (milliseconds: number, act: () => void): Promise<void> => {
    try {
      await sleep(milliseconds, undefined, { signal: stopped.signal });
    } catch {
      return;
    }
    act();
  };
  // http.Server's own close() cuts idle connections at once, with the requests that are on their way to them.
  NetServer.prototype.close.call(server);
  server.keepAliveTimeout = lingerMilliseconds;
  let count = 0;
  const limit = engine.options.shutdownSeconds * 1000;
  void after(Math.min(lingerMilliseconds, limit), () => closeIdle(server, sockets));
  void after(limit, () => {
    count = engine.load;
    cutOff.abort();
  });
  void after(limit + flushMilliseconds, () => server.closeAllConnections());
  await closed;
  server.close();
  return { cutOff: count };
}

function closeIdle(server: Server, sockets: ReadonlySet<Socket>): void {
  server.closeIdleConnections();
  // Connections that never sent anything do not count as idle for Node.
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
}
