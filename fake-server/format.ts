import { randomUUID } from 'node:crypto';
import type { FinishReason } from './metrics';
import type { Endpoint } from './request';

/** Tokens of a request, as the OpenAI API counts them. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Writes one answer in the form of the OpenAI API: as a whole, or event by event. */
export class AnswerFormat {
  readonly #head: { readonly id: string; readonly created: number };

  constructor(
    readonly endpoint: Endpoint,
    readonly modelName: string,
    readonly modelVersion: string | undefined,
    readonly includeUsage: boolean,
  ) {
    const prefix = endpoint === 'chat' ? 'chatcmpl' : 'cmpl';
    this.#head = { id: `${prefix}-${randomUUID()}`, created: Math.floor(Date.now() / 1000) };
  }

  get id(): string {
    return this.#head.id;
  }

  /** The whole answer. */
  whole(text: string, finishReason: FinishReason, usage: Usage): object {
    const choice =
      this.endpoint === 'chat' ? { message: { role: 'assistant', content: text, refusal: null } } : { text };
    return {
      ...this.#envelope(false),
      choices: [{ index: 0, ...choice, logprobs: null, finish_reason: finishReason }],
      usage: usageFields(usage),
    };
  }

  /** The event before the first token: chat says there who speaks, completions have none. */
  first(): string {
    return this.endpoint === 'chat' ? this.#choice({ delta: { role: 'assistant', content: '' } }, null) : '';
  }

  token(text: string): string {
    return this.#choice(this.endpoint === 'chat' ? { delta: { content: text } } : { text }, null);
  }

  /** The events after the last token. */
  last(finishReason: FinishReason, usage: Usage): string {
    const end = this.#choice(this.endpoint === 'chat' ? { delta: {} } : { text: '' }, finishReason);
    const total = this.includeUsage ? event({ ...this.#envelope(true), choices: [], usage: usageFields(usage) }) : '';
    return `${end}${total}data: [DONE]\n\n`;
  }

  #choice(content: object, finishReason: FinishReason | null): string {
    return event({
      ...this.#envelope(true),
      choices: [{ index: 0, ...content, logprobs: null, finish_reason: finishReason }],
      ...(this.includeUsage && { usage: null }),
    });
  }

  #envelope(chunk: boolean): object {
    const chat = chunk ? 'chat.completion.chunk' : 'chat.completion';
    return {
      id: this.#head.id,
      object: this.endpoint === 'chat' ? chat : 'text_completion',
      created: this.#head.created,
      model: this.modelName,
      system_fingerprint: this.modelVersion ?? null,
    };
  }
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

function usageFields({ promptTokens, completionTokens }: Usage): object {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}
