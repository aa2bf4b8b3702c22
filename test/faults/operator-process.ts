import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunOperatorOptions } from '../../operator/main';
import { bundleProgram } from '../../tools/local-cluster/bundle';

/** Options as they go to a child process. */
export type ProcessOptions = Omit<RunOperatorOptions, 'compositions'>;

/** Bundles the operator once for all processes of a test file. */
export async function bundleOperator(): Promise<OperatorBundle> {
  const folder = mkdtempSync(join(tmpdir(), 'inferno-operator-'));
  const file = join(folder, 'operator.cjs');
  await bundleProgram(join(__dirname, 'run-operator.ts'), file, {
    // The Kubernetes client is an ES module that asks for its own place.
    define: { 'import.meta.url': '__importMetaUrl' },
    banner: { js: 'const __importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
  });
  return new OperatorBundle(folder, file);
}

/** The bundle, and the processes that it was started as. */
export class OperatorBundle {
  readonly #running = new Set<OperatorProcess>();

  constructor(
    private readonly folder: string,
    private readonly file: string,
  ) {}

  start(options: ProcessOptions): OperatorProcess {
    const all = { metricsBindAddress: '0', healthProbeBindAddress: '0', logLevel: 'debug' as const, ...options };
    const child = spawn(process.execPath, [this.file, JSON.stringify(all)], { stdio: ['ignore', 'pipe', 'pipe'] });
    const operator = new OperatorProcess(child);
    this.#running.add(operator);
    return operator;
  }

  /** Kills what still runs. */
  async killAll(): Promise<void> {
    await Promise.all([...this.#running].map((operator) => operator.kill('SIGKILL')));
    this.#running.clear();
  }

  async remove(): Promise<void> {
    await this.killAll();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** One operator process. */
export class OperatorProcess {
  readonly lines: string[] = [];
  stderr = '';
  readonly ended: Promise<number | string>;
  #rest = '';

  constructor(private readonly child: ChildProcess) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() ?? '';
      this.lines.push(...lines);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'));
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Sends a signal and waits for the end: its exit code, or the signal that it died of. */
  kill(signal: NodeJS.Signals): Promise<number | string> {
    this.child.kill(signal);
    return this.ended;
  }

  has(message: string): boolean {
    return this.lines.some((line) => line.includes(`"msg":"${message}"`));
  }

  get errors(): readonly string[] {
    return this.lines.filter((line) => line.startsWith('{"level":"error"'));
  }

  /** Resident memory in MB and CPU time in ms, as the kernel counts them. */
  usage(): { readonly rssMb: number; readonly cpuMs: number } {
    const rss = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))?.[1];
    const stat = readFileSync(`/proc/${this.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return { rssMb: Number(rss) / 1024, cpuMs: (Number(stat[11]) + Number(stat[12])) * 10 };
  }
}
