import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Composition } from '../lib/composition';
import { defined } from '../lib/composition/objects';
import { parseBindAddress, type BindAddress } from '../lib/settings/address';
import { SETTINGS } from '../lib/settings/settings';
import { sleep, systemClock, type Clock, type Timer } from './clock';
import { connect, type Connection } from './cluster/connection';
import { KubeClient } from './cluster/kube';
import { Transport, type TransportOptions } from './cluster/transport';
import { Controller } from './reconcile/controller';
import { EventRecorder } from './report/events';
import { sharedAnswer, startStatusServer, type Answer, type StatusServer } from './serve/http';
import { Informers, type InformersOptions } from './watch/informers';
import { LeaderElector } from './lead/lease';
import type { LeaseTimes } from './lead/lease-times';
import { errorText, jsonLogger, nowAndThen, type Logger } from './report/log';
import { readSettings, type OperatorSettings } from './settings/read';
import { Metrics } from './report/metrics';
import { profilingRoutes } from './serve/profiling';

/** Options of an {@link Operator}; names and defaults are controller-runtime's where it has them. */
export interface OperatorOptions extends Partial<LeaseTimes> {
  /** What it runs. */
  readonly compositions: readonly Composition[];
  /** Where the cluster is. @default what {@link connect} finds */
  readonly connection?: Connection;
  /** @default a {@link jsonLogger} of level info on standard error */
  readonly log?: Logger;
  /** Namespaces that it watches. @default all */
  readonly watchNamespaces?: readonly string[];
  /** Only resources with these labels, as kubectl's -l takes them. @default all */
  readonly selector?: string;
  /** Whether it waits for leadership before it acts. @default false */
  readonly leaderElect?: boolean;
  /** Name of the Lease. @default inferno-operator.inferno.io */
  readonly leaderElectionId?: string;
  /** Namespace of the Lease. @default the pod's own, or the kubeconfig's */
  readonly leaderElectionNamespace?: string;
  /** Reconciles at once, for each composition. @default 4 */
  readonly maxConcurrentReconciles?: number;
  /** Address of /metrics, "0" for none. @default 127.0.0.1:8080 */
  readonly metricsBindAddress?: string;
  /** Address of /healthz and /readyz, "0" for none. @default 127.0.0.1:8081 */
  readonly healthProbeBindAddress?: string;
  /** Address of /debug/profile and /debug/heap; only on loopback, as they show what is in memory. @default 0, none */
  readonly pprofBindAddress?: string;
  /** Requests per second, and how many at once above it. @default no limit on this side; the API server has its own */
  readonly limit?: { readonly perSecond: number; readonly burst: number };
  /** A watch without a word for so long is made anew, in milliseconds. @default 75 s */
  readonly watchIdleMs?: number;
  /** Objects in a page of a list. @default 500 */
  readonly pageSize?: number;
  /** How long a request may take, in milliseconds. @default 30 s */
  readonly requestTimeoutMs?: number;
  /** Every resource is looked at again after about this time, and all are listed again. @default 10 hours, in milliseconds */
  readonly resyncMs?: number;
  /** How long running reconciles have to end after a signal. @default 30 s, in milliseconds */
  readonly shutdownMs?: number;
  /** Version for the User-Agent. @default none */
  readonly version?: string;
  readonly clock?: Clock;
}

/** Options with the settings' defaults. */
type CompleteOptions = OperatorOptions &
  Omit<OperatorSettings, 'logLevel' | 'compositionFiles' | 'builtin' | 'kubeconfig' | 'context'>;
const DEFAULTS = readSettings({ flags: new Map(), env: {} });

/** The leadership was lost: the process must end, so that a new one competes again. */
export class LeadershipLostError extends Error {
  override readonly name = 'LeadershipLostError';
}

/** How old the answer of /metrics may be: far less than the time between two scrapes. */
const METRICS_FRESH_MS = 500;
/** A reconcile that runs for so long counts as stuck. */
const STUCK_SECONDS = 600;
/** A cache tries again after two minutes at the latest; one that does not for so long hangs. */
const HANGING_SECONDS = 300;

/**
 * Runs compositions in a cluster.
 *
 * Guarantees: caches are filled also while another leads; no write leaves the process unless it leads; on the signal it
 * takes no new work, lets running reconciles end, and only then gives the lease up.
 */
export class Operator {
  readonly #options: CompleteOptions;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #metrics = new Metrics();
  readonly #transport: Transport;
  readonly #elector: LeaderElector | undefined;
  readonly #informers: Informers;
  readonly #events: EventRecorder;
  readonly #controllers: readonly Controller[];

  /** @throws Error where there is no cluster, or an option makes no sense */
  constructor(given: OperatorOptions) {
    if (given.compositions.length === 0) throw new Error('compositions is empty; expected at least one');
    const options: CompleteOptions = { ...DEFAULTS, ...defined<OperatorOptions>(given) };
    const { connection = connect(), log = jsonLogger() } = options;
    this.#options = options;
    this.#log = log;
    this.#clock = options.clock ?? systemClock;
    const identity = `${hostname()}_${randomUUID()}`;
    const gate = { open: () => this.#elector?.open() === true, safeMs: () => this.#elector?.safeMs() ?? 0 };
    const transport = defined<TransportOptions>({
      userAgent: `inferno-operator/${options.version ?? 'dev'}`,
      clock: this.#clock,
      observer: this.#metrics.requests,
      limit: options.limit,
      timeoutMs: options.requestTimeoutMs,
      gate: options.leaderElect ? gate : undefined,
    });
    this.#transport = new Transport(connection, transport);
    const client = new KubeClient(this.#transport);
    const [leaseFailed, eventFailed] = [nowAndThen(log, this.#clock), nowAndThen(log, this.#clock)];
    this.#elector = options.leaderElect
      ? new LeaderElector({
          client,
          clock: this.#clock,
          identity,
          name: options.leaderElectionId,
          namespace: options.leaderElectionNamespace ?? connection.namespace,
          times: options,
          failed: (error) => leaseFailed('Could not read or write the lease, will retry', { error: errorText(error) }),
        })
      : undefined;
    const informers = defined<InformersOptions>({
      client,
      clock: this.#clock,
      namespaces: options.watchNamespaces,
      relistMs: options.resyncMs,
      idleMs: options.watchIdleMs,
      pageSize: options.pageSize,
    });
    this.#informers = new Informers(informers);
    this.#events = new EventRecorder({
      client,
      clock: this.#clock,
      controller: 'inferno.io/operator',
      instance: identity,
      failed: (error) => eventFailed('Could not write an event', { error: errorText(error) }),
    });
    this.#controllers = options.compositions.map((composition) => {
      const name = composition.crd.spec.names.kind.toLowerCase();
      return new Controller({
        composition,
        client,
        informers: this.#informers,
        events: this.#events,
        metrics: this.#metrics.controller(name),
        log: log.with({ controller: name }),
        clock: this.#clock,
        selector: options.selector,
        maxConcurrent: options.maxConcurrentReconciles,
        resyncMs: options.resyncMs,
      });
    });
  }

  /**
   * Runs until the signal is aborted.
   *
   * @throws LeadershipLostError when another took over or the API server could not be reached in time
   */
  async run(signal: AbortSignal): Promise<void> {
    const log = this.#log;
    const servers = await this.#serve();
    // Node ends when nothing keeps it; sockets by themselves must not decide that.
    const keepAlive = setInterval(() => undefined, 60_000);
    const reading = new AbortController();
    const informers = this.#informers.run(reading.signal);
    try {
      log.info('Started', { addresses: servers.map(({ address }) => address) });
      if (this.#elector === undefined) await this.#work(signal, new AbortController());
      else await this.#lead(this.#elector, signal);
    } finally {
      reading.abort();
      await informers;
      await Promise.all(servers.map((server) => server.close()));
      this.#transport.close();
      clearInterval(keepAlive);
    }
    log.info('Stopped');
  }

  async #lead(elector: LeaderElector, signal: AbortSignal): Promise<void> {
    const log = this.#log;
    const name = this.#options.leaderElectionId;
    this.#metrics.leading(name, false);
    log.info('Waiting for leadership', { lease: name });
    if (!(await elector.acquire(signal))) return;
    log.info('Became leader', { lease: name });
    this.#metrics.leading(name, true);
    const lost = new AbortController();
    const done = new AbortController();
    // The lease is renewed until the last running reconcile has ended.
    const renewing = elector.renew(done.signal).then((how) => {
      lost.abort();
      return how;
    });
    await this.#work(AbortSignal.any([signal, lost.signal]), lost);
    done.abort();
    const how = await renewing;
    this.#metrics.leading(name, false);
    if (how === 'lost') throw new LeadershipLostError(`the lease ${name} was lost`);
    await elector.release();
    log.info('Released leadership', { lease: name });
  }

  /** Works until `stop`; what still runs when the time for the shutdown is over, or when `kill` is aborted, is cut off. */
  async #work(stop: AbortSignal, kill: AbortController): Promise<void> {
    let countdown: Timer | undefined;
    const startCountdown = (): void => {
      countdown = this.#clock.schedule(this.#options.shutdownMs, () => kill.abort());
    };
    if (stop.aborted) startCountdown();
    stop.addEventListener('abort', startCountdown, { once: true });
    await Promise.all(this.#controllers.map((controller) => controller.run(stop, kill.signal)));
    stop.removeEventListener('abort', startCountdown);
    countdown?.cancel();
    if (!kill.signal.aborted) await Promise.race([this.#events.flush(), sleep(this.#clock, 2000)]);
  }

  async #serve(): Promise<readonly StatusServer[]> {
    const health = this.#bindAddress('healthProbeBindAddress');
    const metrics = this.#bindAddress('metricsBindAddress');
    const profiling = this.#bindAddress('pprofBindAddress');
    const started: StatusServer[] = [];
    try {
      if (health !== 'off') {
        const routes = { '/healthz': () => this.#healthz(), '/readyz': () => this.#readyz() };
        started.push(await startStatusServer(health, routes));
      }
      if (metrics !== 'off') {
        const text = async (): Promise<Answer> => ({
          status: 200,
          body: Buffer.from(await this.#metrics.text()),
          contentType: this.#metrics.registry.contentType,
        });
        started.push(
          await startStatusServer(metrics, { '/metrics': sharedAnswer(text, this.#clock, METRICS_FRESH_MS) }),
        );
      }
      if (profiling !== 'off') started.push(await startStatusServer(profiling, profilingRoutes()));
    } catch (error) {
      await Promise.all(started.map((server) => server.close()));
      throw error;
    }
    return started;
  }

  /** @throws Error for a text that is not such an address */
  #bindAddress(option: 'healthProbeBindAddress' | 'metricsBindAddress' | 'pprofBindAddress'): BindAddress | 'off' {
    const { type } = SETTINGS[option];
    const text = type.parse(this.#options[option]);
    const address = text === undefined ? undefined : parseBindAddress(text);
    if (address !== undefined) return address;
    throw new Error(`${option} ${type.expected}, got ${JSON.stringify(this.#options[option])}`);
  }

  /** Fails when a reconcile or a cache hangs: only a new process helps. */
  #healthz(): Answer {
    const lines = this.#controllers.flatMap(({ idleSeconds, longestSeconds, name }) => [
      ...(longestSeconds > STUCK_SECONDS ? [`[-] ${name}: a reconcile is stuck\n`] : []),
      ...(idleSeconds > HANGING_SECONDS ? [`[-] ${name}: a cache is stuck\n`] : []),
    ]);
    return lines.length === 0 ? { status: 200, body: 'ok\n' } : { status: 500, body: lines.join('') };
  }

  /** Fails as long as a composition can't be served: its caches are not filled, or its kinds are not in the cluster. */
  #readyz(): Answer {
    const lines = this.#controllers.map((controller) => {
      const texts = controller
        .missing()
        .map(({ plural, state }) => `${plural} ${state === 'absent' ? 'not in the cluster' : 'not listed yet'}`);
      // A kind may have several caches.
      const missing = [...new Set(texts)];
      return missing.length === 0 ? `[+] ${controller.name}: ok` : `[-] ${controller.name}: ${missing.join(', ')}`;
    });
    const ready = lines.every((line) => line.startsWith('[+]'));
    return { status: ready ? 200 : 503, body: `${lines.join('\n')}\n` };
  }
}
