import { createHash } from 'node:crypto';
import type { ChildKind } from '../../lib/composition';
import { ForgetfulMap } from '../../lib/composition/forgetful-map';
import type { Manifest } from '../../lib/composition/manifest';
import { NotLeaderError, isStatus } from '../cluster/api-error';
import type { Clock } from '../clock';
import type { KubeClient } from '../cluster/kube';
import { TokenBucket } from '../reconcile/token-bucket';

const EVENT: ChildKind = { apiVersion: 'events.k8s.io/v1', kind: 'Event', plural: 'events' };

/** What happened to an object. */
export interface EventNote {
  readonly type: 'Normal' | 'Warning';
  /** One word in camel case, such as ApplyFailed. */
  readonly reason: string;
  /** What the operator was doing, in one word. */
  readonly action: string;
  readonly message: string;
  /** What sets this note apart from others of the same reason, which are not to be counted together with it. @default none */
  readonly subject?: string;
}

/** Options of an {@link EventRecorder}. */
export interface EventRecorderOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** The reporting controller, such as inferno.io/operator. */
  readonly controller: string;
  /** The reporting process. */
  readonly instance: string;
  readonly failed: (error: unknown) => void;
}

/** What happens again is counted up, not written again, for so long. */
const SERIES_MS = 10 * 60_000;
/** What the API server takes, in bytes. */
const LONGEST_NOTE = 1024;
const LONGEST_WORD = 128;
/** Objects whose recent notes are remembered. */
const REMEMBERED = 4096;

interface Series {
  readonly name: string;
  readonly since: number;
  count: number;
  written: number;
}

/**
 * Writes Kubernetes events, in the background.
 *
 * Guarantees: never throws and never delays anybody; what happens again to the same generation of an object, for the same
 * reason, is one Event with a count, written anew only when the count has doubled; an object gets 25 events at once and one
 * more in five minutes at most.
 *
 * Caveats: as in Kubernetes' own recorders the text is that of the first time. Counts begin anew with the process.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #series = new ForgetfulMap<string, Series>(REMEMBERED);
  readonly #buckets = new ForgetfulMap<string, TokenBucket>(REMEMBERED);
  #pending: Promise<void> = Promise.resolve();

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  /** Records what happened to an object. */
  record(object: Manifest, note: EventNote): void {
    const { uid = '', generation = 0 } = object.metadata;
    const key = hash([
      uid,
      String(generation),
      note.type,
      note.reason,
      note.action,
      ...(note.subject === undefined ? [] : [note.subject]),
    ]);
    const now = this.#options.clock.monotonic();
    const present = this.#series.get(key);
    if (present !== undefined && now - present.since < SERIES_MS) {
      present.count += 1;
      if (present.count < present.written * 2) return;
      present.written = present.count;
      this.#enqueue(async () => {
        try {
          await this.#count(object, present);
        } catch (error) {
          // Events live for an hour or so.
          if (!isStatus(error, 404)) throw error;
          await this.#write(object, note, present);
        }
      });
      return;
    }
    if (!this.#bucket(uid).take()) return;
    const count = (present?.count ?? 0) + 1;
    const series: Series = {
      name: `${object.metadata.name.slice(0, 200).replace(/[-.]+$/, '')}.${key.slice(0, 16)}`,
      since: now,
      count,
      written: count,
    };
    this.#series.set(key, series);
    this.#enqueue(() => this.#write(object, note, series));
  }

  /** Resolves when what was recorded has been written or has failed. */
  async flush(): Promise<void> {
    await this.#pending;
  }

  #enqueue(task: () => Promise<void>): void {
    this.#pending = this.#pending.then(task).catch((error: unknown) => {
      if (!(error instanceof NotLeaderError)) this.#options.failed(error);
    });
  }

  async #write(object: Manifest, note: EventNote, series: Series): Promise<void> {
    const { namespace = 'default', name, uid } = object.metadata;
    const manifest: Manifest = {
      apiVersion: EVENT.apiVersion,
      kind: EVENT.kind,
      metadata: { name: series.name, namespace },
      eventTime: this.#now(),
      reportingController: this.#options.controller,
      reportingInstance: this.#options.instance.slice(0, 128),
      action: cutBytes(note.action, LONGEST_WORD),
      reason: cutBytes(note.reason, LONGEST_WORD),
      type: note.type,
      note: cutBytes(note.message, LONGEST_NOTE),
      regarding: { apiVersion: object.apiVersion, kind: object.kind, namespace, name, uid },
    };
    try {
      await this.#options.client.create(EVENT, manifest);
    } catch (error) {
      // From an earlier time or process: count it up.
      if (!isStatus(error, 409)) throw error;
      series.count = Math.max(2, series.count);
      series.written = series.count;
      await this.#count(object, series);
    }
  }

  async #count(object: Manifest, series: Series): Promise<void> {
    const namespace = object.metadata.namespace ?? 'default';
    await this.#options.client.patch(EVENT, namespace, series.name, [
      { op: 'add', path: '/series', value: { count: series.count, lastObservedTime: this.#now() } },
    ]);
  }

  #bucket(uid: string): TokenBucket {
    let bucket = this.#buckets.get(uid);
    if (bucket === undefined) {
      bucket = new TokenBucket(1 / 300, 25, this.#options.clock);
      this.#buckets.set(uid, bucket);
    }
    return bucket;
  }

  #now(): string {
    return this.#options.clock
      .wall()
      .toISOString()
      .replace(/\.(\d{3})Z$/, '.$1000Z');
  }
}

/** A text cut to so many bytes of UTF-8, with "…" where something is missing. */
function cutBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  const kept = bytes.subarray(0, most - Buffer.byteLength('…')).toString();
  // A character that was cut through.
  return `${kept.replace(/\uFFFD$/, '')}…`;
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
