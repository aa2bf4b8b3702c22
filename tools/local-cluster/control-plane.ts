import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Found } from '../go/programs';
import { type Client, isReady, type Method, type Response, type Status } from './client';
import { installCrds } from './crds';
import { files } from './flags';
import { kubeconfig } from './kubeconfig';
import { kubectl, type KubectlOptions, type KubectlOutput } from './kubectl';
import { tail } from './logs';
import type { Binary } from './control-plane-programs';
import { poll } from './poll';
import type { Processes } from './processes';

/** A part of the control plane that runs as a process. */
export type Component = Exclude<Binary, 'kubectl'>;

/** Whom a kubeconfig is for. */
export type Identity = { readonly user: string } | Account;

interface Account {
  readonly serviceAccount: string;
  readonly namespace: string;
  readonly audiences?: readonly string[];
}

/** An entry of the audit log, as far as tests look at it. */
export interface AuditEvent {
  readonly verb: string;
  readonly requestURI: string;
  readonly stage: string;
  readonly user: { readonly username: string };
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code?: number };
  readonly [field: string]: unknown;
}

/** What `startControlPlane` hands to a control plane. */
export interface Parts {
  readonly folder: string;
  readonly url: string;
  readonly ca: string;
  readonly token: string;
  readonly userTokens: { readonly [user: string]: string };
  readonly client: Client;
  readonly binaries: Found<'kubectl'>;
  readonly processes: Processes;
  readonly commands: Map<Component, Command>;
}

/** How a component was started. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly log: string;
}

/** A running control plane. Everything it has lies in `folder`, which `stop` removes. */
export class ControlPlane {
  constructor(private readonly parts: Parts) {}

  /** Address of the API server, `https://127.0.0.1:PORT`; in a cluster with nodes `https://10.240.0.1:443`. */
  get url(): string {
    return this.parts.url;
  }

  /** The certificate authority of the API server, PEM. */
  get ca(): string {
    return this.parts.ca;
  }

  /** Token of the administrator, a member of `system:masters`. */
  get token(): string {
    return this.parts.token;
  }

  get folder(): string {
    return this.parts.folder;
  }

  /** Path of the administrator's kubeconfig. */
  get kubeconfig(): string {
    return join(this.folder, files.kubeconfig);
  }

  /** Path of the kubectl that belongs to this control plane. */
  get kubectlFile(): string {
    return this.parts.binaries.kubectl;
  }

  /** Pid of the process that kills the others when this one is gone. */
  get supervisor(): number | undefined {
    return this.parts.processes.supervisor;
  }

  /** Sends a request as the administrator; see `Client.request`. */
  request<T = unknown>(
    method: Method,
    path: string,
    body?: unknown,
    headers?: { readonly [name: string]: string },
  ): Promise<Response<T>> {
    return this.parts.client.request<T>(method, path, body, headers);
  }

  /**
   * Runs kubectl as the administrator.
   *
   * @throws KubectlError when its exit code is not 0
   */
  kubectl(args: readonly string[], options: KubectlOptions = {}): Promise<KubectlOutput> {
    const config = options.kubeconfig ?? this.kubeconfig;
    return kubectl(this.kubectlFile, this.folder, config, args, options.input);
  }

  /** Applies CRDs from files and waits until they can be used. */
  installCrds(paths: readonly string[]): Promise<void> {
    return installCrds(this.parts.client, paths);
  }

  /**
   * Writes a kubeconfig for a user that `startControlPlane` was given, or for a ServiceAccount that exists, and gives
   * its path.
   */
  async kubeconfigFor(identity: Identity): Promise<string> {
    const name = 'user' in identity ? identity.user : `${identity.namespace}.${identity.serviceAccount}`;
    const namespace = 'user' in identity ? 'default' : identity.namespace;
    const token = 'user' in identity ? this.#userToken(identity.user) : await this.#accountToken(identity);
    const path = join(this.folder, `${encodeURIComponent(name)}.kubeconfig`);
    writeFileSync(path, kubeconfig(this.url, this.ca, token, namespace), { mode: 0o600 });
    return path;
  }

  /** What the audit log has so far. It needs the option `audit`. */
  auditEvents(): readonly AuditEvent[] {
    const text = readFileSync(join(this.folder, files.auditLog), 'utf8');
    // The last line may not be whole yet.
    const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as AuditEvent);
  }

  /** Path of a component's log, which has all its runs. */
  log(component: Component): string {
    return this.#command(component).log;
  }

  /** Pid of a component, undefined when it does not run. */
  pid(component: Component): number | undefined {
    return this.parts.processes.pid(component);
  }

  /** Freezes a component (SIGSTOP): its connections stay open and nothing answers. */
  async pause(component: Component): Promise<void> {
    await this.parts.processes.signal(component, 'SIGSTOP');
  }

  /** Lets a frozen component go on (SIGCONT). */
  async resume(component: Component): Promise<void> {
    await this.parts.processes.signal(component, 'SIGCONT');
  }

  /** Ends a component, by default at once, and waits until it has ended. */
  async stopComponent(component: Component, signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    await this.parts.processes.signal(component, signal);
    await this.parts.processes.exited(component, 90);
  }

  /** Starts a component that was stopped, with its data and its port, and waits until it answers. */
  async startComponent(component: Component): Promise<void> {
    const { file, args, log } = this.#command(component);
    await this.parts.processes.start(component, file, args, log);
    if (component === 'kube-apiserver' || component === 'etcd') await this.ready();
  }

  /** Stops and starts a component. */
  async restart(component: Component, signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    await this.stopComponent(component, signal);
    await this.startComponent(component);
  }

  /** Waits until the API server is ready. Rejects with its log when it has ended or takes longer than `seconds`. */
  async ready(seconds = 60): Promise<void> {
    const { ca, processes, token, url } = this.parts;
    const log = this.#command('kube-apiserver').log;
    try {
      await poll(
        'the API server to be ready',
        async () => {
          const ended = processes.ended('kube-apiserver');
          if (ended !== undefined) throw new Error(`kube-apiserver has ended with ${ended.how}`);
          return isReady({ url, ca, token });
        },
        { seconds },
      );
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(`${message}; its log ends with\n${tail(log)}`, { cause: error });
    }
  }

  /** Kills all processes of this control plane and removes its folder. Calling it again does nothing. */
  async stop(): Promise<void> {
    this.parts.client.close();
    await this.parts.processes.stop();
  }

  #command(component: Component): Command {
    const command = this.parts.commands.get(component);
    if (command !== undefined) return command;
    const started = [...this.parts.commands.keys()].join(', ');
    throw new Error(`this control plane was started without ${component}; it has ${started}`);
  }

  #userToken(user: string): string {
    const token = this.parts.userTokens[user];
    if (token !== undefined) return token;
    const known = Object.keys(this.parts.userTokens).join(', ') || 'none';
    throw new Error(`user ${user} is not known to the API server; name it in the option users (given: ${known})`);
  }

  async #accountToken({ namespace, serviceAccount, audiences }: Account): Promise<string> {
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${serviceAccount}/token`;
    const answer = await this.request<Status | { readonly status: { readonly token: string } }>('POST', path, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 3600 * 12, ...(audiences === undefined ? {} : { audiences }) },
    });
    if (typeof answer.body.status === 'object') return answer.body.status.token;
    throw new Error(`no token for ServiceAccount ${namespace}/${serviceAccount}: ${answer.body.message}`);
  }
}
