import type { Container, Pod, Probe } from './pod';
import { type Probed, ProbeLoop } from './probe-loop';
import type { ProbeKind } from './probe-state';
import { type Answer, probe, type Target } from './probers';
import { expandStatic } from './request';

/** What probes hear of, and report. */
export interface PodProbeListener {
  /** The run of a container that is to be probed, if there is one. */
  target(container: Container): (Omit<Probed, 'ask'> & Target) | undefined;
  verdict(container: Container, kind: ProbeKind, id: string, ok: boolean): void;
  failed(container: Container, kind: ProbeKind, answer: Answer): void;
}

const FIELDS = [
  ['startup', 'startupProbe'],
  ['liveness', 'livenessProbe'],
  ['readiness', 'readinessProbe'],
] as const;

/** The probes of all containers of a pod, for all their runs. */
export class PodProbes {
  readonly #loops: readonly { readonly container: string; readonly loop: ProbeLoop }[];

  /** @param jitter whether they begin spread over their periods, as many pods come at once */
  constructor(
    { spec }: Pod,
    jitter: boolean,
    private readonly listener: PodProbeListener,
  ) {
    this.#loops = spec.containers.flatMap((container) =>
      FIELDS.flatMap(([kind, field]) => {
        const wanted = container[field];
        if (wanted === undefined) return [];
        const loop = this.#loop(container, kind, wanted);
        loop.start(jitter ? Math.random() * (wanted.periodSeconds ?? 10) : undefined);
        return [{ container: container.name, loop }];
      }),
    );
  }

  /** Probes at once instead of at the end of the period. */
  trigger(container: string, kind: ProbeKind): void {
    for (const { container: name, loop } of this.#loops) if (name === container && loop.kind === kind) loop.trigger();
  }

  stop(...kinds: readonly ProbeKind[]): void {
    for (const { loop } of this.#loops) if (kinds.includes(loop.kind)) loop.stop();
  }

  #loop(container: Container, kind: ProbeKind, spec: Probe): ProbeLoop {
    const command = spec.exec === undefined ? [] : expandStatic(spec.exec.command ?? [], container.env);
    const handler = spec.exec === undefined ? spec : { exec: { command } };
    return new ProbeLoop(kind, spec, {
      probed: () => {
        const target = this.listener.target(container);
        return target && { ...target, ask: () => probe(handler, target, spec.timeoutSeconds ?? 1) };
      },
      verdict: (id, ok) => this.listener.verdict(container, kind, id, ok),
      failed: (answer) => this.listener.failed(container, kind, answer),
    });
  }
}
