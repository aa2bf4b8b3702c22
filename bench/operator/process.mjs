import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPrograms, singleProgram } from '../../tools/go/programs.ts';
import { root } from '../measure.mjs';

/** Ticks of the kernel's clock, in which it counts CPU time. */
const TICK_MS = 10;

/** How the operators are started; the cluster is the one that KUBECONFIG names. */
export async function operators() {
  const { mark } = await findPrograms(
    singleProgram('mark', `${root}/bench/modules`, { variable: { name: 'MARK', is: 'file' } }),
    ['mark'],
  );
  return {
    inferno: {
      command: process.execPath,
      args: [
        `${root}/build/bin/inferno.cjs`,
        'operator',
        '--metrics-bind-address=127.0.0.1:0',
        '--health-probe-bind-address=0',
      ],
    },
    mark: {
      command: mark,
      args: [],
    },
  };
}

/** An operator that runs. */
export class OperatorProcess {
  #output = '';
  #ended;

  constructor({ command, args }, kubeconfig) {
    this.started = Date.now();
    this.child = spawn(command, args, {
      env: { ...process.env, KUBECONFIG: kubeconfig },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#ended = once(this.child, 'exit');
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        // The beginning shows the addresses, the end what went wrong
        if (this.#output.length < 1_000_000) this.#output += text;
      });
    }
  }

  get pid() {
    return this.child.pid;
  }

  /** Throws where it has ended. */
  assertRuns() {
    const { exitCode, signalCode } = this.child;
    if (exitCode === null && signalCode === null) return;
    throw new Error(`the operator ended with ${exitCode ?? signalCode}: ${this.#output.slice(-4000)}`);
  }

  /** CPU time so far, user and system, in milliseconds. */
  cpuMs() {
    const fields = readFileSync(`/proc/${this.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  }

  /** Resident memory, now or at its peak, in MB. */
  residentMb(field = 'VmRSS') {
    const [, kilobytes] = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'));
    return Number(kilobytes) / 1024;
  }

  /** Open connections to the API server. */
  connections(url) {
    const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
    const sockets = new Set(
      readdirSync(`/proc/${this.pid}/fd`).flatMap((fd) => {
        try {
          return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${this.pid}/fd/${fd}`))?.slice(1) ?? [];
        } catch {
          return [];
        }
      }),
    );
    const lines = readFileSync(`/proc/${this.pid}/net/tcp`, 'utf8').trim().split('\n').slice(1);
    return lines.filter((line) => {
      const [, , remote, state, , , , , , inode] = line.trim().split(/\s+/);
      return state === '01' && remote.endsWith(`:${port}`) && sockets.has(inode);
    }).length;
  }

  /** The longest block of the event loop since this was last asked, in milliseconds; undefined for a Go program. */
  async longestBlockMs() {
    const address = /"msg":"Started".*?"addresses":\["([^"]+)"/.exec(this.#output)?.[1];
    if (address === undefined) return undefined;
    const answer = await fetch(`${address.startsWith('http') ? '' : 'http://'}${address.replace(/\/$/, '')}/metrics`);
    const [, seconds] = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await answer.text());
    return Number(seconds) * 1000;
  }

  /** Sends SIGTERM and waits for the end; gives the milliseconds that it took. */
  async stop() {
    this.assertRuns();
    const asked = performance.now();
    this.child.kill('SIGTERM');
    const [code] = await Promise.race([
      this.#ended,
      sleep(40_000, undefined, { ref: false }).then(() => {
        this.child.kill('SIGKILL');
        throw new Error('the operator did not end within 40 s of SIGTERM');
      }),
    ]);
    if (code !== 0) throw new Error(`the operator ended with ${code}: ${this.#output.slice(-4000)}`);
    return performance.now() - asked;
  }

  kill() {
    this.child.kill('SIGKILL');
  }
}
