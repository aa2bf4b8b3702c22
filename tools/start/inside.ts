// The half of npm start that runs in the cluster's network namespace. launch.ts starts it, and it ends with that.
import type { Server } from 'node:net';
import { demonstrate, type StartOptions } from './demonstrate';
import { forward } from './forward';

const options: StartOptions & { readonly port: number } = JSON.parse(process.argv[2] ?? '{}');
const abort = new AbortController();
const end = (): void => abort.abort();

process.on('disconnect', end);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
// nobody reads any more, as behind `| head`
process.stdout.on('error', end);
if (!process.connected) end();
const door = new Promise<Server>((resolve) => {
  process.once('message', (_message, server) => resolve(server as Server));
});

void demonstrate({ ...options, signal: abort.signal, open: async (url) => forward(await door, url) }).then((code) =>
  process.exit(code),
);
