import { join } from 'node:path';
import type { ContainerLogs } from './log-server';
import type { NodeParts } from './node-parts';
import { persist } from './persist';
import { plan } from './plan';
import type { Pod, PodSpec } from './pod';
import { PodContainers } from './pod-containers';
import { UnsupportedError } from './runtime-types';
import { makeSandbox, NetworkError, removeSandbox, type Sandbox } from './sandbox';
import { type PodFacts, podStatus } from './status';
import { StatusWriter } from './status-writer';
import { seconds, textOf } from './texts';

const SET_UP_AGAIN_SECONDS = 2;

/** Runs one pod: does what `plan` says is next, and reports to the API server how it stands. */
export class PodWorker {
  readonly #containers: PodContainers;
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
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private pod: Pod,
    private readonly node: NodeParts,
  ) {
    const { name, namespace, uid } = pod.metadata;
    this.#status = pod.status ?? {};
    this.#podIP = pod.status?.podIP;
    this.#startTime = pod.status?.startTime ?? seconds(new Date());
    this.#writer = new StatusWriter(pod, node.api, node.log);
    this.#folder = join(node.folder, 'pods', `${namespace}_${name}_${uid}`);
    const owner = {
      pod: () => this.pod,
      podIP: () => this.#podIP,
      active: () => this.#state === 'running',
      gone: () => this.#gone,
      grace: () => this.#grace,
      changed: () => this.#look(),
      told: () => this.#publish(),
      refuse: (message: string) => this.#refuse(message),
    };
    this.#containers = new PodContainers(owner, node, this.#folder);
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
      this.#containers.probe(jitter);
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

  /** The pod is no longer in the API server: what still runs is killed at once. */
  gone(): void {
    this.#gone = true;
    this.#writer.stop();
    this.#containers.hurry(0);
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
    return { folder: join(this.#folder, container), running: () => this.#containers.runs(container) };
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
    const { hold, outcome, start, wakeAt } = plan(this.pod, this.#containers.records, Date.now());
    this.#containers.follow({ hold, start }, sandbox);
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
      this.#containers.hurry(by);
      return;
    }
    this.#state = 'ending';
    clearTimeout(this.#timer);
    await this.#containers.end(by);
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

  // ---- what is known

  #refuse(message: string): void {
    this.node.log.error('the test node does not run this pod', { pod: this.#path, why: message });
    this.node.events.pod(this.pod, 'Warning', 'UnsupportedByTestNode', message);
    this.#refused = { reason: 'UnsupportedByTestNode', message };
  }

  #fault(what: string, error: unknown): void {
    this.node.log.error(what, { pod: this.#path, error: error instanceof Error ? error.stack : String(error) });
  }

  #publish(): void {
    if (this.#gone) return;
    this.#status = podStatus(this.pod, this.#containers.records, this.#facts(), this.#status, new Date());
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
