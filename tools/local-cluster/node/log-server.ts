import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { selfSigned } from '../../../test/faults/certificate';
import { tailOf } from './texts';

/** Where the logs of a container lie (`0.log`, `1.log`, … in `folder`), and whether it runs. */
export interface ContainerLogs {
  readonly folder: string;
  running(): boolean;
}

export type FindLogs = (namespace: string, pod: string, container: string) => ContainerLogs | undefined;

const KNOWN = new Set(['follow', 'tailLines', 'previous', 'limitBytes']);
const FOLLOW_EVERY = 200;

/** The endpoint of a node that the API server asks for `kubectl logs`. Nothing else is there. */
export async function serveLogs(host: string, port: number, find: FindLogs): Promise<void> {
  const server = createServer(selfSigned(), (request, response) => {
    answer(request, response, find).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

async function answer(request: IncomingMessage, response: ServerResponse, find: FindLogs): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'https://node');
  const [what, namespace = '', pod = '', container = '', ...more] = pathname.slice(1).split('/');
  const fail = (status: number, message: string): void => void response.writeHead(status).end(`${message}\n`);
  if (request.method !== 'GET' || what !== 'containerLogs' || more.length > 0) {
    fail(501, `the test node only serves logs, not ${request.method} ${pathname}`);
    return;
  }
  const unknown = [...searchParams.keys()].filter((name) => !KNOWN.has(name));
  if (unknown.length > 0) {
    fail(501, `the test node's logs have no ${unknown.join(', ')}; they know ${[...KNOWN].join(', ')}`);
    return;
  }
  const logs = find(namespace, pod, container);
  const file = logs === undefined ? undefined : fileOf(logs.folder, searchParams.get('previous') === 'true');
  if (logs === undefined || file === undefined) {
    fail(404, `there is no such log of container ${container} in pod ${namespace}/${pod}`);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/plain' });
  const size = statSync(file).size;
  const lines = searchParams.get('tailLines');
  let at = lines === null ? 0 : size - Buffer.byteLength(tailOf(file, { bytes: size, lines: Number(lines) }));
  const end = Math.min(size, at + Number(searchParams.get('limitBytes') ?? Infinity));
  at = await send(file, at, end, response);
  while (searchParams.get('follow') === 'true' && !response.destroyed) {
    const running = logs.running();
    at = await send(file, at, statSync(file).size, response);
    if (!running) break;
    await sleep(FOLLOW_EVERY);
  }
  response.end();
}

async function send(file: string, from: number, to: number, response: ServerResponse): Promise<number> {
  if (to <= from) return from;
  await pipeline(createReadStream(file, { start: from, end: to - 1 }), response, { end: false });
  return to;
}

/** The newest log of a container, or the one before it. */
function fileOf(folder: string, previous: boolean): string | undefined {
  if (!existsSync(folder)) return undefined;
  const runs = readdirSync(folder).flatMap((name) => (name.endsWith('.log') ? [Number.parseInt(name, 10)] : []));
  const run = runs.toSorted((a, b) => b - a)[previous ? 1 : 0];
  return run === undefined ? undefined : join(folder, `${run}.log`);
}
