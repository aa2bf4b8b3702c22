import type { ChildKind } from '../../lib/composition';
import type { Manifest } from '../../lib/composition/manifest';
import { defined, fieldsOf } from '../../lib/composition/objects';
import { isStatus } from '../cluster/api-error';
import { sleep, type Clock } from '../clock';
import type { KubeClient } from '../cluster/kube';
import type { WriteGate } from '../cluster/transport';
import { leaseFault, LEASE_JITTER, LEASE_MARGIN_MS, type LeaseTimes } from './lease-times';

const LEASE: ChildKind = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', plural: 'leases' };

/** Options of a {@link LeaderElector}. */
export interface LeaderElectorOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  /** The Lease's name; operators that share it take turns. */
  readonly name: string;
  /** This process, unlike any other. */
  readonly identity: string;
  readonly clock: Clock;
  readonly times: LeaseTimes;
  /** Called when a try failed for another reason than that somebody else leads. */
  readonly failed?: (error: unknown) => void;
}

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

/** A moment on both clocks. */
interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

/**
 * Leadership by a Lease of coordination.k8s.io.
 *
 * Guarantees:
 * - {@link open} is true only within `renewDeadlineMs` of the moment at which the last successful renewal was sent, by
 *   the monotonic clock and by the wall clock. A process that was stopped finds it closed when it goes on; so does one on
 *   a machine that slept, whose monotonic clock may have slept too. Where only the wall clock says so, the next renewal
 *   opens it again, as it proves that nobody else came in between.
 * - Another holder's lease counts as expired only when its record did not change for its whole duration, as seen here:
 *   clocks of two machines are never compared.
 *
 * Caveat: a leadership that ended does not come back; the process is expected to end and to be started anew.
 */
export class LeaderElector implements WriteGate {
  readonly #options: LeaderElectorOptions;
  readonly #times: LeaseTimes;
  /** When the last successful renewal was sent; undefined when not leading. */
  #renewed: Moment | undefined;
  #lease: Manifest | undefined;
  /** The other holder's record as last seen, and when it was first seen so. */
  #observed: { readonly record: string; readonly at: number } | undefined;

  constructor(options: LeaderElectorOptions) {
    this.#options = options;
    this.#times = options.times;
    const fault = leaseFault(this.#times);
    if (fault !== undefined) {
      throw new Error(`${fault.time} ${fault.expected((time) => time)}, got ${this.#times[fault.time]} ms`);
    }
  }

  /** Whether this process leads at this very moment. */
  open(): boolean {
    return this.#inTime() && this.#now().wall - (this.#renewed?.wall ?? -Infinity) < this.#times.renewDeadlineMs;
  }

  /** Milliseconds until another may lead, less a margin. */
  safeMs(): number {
    return this.#renewed === undefined
      ? 0
      : this.#renewed.monotonic + this.#times.leaseMs - LEASE_MARGIN_MS - this.#options.clock.monotonic();
  }

  /** Resolves when this process leads (true) or the signal is aborted (false). */
  async acquire(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      if (await this.#acquireOrRenew(signal)) return true;
      await sleep(this.#options.clock, this.#times.retryPeriodMs * (1 + (LEASE_JITTER - 1) * Math.random()), signal);
    }
    return false;
  }

  /** Renews until the leadership is lost (resolves "lost") or the signal is aborted ("released"). */
  async renew(signal: AbortSignal): Promise<'lost' | 'released'> {
    while (!signal.aborted) {
      await sleep(this.#options.clock, this.#times.retryPeriodMs, signal);
      if (signal.aborted) break;
      if (!this.#inTime()) return 'lost';
      if (!(await this.#acquireOrRenew(signal)) && !this.#inTime() && !signal.aborted) return 'lost';
    }
    return 'released';
  }

  /** Releases the lease, so that another may take it at once. Errors are reported, not thrown. */
  async release(): Promise<void> {
    this.#renewed = undefined;
    try {
      await this.#releaseLease(this.#lease);
    } catch (error) {
      this.#options.failed?.(error);
    }
  }

  async #releaseLease(lease: Manifest | undefined, again = true): Promise<void> {
    const spec = specOf(lease);
    if (lease === undefined || spec.holderIdentity !== this.#options.identity) return;
    const free: LeaseSpec = { ...spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: this.#microTime() };
    try {
      await this.#write(lease, free);
    } catch (error) {
      // The answer to our last renewal may have been lost.
      if (!again || !isStatus(error, 409)) throw error;
      await this.#releaseLease(await this.#read(), false);
    }
  }

  /** One round of acquiring or renewing. True when this process leads afterwards. */
  async #acquireOrRenew(signal: AbortSignal): Promise<boolean> {
    const sent = this.#now();
    try {
      if (this.#lease !== undefined && specOf(this.#lease).holderIdentity === this.#options.identity) {
        // Nobody else should have written it: without a read first.
        return await this.#renewOnce(this.#lease, sent, signal);
      }
      const lease = await this.#read(signal);
      const holder = specOf(lease).holderIdentity ?? '';
      if (holder !== '' && holder !== this.#options.identity && !this.#expired(lease)) return false;
      return this.#lead(await this.#write(lease, this.#mine(specOf(lease)), signal), sent);
    } catch (error) {
      if (isStatus(error, 404)) return this.#createLease(sent, signal);
      // 409: somebody was faster.
      if (!isStatus(error, 409) && !signal.aborted) this.#options.failed?.(error);
      return false;
    }
  }

  async #renewOnce(known: Manifest, sent: Moment, signal: AbortSignal): Promise<boolean> {
    try {
      return this.#lead(await this.#write(known, this.#mine(specOf(known)), signal), sent);
    } catch (error) {
      if (!isStatus(error, 409)) throw error;
    }
    // Somebody wrote it since. Ourselves, if an answer was lost; anybody else ends the leadership at once.
    const lease = await this.#read(signal);
    this.#lease = lease;
    if (specOf(lease).holderIdentity !== this.#options.identity) {
      this.#renewed = undefined;
      return false;
    }
    return this.#lead(await this.#write(lease, this.#mine(specOf(lease)), signal), sent);
  }

  async #createLease(sent: Moment, signal: AbortSignal): Promise<boolean> {
    const { client, name, namespace } = this.#options;
    // A lease that was deleted while we lead is not made anew: somebody else may have come in between.
    if (this.#renewed !== undefined) {
      this.#renewed = undefined;
      return false;
    }
    try {
      const manifest = {
        apiVersion: LEASE.apiVersion,
        kind: LEASE.kind,
        metadata: { name, namespace },
        spec: this.#mine({}),
      };
      return this.#lead(await client.create(LEASE, manifest, { ...this.#request(), signal }), sent);
    } catch (error) {
      if (!isStatus(error, 409) && !signal.aborted) this.#options.failed?.(error);
      return false;
    }
  }

  #lead(lease: Manifest, sent: Moment): boolean {
    this.#lease = lease;
    this.#observed = undefined;
    this.#renewed = sent;
    return true;
  }

  #expired(lease: Manifest): boolean {
    const spec = specOf(lease);
    const record = JSON.stringify([spec.holderIdentity, spec.renewTime, lease.metadata.resourceVersion]);
    const now = this.#options.clock.monotonic();
    if (this.#observed?.record !== record) {
      this.#observed = { record, at: now };
      return false;
    }
    return now - this.#observed.at > (spec.leaseDurationSeconds ?? this.#times.leaseMs / 1000) * 1000;
  }

  #mine(spec: LeaseSpec): LeaseSpec {
    const { identity } = this.#options;
    const now = this.#microTime();
    const same = spec.holderIdentity === identity;
    return {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(this.#times.leaseMs / 1000),
      acquireTime: same && spec.acquireTime !== undefined ? spec.acquireTime : now,
      renewTime: now,
      leaseTransitions: (spec.leaseTransitions ?? 0) + (same || spec.holderIdentity === undefined ? 0 : 1),
    };
  }

  #read(signal?: AbortSignal): Promise<Manifest> {
    const { client, name, namespace } = this.#options;
    return client.get(LEASE, namespace, name, signal, this.#request());
  }

  #write(lease: Manifest, spec: LeaseSpec, signal?: AbortSignal): Promise<Manifest> {
    const { name, namespace, resourceVersion } = lease.metadata;
    const manifest: Manifest = {
      apiVersion: LEASE.apiVersion,
      kind: LEASE.kind,
      metadata: defined<Manifest['metadata']>({ name, namespace, resourceVersion }),
      spec,
    };
    return this.#options.client.replace(LEASE, manifest, { ...this.#request(), signal });
  }

  /** Past the gate and the rate limit, and short enough that a hung connection leaves time for another try. */
  #request(): { readonly ungated: true; readonly timeoutMs: number } {
    return { ungated: true, timeoutMs: this.#times.renewDeadlineMs / 2 };
  }

  #inTime(): boolean {
    return (
      this.#renewed !== undefined &&
      this.#options.clock.monotonic() - this.#renewed.monotonic < this.#times.renewDeadlineMs
    );
  }

  #now(): Moment {
    return { monotonic: this.#options.clock.monotonic(), wall: this.#options.clock.wall().getTime() };
  }

  /** Six digits, which the API server insists on. */
  #microTime(): string {
    return this.#options.clock
      .wall()
      .toISOString()
      .replace(/\.(\d{3})Z$/, '.$1000Z');
  }
}

function specOf(lease: Manifest | undefined): LeaseSpec {
  return fieldsOf(lease?.['spec']);
}
