import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from 'node:http';
import { type FakeServerOptions, startFakeServer, type Surroundings } from '../../fake-server/index';

// Real time passes here, and the machine may be busy.
jest.setTimeout(30_000);

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Call {
  readonly port: number;
  readonly path: string;
  readonly method?: string;
  readonly body?: string | object;
  readonly headers?: { readonly [name: string]: string };
  readonly agent?: Agent;
  readonly signal?: AbortSignal;
  /** Called with each piece of the answer. */
  readonly onData?: (text: string) => void;
}

/** Sends a request and reads its whole answer; rejects where the connection breaks before the answer's end. */
export function call({ port, path, method, body, headers, agent, signal, onData }: Call): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    const request = httpRequest(
      {
        port,
        host: '127.0.0.1',
        path,
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        agent: agent ?? new Agent({ keepAlive: false }),
        headers: { ...headers, ...(text !== undefined && { 'Content-Length': String(Buffer.byteLength(text)) }) },
        ...(signal && { signal }),
      },
      (response: IncomingMessage) => {
        const pieces: string[] = [];
        response.setEncoding('utf8');
        response.on('data', (piece: string) => {
          pieces.push(piece);
          onData?.(piece);
        });
        response.on('error', reject);
        response.on('close', () => {
          if (!response.complete) reject(new Error('the answer was cut off'));
        });
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: pieces.join('') });
        });
      },
    );
    request.on('error', reject);
    request.end(text);
  });
}

export function chat(fields: object = {}): object {
  return { model: 'fake', messages: [{ role: 'user', content: 'What is the answer?' }], ...fields };
}

/** The JSON of the events of a stream, without the closing [DONE], which has to be there. */
export function events(text: string): Event[] {
  const parts = text.split('\n\n');
  expect(parts.slice(-2)).toEqual(['data: [DONE]', '']);
  return parts.slice(0, -2).map((part) => {
    expect(part).toMatch(/^data: /);
    return JSON.parse(part.slice('data: '.length)) as Event;
  });
}

export interface Event {
  readonly id: string;
  readonly object: string;
  readonly created: number;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly delta?: { readonly role?: string; readonly content?: string };
    readonly text?: string;
    readonly finish_reason: string | null;
  }[];
  readonly usage?: object | null;
}

export function streamedText(list: readonly Event[]): string {
  return list.flatMap(({ choices }) => choices.map(({ delta, text }) => delta?.content ?? text ?? '')).join('');
}

/** Runs a test with a server on a free port, and stops the server after it. */
export async function withServer(
  options: Partial<FakeServerOptions>,
  test: (port: number) => Promise<void>,
  surroundings?: Surroundings,
): Promise<void> {
  const server = await startFakeServer({ port: 0, ...options }, surroundings);
  try {
    await test(server.port);
  } finally {
    server.destroy();
  }
}

/** The value of one line of /metrics; `labels` as they are written there, without engine and model_name. */
export async function metric(port: number, name: string, labels = ''): Promise<number | undefined> {
  const { text } = await call({ port, path: '/metrics' });
  const line = text
    .split('\n')
    .find((candidate) => candidate.startsWith(`vllm:${name}{`) && candidate.includes(labels));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ')));
}

/** Waits until a condition holds, for ten seconds at the most. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 10_000;
  while (Date.now() < end) {
    // oxlint-disable-next-line no-await-in-loop -- each look waits for the one before it
    if (await condition()) return;
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`did not become true: ${condition.toString()}`);
}
