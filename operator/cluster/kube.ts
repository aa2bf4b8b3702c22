import { fieldsOf, textOf } from '../../lib/composition/objects';
import type { ChildKind } from '../../lib/composition';
import type { Manifest } from '../../lib/composition/manifest';
import { ConnectionError } from './api-error';
import type { ApiRequest, Transport } from './transport';

/** One page of a list. */
export interface Page {
  readonly items: readonly Manifest[];
  readonly resourceVersion: string;
  /** Asks for the next page; undefined on the last. */
  readonly next: string | undefined;
}

/** What a watch says. */
export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: Manifest }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string }
  | { readonly type: 'ERROR'; readonly code: number; readonly message: string };

/** Which objects of a kind. */
export interface Selection {
  /** @default all namespaces */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
}

/** An apply either makes an object that must not exist, or changes exactly the one that is known. */
export type ApplyTarget = { readonly create: true } | { readonly uid: string };

/** Objects of any kind, written and read as plain JSON. */
export class KubeClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** One page of a list; a `limit` of 0 asks for all of it at once. */
  async list(
    kind: ChildKind,
    selection: Selection,
    page: { readonly limit?: number; readonly next?: string | undefined; readonly signal?: AbortSignal } = {},
  ): Promise<Page> {
    const path = pathOf(kind, selection.namespace);
    const body = fieldsOf(
      await this.#transport.json({
        method: 'GET',
        path,
        query: {
          labelSelector: selection.labelSelector,
          limit: page.limit === 0 ? undefined : (page.limit ?? 500),
          continue: page.next,
        },
        signal: page.signal,
      }),
    );
    const metadata = fieldsOf(body['metadata']);
    const { continue: next, resourceVersion } = metadata;
    const { items } = body;
    // A proxy in between may answer 200 with something else: taken for an empty list, it would end everything.
    if (!String(body['kind']).endsWith('List') || typeof resourceVersion !== 'string' || resourceVersion === '') {
      throw new ConnectionError(`GET ${path}: expected a list, got ${JSON.stringify(body).slice(0, 200)}`);
    }
    return {
      // Items of a list come without apiVersion and kind.
      items: (Array.isArray(items) ? items : []).map((item) => typed(kind, item)),
      resourceVersion,
      next: typeof next === 'string' && next !== '' ? next : undefined,
    };
  }

  /** Changes since a resource version, until the server ends the watch; a silence longer than `idleMs` is an error. */
  async *watch(
    kind: ChildKind,
    selection: Selection,
    since: {
      readonly resourceVersion: string;
      readonly timeoutSeconds: number;
      readonly idleMs: number;
      readonly signal: AbortSignal;
    },
  ): AsyncGenerator<WatchEvent, void, void> {
    const lines = this.#transport.lines(
      {
        method: 'GET',
        path: pathOf(kind, selection.namespace),
        query: {
          watch: true,
          allowWatchBookmarks: true,
          resourceVersion: since.resourceVersion,
          timeoutSeconds: since.timeoutSeconds,
          labelSelector: selection.labelSelector,
        },
        signal: since.signal,
      },
      since.idleMs,
    );
    for await (const line of lines) yield watchEvent(kind, line);
  }

  async get(
    kind: ChildKind,
    namespace: string | undefined,
    name: string,
    signal?: AbortSignal,
    options: RequestOptions = {},
  ): Promise<Manifest> {
    const path = pathOf(kind, namespace, name);
    return this.#object(kind, { method: 'GET', path, signal, ...options });
  }

  /** Server-side apply of the whole intent; `target` makes sure that no other object is hit. */
  async apply(
    kind: ChildKind,
    manifest: Manifest,
    target: ApplyTarget,
    options: { readonly fieldManager: string; readonly dryRun?: boolean; readonly signal?: AbortSignal },
  ): Promise<Manifest> {
    const precondition = 'uid' in target ? { uid: target.uid } : { resourceVersion: '1' };
    const { namespace, name } = manifest.metadata;
    return this.#object(kind, {
      method: 'PATCH',
      path: pathOf(kind, namespace, name),
      query: {
        fieldManager: options.fieldManager,
        force: true,
        fieldValidation: 'Strict',
        dryRun: options.dryRun === true ? 'All' : undefined,
      },
      contentType: 'application/apply-patch+yaml',
      body: { ...manifest, metadata: { ...manifest.metadata, ...precondition } },
      signal: options.signal,
    });
  }

  /**
   * Server-side apply of a status, only to that version of the object: 409 where it has changed or was made anew. A uid
   * would not do, as the status of another object of the same name is written all the same.
   */
  async applyStatus(
    kind: ChildKind,
    object: Manifest,
    status: unknown,
    options: { readonly fieldManager: string; readonly signal?: AbortSignal },
  ): Promise<Manifest> {
    const { namespace, name, uid, resourceVersion } = object.metadata;
    return this.#object(kind, {
      method: 'PATCH',
      path: pathOf(kind, namespace, name, 'status'),
      query: { fieldManager: options.fieldManager, force: true, fieldValidation: 'Strict' },
      contentType: 'application/apply-patch+yaml',
      body: {
        apiVersion: kind.apiVersion,
        kind: kind.kind,
        metadata: { namespace, name, uid, resourceVersion },
        status,
      },
      signal: options.signal,
    });
  }

  /** A JSON patch, which fails as a whole where one of its tests does. */
  async patch(
    kind: ChildKind,
    namespace: string | undefined,
    name: string,
    operations: readonly object[],
    signal?: AbortSignal,
    fieldManager?: string,
  ): Promise<Manifest> {
    return this.#object(kind, {
      method: 'PATCH',
      path: pathOf(kind, namespace, name),
      query: { fieldManager },
      contentType: 'application/json-patch+json',
      body: operations,
      signal,
    });
  }

  /**
   * Deletes the object only if it is still the one with that uid.
   *
   * @returns the object where finalizers keep it for now
   */
  async delete(
    kind: ChildKind,
    namespace: string | undefined,
    name: string,
    uid: string,
    { propagationPolicy = 'Background', resourceVersion, ...options }: DeleteOptions = {},
  ): Promise<Manifest | undefined> {
    const answer = await this.#transport.json({
      method: 'DELETE',
      path: pathOf(kind, namespace, name),
      body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid, resourceVersion }, propagationPolicy },
      ...options,
    });
    const { deletionTimestamp, finalizers } = fieldsOf(fieldsOf(answer)['metadata']);
    const isKept = deletionTimestamp !== undefined && Array.isArray(finalizers) && finalizers.length > 0;
    return isKept ? typed(kind, answer) : undefined;
  }

  /** Makes an object. */
  async create(kind: ChildKind, manifest: Manifest, options: RequestOptions = {}): Promise<Manifest> {
    const path = pathOf(kind, manifest.metadata.namespace);
    return this.#object(kind, { method: 'POST', path, body: manifest, ...options });
  }

  /** Replaces an object, whose resourceVersion must be the stored one. */
  async replace(kind: ChildKind, manifest: Manifest, options: RequestOptions = {}): Promise<Manifest> {
    const path = pathOf(kind, manifest.metadata.namespace, manifest.metadata.name);
    return this.#object(kind, { method: 'PUT', path, body: manifest, ...options });
  }

  async #object(kind: ChildKind, request: ApiRequest): Promise<Manifest> {
    return typed(kind, await this.#transport.json(request));
  }
}

/** What may be said for one request. */
export interface RequestOptions {
  /** Only for the lease, see the transport's. */
  readonly ungated?: boolean;
  /** In milliseconds. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** How an object is deleted. */
export interface DeleteOptions extends RequestOptions {
  /** Whether what it owns goes first. @default Background */
  readonly propagationPolicy?: 'Background' | 'Foreground';
  /** Only this version of the object. @default any */
  readonly resourceVersion?: string | undefined;
}

/** The URL path of a collection, an object or a subresource. */
export function pathOf(kind: ChildKind, namespace?: string, name?: string, subresource?: string): string {
  const parts = [kind.apiVersion.includes('/') ? '/apis' : '/api', kind.apiVersion];
  if (namespace !== undefined) parts.push('namespaces', encodeURIComponent(namespace));
  parts.push(kind.plural);
  if (name !== undefined) parts.push(encodeURIComponent(name));
  if (subresource !== undefined) parts.push(subresource);
  return parts.join('/');
}

function watchEvent(kind: ChildKind, line: string): WatchEvent {
  const event = fieldsOf(JSON.parse(line));
  const object = fieldsOf(event['object']);
  switch (event['type']) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type: event['type'], object: typed(kind, object) };
    case 'BOOKMARK':
      return { type: 'BOOKMARK', resourceVersion: textOf(fieldsOf(object['metadata'])['resourceVersion']) };
    default:
      return { type: 'ERROR', code: Number(object['code'] ?? 0), message: textOf(object['message']) || line };
  }
}

function typed(kind: ChildKind, value: unknown): Manifest {
  const object = fieldsOf(value);
  const metadata = fieldsOf(object['metadata']);
  const name = metadata['name'];
  if (typeof name !== 'string') throw new ConnectionError(`the API server sent a ${kind.kind} without a name`);
  return { ...object, apiVersion: kind.apiVersion, kind: kind.kind, metadata: { ...metadata, name } };
}
