import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { assembleImage, imageConfig } from '../../tools/image';
import { poll } from '../../tools/local-cluster/poll';

export interface RunOptions {
  /** All of the environment: not even HOME or PATH are there without it. @default none */
  readonly env?: Readonly<Record<string, string>>;
  /** What standard input holds; `open` never ends. @default empty */
  readonly input?: { readonly text: string } | 'open';
  /** @default that of the image */
  readonly entrypoint?: readonly string[];
}

export interface Ended {
  /** The exit code, or the signal that the process died of. */
  readonly code: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Folders of this machine that stand for the base image: its C libraries. */
const base = ['lib', 'lib64', 'usr/lib'];

/** Run by `sh` as root of the new namespaces: the image and the libraries read-only, and then what follows. */
const enter = `
root=$1; shift
ip link set lo up
mount --bind "$root" "$root"
for folder in ${base.join(' ')}; do
  [ ! -d "/$folder" ] || mount --bind -o ro "/$folder" "$root/$folder"
done
mount -t proc proc "$root/proc"
mount -o remount,bind,ro,nosuid,nodev "$root"
# of the shell's own making
unset PWD OLDPWD
exec "$@"`;

/**
 * The image in a folder. Its programs run as process 1 of namespaces of their own: read-only root, nothing writable,
 * the image's user, no capabilities, only loopback. That is less than a container has, which has /dev, /etc and HOME.
 */
export class ImageFolder {
  readonly root: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'inferno-image-'));
  readonly #running = new Set<Container>();

  constructor() {
    this.root = join(this.#folder, 'root');
    assembleImage(this.root);
    for (const folder of [...base, 'proc']) mkdirSync(join(this.root, folder), { recursive: true });
  }

  /** Adds a file that something mounts into a pod. */
  add(path: string, content: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), content, { mode: 0o644 });
  }

  start(args: readonly string[], { env = {}, input = { text: '' }, entrypoint }: RunOptions = {}): Container {
    const { entrypoint: program, user, workingDir } = imageConfig;
    const spaces = ['--mount', '--pid', '--net', '--ipc', '--uts', '--fork', '--kill-child', '--propagation=private'];
    // who is not root becomes that user in a second user namespace, which has no other
    const become = isRoot()
      ? [`--setuid=${user}`, `--setgid=${user}`]
      : ['--user', `--map-user=${user}`, `--map-group=${user}`];
    const words = [
      ...['setpriv', '--pdeathsig=KILL', 'unshare', ...(isRoot() ? [] : ['--map-root-user']), ...spaces],
      ...['sh', '-ec', enter, 'sh', this.root, 'setpriv', '--no-new-privs', ...(isRoot() ? ['--clear-groups'] : [])],
      ...['unshare', `--root=${this.root}`, `--wd=${workingDir}`, ...become],
      ...[...(entrypoint ?? program), ...args],
    ];
    const child = spawn(words[0] ?? '', words.slice(1), { env, stdio: 'pipe' });
    const container = new Container(child);
    this.#running.add(container);
    if (input !== 'open') child.stdin.end(input.text);
    void container.ended.then(() => this.#running.delete(container));
    return container;
  }

  run(args: readonly string[], options?: RunOptions): Promise<Ended> {
    return this.start(args, options).ended;
  }

  async remove(): Promise<void> {
    await Promise.all([...this.#running].map((container) => container.kill()));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export class Container {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcessWithoutNullStreams;
  #stdout = '';
  #stderr = '';

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    child.stdout.on('data', (chunk: Buffer) => (this.#stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString()));
    child.stdin.on('error', () => {
      // ended before it read all
    });
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) =>
        resolve({ code: signal ?? code, stdout: this.#stdout, stderr: this.#stderr }),
      );
    });
  }

  /** What it has written so far, on both streams. */
  get output(): string {
    return this.#stdout + this.#stderr;
  }

  /** Waits until process 1 is the image's program, and no longer what prepares the namespaces for it. */
  async started(program: string): Promise<void> {
    const runs = async (): Promise<boolean> => {
      try {
        return readlinkSync(`/proc/${this.pid}/exe`).endsWith(program);
      } catch {
        return this.#hasEnded;
      }
    };
    await poll(`${program} to run`, runs, { seconds: 20, interval: 5 });
  }

  /** Waits until it has written that text. */
  async says(text: string): Promise<void> {
    const said = async (): Promise<boolean> => this.output.includes(text) || this.#hasEnded;
    await poll(`"${text}" in ${JSON.stringify(this.output)}`, said, { seconds: 20 });
    if (!this.output.includes(text)) throw new Error(`ended without saying "${text}", but ${this.output}`);
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Process 1 of the container, as this machine numbers it. */
  get pid(): number {
    const { pid } = this.#child;
    const inner = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
    if (!(inner > 0)) throw new Error(`the container has no process: ${this.output}`);
    return inner;
  }

  /** Sends process 1 a signal, which the kernel drops where it has no listener. */
  signal(signal: NodeJS.Signals): void {
    if (!this.#hasEnded) process.kill(this.pid, signal);
  }

  /** Runs a program of this machine in the container's network. */
  inNetwork(...command: readonly string[]): Ended {
    const options = ['--target', String(this.pid), '--net', ...(isRoot() ? [] : ['--user', '--preserve-credentials'])];
    const { status, signal, stdout, stderr } = spawnSync('nsenter', [...options, '--', ...command], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    return { code: signal ?? status, stdout, stderr };
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
