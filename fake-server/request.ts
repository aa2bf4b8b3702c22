import { ApiError, badRequest } from './errors';
import { defined, isObject, type Fields } from '../lib/composition/objects';

/** Which of the two generating endpoints was called. */
export type Endpoint = 'chat' | 'completions';

/** A request for an answer, checked. */
export interface GenerationRequest {
  readonly endpoint: Endpoint;
  readonly prompt: string;
  /** The most tokens that the answer may have; undefined for no limit but the model's. */
  readonly maxTokens?: number;
  /** vLLM's ignore_eos: go on to maxTokens. */
  readonly ignoreEnd: boolean;
  readonly stop: readonly string[];
  readonly stream: boolean;
  /** stream_options.include_usage: a last event says how many tokens there were. */
  readonly includeUsage: boolean;
}

/** The most tokens that prompt and answer may have together. */
export const maxModelLength = 32768;

// What the OpenAI API takes for completions that do not say.
const completionsMaxTokens = 16;

/**
 * Checks the body of a request for an answer.
 *
 * @throws {ApiError} that names the parameter, what came and what was expected
 */
export function parseGeneration(endpoint: Endpoint, body: string, modelName: string): GenerationRequest {
  const fields = parseObject(body);
  requireModel(fields, modelName);
  checkSampling(fields);
  const stream = optional(fields, 'stream', 'a boolean', isBoolean) ?? false;
  const streamOptions = optional(fields, 'stream_options', 'an object', isObject);
  if (streamOptions !== undefined && !stream) throw badRequest('is only allowed with stream: true', 'stream_options');
  const maxTokens = parseMaxTokens(endpoint, fields);
  const ignoreEnd = optional(fields, 'ignore_eos', 'a boolean', isBoolean) ?? false;
  if (ignoreEnd && maxTokens === undefined) throw badRequest('needs max_tokens, or nothing would end it', 'ignore_eos');
  return {
    endpoint,
    prompt: endpoint === 'chat' ? chatPrompt(fields) : completionsPrompt(fields),
    ...defined({ maxTokens }),
    ignoreEnd,
    stop: parseStop(fields),
    stream,
    includeUsage:
      optional(streamOptions ?? {}, 'include_usage', 'a boolean', isBoolean, 'stream_options.include_usage') ?? false,
  };
}

function parseObject(body: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    // The parser's own message quotes the body, which may contain what the client would not want to see logged.
    throw badRequest('the body must be JSON, and what came is not', undefined, 'invalid_json');
  }
  if (!isObject(value)) throw badRequest(`the body must be a JSON object, got ${typeName(value)}`);
  return value;
}

function requireModel(fields: Fields, modelName: string): void {
  const model = required(fields, 'model', 'a string', isString);
  if (model === modelName) return;
  throw new ApiError(404, `The model \`${shorten(model)}\` does not exist; this server has \`${modelName}\`.`, {
    type: 'invalid_request_error',
    param: 'model',
    code: 'model_not_found',
  });
}

function checkSampling(fields: Fields): void {
  optional(fields, 'temperature', 'a number from 0 to 2', isBetween(0, 2));
  optional(fields, 'top_p', 'a number from 0 to 1', isBetween(0, 1));
  optional(fields, 'n', '1, as this server gives one choice', (value) => value === 1);
  optional(fields, 'seed', 'a whole number', Number.isSafeInteger);
}

function parseMaxTokens(endpoint: Endpoint, fields: Fields): number | undefined {
  const expected = 'a whole number of 1 or more';
  const names = endpoint === 'chat' ? ['max_completion_tokens', 'max_tokens'] : ['max_tokens'];
  const given = names.map((name) => optional(fields, name, expected, isCount)).find((value) => value !== undefined);
  return given ?? (endpoint === 'completions' ? completionsMaxTokens : undefined);
}

function parseStop(fields: Fields): readonly string[] {
  const stop = optional(fields, 'stop', 'a string or a list of up to 16 strings, none of them empty', isStop) ?? [];
  return typeof stop === 'string' ? [stop] : stop;
}

function completionsPrompt(fields: Fields): string {
  const prompt = required(fields, 'prompt', 'a string or a list of one string', isPrompt);
  return typeof prompt === 'string' ? prompt : prompt[0];
}

function chatPrompt(fields: Fields): string {
  return required(fields, 'messages', 'a list of at least one message', isMessages)
    .map((message, index) => messageText(message, `messages[${index}]`))
    .join('\n');
}

function messageText(message: unknown, path: string): string {
  if (!isObject(message)) throw badRequest(`must be an object, got ${typeName(message)}`, path);
  const role = required(message, 'role', 'a string', isText, `${path}.role`);
  const content = optional(message, 'content', 'a string or a list of parts', isContent, `${path}.content`) ?? '';
  if (typeof content === 'string') return `${role}: ${content}`;
  const parts = content.map((part, index) => partText(part, `${path}.content[${index}]`));
  return `${role}: ${parts.join('')}`;
}

/** The text of a part; parts that are not text, such as images, have none. */
function partText(part: unknown, path: string): string {
  if (!isObject(part)) throw badRequest(`must be an object, got ${typeName(part)}`, path);
  const type = required(part, 'type', 'a string', isText, `${path}.type`);
  return type === 'text' ? required(part, 'text', 'a string', isString, `${path}.text`) : '';
}

function required<T>(
  fields: Fields,
  name: string,
  expected: string,
  is: (value: unknown) => value is T,
  path = name,
): T {
  const value = optional(fields, name, expected, is, path);
  if (value === undefined) throw badRequest(`${path} is required: ${expected}`, path, 'missing_required_parameter');
  return value;
}

function optional<T>(
  fields: Fields,
  name: string,
  expected: string,
  is: (value: unknown) => value is T,
  path?: string,
): T | undefined;
function optional(
  fields: Fields,
  name: string,
  expected: string,
  is: (value: unknown) => boolean,
  path?: string,
): unknown;
function optional(
  fields: Fields,
  name: string,
  expected: string,
  is: (value: unknown) => boolean,
  path = name,
): unknown {
  const value = fields[name];
  // The OpenAI API takes null for "not given".
  if (value === undefined || value === null) return undefined;
  if (!is(value)) throw badRequest(`${path} must be ${expected}, got ${describe(value)}`, path, 'invalid_type');
  return value;
}

const isString = (value: unknown): value is string => typeof value === 'string';
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isBetween = (min: number, max: number) => (value: unknown) => isNumber(value) && value >= min && value <= max;
const isCount = (value: unknown): value is number => isNumber(value) && Number.isSafeInteger(value) && value >= 1;
const isStop = (value: unknown): value is string | readonly string[] =>
  isText(value) || (Array.isArray(value) && value.length <= 16 && value.every(isText));
const isPrompt = (value: unknown): value is string | readonly [string] =>
  isString(value) || (Array.isArray(value) && value.length === 1 && isString(value[0]));
const isMessages = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > 0;
const isContent = (value: unknown): value is string | readonly unknown[] => isString(value) || Array.isArray(value);

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function describe(value: unknown): string {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : typeName(value);
}

function shorten(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 100)}…`;
}
