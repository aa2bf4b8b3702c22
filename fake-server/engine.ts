import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { answer, countTokens } from './answer';
import { ApiError, badRequest } from './errors';
import type { FinishReason } from './metrics';
import { Metrics } from './metrics';
import type { FakeServerOptions } from './options';
import { type GenerationRequest, maxModelLength } from './request';
import { OverloadedError, Slots } from './slots';

/** An answer on its way. */
export interface Generation {
  readonly promptTokens: number;
  /** The tokens, each when it is due. Ends early where the signal says so; {@link finishReason} is known then. */
  readonly tokens: AsyncIterable<string>;
  readonly finishReason: () => FinishReason;
}

/** Makes answers, as many at a time as there are slots, and counts what it does. */
export class Engine {
  readonly metrics = new Metrics();
  readonly #slots: Slots;
  #requests = 0;

  constructor(readonly options: FakeServerOptions) {
    this.#slots = new Slots(options.maxRunning, options.maxWaiting);
  }

  renderMetrics(): string {
    const { running, waiting, capacity } = this.#slots;
    return this.metrics.render(this.options.modelName, { running, waiting, capacity });
  }

  /** Requests that are not answered yet. */
  get load(): number {
    return this.#slots.running + this.#slots.waiting;
  }

  /**
   * Begins an answer. It takes a slot or a place in the queue at once; its tokens come when read.
   *
   * @param signal ends the answer where it is, with reason `abort`, and frees its slot
   * @throws {ApiError} where the prompt is too long, the queue is full, or this request is one of those that are meant to fail
   */
  generate(request: GenerationRequest, signal: AbortSignal): Generation {
    const arrived = performance.now();
    const promptTokens = countTokens(request.prompt);
    const maxTokens = this.#maxTokens(request, promptTokens);
    this.#requests += 1;
    if (this.options.errorEvery > 0 && this.#requests % this.options.errorEvery === 0) {
      this.metrics.finish('error');
      throw new ApiError(500, `Every request of ${this.options.errorEvery} fails, as INFERNO_FAKE_ERROR_EVERY says.`, {
        type: 'server_error',
        code: 'injected_error',
      });
    }
    const turn = this.#takeSlot(signal);
    const planned = answer(request.prompt, {
      naturalTokens: this.options.answerTokens,
      maxTokens,
      ignoreEnd: request.ignoreEnd,
      stop: request.stop,
    });
    let finishReason: FinishReason = 'abort';
    const run = async function* (this: Engine): AsyncGenerator<string> {
      try {
        await turn;
      } catch {
        this.metrics.finish('abort');
        return;
      }
      try {
        const started = performance.now();
        this.metrics.queueTime.observe((started - arrived) / 1000);
        this.metrics.promptTokens += promptTokens;
        yield* this.#pace(planned.tokens, arrived, started, signal);
        finishReason = signal.aborted ? 'abort' : planned.finishReason;
      } finally {
        this.#slots.release();
        this.metrics.finish(finishReason);
        this.metrics.latency.observe((performance.now() - arrived) / 1000);
      }
    };
    return { promptTokens, tokens: run.call(this), finishReason: () => finishReason };
  }

  async *#pace(
    tokens: readonly string[],
    arrived: number,
    started: number,
    signal: AbortSignal,
  ): AsyncGenerator<string> {
    let previous: number | undefined;
    for (const [index, token] of tokens.entries()) {
      // Counted from the start, so that late timers do not add up.
      // oxlint-disable-next-line no-await-in-loop -- a token waits for the one before it
      await until(started + this.options.firstTokenMilliseconds + index * this.options.tokenMilliseconds, signal);
      if (signal.aborted) return;
      const now = performance.now();
      if (previous === undefined) this.metrics.firstToken.observe((now - arrived) / 1000);
      else this.metrics.betweenTokens.observe((now - previous) / 1000);
      previous = now;
      this.metrics.generationTokens += 1;
      yield token;
    }
  }

  #takeSlot(signal: AbortSignal): Promise<void> {
    try {
      return this.#slots.take(signal);
    } catch (error) {
      if (!(error instanceof OverloadedError)) throw error;
      throw new ApiError(503, `The server is overloaded: ${error.message}. Try again later.`, {
        type: 'server_error',
        code: 'overloaded',
        headers: { 'Retry-After': '1' },
      });
    }
  }

  #maxTokens(request: GenerationRequest, promptTokens: number): number {
    const left = maxModelLength - promptTokens;
    if (left < Math.max(1, request.maxTokens ?? 1)) {
      throw badRequest(
        `This model's maximum context length is ${maxModelLength} tokens, but the prompt has ${promptTokens} and ` +
          `${request.maxTokens ?? 1} or more are asked for.`,
        request.endpoint === 'chat' ? 'messages' : 'prompt',
        'context_length_exceeded',
      );
    }
    return request.maxTokens ?? left;
  }
}

/** Waits until a time of performance.now(), at least for one turn of the event loop; returns early on the signal. */
async function until(time: number, signal: AbortSignal): Promise<void> {
  const left = time - performance.now();
  if (left <= 0) return nextTurn();
  try {
    await sleep(left, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
