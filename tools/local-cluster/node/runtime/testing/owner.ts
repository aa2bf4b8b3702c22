import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleProgram } from '../../../bundle';
import { testImages } from '../../../images';
import type { ProcessImage } from '../../image';
import type { Pod } from '../../pod';
import type { ContainerRequest, ExecResult, Exit, ObjectReader } from '../../runtime-types';
import { runtimePrograms } from '../programs';
import { type Methods, Peer } from './peer';
import { restricted } from './restricted';

const NEEDS =
  'These tests need Linux, and root or user namespaces that may be used without it (see user.max_user_namespaces, ' +
  'kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns of sysctl).';

/**
 * A process with a runtime, in namespaces of its own, where it is root even if the tests are not: what the agent of a node
 * is. Tests ask it for everything.
 */
export class Owner {
  readonly #peer: Peer;
  #next = 0;

  private constructor(
    readonly folder: string,
    private readonly child: ChildProcess,
    methods: Methods,
  ) {
    this.#peer = new Peer(child, methods);
  }

  static async start(reader?: ObjectReader): Promise<Owner> {
    const folder = mkdtempSync(join(tmpdir(), 'inferno-runtime-'));
    const program = join(folder, 'owner.cjs');
    const [programs] = await Promise.all([
      runtimePrograms(folder),
      bundleProgram(join(__dirname, 'run-owner.ts'), program),
    ]);
    const namespaces = process.getuid?.() === 0 ? '-mn' : '-rmn';
    const child = fork(program, [folder, JSON.stringify(programs)], {
      execPath: 'unshare',
      execArgv: [namespaces, '--propagation', 'private', '--', process.execPath],
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    });
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4000);
    });
    child.once('error', (error) => {
      said = error.message;
    });
    const owner = new Owner(folder, child, {
      read: (path: string) => reader?.read(path),
      token: (...args: Parameters<ObjectReader['token']>) => reader?.token(...args),
    });
    try {
      await owner.takesUsers();
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw new Error(`The namespaces cannot be made: unshare ${namespaces} said "${said.trim()}".\n${NEEDS}`, {
        cause: error,
      });
    }
    return owner;
  }

  takesUsers(): Promise<boolean> {
    return this.#peer.call('takesUsers');
  }

  /** Starts a container of the shell image, as a restricted pod has it, unless the request says otherwise. */
  async container(request: Partial<ContainerRequest> & Pick<ContainerRequest, 'command'>): Promise<TestContainer> {
    this.#next += 1;
    const id = `container-${this.#next}`;
    const logFile = join(this.folder, `${id}.log`);
    const pid = await this.#peer.call<number | undefined>('start', {
      ...restricted,
      id,
      image: image('shell'),
      env: {},
      hostname: 'test-pod',
      logFile,
      address: '10.244.1.1',
      ...request,
    } satisfies ContainerRequest);
    return new TestContainer(id, pid, logFile, this.#peer);
  }

  /** Runs a script of the shell to its end: how it ended, and what it wrote. */
  async shell(script: string, request: Partial<ContainerRequest> = {}): Promise<Exit & { readonly output: string }> {
    const container = await this.container({ command: ['/bin/sh', '-c', script], ...request });
    const exit = await container.exited();
    return { ...exit, output: container.output() };
  }

  /** Makes a network namespace; gives the pid of the process that is in it. */
  network(): Promise<number> {
    return this.#peer.call('network');
  }

  /** Sends a signal to any process of this user. */
  async kill(pid: number, signal: NodeJS.Signals): Promise<void> {
    await this.#peer.call('kill', pid, signal);
  }

  /** Makes an empty folder in this owner's own. */
  makeFolder(name: string): string {
    const folder = join(this.folder, name);
    mkdirSync(folder);
    return folder;
  }

  async volumes(pod: Pod, name: string): Promise<TestVolumes> {
    const place = join(this.folder, name);
    await this.#peer.call('prepare', pod, place);
    return new TestVolumes(place, this.#peer);
  }

  /** CPU time of the children that have ended, in milliseconds; the kernel counts hundredths of a second. */
  childrenCpu(): number {
    const fields = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[13]) + Number(fields[14])) * 10;
  }

  /** Kills only the owner, as a power cut would. */
  async die(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exit;
  }

  async stop(): Promise<void> {
    await this.die();
    // What it has mounted goes with the last of its processes.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

export class TestContainer {
  constructor(
    private readonly id: string,
    readonly pid: number | undefined,
    private readonly logFile: string,
    private readonly peer: Peer,
  ) {}

  exited(): Promise<Exit> {
    return this.peer.call('exited', this.id);
  }

  async signal(signal: NodeJS.Signals): Promise<void> {
    await this.peer.call('signal', this.id, signal);
  }

  exec(command: readonly string[], seconds = 10): Promise<ExecResult> {
    return this.peer.call('exec', this.id, command, seconds);
  }

  output(): string {
    return readFileSync(this.logFile, 'utf8');
  }

  runs(): boolean {
    return this.pid !== undefined && existsSync(`/proc/${this.pid}`);
  }
}

class TestVolumes {
  constructor(
    private readonly place: string,
    private readonly peer: Peer,
  ) {}

  path(volume: string): Promise<string> {
    return this.peer.call('path', this.place, volume);
  }

  async refresh(): Promise<void> {
    await this.peer.call('refresh', this.place);
  }

  async remove(): Promise<void> {
    await this.peer.call('remove', this.place);
  }
}

/** An image of the tests by the short form of its name. */
export function image(name: string): ProcessImage {
  const found = testImages().find((one) => one.name === `test.local/${name}:1`);
  if (found === undefined) throw new Error(`there is no test image ${name}`);
  return found;
}
