import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessImage } from '../image';
import {
  type ContainerRequest,
  type Exit,
  type RunningContainer,
  type Runtime,
  UnsupportedError,
} from '../runtime-types';
import { listen, type Told } from './channel';
import { runInside } from './exec';
import { StartError } from './start-error';
import { takesUsers } from './users';

const SIGKILL = 9;
/** Bytes of a termination message, as the kubelet has it. */
const LONGEST_MESSAGE = 4096;

/** Runs images as processes, each in a root and namespaces of its own. */
export class ProcessRuntime implements Runtime {
  /** @param program the program of `modules/container` */
  constructor(
    private readonly folder: string,
    private readonly program: string,
  ) {}

  async start(request: ContainerRequest): Promise<RunningContainer> {
    const { id, image } = request;
    if (image.kind !== 'process') throw new UnsupportedError(`image ${image.name} is not one of processes`);
    const folder = join(this.folder, id);
    const message = join(folder, 'termination-log');
    const spec = join(folder, 'spec.json');
    const stage = join(folder, 'stage');
    mkdirSync(stage, { recursive: true });
    writeFileSync(message, '');
    // For any user that the container runs as.
    chmodSync(message, 0o666);
    writeFileSync(spec, JSON.stringify(specOf(request, image, stage, message)), { mode: 0o600 });
    const log = openSync(request.logFile, 'a');
    const runner = spawn(this.program, ['run', spec], {
      stdio: ['ignore', log, log, 'pipe'],
      env: { GOMAXPROCS: '1' },
    });
    closeSync(log);
    const ended = new Promise<Exit>((resolve) => {
      let told: Told | undefined;
      listen(runner, (line) => {
        told = line;
      });
      runner.once('close', () => {
        // It only says nothing when it was killed, and then it has taken the container with it.
        const { exitCode = 128 + SIGKILL, signal } = told?.exitCode === undefined ? { signal: SIGKILL } : told;
        const text = readMessage(message);
        rmSync(folder, { recursive: true, force: true });
        resolve({
          exitCode,
          ...(signal === undefined ? {} : { signal }),
          ...(text === undefined ? {} : { message: text }),
        });
      });
    });
    const pid = await begun(runner, request.command);
    let running = true;
    const exited = ended.finally(() => {
      running = false;
    });
    return {
      pid,
      exited,
      signal: (signal) => {
        if (running) send(pid, signal);
      },
      exec: (command, timeoutSeconds) => runInside(this.program, { spec, pid, command, timeoutSeconds }),
    };
  }
}

/** Waits until the program runs, for its pid. */
function begun(runner: ChildProcess, command: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => {
      reject(new StartError(`unable to start container process ${JSON.stringify(command[0])}: ${reason}`));
    };
    listen(runner, ({ pid, error }) => {
      if (pid !== undefined) resolve(pid);
      else if (error !== undefined) fail(error);
    });
    runner.once('error', (error) => fail(error.message));
    runner.once('close', (code, signal) => fail(`the container program ended with ${signal ?? `exit code ${code}`}`));
  });
}

/** The file that the container program reads; its fields are described in modules/container/spec.go. */
function specOf(request: ContainerRequest, image: ProcessImage, stage: string, message: string): object {
  const { address, hostname } = request;
  const users = takesUsers();
  return {
    owner: process.pid,
    networkNamespace: request.networkNamespace ?? '',
    hostname,
    root: image.root,
    stage,
    host: image.host ?? [],
    mounts: [...request.mounts, { source: message, path: request.terminationMessagePath, readOnly: false }],
    files: {
      '/etc/hostname': `${hostname}\n`,
      '/etc/hosts': `127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n${address}\t${hostname}\n`,
      // A name is then refused at once instead of after a time-out.
      '/etc/resolv.conf': '# The test cluster has no DNS.\n',
    },
    readOnlyRoot: request.readOnlyRoot,
    command: request.command,
    env: Object.entries(request.env).map(([name, value]) => `${name}=${value}`),
    workingDir: request.workingDir,
    uid: users ? request.uid : 0,
    gid: users ? request.gid : 0,
    groups: users ? request.groups : [],
    takeUser: users,
    dropCapabilities: request.capabilitiesDropped,
    noNewPrivileges: request.noNewPrivileges,
  };
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}

function readMessage(file: string): string | undefined {
  const text = readFileSync(file);
  return text.length === 0 ? undefined : text.subarray(-LONGEST_MESSAGE).toString();
}
