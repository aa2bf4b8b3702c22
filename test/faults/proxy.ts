import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request as httpsRequest, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { ControlPlane } from '../../tools/local-cluster';
import { files } from '../../tools/local-cluster/flags';
import { kubeconfig } from '../../tools/local-cluster/kubeconfig';

/** A request as a rule sees it. */
export interface Seen {
  readonly method: string;
  readonly url: URL;
  readonly watch: boolean;
  readonly write: boolean;
  readonly authorization: string;
}

/** What the proxy does to a request. */
export type Verdict =
  | { readonly do: 'pass' }
  /** Waits, then passes it on, unless the client has gone meanwhile. */
  | { readonly do: 'delay'; readonly ms: number }
  /** Waits for something, then passes it on. */
  | { readonly do: 'wait'; readonly until: Promise<unknown> }
  | {
      readonly do: 'answer';
      readonly status: number;
      readonly headers?: { readonly [name: string]: string };
      readonly body?: string;
    }
  /** Takes the request and never answers. */
  | { readonly do: 'hang' }
  /** Closes the connection before the API server hears of it. */
  | { readonly do: 'cut' }
  /** Lets the API server do it, and closes the connection instead of answering. */
  | { readonly do: 'lose'; readonly onDone?: () => void }
  /** Closes the connection after so many bytes of the answer. */
  | { readonly do: 'truncate'; readonly bytes: number }
  /** Passes the lines of a watch that the filter lets through. */
  | { readonly do: 'filter'; readonly keep: (line: string) => boolean };

export const pass: Verdict = { do: 'pass' };

/** A proxy on loopback between an operator and an API server, with the API server's own certificate. */
export class FaultProxy {
  /** Decides on each request. */
  rule: (seen: Seen) => Verdict = () => pass;
  /** New connections are accepted and never answered. */
  halfOpen = false;
  /** Bytes of answers that go on are swallowed, and connections stay open. */
  silent = false;
  readonly seen: (Seen & { readonly at: number })[] = [];
  connections = 0;
  readonly #sockets = new Set<Socket>();
  readonly #upstream: Agent;
  readonly #target: URL;
  readonly #http: Server;
  readonly #tcp: TcpServer;

  private constructor(target: URL, ca: string, cert: string, key: string) {
    this.#target = target;
    this.#upstream = new Agent({ keepAlive: true, ca, maxSockets: Infinity });
    this.#http = createServer({ cert, key }, (incoming, outgoing) => {
      void this.#serve(incoming, outgoing);
    });
    this.#tcp = createTcpServer((socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => this.#sockets.delete(socket));
      if (!this.halfOpen) this.#http.emit('connection', socket);
    });
  }

  static async start(cluster: ControlPlane): Promise<FaultProxy> {
    const certificate = join(cluster.folder, files.servingCertificate);
    const key = readFileSync(certificate.replace(/\.crt$/, '.key'), 'utf8');
    const proxy = new FaultProxy(new URL(cluster.url), cluster.ca, readFileSync(certificate, 'utf8'), key);
    await new Promise<void>((resolve) => {
      proxy.#tcp.listen(0, '127.0.0.1', resolve);
    });
    return proxy;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#tcp.address() as AddressInfo).port}`;
  }

  /** Writes a kubeconfig whose way to the cluster goes through here. */
  kubeconfig(cluster: ControlPlane, token = cluster.token): string {
    const path = join(cluster.folder, `proxy-${(this.#tcp.address() as AddressInfo).port}.kubeconfig`);
    writeFileSync(path, kubeconfig(this.url, cluster.ca, token), { mode: 0o600 });
    return path;
  }

  /** Closes all connections. */
  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  get open(): number {
    return this.#sockets.size;
  }

  reset(): void {
    this.rule = () => pass;
    this.halfOpen = false;
    this.silent = false;
    this.seen.length = 0;
  }

  async stop(): Promise<void> {
    this.cutAll();
    this.#upstream.destroy();
    await new Promise((resolve) => {
      this.#tcp.close(resolve);
    });
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', this.url);
    const seen = {
      method: incoming.method ?? '',
      url,
      watch: url.searchParams.get('watch') === 'true',
      write: incoming.method !== 'GET',
      authorization: incoming.headers.authorization ?? '',
      at: Date.now(),
    };
    this.seen.push(seen);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const verdict = this.rule(seen);
    switch (verdict.do) {
      case 'hang':
        return;
      case 'cut':
        incoming.socket.destroy();
        return;
      case 'answer':
        outgoing.writeHead(verdict.status, { 'content-type': 'application/json', ...verdict.headers });
        outgoing.end(
          verdict.body ?? JSON.stringify({ kind: 'Status', message: `fault ${verdict.status}`, code: verdict.status }),
        );
        return;
      case 'delay':
      case 'wait':
        await (verdict.do === 'wait' ? verdict.until : new Promise((resolve) => setTimeout(resolve, verdict.ms)));
        if (!incoming.socket.destroyed) this.#pass(incoming, outgoing, Buffer.concat(chunks), pass);
        return;
      default:
        this.#pass(incoming, outgoing, Buffer.concat(chunks), verdict);
    }
  }

  #pass(incoming: IncomingMessage, outgoing: ServerResponse, body: Buffer, verdict: Verdict): void {
    const sent = httpsRequest(
      new URL(incoming.url ?? '/', this.#target),
      { method: incoming.method, headers: { ...incoming.headers, host: this.#target.host }, agent: this.#upstream },
      (answer) => {
        answer.on('error', () => incoming.socket.destroy());
        if (verdict.do === 'lose') {
          answer.resume();
          verdict.onDone?.();
          incoming.socket.destroy();
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        outgoing.flushHeaders();
        let count = 0;
        let rest = '';
        answer.on('data', (chunk: Buffer) => {
          if (this.silent) return;
          if (verdict.do === 'filter') {
            const lines = (rest + chunk.toString()).split('\n');
            rest = lines.pop() ?? '';
            for (const line of lines) if (verdict.keep(line)) outgoing.write(`${line}\n`);
            return;
          }
          if (verdict.do === 'truncate') {
            outgoing.write(chunk.subarray(0, verdict.bytes - count), () => {
              if (count >= verdict.bytes) incoming.socket.destroy();
            });
            count += chunk.length;
            return;
          }
          outgoing.write(chunk);
        });
        answer.on('end', () => outgoing.end());
      },
    );
    sent.on('error', () => incoming.socket.destroy());
    // As a proxy does: who waits for no answer gets nothing done, but where that is the fault.
    if (verdict.do !== 'lose') outgoing.once('close', () => sent.destroy());
    sent.end(body);
  }
}
