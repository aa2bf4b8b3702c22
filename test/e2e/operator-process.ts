import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import type { AuditEvent } from '../../tools/local-cluster';
import { type Inferno, OPERATOR, SYSTEM } from './support';

/** The audit policy that logs the operator's requests and nothing else; {@link OperatorProcess} reads that log. */
export const AUDIT = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'Metadata', users: [`system:serviceaccount:${SYSTEM}:${OPERATOR}`] }, { level: 'None' }],
};
/** Ticks of the kernel's clock, in which it counts CPU time. */
const TICK_MS = 10;

/** A request as the API server logged it. */
export interface OperatorRequest {
  readonly verb: string;
  /** The HTTP status of the answer; 201 where it made something. */
  readonly code: number | undefined;
  /** When it came and when its answer was on its way, as milliseconds since 1970. */
  readonly came: number;
  readonly answered: number;
}

/** The operator's process in its pod. */
export class OperatorProcess {
  private constructor(
    private readonly inferno: Inferno,
    readonly name: string,
    private readonly pid: number,
    private readonly address: string,
  ) {}

  static async of(inferno: Inferno): Promise<OperatorProcess> {
    const [pod, ...more] = await inferno.operatorPods();
    if (pod === undefined || more.length > 0) throw new Error(`expected one operator, got ${more.length + 1}`);
    return new OperatorProcess(inferno, pod.metadata.name, inferno.pid(pod), pod.status?.podIP ?? '');
  }

  /** When it began, as milliseconds since 1970. */
  get started(): number {
    const uptime = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
    return Date.now() - uptime * 1000 + Number(stat(this.pid)[19]) * TICK_MS;
  }

  cpuMs(): number {
    return cpuMs(this.pid);
  }

  residentMb(field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
    const found = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'));
    return Number(found?.[1]) / 1024;
  }

  /** Its requests so far, in the order of their answers, those for its lease left out. */
  requests(): readonly OperatorRequest[] {
    const mine = this.inferno.cluster.controlPlane
      .auditEvents()
      .filter((event) => podOf(event) === this.name && event.objectRef?.resource !== 'leases');
    // A watch is told twice: when it begins and when it ends.
    return [...new Map(mine.map((event) => [event['auditID'], event])).values()].map((event) => ({
      verb: event.verb,
      code: event.responseStatus?.code,
      came: Date.parse(String(event['requestReceivedTimestamp'])),
      answered: Date.parse(String(event['stageTimestamp'])),
    }));
  }

  /** The longest pause of the event loop since this was last asked, in milliseconds. */
  async longestPauseMs(): Promise<number> {
    const [, seconds] = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await this.metrics()) ?? [];
    return Number(seconds) * 1000;
  }

  metrics(): Promise<string> {
    return new Promise((resolve, reject) => {
      get({ host: this.address, port: 8080, path: '/metrics', agent: false, timeout: 10_000 }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.once('end', () => resolve(text)).once('error', reject);
      }).once('error', reject);
    });
  }
}

function podOf(event: AuditEvent): string | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API server's own format
  const user = event.user as { readonly extra?: Readonly<Record<string, readonly string[]>> };
  return user.extra?.['authentication.kubernetes.io/pod-name']?.[0];
}

/** CPU time so far of a process and of its children that have ended, user and system, in milliseconds. */
export function cpuMs(pid: number | undefined): number {
  if (pid === undefined) return 0;
  const fields = stat(pid);
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** What the kernel says of a process, from the third field on. */
function stat(pid: number): readonly string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
}
