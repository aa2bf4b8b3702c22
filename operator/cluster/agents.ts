import { Agent, type AgentOptions } from 'node:https';
import { isDeepStrictEqual } from 'node:util';

/** What a request is for: watches have sockets of their own, so that they never take those of requests. */
export type Purpose = 'request' | 'watch';

/** How to reach the API server: certificates, and the proxy on the way if there is one. */
export interface Route extends Pick<AgentOptions, 'ca' | 'cert' | 'key' | 'servername' | 'rejectUnauthorized'> {
  readonly proxy?: string | undefined;
}

/**
 * The pools of connections to one API server.
 *
 * Guarantees: a request waits for other requests at most, never for a watch; with new certificates new connections are
 * made, and what runs on the old ones ends in peace, after which they are closed.
 */
export class Agents {
  readonly #maxSockets: number;
  #current: { readonly route: Route; readonly agents: { readonly [purpose in Purpose]: Agent } } | undefined;
  readonly #all = new Set<WeakRef<Agent>>();

  constructor(maxSockets: number) {
    this.#maxSockets = maxSockets;
  }

  of(purpose: Purpose, route: Route): Agent {
    if (this.#current === undefined || !isDeepStrictEqual(this.#current.route, route)) {
      if (this.#current !== undefined) Object.values(this.#current.agents).forEach(retire);
      this.#current = {
        route,
        agents: { request: this.#make(route, this.#maxSockets), watch: this.#make(route, Infinity) },
      };
    }
    return this.#current.agents[purpose];
  }

  /** Closes all connections, also those that are in use. */
  close(): void {
    for (const agent of this.#all) agent.deref()?.destroy();
    this.#all.clear();
    this.#current = undefined;
  }

  #make({ proxy, ...tls }: Route, maxSockets: number): Agent {
    const agent = new Agent({
      keepAlive: true,
      keepAliveMsecs: 15_000,
      maxSockets,
      ...tls,
      ...(proxy === undefined ? {} : { proxyEnv: { HTTPS_PROXY: proxy } }),
    });
    for (const old of this.#all) if (old.deref() === undefined) this.#all.delete(old);
    this.#all.add(new WeakRef(agent));
    return agent;
  }
}

/** Closes idle sockets now, and the others when their requests end. */
function retire(agent: Agent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) sockets?.forEach((socket) => socket.destroy());
}
