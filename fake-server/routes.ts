import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Engine } from './engine';
import { ApiError } from './errors';
import { AnswerFormat, type Usage } from './format';
import { readBody, send, sendError, sendJson, writePiece } from './http';
import { type Endpoint, maxModelLength, parseGeneration } from './request';

/** One line of the server's log. No text of prompts or answers is in it. */
export interface LogEntry {
  readonly level: 'info' | 'error';
  readonly msg: string;
  readonly [field: string]: string | number | boolean | undefined;
}

/** What the routes need of the server around them. */
export interface Context {
  readonly engine: Engine;
  /** Seconds since 1970 when the model was loaded. */
  readonly loadedAt: number;
  /** Aborts when the time for running answers is over. */
  readonly cutOff: AbortSignal;
  /** A client that takes nothing of its stream for so long is cut off. */
  readonly stallMilliseconds: number;
  readonly log: (entry: LogEntry) => void;
}

type Handler = (context: Context, request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

const routes: { readonly [path: string]: { readonly [method: string]: Handler } } = {
  '/health': { GET: sendEmpty },
  '/ping': { GET: sendEmpty, POST: sendEmpty },
  '/version': { GET: sendVersion },
  '/load': { GET: ({ engine }, _, response) => sendJson(response, 200, { server_load: engine.load }) },
  '/metrics': { GET: sendMetrics },
  '/v1/models': {
    GET: (context, _, response) => sendJson(response, 200, { object: 'list', data: [modelFields(context)] }),
  },
  '/v1/chat/completions': { POST: (context, request, response) => generate('chat', context, request, response) },
  '/v1/completions': { POST: (context, request, response) => generate('completions', context, request, response) },
};

const modelPath = '/v1/models/';

/** Answers one request. Errors become answers, never exceptions. */
export async function handle(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // A client that goes away in the middle shows here and on the response; the latter ends its work.
  request.on('error', () => {});
  response.on('error', () => {});
  try {
    await findHandler(request)(context, request, response);
  } catch (error) {
    const known = error instanceof ApiError ? error : internalError(context, error);
    await sendError(request, response, known);
  }
}

function findHandler(request: IncomingMessage): Handler {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  const methods = routes[path] ?? (path.startsWith(modelPath) ? { GET: sendModel } : undefined);
  if (methods === undefined) {
    throw new ApiError(404, `No such path. This server has ${Object.keys(routes).join(', ')}.`, {
      type: 'invalid_request_error',
      code: 'unknown_url',
    });
  }
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
  const handler = methods[method];
  if (handler !== undefined) return handler;
  const allowed = Object.keys(methods).join(', ');
  throw new ApiError(405, `This path takes ${allowed}.`, {
    type: 'invalid_request_error',
    code: 'method_not_allowed',
    headers: { Allow: allowed },
  });
}

function internalError({ log }: Context, error: unknown): ApiError {
  log({ level: 'error', msg: 'internal error', error: error instanceof Error ? error.stack : String(error) });
  return new ApiError(500, 'The server failed; its log says why.', { type: 'server_error' });
}

function sendEmpty(_: Context, __: IncomingMessage, response: ServerResponse): void {
  send(response, 200, 'text/plain; charset=utf-8', '');
}

function sendVersion({ engine: { options } }: Context, _: IncomingMessage, response: ServerResponse): void {
  sendJson(response, 200, { version: options.modelVersion ?? 'unknown', model: options.modelName });
}

function sendMetrics({ engine }: Context, _: IncomingMessage, response: ServerResponse): void {
  send(response, 200, 'text/plain; version=0.0.4; charset=utf-8', engine.renderMetrics());
}

function sendModel(context: Context, request: IncomingMessage, response: ServerResponse): void {
  const given = (request.url ?? '').split('?', 1)[0]?.slice(modelPath.length) ?? '';
  const { modelName } = context.engine.options;
  // Names may have slashes; some clients send them as they are, others as %2F.
  if (given === modelName || given === encodeURIComponent(modelName)) {
    sendJson(response, 200, modelFields(context));
    return;
  }
  throw new ApiError(404, `No such model; this server has \`${modelName}\`.`, {
    type: 'invalid_request_error',
    param: 'model',
    code: 'model_not_found',
  });
}

function modelFields({ engine: { options }, loadedAt }: Context): object {
  return {
    id: options.modelName,
    object: 'model',
    created: loadedAt,
    owned_by: 'inferno',
    root: options.modelUri ?? options.modelName,
    parent: null,
    max_model_len: maxModelLength,
  };
}

async function generate(
  endpoint: Endpoint,
  context: Context,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const started = performance.now();
  const { engine, cutOff, log } = context;
  const { modelName, modelVersion } = engine.options;
  const parsed = parseGeneration(endpoint, await readBody(request), modelName);
  const ending = new AbortController();
  const end = (): void => ending.abort();
  response.on('close', () => {
    if (!response.writableFinished) end();
  });
  if (response.destroyed || cutOff.aborted) end();
  const generation = engine.generate(parsed, ending.signal);
  // Not AbortSignal.any(), which would leave something behind on the long-lived signal for every request.
  cutOff.addEventListener('abort', end);
  const format = new AnswerFormat(endpoint, modelName, modelVersion, parsed.includeUsage);
  const answered = (completionTokens: number): Usage => ({ promptTokens: generation.promptTokens, completionTokens });
  let usage = answered(0);
  try {
    if (parsed.stream) {
      usage = answered(await sendStream(context, response, format, generation.tokens));
      response.end(format.last(generation.finishReason(), usage));
    } else {
      const tokens: string[] = [];
      for await (const token of generation.tokens) tokens.push(token);
      usage = answered(tokens.length);
      if (cutOff.aborted && generation.finishReason() === 'abort') throw shuttingDown();
      sendJson(response, 200, format.whole(tokens.join(''), generation.finishReason(), usage));
    }
  } finally {
    cutOff.removeEventListener('abort', end);
    log({
      level: 'info',
      msg: 'request finished',
      id: format.id,
      path: endpoint === 'chat' ? '/v1/chat/completions' : '/v1/completions',
      stream: parsed.stream,
      finishReason: generation.finishReason(),
      promptTokens: usage.promptTokens,
      completionTokens: usage.completionTokens,
      milliseconds: Math.round(performance.now() - started),
    });
  }
}

async function sendStream(
  { stallMilliseconds }: Context,
  response: ServerResponse,
  format: AnswerFormat,
  tokens: AsyncIterable<string>,
): Promise<number> {
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-cache' });
  // The head goes out while the request still waits for its turn, so that proxies see an answer.
  response.flushHeaders();
  let count = 0;
  for await (const token of tokens) {
    const first = count === 0 ? format.first() : '';
    count += 1;
    await writePiece(response, first + format.token(token), stallMilliseconds);
  }
  if (count === 0) await writePiece(response, format.first(), stallMilliseconds);
  return count;
}

function shuttingDown(): ApiError {
  return new ApiError(503, 'The server had to stop before this answer was ready.', {
    type: 'server_error',
    code: 'shutting_down',
    headers: { 'Retry-After': '1' },
  });
}
