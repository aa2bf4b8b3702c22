// The half of npm start that stays where the user is: it makes what needs the network, then starts the other half
// (inside.mjs) in a network namespace, and ends it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { inNamespace } from '../namespace.mjs';
import { progress } from './progress.mjs';
import { run } from './run.mjs';
import { isStale } from './stale.mjs';
import { require } from './typescript.mjs';

/** @type {typeof import('../../tools/local-cluster/index.ts')} */
const { prepareCluster } = require('../../tools/local-cluster/index.ts');

const sources = ['lib', 'imports', 'cli', 'operator', 'fake-server', 'crds', 'packaging', 'main.ts'];
const configuration = ['build', 'kube-config', 'lazy']
  .map((name) => `scripts/${name}.mjs`)
  .concat('package.json', 'tsconfig.json');
/** Exit code of the other half where it was told to end before it was done. */
const INTERRUPTED = 130;

/**
 * @param {{ readonly once: boolean, readonly started: number }} options
 * @returns {Promise<number>} the exit code
 */
export async function launch({ once: isOnce, started }) {
  const log = progress(started);
  const abort = new AbortController();
  let interrupted = INTERRUPTED;
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      interrupted = 128 + constants.signals[signal];
      abort.abort();
    });
  }
  // the process of an older Node that started this one is gone
  process.on('disconnect', () => abort.abort());
  try {
    if (isStale('build/bin/inferno.cjs', [...sources, ...configuration])) {
      log('building the package');
      await run(process.execPath, ['scripts/build.mjs'], { signal: abort.signal });
    }
    await prepareCluster({ log, signal: abort.signal });
    abort.signal.throwIfAborted();
    const code = await runInside({ once: isOnce, started }, abort.signal);
    return code === INTERRUPTED ? interrupted : code;
  } catch (error) {
    if (abort.signal.aborted) {
      return interrupted;
    }
    console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
}

/**
 * @param {{ readonly once: boolean, readonly started: number }} options
 * @param {AbortSignal} signal
 * @returns {Promise<number>} the exit code
 */
async function runInside(options, signal) {
  // A socket stays in the namespace that it was made in: whoever accepts its connections in there, is reached from here.
  const door = createServer();
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const { port } = door.address();
  const inside = fileURLToPath(new URL('inside.mjs', import.meta.url));
  const { file, args } = inNamespace(process.execPath, [inside, JSON.stringify({ ...options, port })]);
  const child = spawn(file, args, {
    // a session of its own, as Ctrl-C would reach it otherwise, and kubectl and others that it runs
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  child.send('door', door, () => door.close());
  // it ends when the channel is closed, also where this process is killed
  signal.addEventListener('abort', () => child.connected && child.disconnect(), { once: true });
  const [code, killed] = await ended;
  if (killed !== null) {
    throw new Error(`the process that runs the cluster was ended by ${killed}`);
  }
  return code;
}
