import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ContainerRecord,
  firstRecords,
  nextRun,
  type Records,
  toExited,
  toImageMissing,
  toRunning,
  toStarting,
  toStartFailed,
  toWaiting,
} from './containers';
import { Deadline } from './deadline';
import { endOf, startError } from './ends';
import type { Image } from './image';
import type { NodeParts } from './node-parts';
import type { Plan } from './plan';
import type { Container, Pod } from './pod';
import { PodProbes } from './pod-probes';
import type { ProbeKind } from './probe-state';
import { containerRequest } from './request';
import { ConfigError, type Exit, type RunningContainer, UnsupportedError } from './runtime-types';
import type { Sandbox } from './sandbox';
import { stopContainer } from './stop-container';
import { goDuration, seconds, textOf } from './texts';

/** What the containers ask of the pod that they belong to, and report to it. */
export interface Owner {
  /** As the API server has it now. */
  readonly pod: () => Pod;
  readonly podIP: () => string | undefined;
  /** Whether containers may still be started. */
  readonly active: () => boolean;
  /** Whether nothing is waited for any more. */
  readonly gone: () => boolean;
  /** Seconds that containers get to end. */
  readonly grace: () => number;
  /** Something may have to be done now. */
  readonly changed: () => void;
  /** Only the status is another one. */
  readonly told: () => void;
  readonly refuse: (message: string) => void;
}

/** Starts, probes and ends the containers of one pod, and knows how they stand. */
export class PodContainers {
  readonly #records: Map<string, ContainerRecord>;
  readonly #running = new Map<string, RunningContainer>();
  readonly #starting = new Set<Promise<void>>();
  readonly #killing = new Map<string, { readonly deadline: Deadline; readonly done: Promise<void> }>();
  #probes: PodProbes | undefined;

  /** @param folder in which each has a folder with its logs and its pid */
  constructor(
    private readonly owner: Owner,
    private readonly node: NodeParts,
    private readonly folder: string,
  ) {
    this.#records = firstRecords(owner.pod());
  }

  get records(): Records {
    return this.#records;
  }

  runs(name: string): boolean {
    return this.#running.has(name);
  }

  /** Does what is planned for them. */
  follow({ hold, start }: Pick<Plan, 'hold' | 'start'>, sandbox: Sandbox): void {
    for (const { name, seconds: delay, until } of hold) this.#hold(name, delay, until);
    for (const name of start) this.#begin(name, sandbox);
  }

  /** Leaves those that are being ended less time, where `by` is earlier. */
  hurry(by: number): void {
    for (const { deadline } of this.#killing.values()) deadline.bring(by);
  }

  /** Ends them all. @param by milliseconds since 1970 at which they are killed */
  async end(by: number): Promise<void> {
    this.#probes?.stop('startup', 'liveness');
    await Promise.all(this.#starting);
    await Promise.all(
      [...this.#running.keys()].map((name) =>
        this.#kill(this.#container(name), `Stopping container ${name}`, new Deadline(by)),
      ),
    );
    this.#probes?.stop('readiness');
  }

  #hold(name: string, delay: number, until: number): void {
    const { name: pod, namespace, uid } = this.#pod.metadata;
    const which = `${pod}_${namespace}(${uid})`;
    const message = `back-off ${goDuration(delay)} restarting failed container=${name} pod=${which}`;
    this.#records.set(name, toWaiting(this.#record(name), 'CrashLoopBackOff', message, until));
    this.#event('Warning', 'BackOff', `Back-off restarting failed container ${name} in pod ${which}`, name);
  }

  #begin(name: string, sandbox: Sandbox): void {
    const container = this.#container(name);
    const image = this.node.images.get(container.image);
    if (image === undefined) {
      this.#missImage(container);
      return;
    }
    this.#records.set(name, toStarting(this.#record(name), Date.now(), this.node.backoffSeconds));
    const tracked = this.node.starts
      .run(() => this.#start(container, image, sandbox))
      .catch((error: unknown) => this.#notStarted(container, error))
      .finally(() => {
        this.#starting.delete(tracked);
        this.owner.changed();
      });
    this.#starting.add(tracked);
  }

  #missImage({ image, name }: Container): void {
    const { backoffSeconds, images } = this.node;
    const why = `the test node has no such image; it has ${[...images.keys()].join(', ')}`;
    const texts = { failed: `Failed to pull image "${image}": ${why}`, backOff: `Back-off pulling image "${image}"` };
    const record = toImageMissing(this.#record(name), texts, Date.now(), backoffSeconds);
    this.#records.set(name, record);
    if (record.state.reason === 'ErrImagePull') {
      this.#event('Normal', 'Pulling', `Pulling image "${image}"`, name);
      this.#event('Warning', 'Failed', texts.failed, name);
      this.#event('Warning', 'Failed', 'Error: ErrImagePull', name);
    } else {
      this.#event('Normal', 'BackOff', texts.backOff, name);
    }
    // For the time of the next try.
    setImmediate(this.owner.changed);
  }

  async #start(container: Container, image: Image, { place, volumes }: Sandbox): Promise<void> {
    const { name } = container;
    const { api, hostIP, resolver, runtime } = this.node;
    if (!this.owner.active()) return;
    const run = nextRun(this.#record(name));
    const id = this.#id(name);
    const folder = join(this.folder, name);
    const present = `Container image "${container.image}" already present on machine and can be accessed by the pod`;
    this.#event('Normal', 'Pulled', present, name);
    const request = await containerRequest({
      ...{ id, run, pod: this.#pod, container, image, place, hostIP, volumes, reader: api, resolver, folder },
    });
    const startedAt = seconds(new Date());
    const process = await runtime.start(request);
    this.#event('Normal', 'Created', 'Container created', name);
    this.#event('Normal', 'Started', 'Container started', name);
    this.#running.set(name, process);
    this.#records.set(name, toRunning(this.#record(name), container, id, startedAt));
    if (process.pid !== undefined) writeFileSync(join(folder, 'pid'), `${process.pid}`);
    if (container.startupProbe === undefined) this.#probes?.trigger(name, 'readiness');
    void process.exited.then((exit) => this.#exited(container, process, exit, request.logFile));
  }

  #notStarted({ name }: Container, error: unknown): void {
    const message = textOf(error);
    const now = Date.now();
    if (error instanceof UnsupportedError) {
      this.owner.refuse(message);
      return;
    }
    this.#event('Warning', 'Failed', `Error: ${message}`, name);
    const record = this.#record(name);
    if (error instanceof ConfigError) {
      const retryAt = now + this.node.backoffSeconds * 1000;
      this.#records.set(name, toWaiting(record, 'CreateContainerConfigError', message, retryAt));
      return;
    }
    const terminated = startError(this.#id(name), message, new Date(now));
    this.#records.set(name, toStartFailed(record, terminated, now));
  }

  #exited(container: Container, running: RunningContainer, exit: Exit, logFile: string): void {
    const { name } = container;
    const { state } = this.#record(name);
    if (this.#running.get(name) !== running || state.is !== 'running') return;
    this.#running.delete(name);
    rmSync(join(this.folder, name, 'pid'), { force: true });
    const terminated = endOf(container, { ...state, logFile }, exit, new Date());
    this.#records.set(name, toExited(this.#record(name), terminated, Date.now()));
    this.owner.told();
    if (this.owner.active()) this.owner.changed();
  }

  // ---- probes

  /** @param jitter whether they begin at random times, as those of many pods would else at the same one */
  probe(jitter: boolean): void {
    this.#probes = new PodProbes(this.#pod, jitter, {
      target: (container) => {
        const running = this.#running.get(container.name);
        const { state } = this.#record(container.name);
        const podIP = this.owner.podIP();
        if (running === undefined || state.is !== 'running' || podIP === undefined) return undefined;
        const { id, started, startedAt } = state;
        return { id, started, startedAt: Date.parse(startedAt), container, podIP, running };
      },
      verdict: (container, kind, id, ok) => this.#verdict(container, kind, id, ok),
      failed: (container, kind, { ok, output }) => {
        const what = ok === undefined ? 'errored and resulted in unknown state' : 'failed';
        const title = `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`;
        this.#event('Warning', 'Unhealthy', `${title} probe ${what}: ${output}`, container.name);
      },
    });
  }

  #verdict(container: Container, kind: ProbeKind, id: string, ok: boolean): void {
    const { name } = container;
    const record = this.#record(name);
    const { state } = record;
    if (state.is !== 'running' || state.id !== id) return;
    if (kind === 'readiness') {
      this.#records.set(name, { ...record, state: { ...state, ready: ok } });
    } else if (!ok) {
      this.#unhealthy(container, kind);
    } else if (kind === 'startup') {
      const ready = container.readinessProbe === undefined;
      this.#records.set(name, { ...record, state: { ...state, started: true, ready } });
      this.#probes?.trigger(name, 'readiness');
    }
    this.owner.told();
  }

  #unhealthy(container: Container, kind: 'startup' | 'liveness'): void {
    const spec = kind === 'startup' ? container.startupProbe : container.livenessProbe;
    const grace = spec?.terminationGracePeriodSeconds ?? this.owner.grace();
    const restarted = this.#pod.spec.restartPolicy === 'Never' ? '' : ', will be restarted';
    const message = `Container ${container.name} failed ${kind} probe${restarted}`;
    void this.#kill(container, message, new Deadline(Date.now() + grace * 1000));
  }

  // ---- the end of one

  #kill(container: Container, message: string, deadline: Deadline): Promise<void> {
    const { name } = container;
    const known = this.#killing.get(name);
    if (known !== undefined) {
      known.deadline.bring(Date.now() + deadline.secondsLeft * 1000);
      return known.done;
    }
    const done = this.#stop(container, message, deadline).finally(() => this.#killing.delete(name));
    this.#killing.set(name, { deadline, done });
    return done;
  }

  async #stop(container: Container, message: string, deadline: Deadline): Promise<void> {
    const running = this.#running.get(container.name);
    if (running === undefined) return;
    this.#event('Normal', 'Killing', message, container.name);
    await stopContainer({
      container,
      running,
      deadline,
      podIP: this.owner.podIP() ?? '',
      atOnce: this.owner.gone,
      hookFailed: () => this.#event('Warning', 'FailedPreStopHook', 'PreStopHook failed', container.name),
    });
  }

  // ---- what is known

  get #pod(): Pod {
    return this.owner.pod();
  }

  #event(type: 'Normal' | 'Warning', reason: string, message: string, container: string): void {
    this.node.events.pod(this.#pod, type, reason, message, container);
  }

  #container(name: string): Container {
    const { containers, initContainers = [] } = this.#pod.spec;
    return [...initContainers, ...containers].find((one) => one.name === name) ?? this.#unknown(name);
  }

  #record(name: string): ContainerRecord {
    return this.#records.get(name) ?? this.#unknown(name);
  }

  #unknown(name: string): never {
    const { name: pod, namespace } = this.#pod.metadata;
    const known = [...this.#records.keys()].join(', ');
    throw new Error(`pod ${namespace}/${pod} has no container ${name}; it has ${known}`);
  }

  /** The id of a container's next run. */
  #id(name: string): string {
    return `${this.#pod.metadata.uid}.${name}.${nextRun(this.#record(name))}`;
  }
}
