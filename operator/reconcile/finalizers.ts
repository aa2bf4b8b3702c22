import {
  asResource,
  SKIP_EXTERNAL_REMOVAL_ANNOTATION,
  type ChildKind,
  type Composition,
  type Manifest,
  type Outcome,
  type Resource,
} from '../../lib/composition';
import type { Clock } from '../clock';
import { ApiError } from '../cluster/api-error';
import type { KubeClient } from '../cluster/kube';
import type { EventRecorder } from '../report/events';
import { publicText } from '../report/public-text';
import type { Informer } from '../watch/informers';
import { ExternalCalls } from './external-calls';

/** What is external is looked after again when so much time has passed without a change. */
const ENSURE_EVERY_MS = 600_000;
/** After so many failed removals an event says how to give up. */
const REMOVALS_BEFORE_HINT = 5;

/** What is remembered of the external things of one resource. */
export interface ExternalMemory {
  ensured?: { readonly generation: number | undefined; readonly at: number };
  /** Failed removals. */
  removals: number;
}

/** What it works with. */
export interface FinalizersOptions {
  readonly composition: Composition;
  readonly resourceKind: ChildKind;
  readonly client: KubeClient;
  readonly resources: Informer;
  readonly events: EventRecorder;
  readonly clock: Clock;
}

/**
 * What has to be done before a resource may go: the removal of its external things, and the deletion of
 * its children in order; and the finalizers that keep the resource until then.
 *
 * Guarantees: a finalizer is there before anything is made, and is never added to a resource that is being deleted; an
 * error never takes it away, but the user's annotation does.
 */
export class Finalizers {
  readonly #options: FinalizersOptions;
  readonly #calls: ExternalCalls<Resource> | undefined;
  readonly #external: string;
  readonly #children: string;

  constructor(options: FinalizersOptions) {
    this.#options = options;
    const { crd, external } = options.composition;
    this.#calls = external === undefined ? undefined : new ExternalCalls(external);
    this.#external = `${crd.spec.group}/external`;
    this.#children = `${crd.spec.group}/children`;
  }

  /** The resource with the finalizers that it needs; undefined where it changed meanwhile. */
  async add(live: Manifest, signal: AbortSignal): Promise<Manifest | undefined> {
    const present = live.metadata.finalizers ?? [];
    const needed = [
      ...(this.#calls === undefined ? [] : [this.#external]),
      ...(this.#options.composition.deletesInOrder === true ? [this.#children] : []),
    ];
    const missing = needed.filter((finalizer) => !present.includes(finalizer));
    return missing.length === 0 ? live : this.#set(live, [...present, ...missing], signal);
  }

  /** Whether the children of a resource that is being deleted have to be deleted in order, and are not to outlive it. */
  keepsChildren({ metadata: { finalizers = [] } }: Manifest): boolean {
    return finalizers.includes(this.#children) && !finalizers.includes('orphan');
  }

  /** Makes what is external, unless that was done a short while ago for the same version of the resource. */
  async ensure(
    admitted: Resource,
    resource: Manifest,
    memory: ExternalMemory,
    signal: AbortSignal,
  ): Promise<Outcome | undefined> {
    if (this.#calls === undefined) return undefined;
    const { generation } = resource.metadata;
    const now = this.#options.clock.monotonic();
    const { ensured } = memory;
    const againMs = ensured?.generation === generation ? (ensured?.at ?? now) + ENSURE_EVERY_MS - now : 0;
    if (againMs > 0) return { state: 'applied', againMs };
    const failure = await this.#calls.ensure(admitted, signal);
    if (failure === undefined) {
      memory.ensured = { generation, at: now };
      return { state: 'applied', againMs: ENSURE_EVERY_MS };
    }
    const message = `What is outside the cluster could not be made: ${publicText(failure.message, [resource])}`;
    return { state: 'refused', reason: 'ExternalFailed', message };
  }

  /** Removes the external things of a resource that is being deleted. */
  async removeExternal(live: Manifest, memory: ExternalMemory, signal: AbortSignal): Promise<Outcome> {
    const { composition, events } = this.#options;
    const { annotations, finalizers = [] } = live.metadata;
    if (!finalizers.includes(this.#external)) return { state: 'applied' };
    const skip = annotations?.[SKIP_EXTERNAL_REMOVAL_ANNOTATION] === 'true';
    if (this.#calls !== undefined && !skip) {
      const admission = composition.schema.admit<Resource>(live);
      const failure = await this.#calls.remove(admission.valid ? admission.resource : asResource(live), signal);
      if (failure !== undefined) return this.#failed(live, memory, publicText(failure.message, [live]));
    }
    if (skip) {
      const message = `What is outside the cluster was not removed: ${SKIP_EXTERNAL_REMOVAL_ANNOTATION} is "true"`;
      events.record(live, { type: 'Warning', reason: 'ExternalRemovalSkipped', action: 'Delete', message });
    }
    if (!finalizers.includes(this.#children)) return { state: 'applied' };
    // Children may take long to go, and nothing is removed twice meanwhile.
    const left = finalizers.filter((each) => each !== this.#external);
    await this.#set(live, left, signal);
    return { state: 'stale' };
  }

  /** Lets a resource go: takes our finalizers away. */
  async release(live: Manifest, signal: AbortSignal): Promise<Outcome> {
    const finalizers = live.metadata.finalizers ?? [];
    const left = finalizers.filter((each) => each !== this.#external && each !== this.#children);
    if (left.length === finalizers.length) return { state: 'applied' };
    return { state: (await this.#set(live, left, signal)) === undefined ? 'stale' : 'applied' };
  }

  #failed(live: Manifest, memory: ExternalMemory, error: string): Outcome {
    memory.removals += 1;
    const wayOut = `the annotation ${SKIP_EXTERNAL_REMOVAL_ANNOTATION}=true gives it up and lets the resource go`;
    const event = `What is outside the cluster could not be removed: ${error}`;
    if (memory.removals === REMOVALS_BEFORE_HINT) {
      const message = `${event}. Tried ${memory.removals} times; ${wayOut}`;
      this.#options.events.record(live, { type: 'Warning', reason: 'DeletionStuck', action: 'Delete', message });
    }
    const message = `${event} (tried ${memory.removals} times); ${wayOut}`;
    return { state: 'refused', reason: 'ExternalRemovalFailed', message, event };
  }

  /** Undefined where the resource is not that version any more. */
  async #set(live: Manifest, finalizers: readonly string[], signal: AbortSignal): Promise<Manifest | undefined> {
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
