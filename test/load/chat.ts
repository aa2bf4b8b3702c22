import { Agent, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Endpoint } from './endpoints';

/** How to reach a Service: a ServiceClient. */
export interface Target {
  readonly agent: Agent;
  endpointOf(socket: Socket): Endpoint | undefined;
}

export interface ChatOptions {
  readonly model: string;
  /** Ask for the answer token by token. @default false */
  readonly stream?: boolean;
  /** @default the server's */
  readonly maxTokens?: number;
  /** Seconds that the whole answer may take. @default 120 */
  readonly timeoutSeconds?: number;
}

/** What became of one question. */
export type Outcome =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly error: string; readonly endpoint?: string };

interface Choice {
  readonly message?: { readonly content?: string };
  readonly delta?: { readonly content?: string };
  readonly finish_reason?: string | null;
}

/** Asks a model one question, once. An answer that is cut short in any way is a failure. */
export async function chat(target: Target, options: ChatOptions): Promise<Outcome> {
  const { stream = false, timeoutSeconds = 120 } = options;
  const signal = AbortSignal.timeout(timeoutSeconds * 1000);
  let endpoint: Endpoint | undefined;
  try {
    const response = await post(target, options, signal, (socket) => {
      endpoint = target.endpointOf(socket);
    });
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}: ${await read(response)}`);
    const text = stream ? await streamed(response) : whole(await read(response));
    if (text === '') throw new Error('the answer is empty');
    return { ok: true, text };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const late = signal.aborted ? `no whole answer within ${timeoutSeconds} s` : undefined;
    const said = late ?? (code === undefined || message.includes(code) ? message : `${code}: ${message}`);
    return {
      ok: false,
      error: said,
      ...(endpoint === undefined ? {} : { endpoint: `${endpoint.address}:${endpoint.port}` }),
    };
  }
}

function post(
  { agent }: Target,
  { model, stream = false, maxTokens }: ChatOptions,
  signal: AbortSignal,
  onSocket: (socket: Socket) => void,
): Promise<IncomingMessage> {
  const body = JSON.stringify({
    model,
    stream,
    messages: [{ role: 'user', content: 'What is on your mind?' }],
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
  });
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request({ method: 'POST', path: '/v1/chat/completions', host: model, agent, headers, signal });
    sent.once('socket', onSocket);
    // Stays for errors after the response has begun; those reject the reading of it.
    sent.on('error', reject);
    sent.once('response', resolve);
    sent.end(body);
  });
}

async function read(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  return text;
}

function whole(text: string): string {
  const { choices } = JSON.parse(text) as { choices: readonly Choice[] };
  expectEnd(choices[0]?.finish_reason ?? undefined);
  return choices[0]?.message?.content ?? '';
}

/** Reads server-sent events to their `[DONE]`. */
async function streamed(response: IncomingMessage): Promise<string> {
  let text = '';
  let finish: string | undefined;
  let done = false;
  for await (const line of createInterface({ input: response })) {
    if (!line.startsWith('data: ')) continue;
    const data = line.slice('data: '.length);
    if (data === '[DONE]') {
      done = true;
      continue;
    }
    const { choices = [], error } = JSON.parse(data) as { choices?: readonly Choice[]; error?: { message: string } };
    if (error !== undefined) throw new Error(`error in the stream: ${error.message}`);
    text += choices[0]?.delta?.content ?? '';
    finish = choices[0]?.finish_reason ?? finish;
  }
  if (!done) throw new Error('the stream ended without [DONE]');
  expectEnd(finish);
  return text;
}

function expectEnd(reason: string | undefined): void {
  if (reason !== 'stop' && reason !== 'length') throw new Error(`the answer ended with finish_reason ${reason}`);
}
