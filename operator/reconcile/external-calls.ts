import type { External, Resource } from '../../lib/composition';

/** What became of a call: undefined where it went well. */
export interface ExternalFailure {
  readonly message: string;
}

const TIMEOUT_MS = 30_000;

/**
 * Makes a composition's calls for what is external.
 *
 * Guarantees: a call that ignores its signal delays nothing beyond its time limit, and no second call for the same
 * resource begins while it still runs; what it throws is an answer, not an error.
 */
export class ExternalCalls<R extends Resource> {
  readonly #external: External<R>;
  readonly #running = new Set<string>();

  constructor(external: External<R>) {
    this.#external = external;
  }

  ensure(resource: R, signal: AbortSignal): Promise<ExternalFailure | undefined> {
    return this.#call(resource, signal, (limit) => this.#external.ensure(resource, limit));
  }

  remove(resource: R, signal: AbortSignal): Promise<ExternalFailure | undefined> {
    return this.#call(resource, signal, (limit) => this.#external.remove(resource, limit));
  }

  /** Rejects only where `signal` was aborted. */
  async #call(
    resource: R,
    signal: AbortSignal,
    call: (limit: AbortSignal) => Promise<void>,
  ): Promise<ExternalFailure | undefined> {
    signal.throwIfAborted();
    const uid = resource.metadata.uid ?? '';
    if (this.#running.has(uid)) return { message: 'an earlier call has not ended yet' };
    const { timeoutMs = TIMEOUT_MS } = this.#external;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    this.#running.add(uid);
    const ended = Promise.resolve()
      .then(() => call(limit))
      .then(
        () => undefined,
        (error: unknown): ExternalFailure => ({ message: error instanceof Error ? error.message : String(error) }),
      )
      .finally(() => this.#running.delete(uid));
    const late = new Promise<ExternalFailure>((resolve) => {
      const message = `no end within ${timeoutMs} ms`;
      if (limit.aborted) resolve({ message });
      else limit.addEventListener('abort', () => resolve({ message }), { once: true });
    });
    const failure = await Promise.race([ended, late]);
    signal.throwIfAborted();
    return failure !== undefined && limit.aborted ? { message: `no end within ${timeoutMs} ms` } : failure;
  }
}
