import type { Status } from '../client';
import type { NodeApi } from './api';
import type { Log } from './log';
import { persist } from './persist';
import type { Pod, PodStatus } from './pod';

/** Writes the status of one pod: what is newest, one request at a time, and nothing that is there already. */
export class StatusWriter {
  #wanted: PodStatus | undefined;
  #written: string | undefined;
  #writing: Promise<void> | undefined;
  #stopped = false;

  constructor(
    private readonly pod: Pod,
    private readonly api: NodeApi,
    private readonly log: Log,
  ) {}

  write(status: PodStatus): void {
    this.#wanted = status;
    if (this.#writing === undefined && JSON.stringify(status) !== this.#written) this.#writing = this.#run();
  }

  /** Writes nothing more: the pod is gone. */
  stop(): void {
    this.#stopped = true;
  }

  /** Resolves once the newest status is written, or the pod is gone. */
  async written(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  async #run(): Promise<void> {
    for (;;) {
      const status = this.#wanted;
      const text = JSON.stringify(status);
      if (status === undefined || text === this.#written) {
        // At once, or a status that is written meanwhile would be lost.
        this.#writing = undefined;
        return;
      }
      await this.#send(status);
      this.#written = text;
    }
  }

  async #send(status: PodStatus): Promise<void> {
    const { name, namespace, uid } = this.pod.metadata;
    const { conditions = [], podIPs } = status;
    const body = {
      metadata: { uid },
      status: {
        reason: null,
        message: null,
        ...status,
        // Conditions of others stay; what ours no longer say has to be taken away.
        conditions: conditions.map((condition) => ({ reason: null, message: null, ...condition })),
        // A strategic merge would keep the address that the pod had before the node was started again.
        ...(podIPs === undefined ? {} : { podIPs: [...podIPs, { $patch: 'replace' }] }),
      },
    };
    const path = `/api/v1/namespaces/${namespace}/pods/${name}/status`;
    const details = { pod: `${namespace}/${name}` };
    await persist(
      async () => {
        // 404: the pod is gone. A status that is not valid is a fault of this code, and does not get better.
        const answer = await this.api.send<Status>('PATCH', path, body, [404, 422]);
        if (answer.status === 422) this.log.error('status refused', { ...details, error: answer.body.message });
      },
      // A newer status makes this one needless.
      () => !this.#stopped && this.#wanted === status,
      (error) => this.log.info('status not written yet', { ...details, error: String(error) }),
    );
  }
}
