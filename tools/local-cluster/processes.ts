import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Command, Report } from './messages';

/** How a process ended, for messages: `exit code 1`, `SIGKILL`. */
export interface Ended {
  readonly pid: number;
  readonly how: string;
}

type Distribute<T> = T extends unknown ? Omit<T, 'id'> : never;

/**
 * The processes of one control plane. They are children of a supervisor (supervisor.mts), which kills them and removes
 * `folder` as soon as this process is gone, even by SIGKILL. Nothing here keeps Node's event loop alive by itself.
 */
export class Processes {
  readonly #supervisor: ChildProcess;
  readonly #pids = new Map<string, number>();
  readonly #ended = new Map<string, Ended>();
  readonly #waiting = new Map<number, { resolve(pid: number | undefined): void; reject(error: Error): void }>();
  readonly #onExit = new Map<string, Set<() => void>>();
  #next = 0;
  #gone: string | undefined;
  #stopping: Promise<void> | undefined;

  constructor(folder: string) {
    this.#supervisor = fork(join(__dirname, 'supervisor.mts'), [folder], {
      detached: true,
      execArgv: ['--no-warnings'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#supervisor.on('message', (message) => this.#hear(message as Report));
    this.#supervisor.on('error', (error) => this.#lose(error.message));
    this.#supervisor.on('exit', (code, signal) => this.#lose(signal ?? `exit code ${code}`));
    this.#supervisor.unref();
    this.#supervisor.channel?.unref();
  }

  /** Pid of the supervisor. */
  get supervisor(): number | undefined {
    return this.#supervisor.pid;
  }

  /** Pid of a running process, undefined when it does not run. */
  pid(name: string): number | undefined {
    return this.#pids.get(name);
  }

  /** How the last run of a process ended; undefined while it runs or when it never ran. */
  ended(name: string): Ended | undefined {
    return this.#ended.get(name);
  }

  /** Starts a process; its output is appended to the file `log`. Rejects when it cannot be executed or runs already. */
  async start(name: string, file: string, args: readonly string[], log: string): Promise<number> {
    this.#ended.delete(name);
    const pid = (await this.#ask({ do: 'start', name, file, args, log })) ?? 0;
    // It may have ended before the answer was read.
    if (this.ended(name)?.pid !== pid) this.#pids.set(name, pid);
    return pid;
  }

  /** Sends a signal. Rejects when the process does not run. */
  async signal(name: string, signal: NodeJS.Signals): Promise<void> {
    await this.#ask({ do: 'signal', name, signal });
  }

  /** Waits until a process has ended. Rejects after `seconds`. */
  async exited(name: string, seconds: number): Promise<void> {
    if (!this.#pids.has(name)) return;
    await new Promise<void>((resolve, reject) => {
      const listeners = this.#onExit.get(name) ?? new Set();
      this.#onExit.set(name, listeners);
      const timer = setTimeout(() => {
        listeners.delete(done);
        reject(new Error(`${name} still runs after ${seconds} s`));
      }, seconds * 1000);
      const done = (): void => {
        clearTimeout(timer);
        listeners.delete(done);
        resolve();
      };
      listeners.add(done);
    });
  }

  /** Kills all of them, removes the folder and ends the supervisor. Calling it again does nothing. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    if (this.#gone !== undefined) return;
    await this.#ask({ do: 'stop' });
    if (this.#supervisor.connected) this.#supervisor.disconnect();
  }

  #ask(command: Distribute<Command>): Promise<number | undefined> {
    if (this.#gone !== undefined) return Promise.reject(new Error(`the supervisor has ended: ${this.#gone}`));
    this.#next += 1;
    const id = this.#next;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#supervisor.channel?.ref();
      this.#supervisor.send({ ...command, id }, (error) => {
        if (error !== null) this.#settle(id)?.reject(error);
      });
    });
  }

  #settle(id: number) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#supervisor.channel?.unref();
    return waiting;
  }

  #hear(report: Report): void {
    if (report.tell === 'done') {
      this.#settle(report.id)?.resolve(report.pid);
    } else if (report.tell === 'failed') {
      this.#settle(report.id)?.reject(new Error(report.message));
    } else {
      this.#ended.set(report.name, { pid: report.pid, how: report.how });
      if (this.#pids.get(report.name) === report.pid || !this.#pids.has(report.name)) this.#pids.delete(report.name);
      for (const listener of this.#onExit.get(report.name) ?? []) listener();
    }
  }

  /** The supervisor is gone. If somebody killed it, its processes are still there, and nobody else ends them now. */
  #lose(how: string): void {
    if (this.#gone !== undefined) return;
    this.#gone = how;
    for (const pid of this.#pids.values()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended in the meantime.
      }
    }
    this.#pids.clear();
    const error = new Error(`the supervisor has ended: ${how}`);
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}
