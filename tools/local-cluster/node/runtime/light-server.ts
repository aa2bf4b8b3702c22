// The process that all light containers of a node share: a fake server for each. Its owner's end is its own.
import { EventEmitter } from 'node:events';
import { closeSync, openSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { runFakeServer } from '../../../../fake-server';
import type { LightCommand, LightReport } from './light-messages';

interface Container {
  readonly signals: EventEmitter;
  killed: boolean;
}

const containers = new Map<string, Container>();

function tell(report: LightReport): void {
  if (process.connected) process.send?.(report, () => undefined);
}

async function run({ id, env, logFile }: LightCommand & { readonly do: 'start' }): Promise<void> {
  const container: Container = { signals: new EventEmitter(), killed: false };
  containers.set(id, container);
  const log = openSync(logFile, 'a');
  const output = {
    // The dead do not write.
    write: (text: string): void => {
      if (!container.killed) writeSync(log, text);
    },
  };
  tell({ tell: 'started', id });
  const exitCode = await runFakeServer(env, { stdout: output, stderr: output }, container.signals);
  closeSync(log);
  containers.delete(id);
  const { SIGKILL } = constants.signals;
  tell(
    container.killed
      ? { tell: 'ended', id, exitCode: 128 + SIGKILL, signal: SIGKILL }
      : { tell: 'ended', id, exitCode },
  );
}

function signal(container: Container, name: NodeJS.Signals): void {
  if (name === 'SIGKILL') {
    container.killed = true;
    // The second one ends it at once, also what still runs.
    container.signals.emit('SIGTERM', 'SIGTERM');
    container.signals.emit('SIGTERM', 'SIGTERM');
  } else {
    // What it does not listen for is lost, as to any process 1.
    container.signals.emit(name, name);
  }
}

process.on('message', (message) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the owner sends nothing else
  const command = message as LightCommand;
  if (command.do === 'start') {
    void run(command);
    return;
  }
  const container = containers.get(command.id);
  if (container !== undefined) signal(container, command.signal);
});
process.on('disconnect', () => process.exit());
// The owner's terminal or group may get them; only the owner decides.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined);
