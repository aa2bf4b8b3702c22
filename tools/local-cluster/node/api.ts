import { request } from 'node:https';
import { createInterface } from 'node:readline';
import { Client, type ClientOptions, type Method, type Response, type Status } from '../client';
import type { Pod } from './pod';
import type { ObjectReader, Token, TokenRequest } from './runtime-types';

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: Pod;
}

type Versioned = { readonly metadata: { readonly resourceVersion?: string } };

/** The node's view of the API server. */
export class NodeApi implements ObjectReader {
  readonly #client: Client;

  constructor(private readonly options: ClientOptions) {
    this.#client = new Client(options);
  }

  /** @throws Error for a status of 400 and above, except those in `accept` */
  async send<T>(method: Method, path: string, body?: unknown, accept: readonly number[] = []): Promise<Response<T>> {
    const headers = method === 'PATCH' ? { 'content-type': 'application/strategic-merge-patch+json' } : {};
    const answer = await this.#client.request<T | Status>(method, path, body, headers);
    if (answer.status < 400 || accept.includes(answer.status)) return answer as Response<T>;
    const { message } = answer.body as Status;
    throw new Error(`${method} ${path}: ${answer.status}: ${message ?? JSON.stringify(answer.body)}`);
  }

  async read(path: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    const answer = await this.send<Readonly<Record<string, unknown>>>('GET', path, undefined, [404]);
    return answer.status === 404 ? undefined : answer.body;
  }

  async token({ namespace, serviceAccount, audience, expirationSeconds, pod }: TokenRequest): Promise<Token> {
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${serviceAccount}/token`;
    const answer = await this.send<{
      readonly status: { readonly token: string; readonly expirationTimestamp: string };
    }>('POST', path, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {
        expirationSeconds,
        ...(audience === undefined ? {} : { audiences: [audience] }),
        boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: pod.name, uid: pod.uid },
      },
    });
    return { token: answer.body.status.token, expires: new Date(answer.body.status.expirationTimestamp) };
  }

  /** The pods at a path with a query, and the version to watch from. */
  async pods(path: string): Promise<{ readonly items: readonly Pod[]; readonly version: string }> {
    const { body } = await this.send<{ readonly items: readonly Pod[] } & Versioned>('GET', path);
    return { items: body.items, version: body.metadata.resourceVersion ?? '' };
  }

  /**
   * Watches from a version on, and gives the version that it came to when the server ended it. A connection that is
   * silent for longer than bookmarks come apart is broken.
   *
   * @throws Error when it breaks, or when the version is too old
   */
  watch(path: string, version: string, hear: (event: WatchEvent) => void): Promise<string> {
    const { ca, token, url } = this.options;
    const full = `${path}&watch=true&allowWatchBookmarks=true&timeoutSeconds=290&resourceVersion=${version}`;
    return new Promise((resolve, reject) => {
      let at = version;
      const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
      const sent = request(new URL(full, url), { ca, headers, agent: false, timeout: 100_000 }, (response) => {
        if (response.statusCode !== 200) {
          response.resume();
          reject(new Error(`watch ${path}: ${response.statusCode}`));
          return;
        }
        const lines = createInterface({ input: response });
        lines.on('line', (line) => {
          try {
            const event = parse(line);
            at = event.object.metadata.resourceVersion ?? at;
            if (event.type !== 'BOOKMARK') hear(event);
          } catch (error) {
            // A connection that breaks may cut a line; an event may be an error itself.
            sent.destroy(error instanceof Error ? error : undefined);
          }
        });
        lines.once('close', () => resolve(at));
        lines.on('error', reject);
        response.once('error', reject);
      });
      sent.once('timeout', () => sent.destroy(new Error(`watch ${path}: nothing heard`)));
      sent.once('error', reject);
      sent.end();
    });
  }
}

function parse(line: string): WatchEvent {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API server's word is taken
  const event = JSON.parse(line) as WatchEvent;
  if (event.type === 'ERROR') throw new Error(JSON.stringify(event.object));
  return event;
}
