/** What the server would say to a prompt: known as a whole before its first token is sent. */
export interface Answer {
  /** Pieces of the text, in order; joined they are the text. */
  readonly tokens: readonly string[];
  /** `length` where max_tokens ended it, else `stop`. */
  readonly finishReason: 'stop' | 'length';
}

/** What bounds an answer. */
export interface AnswerLimits {
  /** Tokens of an answer that nothing ends sooner. */
  readonly naturalTokens: number;
  /** The most tokens that it may have. */
  readonly maxTokens: number;
  /** Go on to maxTokens instead of ending at naturalTokens. */
  readonly ignoreEnd: boolean;
  /** Texts before which it ends. */
  readonly stop: readonly string[];
}

const words = (
  'the model answers with words that mean nothing but are always same for a given prompt so tests can compare them ' +
  'ember forge spark flame kiln coal ash glow heat light smoke iron copper anvil hammer bellows furnace hearth torch'
).split(' ');

/** Tokens of a text: its words. */
export function countTokens(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

/** The answer to a prompt. The same prompt and limits always give the same answer, in every process. */
export function answer(prompt: string, limits: AnswerLimits): Answer {
  const natural = limits.ignoreEnd ? Infinity : limits.naturalTokens;
  const length = Math.min(natural, limits.maxTokens);
  const random = generator(prompt);
  const tokens = Array.from({ length }, (_, index) => (index === 0 ? '' : ' ') + words[random() % words.length]);
  const ended = cutBefore(tokens, limits.stop);
  if (ended !== undefined) return { tokens: ended, finishReason: 'stop' };
  return { tokens, finishReason: natural <= limits.maxTokens ? 'stop' : 'length' };
}

function cutBefore(tokens: readonly string[], stop: readonly string[]): readonly string[] | undefined {
  if (stop.length === 0) return undefined;
  const text = tokens.join('');
  const found = stop.map((end) => text.indexOf(end)).filter((index) => index >= 0);
  if (found.length === 0) return undefined;
  let left = Math.min(...found);
  const kept: string[] = [];
  for (const token of tokens) {
    if (left <= 0) break;
    kept.push(token.slice(0, left));
    left -= token.length;
  }
  return kept;
}

/** Whole numbers that depend only on the seed: FNV-1a for the start, xorshift for the rest. */
function generator(seed: string): () => number {
  let state = 0x811c9dc5;
  for (let index = 0; index < seed.length; index += 1) {
    state = Math.imul(state ^ seed.charCodeAt(index), 0x01000193);
  }
  if (state === 0) state = 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}
