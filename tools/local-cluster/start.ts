import { generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Found } from '../go/programs';
import { Client, isReady } from './client';
import { type Command, type Component, ControlPlane } from './control-plane';
import { type Binary, findBinaries } from './control-plane-programs';
import { apiServerFlags, controllerManagerFlags, etcdFlags, files, type Listening, schedulerFlags } from './flags';
import { kubeconfig } from './kubeconfig';
import { tail } from './logs';
import { GATEWAY } from './node/network';
import { poll } from './poll';
import { freePort } from './ports';
import { Processes } from './processes';

export interface ControlPlaneOptions {
  /** Run kube-controller-manager: Deployments get pods, ServiceAccounts are made, garbage is collected. @default false */
  readonly controllerManager?: boolean;
  /** Run kube-scheduler. @default false */
  readonly scheduler?: boolean;
  /** CRD files to install before the controller-manager starts, which learns of later ones with a delay. @default none */
  readonly crds?: readonly string[];
  /** Plain users, who may do nothing until RBAC lets them, with their groups. @default none */
  readonly users?: { readonly [user: string]: readonly string[] };
  /** Write an audit log: true for all requests at level Metadata, or a `Policy` object. @default false */
  readonly audit?: boolean | { readonly [field: string]: unknown };
  /** Further flags by component; one that is given twice counts as it was given last. @default none */
  readonly flags?: { readonly [component in Component]?: readonly string[] };
  /** Receives lines of progress. @default building the binaries is reported on standard error, nothing else */
  readonly log?: (line: string) => void;
  /** Gives up and cleans up when it is aborted while the control plane starts. */
  readonly signal?: AbortSignal;
  /**
   * Listen at port 443 of the cluster's own network namespace, where pods reach it, instead of on loopback; see
   * `startCluster`. @default false
   */
  readonly podNetwork?: boolean;
  /** Folder in which the control plane's own folder is made, an absolute path. @default os.tmpdir() */
  readonly parentFolder?: string;
  /** Where KUBEBUILDER_ASSETS and the like are read from. @default process.env */
  readonly env?: NodeJS.ProcessEnv;
}

const ADMIN = 'admin';
/** How often the API server is started with another port when somebody else took the one that was free. */
const ATTEMPTS = 5;
/** Bytes that the path of a socket may have on every system. */
const LONGEST_SOCKET = 103;

/**
 * Starts etcd and kube-apiserver, and what else is asked for, on loopback with free ports, each control plane apart from
 * all others. It takes about 4 s once the binaries are there. Stop it with `stop()`; when this process goes without
 * doing so, even by SIGKILL, the control plane goes with it.
 *
 * @throws Error with the end of the component's log when one does not start
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { controllerManager = false, scheduler = false, env, log, parentFolder = tmpdir(), signal } = options;
  const needed: readonly Binary[] = [
    'etcd',
    'kube-apiserver',
    'kubectl',
    ...(controllerManager ? (['kube-controller-manager'] as const) : []),
    ...(scheduler ? (['kube-scheduler'] as const) : []),
  ];
  const binaries = await findBinaries(needed, { env, log, signal });
  const folder = mkdtempSync(join(parentFolder, 'inferno-control-plane-'));
  const processes = new Processes(folder);
  try {
    return await new Starter(options, binaries, folder, processes).start();
  } catch (error) {
    await processes.stop().catch(() => rmSync(folder, { recursive: true, force: true }));
    throw error;
  }
}

class Starter {
  readonly #tokens: { readonly [user: string]: string };
  readonly #commands = new Map<Component, Command>();

  constructor(
    private readonly options: ControlPlaneOptions,
    private readonly binaries: Found<Binary>,
    private readonly folder: string,
    private readonly processes: Processes,
  ) {
    const users = [ADMIN, ...Object.keys(options.users ?? {})];
    this.#tokens = Object.fromEntries(users.map((user) => [user, randomBytes(24).toString('hex')]));
  }

  async start(): Promise<ControlPlane> {
    const { controllerManager, crds = [], log, scheduler } = this.options;
    const socket = join(this.folder, files.etcdSocket);
    if (Buffer.byteLength(socket) > LONGEST_SOCKET) {
      throw new Error(`${socket} is too long for a socket (${LONGEST_SOCKET} bytes): set TMPDIR to a shorter path`);
    }
    this.#writeFiles();
    log?.('starting etcd');
    await this.#run('etcd', etcdFlags(this.folder));
    await this.#until('etcd', 'etcd to be healthy', () => isHealthy(socket));
    log?.('starting kube-apiserver');
    const controlPlane = await this.#connect(await this.#startApiServer());
    if (crds.length > 0) log?.(`installing ${crds.length} CRD${crds.length === 1 ? '' : 's'}`);
    await controlPlane.installCrds(crds);
    if (controllerManager === true) {
      log?.('starting kube-controller-manager');
      await this.#run('kube-controller-manager', controllerManagerFlags(this.folder));
      await this.#exists(controlPlane, 'kube-controller-manager', '/api/v1/namespaces/default/serviceaccounts/default');
    }
    if (scheduler === true) {
      log?.('starting kube-scheduler');
      await this.#run('kube-scheduler', schedulerFlags(this.folder));
    }
    return controlPlane;
  }

  #writeFiles(): void {
    const { audit = false, users = {} } = this.options;
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const groups = { ...users, [ADMIN]: ['system:masters'] };
    const tokens = Object.entries(groups).map(
      ([user, of], index) => `${this.#tokens[user]},"${user}",${index},"${of.join(',')}"\n`,
    );
    const everything = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] };
    const write = (name: string, text: string): void => writeFileSync(join(this.folder, name), text, { mode: 0o600 });
    write(files.serviceAccountKey, privateKey.export({ type: 'sec1', format: 'pem' }).toString());
    write(files.tokens, tokens.join(''));
    if (audit !== false) write(files.auditPolicy, JSON.stringify(audit === true ? everything : audit));
  }

  /** Starts it with a port that is free, and again with another one where somebody was faster; gives its URL. */
  async #startApiServer(): Promise<string> {
    if (this.options.podNetwork === true) {
      return this.#startApiServerAt({ on: 'pod network', port: 443, address: GATEWAY });
    }
    for (let attempt = 1; ; attempt += 1) {
      const port = await freePort();
      try {
        return await this.#startApiServerAt({ on: 'loopback', port });
      } catch (error) {
        const taken = error instanceof Error && error.message.includes('address already in use');
        if (!taken || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async #startApiServerAt(listening: Listening): Promise<string> {
    const audit = (this.options.audit ?? false) !== false;
    const certificate = join(this.folder, files.servingCertificate);
    rmSync(join(this.folder, files.certificates), { recursive: true, force: true });
    await this.#run('kube-apiserver', apiServerFlags(this.folder, listening, audit));
    // It writes its certificate before it listens; it listens before it is ready.
    await this.#until('kube-apiserver', 'the certificate of the API server', async () => isWhole(certificate));
    const url = `https://${listening.on === 'loopback' ? '127.0.0.1' : listening.address}:${listening.port}`;
    const options = { url, ca: authority(certificate), token: this.#token(ADMIN) };
    await this.#until('kube-apiserver', 'the API server to be ready', () => isReady(options));
    return url;
  }

  async #connect(url: string): Promise<ControlPlane> {
    const ca = authority(join(this.folder, files.servingCertificate));
    const token = this.#token(ADMIN);
    writeFileSync(join(this.folder, files.rootCa), ca);
    writeFileSync(join(this.folder, files.kubeconfig), kubeconfig(url, ca, token), { mode: 0o600 });
    const { [ADMIN]: _, ...userTokens } = this.#tokens;
    const controlPlane = new ControlPlane({
      folder: this.folder,
      url,
      ca,
      token,
      userTokens,
      client: new Client({ url, ca, token }),
      binaries: this.binaries,
      processes: this.processes,
      commands: this.#commands,
    });
    await this.#exists(controlPlane, 'kube-apiserver', '/api/v1/namespaces/default');
    return controlPlane;
  }

  async #run(component: Component, flags: readonly string[]): Promise<void> {
    const log = join(this.folder, `${component}.log`);
    const file = this.binaries[component];
    const args = [...flags, ...(this.options.flags?.[component] ?? [])];
    this.#commands.set(component, { file, args, log });
    await this.processes.start(component, file, args, log);
  }

  async #exists(controlPlane: ControlPlane, component: Component, path: string): Promise<void> {
    const look = async (): Promise<boolean> => (await controlPlane.request('GET', path)).status === 200;
    await this.#until(component, path, look);
  }

  /** Waits, and turns the end of the component meanwhile, or too long a time, into an error with its log. */
  async #until(component: Component, what: string, look: () => Promise<boolean>): Promise<void> {
    const { signal } = this.options;
    try {
      await poll(
        what,
        async () => {
          const ended = this.processes.ended(component);
          if (ended !== undefined) throw new Error(`it has ended with ${ended.how}`);
          return look();
        },
        { interval: 20, signal },
      );
    } catch (error) {
      signal?.throwIfAborted();
      const message = error instanceof Error ? error.message : String(error);
      const log = tail(join(this.folder, `${component}.log`));
      throw new Error(`${component} does not start: ${message}; its log ends with\n${log}`, { cause: error });
    }
  }

  #token(user: string): string {
    const token = this.#tokens[user];
    if (token === undefined) throw new Error(`no token for ${user}`);
    return token;
  }
}

function isHealthy(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const sent = get({ socketPath, path: '/health', timeout: 1000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    sent.once('timeout', () => sent.destroy());
    sent.once('error', () => resolve(false));
  });
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/g;

function isWhole(file: string): boolean {
  return existsSync(file) && (readFileSync(file, 'utf8').match(CERTIFICATE)?.length ?? 0) >= 2;
}

/** The API server signs its certificate itself and writes both to one file: its own first, then its authority's. */
function authority(file: string): string {
  const found = readFileSync(file, 'utf8')
    .match(CERTIFICATE)
    ?.find((pem) => new X509Certificate(pem).ca);
  if (found === undefined) throw new Error(`${file} holds no certificate of an authority`);
  return found;
}
