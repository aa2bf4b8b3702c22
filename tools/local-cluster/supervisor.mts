// Runs the processes of one control plane for their owner, in a session of its own. When the owner is gone, however it
// went, the channel to it closes: then everything here is killed and the folder removed. Only Node itself is needed.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Command, Report } from './messages.js';

const folder = process.argv[2];
const running = new Map<string, ChildProcess>();
let ending: Promise<void> | undefined;

function tell(report: Report): void {
  // The owner may be gone already; then nobody has to know.
  if (process.connected) process.send?.(report, () => undefined);
}

function start(command: Command & { readonly do: 'start' }): void {
  if (ending !== undefined || running.has(command.name)) {
    const message = ending === undefined ? `${command.name} runs already` : 'the control plane has been stopped';
    tell({ tell: 'failed', id: command.id, message });
    return;
  }
  const log = openSync(command.log, 'a');
  const child = spawn(command.file, command.args, { stdio: ['ignore', log, log] });
  closeSync(log);
  child.once('error', (error) => tell({ tell: 'failed', id: command.id, message: error.message }));
  child.once('spawn', () => {
    const pid = child.pid ?? 0;
    running.set(command.name, child);
    child.once('exit', (code, signal) => {
      running.delete(command.name);
      tell({ tell: 'exit', name: command.name, pid, how: signal === null ? `exit code ${code}` : signal });
    });
    if (ending !== undefined) child.kill('SIGKILL');
    tell({ tell: 'done', id: command.id, pid });
  });
}

/** The data is thrown away, so nothing is gained by a graceful end; SIGKILL also ends a paused process. */
async function end(): Promise<void> {
  await Promise.all(
    [...running.values()].map(
      (child) =>
        new Promise<void>((resolve) => {
          child.once('exit', () => resolve());
          child.kill('SIGKILL');
        }),
    ),
  );
  if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

function handle(command: Command): void {
  if (command.do === 'start') {
    start(command);
  } else if (command.do === 'signal') {
    const sent = running.get(command.name)?.kill(command.signal) ?? false;
    tell(
      sent
        ? { tell: 'done', id: command.id }
        : { tell: 'failed', id: command.id, message: `${command.name} does not run` },
    );
  } else {
    ending ??= end();
    void ending.then(() => tell({ tell: 'done', id: command.id }));
  }
}

process.on('message', (message) => handle(message as Command));
process.on('disconnect', () => {
  ending ??= end();
  void ending.finally(() => process.exit(0));
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    ending ??= end();
    void ending.finally(() => process.exit(1));
  });
}
