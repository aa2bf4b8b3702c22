import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from './chat';

export interface LoadOptions {
  /** Requests a second. */
  readonly rate: number;
  /** For so long requests are sent; `stop` ends it sooner. */
  readonly seconds: number;
  readonly send: () => Promise<Outcome>;
}

export interface Failure {
  readonly error: string;
  /** Seconds from the start of the load to that of the request, and to its failure. */
  readonly sent: number;
  readonly failed: number;
  readonly endpoint?: string;
}

export interface LoadReport {
  readonly requests: number;
  readonly failures: readonly Failure[];
  /** Milliseconds from the moment at which a request was due to the end of its answer, of those that succeeded. */
  readonly latency: { readonly p50: number; readonly p95: number; readonly p99: number; readonly max: number };
  /** Most requests that ran at once. */
  readonly running: number;
}

/** A load that is being sent. */
export interface Load {
  /** Sends no more; the report comes once all answers are there. */
  stop(): Promise<LoadReport>;
  /** As `stop`, when the time is up. */
  readonly finished: Promise<LoadReport>;
  /** How it goes so far. */
  report(): LoadReport;
}

/**
 * Sends requests by the clock, whether or not earlier ones were answered: a slow server gets more of them at once, as
 * from many users who do not know of each other. Latency counts from when a request was due, so nothing is hidden when
 * this process itself falls behind.
 */
export function startLoad({ rate, seconds, send }: LoadOptions): Load {
  if (!(rate > 0) || !(seconds > 0)) throw new Error(`rate and seconds must be above 0, got ${rate} and ${seconds}`);
  const began = performance.now();
  const total = Math.max(1, Math.round(rate * seconds));
  const latencies: number[] = [];
  const failures: Failure[] = [];
  const running = new Set<Promise<void>>();
  const stopped = new AbortController();
  let requests = 0;
  let most = 0;

  const one = async (due: number): Promise<void> => {
    const outcome = await send();
    const now = performance.now();
    if (outcome.ok) {
      latencies.push(now - due);
    } else {
      const { endpoint, error } = outcome;
      const where = endpoint === undefined ? {} : { endpoint };
      failures.push({ error, sent: inSeconds(due - began), failed: inSeconds(now - began), ...where });
    }
  };
  const arrivals = async (): Promise<void> => {
    while (requests < total && !stopped.signal.aborted) {
      const due = began + (requests * 1000) / rate;
      const wait = due - performance.now();
      if (wait > 1) {
        await sleep(wait, undefined, { signal: stopped.signal }).catch(() => undefined);
        continue;
      }
      requests += 1;
      const sent = one(due).finally(() => running.delete(sent));
      running.add(sent);
      most = Math.max(most, running.size);
    }
  };
  const report = (): LoadReport => ({
    requests,
    failures: [...failures],
    latency: percentiles(latencies),
    running: most,
  });
  const finished = arrivals()
    .then(() => Promise.all(running))
    .then(report);
  return {
    finished,
    report,
    stop: () => {
      stopped.abort();
      return finished;
    },
  };
}

/** A report in a few lines: what failed first, how, where and when. */
export function describeLoad({ requests, failures, latency, running }: LoadReport): string {
  const { p50, p95, p99, max } = latency;
  const figures = `latency p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms, max ${max} ms; at most ${running} at once`;
  const causes = new Map<string, number>();
  for (const { error } of failures) causes.set(error, (causes.get(error) ?? 0) + 1);
  return [
    `${requests} requests, ${failures.length} failed; ${figures}`,
    ...[...causes].slice(0, 5).map(([error, count]) => `  ${count} × ${error}`),
    ...failures
      .slice(0, 5)
      .map(({ endpoint, error, failed, sent }) => `  sent at ${sent} s, failed at ${failed} s, ${endpoint}: ${error}`),
  ].join('\n');
}

function percentiles(latencies: readonly number[]): LoadReport['latency'] {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number): number => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}

function inSeconds(milliseconds: number): number {
  return Math.round(milliseconds / 100) / 10;
}
