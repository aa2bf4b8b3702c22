import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { RequestOptions as HttpsOptions } from 'node:https';
import { ApiError, ConnectionError, NotLeaderError, type StatusBody } from './api-error';
import { sleep, systemClock, type Clock } from '../clock';
import { TokenBucket } from '../reconcile/token-bucket';
import type { Purpose } from './agents';
import type { Connection } from './connection';
import { Deadline, orAborted } from './deadline';
import { StaleSocketError, exchange, readAll, readLines } from './exchange';
import { fieldsOf } from '../../lib/composition/objects';

/** One request to the API server. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path without query, such as /api/v1/namespaces/default/services. */
  readonly path: string;
  readonly query?: { readonly [name: string]: string | number | boolean | undefined };
  readonly body?: unknown;
  /** @default application/json */
  readonly contentType?: string;
  /** Until the whole answer is there, in milliseconds. @default the transport's */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Leave the leadership's gate and the rate limit aside: only the lease itself is read and written so. @default false */
  readonly ungated?: boolean;
}

/** Says whether writes may leave the process. */
export interface WriteGate {
  /** At this very moment. */
  open(): boolean;
  /** Milliseconds until another process may be allowed to write: a write must have happened by then, or never. */
  safeMs(): number;
}

/** What a transport reports of its requests. */
export interface RequestObserver {
  answered(verb: string, host: string, code: string, seconds: number): void;
}

/** Options of a {@link Transport}. */
export interface TransportOptions {
  /** The User-Agent, by which the API server's audit log and flow control know this process. */
  readonly userAgent: string;
  /** Milliseconds until a request without an answer fails. @default 30000 */
  readonly timeoutMs?: number;
  /** Requests per second, and how many at once above it; none means no limit on this side. */
  readonly limit?: { readonly perSecond: number; readonly burst: number };
  readonly gate?: WriteGate;
  readonly observer?: RequestObserver;
  readonly clock?: Clock;
}

/** A request that the server asks to send again later is sent so often at most. */
const TRIES = 5;
/** What the server may ask for; a longer wait is cut to this. */
const LONGEST_PAUSE_MS = 60_000;

/**
 * All requests of a process to its API server: pooled connections, a time limit for each request, one place that limits
 * the rate and sends no writes when leadership has ended.
 *
 * Guarantees:
 * - a request ends by its time limit, also where the network, the server or a credential plugin hangs
 * - a write is handed to an open connection only while the gate is open, however long it waited for that connection, and
 *   the server is asked to drop it once another process may lead
 * - bodies go out as they are, without a model in between that could drop fields
 * - a 401 leads to new credentials and one more try; a 429 with Retry-After postpones all requests but the lease's for
 *   so long, and the refused one is tried again within its time limit; a pooled connection that the server had closed
 *   is replaced without a word
 *
 * Caveat: a request whose answer was lost may have been carried out, and may be sent twice. Writes must be conditional
 * (a uid, a resourceVersion, a name), so that the second one changes nothing.
 */
export class Transport {
  readonly #connection: Connection;
  readonly #options: TransportOptions;
  readonly #clock: Clock;
  readonly #bucket: TokenBucket | undefined;
  #pausedUntil = -Infinity;

  constructor(connection: Connection, options: TransportOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#bucket =
      options.limit === undefined
        ? undefined
        : new TokenBucket(options.limit.perSecond, options.limit.burst, this.#clock);
  }

  get namespace(): string {
    return this.#connection.namespace;
  }

  get host(): string {
    return this.#connection.host;
  }

  /** The answer's JSON. Throws {@link ApiError}, {@link ConnectionError} or {@link NotLeaderError}. */
  async json(request: ApiRequest): Promise<unknown> {
    const text = await this.text(request);
    if (text === '') return undefined;
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new ConnectionError(`${describe(request)}: the answer is not JSON`, { cause: error });
    }
  }

  /** The answer's text. Throws as {@link json} does. */
  async text(request: ApiRequest): Promise<string> {
    const limitMs = request.timeoutMs ?? this.#options.timeoutMs ?? 30_000;
    const deadline = new Deadline(limitMs, request.signal);
    try {
      return await this.#insist(request, 'request', deadline, (response) => readAll(response, deadline.signal));
    } catch (error) {
      throw deadline.expired ? timedOut(request, limitMs, error) : error;
    } finally {
      deadline.dispose();
    }
  }

  /**
   * The lines of an answer that goes on, as a watch does, until the server ends it or the signal is aborted. A time
   * without any byte longer than `idleMs` ends it with a {@link ConnectionError}.
   */
  async *lines(request: ApiRequest, idleMs: number): AsyncGenerator<string, void, void> {
    const limitMs = this.#options.timeoutMs ?? 30_000;
    const deadline = new Deadline(limitMs, request.signal);
    let response: IncomingMessage | undefined;
    try {
      response = await this.#insist(request, 'watch', deadline, async (opened) => opened);
      deadline.limit(idleMs);
      yield* readLines(response, deadline);
    } catch (error) {
      if (request.signal?.aborted === true) return;
      if (!deadline.expired) throw error instanceof ApiError ? error : asConnectionError(request, error);
      throw response === undefined
        ? timedOut(request, limitMs, error)
        : new ConnectionError(`${describe(request)}: silent for ${idleMs} ms`, { cause: error });
    } finally {
      deadline.dispose();
      response?.destroy();
    }
  }

  close(): void {
    this.#connection.close();
  }

  /** Sends the request, again where that is promised, and hands the answer to `read` if it is a good one. */
  async #insist<T>(
    request: ApiRequest,
    purpose: Purpose,
    deadline: Deadline,
    read: (response: IncomingMessage) => Promise<T>,
  ): Promise<T> {
    const { signal } = deadline;
    let refreshed = false;
    for (let tries = 1; ; tries += 1) {
      await this.#turn(request, signal);
      const options = await orAborted(this.#connection.options(purpose), signal);
      try {
        const response = await this.#send(request, options, signal);
        const status = response.statusCode ?? 0;
        if (status >= 200 && status < 300) return await read(response);
        const text = await readAll(response, signal);
        throw new ApiError(describe(request), status, statusBody(text), retryAfter(response.headers['retry-after']));
      } catch (error) {
        if (signal.aborted) throw error;
        if (error instanceof StaleSocketError && tries < TRIES) continue;
        if (!(error instanceof ApiError)) throw asConnectionError(request, error);
        if (error.status === 401 && !refreshed) {
          refreshed = true;
          if (this.#connection.refresh(options)) continue;
        }
        if (!this.#mayTryAgain(error, tries, deadline)) throw error;
      }
    }
  }

  /** Whether the server asked to come again, and that is within the time limit. Remembers how long to wait. */
  #mayTryAgain(error: ApiError, tries: number, deadline: Deadline): boolean {
    if (error.status !== 429 || error.retryAfterMs <= 0) return false;
    const pauseMs = Math.min(error.retryAfterMs, LONGEST_PAUSE_MS);
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.monotonic() + pauseMs);
    return tries < TRIES && pauseMs < deadline.leftMs;
  }

  /** Waits until a request may be sent. */
  async #turn(request: ApiRequest, signal: AbortSignal): Promise<void> {
    if (request.ungated === true) return;
    const pauseMs = this.#pausedUntil - this.#clock.monotonic();
    // Not all of them at the same moment.
    if (pauseMs > 0) await sleep(this.#clock, pauseMs * (1 + 0.1 * Math.random()), signal);
    if (this.#bucket !== undefined) await sleep(this.#clock, this.#bucket.reserve(), signal);
    signal.throwIfAborted();
  }

  async #send(request: ApiRequest, options: HttpsOptions, signal: AbortSignal): Promise<IncomingMessage> {
    const body = request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body));
    const gate = request.method === 'GET' || request.ungated === true ? undefined : this.#options.gate;
    const mayWrite = (): void => {
      if (gate?.open() === false) throw new NotLeaderError(`${describe(request)}: not the leader`);
    };
    mayWrite();
    const query = queryText({
      ...request.query,
      timeout: gate === undefined ? undefined : `${Math.max(1, Math.floor(Math.min(30_000, gate.safeMs())))}ms`,
    });
    const started = this.#clock.monotonic();
    const report = (code: string): void =>
      this.#options.observer?.answered(request.method, this.host, code, (this.#clock.monotonic() - started) / 1000);
    try {
      const response = await exchange(
        {
          ...options,
          method: request.method,
          path: `${options.path ?? ''}${request.path}${query}`,
          headers: {
            ...headersOf(options),
            accept: 'application/json',
            'user-agent': this.#options.userAgent,
            ...(body === undefined
              ? {}
              : { 'content-type': request.contentType ?? 'application/json', 'content-length': body.length }),
          },
          signal,
        },
        body,
        mayWrite,
      );
      report(String(response.statusCode ?? 0));
      return response;
    } catch (error) {
      if (!(error instanceof NotLeaderError)) report('<error>');
      throw error;
    }
  }
}

function describe(request: ApiRequest): string {
  return `${request.method} ${request.path}`;
}

function timedOut(request: ApiRequest, limitMs: number, cause: unknown): Error {
  // What the server last said, asking for patience, says more than that the patience ended.
  return cause instanceof ApiError
    ? cause
    : new ConnectionError(`${describe(request)}: no answer within ${limitMs} ms`, { cause });
}

function asConnectionError(request: ApiRequest, error: unknown): Error {
  if (error instanceof NotLeaderError || error instanceof ConnectionError) return error;
  return new ConnectionError(`${describe(request)}: ${error instanceof Error ? error.message : String(error)}`, {
    cause: error,
  });
}

function headersOf({ headers }: HttpsOptions): OutgoingHttpHeaders {
  if (headers === undefined) return {};
  if (!isList(headers)) return headers;
  throw new Error('expected the headers of a connection as an object, got a list');
}

function isList(headers: NonNullable<HttpsOptions['headers']>): headers is readonly string[] {
  return Array.isArray(headers);
}

function queryText(query: NonNullable<ApiRequest['query']>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, String(value));
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

function retryAfter(header: string | undefined): number {
  const seconds = Number(header);
  return header !== undefined && Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0;
}

function statusBody(text: string): StatusBody {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return text === '' ? {} : { message: text.slice(0, 1000) };
  }
}
