import { type ChildProcess, fork } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  type ContainerRequest,
  type Exit,
  type RunningContainer,
  type Runtime,
  UnsupportedError,
} from '../runtime-types';
import type { LightCommand, LightReport } from './light-messages';
import { StartError } from './start-error';

/** How the fake server is called, whether or not the image's entry point is said with it. */
const COMMANDS = [['fake-server'], ['/nodejs/bin/node', '/app/inferno.cjs', 'fake-server']];
const SIGKILL = 9;

/** Runs fake servers for thousands of pods in one process, each at the address of its pod. */
export class LightRuntime implements Runtime {
  #server: LightServer | undefined;

  /** @param program the bundled code of `light-server.ts` */
  constructor(
    private readonly folder: string,
    private readonly program: string,
  ) {}

  /** Pid of the process that they share; undefined while there is none. */
  get pid(): number | undefined {
    return this.#server?.pid;
  }

  /** Ends the shared process, and with it all containers. */
  close(): void {
    this.#server?.kill();
  }

  async start(request: ContainerRequest): Promise<RunningContainer> {
    refuse(request);
    if (this.#server === undefined || this.#server.hasEnded) {
      this.#server = new LightServer(this.program, join(this.folder, 'light.log'));
    }
    return this.#server.start(request);
  }
}

interface Container {
  started(): void;
  ended(exit: Exit): void;
}

/** The shared process, as its owner sees it. */
class LightServer {
  readonly #containers = new Map<string, Container>();
  readonly #process: ChildProcess;
  #ended = false;

  constructor(program: string, logFile: string) {
    const log = openSync(logFile, 'a');
    this.#process = fork(program, [], { execArgv: [], stdio: ['ignore', log, log, 'ipc'] });
    closeSync(log);
    this.#process.on('message', (message) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own program sends nothing else
      this.#hear(message as LightReport);
    });
    this.#process.once('error', () => this.#lose());
    this.#process.once('exit', () => this.#lose());
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  async start({ address, env, id, logFile }: ContainerRequest): Promise<RunningContainer> {
    const end = deferred<Exit>();
    await new Promise<void>((resolve, reject) => {
      this.#containers.set(id, {
        started: resolve,
        ended: (how) => {
          // It comes too late for one that has been started.
          reject(new StartError('the process of the light containers has ended'));
          end.resolve(how);
        },
      });
      this.#tell({ do: 'start', id, env: { ...env, HOST: address }, logFile });
    });
    return {
      pid: undefined,
      exited: end.promise,
      signal: (signal) => {
        if (signal === 'SIGSTOP' || signal === 'SIGCONT') {
          throw new UnsupportedError(`${signal} to a light container, which has no process of its own`);
        }
        this.#tell({ do: 'signal', id, signal });
      },
      exec: () => Promise.reject(new UnsupportedError('exec in a light container, which has no process of its own')),
    };
  }

  #tell(command: LightCommand): void {
    // That the process has gone is reported by its end, and of containers that have ended it knows nothing.
    if (!this.#ended) this.#process.send(command, () => undefined);
  }

  #hear(report: LightReport): void {
    const container = this.#containers.get(report.id);
    if (report.tell === 'started') {
      container?.started();
      return;
    }
    this.#containers.delete(report.id);
    const { exitCode, signal } = report;
    container?.ended({ exitCode, ...(signal === undefined ? {} : { signal }) });
  }

  #lose(): void {
    this.#ended = true;
    for (const container of this.#containers.values()) container.ended({ exitCode: 128 + SIGKILL, signal: SIGKILL });
    this.#containers.clear();
  }
}

function deferred<T>(): { readonly promise: Promise<T>; resolve(value: T): void } {
  let settle: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value) => settle(value) };
}

function refuse({ command, env, image, mounts }: ContainerRequest): void {
  const { name } = image;
  if (!COMMANDS.some((known) => isDeepStrictEqual(known, command))) {
    throw new UnsupportedError(
      `image ${name} only runs the args ["fake-server"] here, without a command, got ${JSON.stringify(command)}`,
    );
  }
  const [mount] = mounts;
  if (mount !== undefined) {
    throw new UnsupportedError(`image ${name} takes no volumes here, got one at ${mount.path}`);
  }
  const host = env['HOST'];
  if (host !== '::' && host !== '0.0.0.0') {
    throw new UnsupportedError(`image ${name} only listens at HOST "::" here, got ${JSON.stringify(host ?? null)}`);
  }
}
