import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ContainerRecord,
  firstRecords,
  nextRun,
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
import type { ContainerLogs } from './log-server';
import type { NodeParts } from './node-parts';
import { persist } from './persist';
import { plan } from './plan';
import type { Container, Pod, PodSpec } from './pod';
import { PodProbes } from './pod-probes';
import type { ProbeKind } from './probe-state';
import { containerRequest } from './request';
import { ConfigError, type Exit, type RunningContainer, UnsupportedError } from './runtime-types';
import { makeSandbox, NetworkError, removeSandbox, type Sandbox } from './sandbox';
import { type PodFacts, podStatus } from './status';
import { StatusWriter } from './status-writer';
import { stopContainer } from './stop-container';
import { goDuration, seconds } from './texts';

const SET_UP_AGAIN_SECONDS = 2;
/** Runs one pod: does what `plan` says is next, and tells the API server how it stands. */
export class PodWorker {
  readonly #records: Map<string, ContainerRecord>;
  readonly #running = new Map<string, RunningContainer>();
  readonly #starting = new Set<Promise<void>>();
  readonly #killing = new Map<string, { readonly deadline: Deadline; readonly done: Promise<void> }>();
  readonly #writer: StatusWriter;
  readonly #startTime: string;
  readonly #folder: string;
  #status: NonNullable<Pod['status']>;
  #podIP: string | undefined;
  #sandbox: Sandbox | undefined;
  #settingUp = false;
  #refused: { readonly reason: string; readonly message: string } | undefined;
  #state: 'running' | 'ending' | 'ended' = 'running';
  #deleted = false;
  #gone = false;
  #probes: PodProbes | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private pod: Pod,
    private readonly node: NodeParts,
  ) {
    const { name, namespace, uid } = pod.metadata;
    this.#records = firstRecords(pod);
    this.#status = pod.status ?? {};
    this.#podIP = pod.status?.podIP;
    this.#startTime = pod.status?.startTime ?? seconds(new Date());
    this.#writer = new StatusWriter(pod, node.api, node.log);
    this.#folder = join(node.folder, 'pods', `${namespace}_${name}_${uid}`);
  }

  /** Begins, with a reason if the node cannot run this pod. */
  start(refusal: string | undefined, jitter: boolean): void {
    const { phase } = this.#status;
    if (phase === 'Succeeded' || phase === 'Failed') {
      this.#state = 'ended';
    } else if (refusal !== undefined) {
      this.#refuse(refusal);
    } else {
      if (this.#podIP !== undefined) this.node.network.reserve(this.pod.metadata.uid ?? '', this.#podIP);
      this.#probes = this.#makeProbes(jitter);
      this.#publish();
    }
    this.#look();
  }

  /** Takes the pod as the API server has it now. */
  update(pod: Pod): void {
    if (pod.metadata.generation !== this.pod.metadata.generation && fixed(pod.spec) !== fixed(this.pod.spec)) {
      this.node.log.error('the spec of a running pod was changed, which is not supported', { pod: this.#path });
    }
    this.pod = pod;
    this.#look();
  }

  /** The pod is no longer in the API server: whatever still runs is killed at once. */
  gone(): void {
    this.#gone = true;
    this.#writer.stop();
    for (const { deadline } of this.#killing.values()) deadline.bring(0);
    if (this.#state === 'running') void this.#end().catch((error: unknown) => this.#fault('pod not ended', error));
  }

  /** Writes anew what is old in its volumes. */
  async refreshVolumes(): Promise<void> {
    await this.#sandbox?.volumes.refresh();
  }

  is(namespace: string, name: string): boolean {
    return this.pod.metadata.namespace === namespace && this.pod.metadata.name === name;
  }

  logs(container: string): ContainerLogs {
    return { folder: join(this.#folder, container), running: () => this.#running.has(container) };
  }

  get #path(): string {
    return `${this.pod.metadata.namespace}/${this.pod.metadata.name}`;
  }

  /** Does what is next. It is called whenever something has changed. */
  #look(): void {
    clearTimeout(this.#timer);
    const over = this.pod.metadata.deletionTimestamp !== undefined || this.#refused !== undefined;
    if (over || this.#state !== 'running') {
      void this.#end().catch((error: unknown) => this.#fault('pod not ended', error));
      return;
    }
    const sandbox = this.#sandbox;
    if (sandbox === undefined) {
      if (!this.#settingUp) void this.#setUp();
      return;
    }
    const { hold, outcome, start, wakeAt } = plan(this.pod, this.#records, Date.now());
    for (const { name, seconds: delay, until } of hold) this.#hold(name, delay, until);
    for (const name of start) this.#begin(name, sandbox);
    if (outcome !== undefined) {
      void this.#end().catch((error: unknown) => this.#fault('pod not ended', error));
      return;
    }
    if (wakeAt !== undefined) this.#timer = setTimeout(() => this.#look(), Math.max(wakeAt - Date.now(), 0) + 1);
    this.#publish();
  }

  /** Makes volumes and network; what fails is tried again. */
  async #setUp(): Promise<void> {
    const { events, log, starts } = this.node;
    this.#settingUp = true;
    try {
      await starts.run(async () => {
        if (this.#state !== 'running') return;
        const sandbox = await makeSandbox(this.pod, this.node);
        if (this.#state !== 'running') {
          await removeSandbox(this.pod, this.node, sandbox);
          return;
        }
        this.#sandbox = sandbox;
        this.#podIP = sandbox.place.address;
      });
      this.#settingUp = false;
      this.#look();
    } catch (error) {
      this.#settingUp = false;
      const message = textOf(error);
      if (error instanceof UnsupportedError) {
        this.#refuse(message);
        this.#look();
        return;
      }
      const reason = error instanceof NetworkError ? 'FailedCreatePodSandBox' : 'FailedMount';
      events.pod(this.pod, 'Warning', reason, message);
      log.info('volumes or network not ready yet', { pod: this.#path, error: message });
      this.#timer = setTimeout(() => this.#look(), SET_UP_AGAIN_SECONDS * 1000);
    }
  }

  #hold(name: string, delay: number, until: number): void {
    const { name: pod, namespace, uid } = this.pod.metadata;
    const which = `${pod}_${namespace}(${uid})`;
    const message = `back-off ${goDuration(delay)} restarting failed container=${name} pod=${which}`;
    this.#records.set(name, toWaiting(this.#record(name), 'CrashLoopBackOff', message, until));
    const text = `Back-off restarting failed container ${name} in pod ${which}`;
    this.node.events.pod(this.pod, 'Warning', 'BackOff', text, name);
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
      .run(() => this.#startContainer(container, image, sandbox))
      .catch((error: unknown) => this.#notStarted(container, error))
      .finally(() => {
        this.#starting.delete(tracked);
        this.#look();
      });
    this.#starting.add(tracked);
  }

  #missImage({ image, name }: Container): void {
    const { backoffSeconds, events, images } = this.node;
    const why = `the test node has no such image; it has ${[...images.keys()].join(', ')}`;
    const texts = { failed: `Failed to pull image "${image}": ${why}`, backOff: `Back-off pulling image "${image}"` };
    const record = toImageMissing(this.#record(name), texts, Date.now(), backoffSeconds);
    this.#records.set(name, record);
    if (record.state.reason === 'ErrImagePull') {
      events.pod(this.pod, 'Normal', 'Pulling', `Pulling image "${image}"`, name);
      events.pod(this.pod, 'Warning', 'Failed', texts.failed, name);
      events.pod(this.pod, 'Warning', 'Failed', 'Error: ErrImagePull', name);
    } else {
      events.pod(this.pod, 'Normal', 'BackOff', texts.backOff, name);
    }
    // For the time of the next try.
    setImmediate(() => this.#look());
  }

  async #startContainer(container: Container, image: Image, { place, volumes }: Sandbox): Promise<void> {
    const { name } = container;
    const { api, events, hostIP, resolver, runtime } = this.node;
    if (this.#state !== 'running') return;
    const run = nextRun(this.#record(name));
    const id = this.#id(name);
    const folder = join(this.#folder, name);
    const present = `Container image "${container.image}" already present on machine and can be accessed by the pod`;
    events.pod(this.pod, 'Normal', 'Pulled', present, name);
    const request = await containerRequest({
      ...{ id, run, pod: this.pod, container, image, place, hostIP, volumes, reader: api, resolver, folder },
    });
    const startedAt = seconds(new Date());
    const process = await runtime.start(request);
    events.pod(this.pod, 'Normal', 'Created', 'Container created', name);
    events.pod(this.pod, 'Normal', 'Started', 'Container started', name);
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
      this.#refuse(message);
      return;
    }
    this.node.events.pod(this.pod, 'Warning', 'Failed', `Error: ${message}`, name);
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
    rmSync(join(this.#folder, name, 'pid'), { force: true });
    const terminated = endOf(container, { ...state, logFile }, exit, new Date());
    this.#records.set(name, toExited(this.#record(name), terminated, Date.now()));
    this.#publish();
    if (this.#state === 'running') this.#look();
  }

  // ---- probes

  #makeProbes(jitter: boolean): PodProbes {
    return new PodProbes(this.pod, jitter, {
      target: (container) => {
        const running = this.#running.get(container.name);
        const { state } = this.#record(container.name);
        const podIP = this.#podIP;
        if (running === undefined || state.is !== 'running' || podIP === undefined) return undefined;
        const { id, started, startedAt } = state;
        return { id, started, startedAt: Date.parse(startedAt), container, podIP, running };
      },
      verdict: (container, kind, id, ok) => this.#verdict(container, kind, id, ok),
      failed: (container, kind, { ok, output }) => {
        const what = ok === undefined ? 'errored and resulted in unknown state' : 'failed';
        const title = `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`;
        const text = `${title} probe ${what}: ${output}`;
        this.node.events.pod(this.pod, 'Warning', 'Unhealthy', text, container.name);
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
    this.#publish();
  }

  #unhealthy(container: Container, kind: 'startup' | 'liveness'): void {
    const spec = kind === 'startup' ? container.startupProbe : container.livenessProbe;
    const grace = spec?.terminationGracePeriodSeconds ?? this.#grace;
    const restarted = this.pod.spec.restartPolicy === 'Never' ? '' : ', will be restarted';
    const message = `Container ${container.name} failed ${kind} probe${restarted}`;
    void this.#kill(container, message, new Deadline(Date.now() + grace * 1000));
  }

  // ---- the end

  get #grace(): number {
    return this.pod.metadata.deletionGracePeriodSeconds ?? this.pod.spec.terminationGracePeriodSeconds ?? 30;
  }

  /** Ends everything, and takes the pod out of the API server where it is to be deleted. Calling it again is allowed. */
  async #end(): Promise<void> {
    if (this.#state === 'ended' && !this.#deleted) await this.#delete();
    const by = this.#gone ? 0 : Date.now() + this.#grace * 1000;
    if (this.#state !== 'running') {
      // A second deletion may leave less time.
      for (const { deadline } of this.#killing.values()) deadline.bring(by);
      return;
    }
    this.#state = 'ending';
    clearTimeout(this.#timer);
    this.#probes?.stop('startup', 'liveness');
    await Promise.all(this.#starting);
    await Promise.all(
      [...this.#running.keys()].map((name) =>
        this.#kill(this.#container(name), `Stopping container ${name}`, new Deadline(by)),
      ),
    );
    this.#probes?.stop('readiness');
    this.#state = 'ended';
    const sandbox = this.#sandbox;
    this.#sandbox = undefined;
    this.#publish();
    await this.#writer.written();
    const removed = removeSandbox(this.pod, this.node, sandbox);
    await removed.catch((error: unknown) => this.#fault('volumes not removed', error));
    await this.#delete();
  }

  async #delete(): Promise<void> {
    const { deletionTimestamp, name, namespace, uid } = this.pod.metadata;
    if (deletionTimestamp === undefined || this.#gone) return;
    this.#deleted = true;
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, preconditions: { uid } };
    await persist(
      () => this.node.api.send('DELETE', `/api/v1/namespaces/${namespace}/pods/${name}`, options, [404, 409]),
      () => !this.#gone,
      (error) => this.node.log.info('pod not deleted yet', { pod: this.#path, error: String(error) }),
    );
  }

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
    const { events } = this.node;
    events.pod(this.pod, 'Normal', 'Killing', message, container.name);
    await stopContainer({
      container,
      running,
      deadline,
      podIP: this.#podIP ?? '',
      atOnce: () => this.#gone,
      hookFailed: () => events.pod(this.pod, 'Warning', 'FailedPreStopHook', 'PreStopHook failed', container.name),
    });
  }

  // ---- what is known

  #refuse(message: string): void {
    this.node.log.error('the test node does not run this pod', { pod: this.#path, why: message });
    this.node.events.pod(this.pod, 'Warning', 'UnsupportedByTestNode', message);
    this.#refused = { reason: 'UnsupportedByTestNode', message };
  }

  #fault(what: string, error: unknown): void {
    this.node.log.error(what, { pod: this.#path, error: error instanceof Error ? error.stack : String(error) });
  }

  #container(name: string): Container {
    const all = [...(this.pod.spec.initContainers ?? []), ...this.pod.spec.containers];
    const found = all.find((one) => one.name === name);
    if (found === undefined) throw new Error(`pod ${this.#path} has no container ${name}`);
    return found;
  }

  #record(name: string): ContainerRecord {
    const found = this.#records.get(name);
    if (found === undefined) throw new Error(`pod ${this.#path} has no container ${name}`);
    return found;
  }

  /** The id of a container's next run. */
  #id(name: string): string {
    return `${this.pod.metadata.uid}.${name}.${nextRun(this.#record(name))}`;
  }

  #publish(): void {
    if (this.#gone) return;
    this.#status = podStatus(this.pod, this.#records, this.#facts(), this.#status, new Date());
    this.#writer.write(this.#status);
  }

  #facts(): PodFacts {
    return {
      hostIP: this.node.hostIP,
      podIP: this.#podIP,
      sandbox: this.#sandbox !== undefined,
      startTime: this.#startTime,
      ended: this.#state === 'ended',
      ...(this.#refused === undefined ? {} : { refused: this.#refused }),
    };
  }
}

/** What of a spec may not change while the pod runs, for comparison. */
function fixed(spec: PodSpec): string {
  return JSON.stringify({ ...spec, tolerations: undefined });
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
