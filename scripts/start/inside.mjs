// The half of npm start that runs in the cluster's network namespace. launch.mjs starts it, and it ends with that.
import { demonstrate } from './demonstrate.mjs';
import { forward } from './forward.mjs';

/** @type {{ readonly once: boolean, readonly started: number, readonly port: number }} */
const options = JSON.parse(process.argv[2] ?? '{}');
const abort = new AbortController();
const end = () => abort.abort();

process.on('disconnect', end);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, end);
}
// nobody reads any more, as behind `| head`
process.stdout.on('error', end);
if (!process.connected) {
  end();
}
/** @type {Promise<import('node:net').Server>} */
const door = new Promise((resolve) => {
  process.once('message', (_message, server) => resolve(/** @type {import('node:net').Server} */ (server)));
});

process.exit(
  await demonstrate({
    ...options,
    signal: abort.signal,
    open: async (url) => forward(await door, url),
  }),
);
