import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSigned, type Certificate } from './certificate';

/** An HTTPS server that answers as a test says, with a kubeconfig that leads to it: for faults of only the connection. */
export class Api {
  readonly requests: { readonly method: string; readonly url: string; readonly authorization: string }[] = [];
  connections = 0;
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => {
    response.setHeader('content-type', 'application/json').end('{}');
  };
  readonly folder = mkdtempSync(join(tmpdir(), 'inferno-api-'));
  readonly #sockets = new Set<Socket>();

  private constructor(
    readonly certificate: Certificate,
    readonly server: Server,
    readonly host: string,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { authorization = '' } = request.headers;
      this.requests.push({ method: request.method ?? '', url: request.url ?? '', authorization });
      this.answer(request, response);
    });
    server.on('connection', (socket: Socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(host = '127.0.0.1'): Promise<Api> {
    const certificate = selfSigned();
    const api = new Api(certificate, createServer(certificate), host);
    await new Promise<void>((resolve, reject) => {
      api.server.once('error', reject);
      api.server.listen(0, host, resolve);
    });
    return api;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get open(): number {
    return this.#sockets.size;
  }

  /** Writes a kubeconfig; `user` is its user's entry. */
  kubeconfig(user: object = { token: 'token' }, cluster: object = {}): string {
    const server = `https://${this.host.includes(':') ? `[${this.host}]` : this.host}:${this.port}`;
    const ca = Buffer.from(this.certificate.cert).toString('base64');
    const path = join(this.folder, 'kubeconfig');
    writeFileSync(
      path,
      JSON.stringify({
        clusters: [{ name: 'c', cluster: { server, 'certificate-authority-data': ca, ...cluster } }],
        users: [{ name: 'u', user }],
        contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
        'current-context': 'x',
      }),
    );
    return path;
  }

  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.cutAll();
    await new Promise((resolve) => this.server.close(resolve));
    rmSync(this.folder, { recursive: true, force: true });
  }
}
