import { Agent, request } from 'node:https';

/** What the API server answered. Statuses of 400 and above are answers too, not errors. */
export interface Response<T = unknown> {
  readonly status: number;
  /** The parsed body where it is JSON, else its text. */
  readonly body: T;
  /** The texts of the `Warning` headers. */
  readonly warnings: readonly string[];
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
}

/** A `Status` as the API server sends it for a refused request. */
export interface Status {
  readonly kind: 'Status';
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: {
    readonly causes?: readonly { readonly field?: string; readonly message?: string; readonly reason?: string }[];
  };
}

export interface ClientOptions {
  readonly url: string;
  /** CA certificate, PEM. */
  readonly ca: string;
  readonly token: string;
  /** Seconds that an answer may take. @default 60 */
  readonly timeout?: number;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A small JSON client for one API server, with connections that are kept. */
export class Client {
  readonly #agent: Agent;

  constructor(private readonly options: ClientOptions) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: 32, ca: options.ca });
  }

  /**
   * Sends a request. An object is sent as JSON, a string as it is. For PATCH say the kind of patch by a `Content-Type`
   * header; without one it is a server-side apply. Rejects only when there is no answer.
   */
  async request<T = unknown>(
    method: Method,
    path: string,
    body?: unknown,
    headers: { readonly [name: string]: string } = {},
  ): Promise<Response<T>> {
    try {
      return await this.#send<T>(method, path, body, headers);
    } catch (error) {
      // The server closed a kept connection just as we used it: nothing has been done yet.
      if (error instanceof ClosedConnection) return this.#send<T>(method, path, body, headers);
      throw error;
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #send<T>(
    method: Method,
    path: string,
    body: unknown,
    headers: { readonly [name: string]: string },
  ): Promise<Response<T>> {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const { timeout = 60, token, url } = this.options;
    const type = method === 'PATCH' ? 'application/apply-patch+yaml' : 'application/json';
    return new Promise((resolve, reject) => {
      const sent = request(
        new URL(path, url),
        {
          method,
          agent: this.#agent,
          timeout: timeout * 1000,
          headers: {
            accept: 'application/json',
            authorization: `Bearer ${token}`,
            ...(text === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) }),
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.once('error', reject);
          response.once('end', () => {
            const answer = Buffer.concat(chunks).toString();
            const json = (response.headers['content-type'] ?? '').startsWith('application/json');
            resolve({
              status: response.statusCode ?? 0,
              body: (json ? JSON.parse(answer) : answer) as T,
              warnings: parseWarnings(response.headers['warning']),
              headers: response.headers,
            });
          });
        },
      );
      sent.once('timeout', () => sent.destroy(new Error(`${method} ${path}: no answer within ${timeout} s`)));
      sent.once('error', (error: NodeJS.ErrnoException) => {
        reject(sent.reusedSocket && error.code === 'ECONNRESET' ? new ClosedConnection() : error);
      });
      sent.end(text);
    });
  }
}

/** Whether the API server is ready. One that does not listen yet, or somebody else who does, is not. */
export async function isReady(options: ClientOptions): Promise<boolean> {
  const client = new Client({ ...options, timeout: 2 });
  try {
    return (await client.request('GET', '/readyz')).status === 200;
  } catch {
    return false;
  } finally {
    client.close();
  }
}

class ClosedConnection extends Error {}

/** The texts of a `Warning` header, `299 - "text", 299 - "another"`. */
export function parseWarnings(header: string | undefined): readonly string[] {
  if (header === undefined) return [];
  return [...header.matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text.replaceAll(/\\(.)/g, '$1'));
}
