import type { Probe } from './pod';
import { mayProbe, noProbes, observe, type ProbeKind } from './probe-state';
import type { Answer } from './probers';

/** The run of a container that is probed. */
export interface Probed {
  readonly id: string;
  readonly started: boolean;
  readonly startedAt: number;
  ask(): Promise<Answer>;
}

export interface ProbeListener {
  /** The run that is to be probed now, if there is one. */
  probed(): Probed | undefined;
  /** A threshold was reached: success where there was none before, or failure. */
  verdict(id: string, ok: boolean): void;
  /** A probe failed or could not be made, whether or not a threshold is reached. */
  failed(answer: Answer): void;
}

/** How often a probe is tried that cannot be made. */
const TRIES = 3;

/** One probe of one container, for all its runs: asks every period, counted from the pod's arrival. */
export class ProbeLoop {
  #state = noProbes;
  #id: string | undefined;
  #busy = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly kind: ProbeKind,
    private readonly probe: Probe,
    private readonly listener: ProbeListener,
  ) {}

  /** @param firstSeconds time until the first probe. @default one period */
  start(firstSeconds?: number): void {
    this.stop();
    const period = (this.probe.periodSeconds ?? 10) * 1000;
    const tick = (): void => {
      this.#timer = setTimeout(tick, period);
      void this.#tick();
    };
    this.#timer = setTimeout(tick, firstSeconds === undefined ? period : firstSeconds * 1000);
  }

  /** Probes now, and every period from now on. */
  trigger(): void {
    this.start(0);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async #tick(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      await this.#once();
    } finally {
      this.#busy = false;
    }
  }

  async #once(): Promise<void> {
    const probed = this.listener.probed();
    if (probed === undefined) return;
    if (probed.id !== this.#id) {
      this.#id = probed.id;
      this.#state = noProbes;
    }
    const container = { started: probed.started, runningSeconds: (Date.now() - probed.startedAt) / 1000 };
    if (this.#state.done || !mayProbe(this.kind, this.probe, container)) return;
    let answer = await probed.ask();
    for (let tries = 1; answer.ok === undefined && tries < TRIES; tries += 1) answer = await probed.ask();
    // It may have ended in the meantime.
    if (this.listener.probed()?.id !== probed.id) return;
    if (answer.ok !== true) this.listener.failed(answer);
    if (answer.ok === undefined) return;
    const before = this.#state;
    this.#state = observe(this.kind, this.probe, before, answer.ok);
    const { verdict } = this.#state;
    if (verdict !== undefined && verdict !== before.verdict) this.listener.verdict(probed.id, verdict);
  }
}
