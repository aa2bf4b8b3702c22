import type { NodeApi } from './api';
import type { Log } from './log';
import type { Pod } from './pod';
import { seconds } from './texts';

interface Told {
  readonly name: string;
  count: number;
}

/** Events that one object may have at once, and seconds until it may have one more: what client-go allows. */
const BURST = 25;
const REFILL_SECONDS = 300;

/** Writes core/v1 Events about pods, the same one again as a higher count. A failure to do so is only logged. */
export class EventRecorder {
  readonly #told = new Map<string, Promise<Told | undefined>>();
  #number = 0;
  readonly #spent = new Map<string, number[]>();

  constructor(
    private readonly api: NodeApi,
    private readonly node: string,
    private readonly log: Log,
  ) {}

  /** @param container name of a container of the pod that it is about, with the list that it stands in */
  pod(pod: Pod, type: 'Normal' | 'Warning', reason: string, message: string, container?: string): void {
    const { name, namespace = '', uid = '' } = pod.metadata;
    const list =
      pod.spec.initContainers?.some((one) => one.name === container) === true ? 'initContainers' : 'containers';
    const involved = {
      kind: 'Pod',
      apiVersion: 'v1',
      name,
      namespace,
      uid,
      ...(container === undefined ? {} : { fieldPath: `spec.${list}{${container}}` }),
    };
    if (!this.#allowed(uid)) return;
    const key = JSON.stringify([uid, reason, message, container]);
    const before = this.#told.get(key) ?? Promise.resolve(undefined);
    const next = before.then((told) => this.#write(involved, type, reason, message, told));
    this.#told.set(key, next);
    next.catch((error: unknown) => {
      this.log.info('event not written', { reason, pod: `${namespace}/${name}`, error: String(error) });
      if (this.#told.get(key) === next) this.#told.delete(key);
    });
  }

  /** Forgets what was reported of a pod that is gone. */
  forget(uid: string): void {
    this.#spent.delete(uid);
    for (const key of this.#told.keys()) if (key.startsWith(`["${uid}"`)) this.#told.delete(key);
  }

  async #write(
    involvedObject: { readonly name: string; readonly namespace: string },
    type: string,
    reason: string,
    message: string,
    told: Told | undefined,
  ): Promise<Told> {
    const path = `/api/v1/namespaces/${involvedObject.namespace}/events`;
    const now = seconds(new Date());
    if (told !== undefined) {
      told.count += 1;
      await this.api.send('PATCH', `${path}/${told.name}`, { count: told.count, lastTimestamp: now });
      return told;
    }
    this.#number += 1;
    const name = `${involvedObject.name}.${Date.now().toString(16)}${this.#number.toString(16).padStart(6, '0')}`;
    await this.api.send('POST', path, {
      metadata: { name, namespace: involvedObject.namespace },
      involvedObject,
      reason,
      message: message.slice(0, 1024),
      type,
      source: { component: 'kubelet', host: this.node },
      reportingComponent: 'kubelet',
      reportingInstance: this.node,
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    });
    return { name, count: 1 };
  }

  #allowed(uid: string): boolean {
    const now = Date.now();
    // A token that was spent comes back after its time; tokens come back one after the other.
    const spent = this.#spent.get(uid) ?? [];
    const back = spent[0];
    if (back !== undefined && back <= now) spent.shift();
    if (spent.length >= BURST) return false;
    spent.push(Math.max(now, spent.at(-1) ?? 0) + REFILL_SECONDS * 1000);
    this.#spent.set(uid, spent);
    return true;
  }
}
