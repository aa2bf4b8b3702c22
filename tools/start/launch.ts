// The half of npm start that stays where the user is: it makes what needs the network, then starts the other half
// (inside.ts) in a network namespace, and ends it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { constants } from 'node:os';
import { join } from 'node:path';
import { prepareCluster } from '../local-cluster';
import { inNamespace } from '../namespace.mjs';
import { buildIsCurrent } from '../package/current';
import { run } from '../run';
import { INTERRUPTED, type StartOptions } from './demonstrate';
import { progress } from './progress';

/** Returns the exit code. */
async function launch(options: StartOptions): Promise<number> {
  const log = progress(options.started);
  const abort = new AbortController();
  const { signal } = abort;
  let interrupted = INTERRUPTED;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      interrupted = 128 + constants.signals[name];
      abort.abort();
    });
  }
  // the process that started this one is gone
  process.on('disconnect', () => abort.abort());
  try {
    if (!buildIsCurrent()) {
      log('building the package');
      await run(process.execPath, ['--import', 'tsx', 'tools/package/build.ts'], { signal });
    }
    await prepareCluster({ log, signal });
    signal.throwIfAborted();
    const code = await runInside(options, signal);
    return code === INTERRUPTED ? interrupted : code;
  } catch (error) {
    if (signal.aborted) return interrupted;
    console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
}

async function runInside(options: StartOptions, signal: AbortSignal): Promise<number> {
  // A socket stays in the namespace that it was made in: what accepts its connections in there can be reached from here.
  const door = createServer();
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const address = door.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const inside = ['--import', 'tsx', join(__dirname, 'inside.ts'), JSON.stringify({ ...options, port })];
  const { file, args } = inNamespace(process.execPath, inside);
  const child = spawn(file, args, {
    // a session of its own, as Ctrl-C would reach it otherwise, and kubectl and others that it runs
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit') as Promise<[code: number, signal: NodeJS.Signals | null]>;
  child.send('door', door, () => door.close());
  // it ends when the channel is closed, also where this process is killed
  signal.addEventListener('abort', () => child.connected && child.disconnect(), { once: true });
  const [code, killed] = await ended;
  if (killed !== null) throw new Error(`the process that runs the cluster was ended by ${killed}`);
  return code;
}

const given: StartOptions = JSON.parse(process.argv[2] ?? '{}');
void launch(given).then((code) => process.exit(code));
