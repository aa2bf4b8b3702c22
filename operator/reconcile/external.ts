import {
  SKIP_EXTERNAL_REMOVAL_ANNOTATION,
  type ChildKind,
  type Composition,
  type Manifest,
  type Resource,
} from '../../lib/composition';
import { ApiError } from '../cluster/api-error';
import type { Clock } from '../clock';
import type { KubeClient } from '../cluster/kube';
import type { EventRecorder } from '../report/events';
import { ExternalCalls } from './external-calls';
import type { StepFailure } from '../write/failures';
import type { Informer } from '../watch/informers';
import { publicText } from '../report/public-text';

/** What is outside is looked after again when so much time has passed without a change. */
const ENSURE_EVERY_MS = 600_000;
/** After so many failed removals an event tells the way out. */
const REMOVALS_BEFORE_HINT = 5;

/** What is remembered of the outside of one resource. */
export interface OutsideMemory {
  ensured?: { readonly generation: number | undefined; readonly at: number };
  /** Failed removals. */
  removals: number;
}

/** How a removal ended. */
export type Removal =
  /** Nothing of ours keeps the resource any more. */
  | { readonly state: 'removed' }
  /** The resource changed meanwhile; another look is needed. */
  | { readonly state: 'stale' }
  /** `message` is for the status; `once` is the same without the count of tries. */
  | { readonly state: 'failed'; readonly reason: string; readonly message: string; readonly once: string };

/** What it works with. */
export interface OutsideOptions {
  readonly composition: Composition;
  readonly resourceKind: ChildKind;
  readonly client: KubeClient;
  readonly resources: Informer;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly finalizer: string;
}

/**
 * What belongs to a resource outside the cluster, and the finalizer that keeps the resource until it is removed.
 *
 * Guarantees: the finalizer is there before anything is made, and is never added to a resource that is being deleted; an
 * error never takes it away, but the user's annotation does.
 */
export class Outside {
  readonly #options: OutsideOptions;
  readonly #calls: ExternalCalls<Resource> | undefined;

  constructor(options: OutsideOptions) {
    this.#options = options;
    const { external } = options.composition;
    this.#calls = external === undefined ? undefined : new ExternalCalls(external);
  }

  /** The resource with our finalizer, if it needs one; undefined where it changed meanwhile. */
  async hold(live: Manifest, signal: AbortSignal): Promise<Manifest | undefined> {
    const { finalizer } = this.#options;
    const present = live.metadata.finalizers ?? [];
    if (this.#calls === undefined || present.includes(finalizer)) return live;
    return this.#setFinalizers(live, [...present, finalizer], signal);
  }

  /** Makes what is outside, unless that was done a short while ago for the same version of the resource. */
  async ensure(
    admitted: Resource,
    resource: Manifest,
    memory: OutsideMemory,
    signal: AbortSignal,
  ): Promise<StepFailure | undefined> {
    if (this.#calls === undefined) return undefined;
    const { generation } = resource.metadata;
    const now = this.#options.clock.monotonic();
    const { ensured } = memory;
    const recent = ensured !== undefined && now - ensured.at < ENSURE_EVERY_MS;
    if (recent && ensured.generation === generation) return undefined;
    const failure = await this.#calls.ensure(admitted, signal);
    if (failure === undefined) {
      memory.ensured = { generation, at: now };
      return undefined;
    }
    const message = `What is outside the cluster could not be made: ${publicText(failure.message, [resource])}`;
    return { object: resource, reason: 'ExternalFailed', message, sort: 'refused' };
  }

  /** Removes what is outside of a resource that is being deleted, and then the finalizer. */
  async remove(live: Manifest, memory: OutsideMemory, signal: AbortSignal): Promise<Removal> {
    const { composition, events, finalizer } = this.#options;
    const { annotations, finalizers = [] } = live.metadata;
    if (!finalizers.includes(finalizer)) return { state: 'removed' };
    const skip = annotations?.[SKIP_EXTERNAL_REMOVAL_ANNOTATION] === 'true';
    if (this.#calls !== undefined && !skip) {
      const admission = composition.schema.admit<Resource>(live);
      const resource = admission.valid ? admission.resource : { ...live, spec: live['spec'] };
      const failure = await this.#calls.remove(resource, signal);
      if (failure !== undefined) return this.#failed(live, memory, publicText(failure.message, [live]));
    }
    if (skip) {
      const message = `What is outside the cluster was not removed: ${SKIP_EXTERNAL_REMOVAL_ANNOTATION} is "true"`;
      events.record(live, { type: 'Warning', reason: 'ExternalRemovalSkipped', action: 'Delete', message });
    }
    const left = finalizers.filter((each) => each !== finalizer);
    return (await this.#setFinalizers(live, left, signal)) === undefined ? { state: 'stale' } : { state: 'removed' };
  }

  #failed(live: Manifest, memory: OutsideMemory, error: string): Removal {
    memory.removals += 1;
    const wayOut = `the annotation ${SKIP_EXTERNAL_REMOVAL_ANNOTATION}=true gives it up and lets the resource go`;
    const once = `What is outside the cluster could not be removed: ${error}`;
    if (memory.removals === REMOVALS_BEFORE_HINT) {
      const message = `${once}. Tried ${memory.removals} times; ${wayOut}`;
      this.#options.events.record(live, { type: 'Warning', reason: 'DeletionStuck', action: 'Delete', message });
    }
    const message = `${once} (tried ${memory.removals} times); ${wayOut}`;
    return { state: 'failed', reason: 'ExternalRemovalFailed', message, once };
  }

  /** Undefined where the resource is not that version any more. */
  async #setFinalizers(
    live: Manifest,
    finalizers: readonly string[],
    signal: AbortSignal,
  ): Promise<Manifest | undefined> {
    const { client, resourceKind, resources } = this.#options;
    const { namespace, name, resourceVersion } = live.metadata;
    const operations = [
      { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
      { op: 'add', path: '/metadata/finalizers', value: finalizers },
    ];
    try {
      const patched = await client.patch(resourceKind, namespace, name, operations, signal);
      resources.put(patched);
      return patched;
    } catch (error) {
      // A test that fails is answered with 422.
      if (error instanceof ApiError && [404, 409, 422].includes(error.status)) return undefined;
      throw error;
    }
  }
}
