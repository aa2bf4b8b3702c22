import type { Construct } from 'constructs';
import type { FindingCode } from './finding';
import { holdsOthers, isOfKind, type ChildKind } from './kinds';
import type { KubernetesObject, LiveObject, Manifest } from './manifest';
import type { SyncOutcome } from './outcome';
import type { Path } from './path';
import type { Resource } from './resource';
import { CrdSchema, type CustomResourceDefinition } from './schema';

/**
 * The children of one resource as they are in the cluster. A snapshot: it does not change while it is read.
 *
 * Objects have the type that their kind says, as the API server answers with what it was asked for. Those of an
 * {@link Observation} have only what its `slim` left.
 */
export interface Observed {
  /** The child, or else the observed object, of that kind and name, in the resource's namespace. */
  get<T extends KubernetesObject>(kind: ChildKind<T>, name: string): (T & Manifest) | undefined;
  get(kind: ChildKind, name: string): Manifest | undefined;
  /** All children and observed objects of that kind, ordered by name. */
  list<T extends KubernetesObject>(kind: ChildKind<T>): readonly (T & Manifest)[];
  list(kind: ChildKind): readonly Manifest[];
}

/** What `compose` gets besides the resource. */
export interface ComposeContext {
  /**
   * The children that are there already. Decisions that depend on progress look here and nowhere else.
   *
   * @default - outside a cluster; take everything for ready
   */
  readonly observed?: Observed;

  /** Warns the user of something that is allowed but probably not meant. `path` is that of the field in the resource. */
  warn(path: string | Path, message: string, code?: FindingCode): void;
}

/** What `project` gets besides the resource and what is seen of its children. */
export interface ProjectContext {
  /** Time of the caller, RFC 3339 in seconds, only for transition times (see {@link setConditions}). */
  readonly now: string;
  readonly sync: SyncOutcome;
}

/**
 * Objects that a composition looks at and does not make, such as the pods of its Deployments. Where an autoscaler is among
 * them, the operator leaves the number of replicas of its target to it.
 */
export interface Observation {
  readonly kind: ChildKind;
  /** As kubectl's -l takes it; the narrower, the less is kept in memory. */
  readonly labelSelector: string;
  /** The resource, in the same namespace, that an object says something about; undefined for none. */
  resourceName(object: Manifest): string | undefined;
  /** Cuts an object to what `project` reads, to save memory; name, namespace, uid and resourceVersion must stay. @default - nothing is cut */
  slim?(object: Manifest): Manifest;
}

/**
 * External things: what belongs to a resource and is not in the cluster. A composition that has them brings a finalizer
 * with it.
 *
 * Each call has a time limit, at which its signal is aborted; a failure is tried again after a backoff and reported in the
 * resource's conditions and events. Texts of errors end up there, so they must not contain secrets.
 */
export interface External<R extends Resource> {
  /**
   * Makes the external things as the resource wants them: after each change of the resource, and again every few
   * minutes. Must be safe to repeat.
   */
  ensure(resource: R, signal: AbortSignal): Promise<void>;
  /**
   * Removes what `ensure` made. Must be safe to repeat, and succeed where nothing is there. As long as it fails the
   * resource stays; its annotation `inferno.io/skip-external-removal: "true"` lets it go. `resource` is as stored where
   * the schema no longer admits it.
   */
  remove(resource: R, signal: AbortSignal): Promise<void>;
  /** The longest time a call may take, in milliseconds. @default 30000 */
  readonly timeoutMs?: number;
}

/** On a resource that is being deleted, "true" gives up what could not be removed outside the cluster. */
export const SKIP_EXTERNAL_REMOVAL_ANNOTATION = 'inferno.io/skip-external-removal';

/** A figure of each resource that the operator shows on its /metrics, with the labels `controller`, `namespace` and `name`. */
export interface ResourceGauge<R extends Resource> {
  /** As Prometheus names it, with its unit: `cache_connections`, `database_backup_age_seconds`. */
  readonly name: string;
  /** What it means, in a line. */
  readonly help: string;
  /**
   * The figure now; undefined where there is none. Asked at every scrape for every resource, so it must be quick, and
   * pure. The resource is as stored: nothing says that the schema admits it.
   */
  value(resource: R, observed: Observed): number | undefined;
}

/** The status of a resource: `CacheStatus` of a `Resource<CacheSpec, CacheStatus>`. */
export type StatusOf<R extends Resource> = R extends { readonly status?: infer S } ? S : unknown;

/** What an author writes. */
export interface CompositionProps<R extends Resource> {
  /** The resource's definition: shape, defaults, rules. */
  readonly crd: CustomResourceDefinition;

  /**
   * The kinds that `compose` may create, in the order in which they are created; pruning goes the other way. A kind that
   * an older release rendered stays in the list, so that what it left is still pruned.
   */
  readonly children: readonly ChildKind[];

  /**
   * Turns a resource into constructs.
   *
   * Must be pure: no clock, randomness, environment or network. `resource` is admitted (valid, defaults filled in), its
   * keys are sorted, and it carries only what a user writes: `metadata` has name, namespace, labels and annotations,
   * and `status` is missing. So the same resource gives the same manifests inside and outside a cluster.
   *
   * Throw {@link InvalidResourceError} to refuse a resource; anything else that is thrown counts as a bug.
   */
  compose(scope: Construct, resource: R, context: ComposeContext): void;

  /**
   * Turns the children's state into the resource's status. Must be pure; `resource` is the live one with its last status.
   * With `context.sync` invalid it is one that the schema did not admit, so nothing of its spec may be relied on.
   */
  project(resource: R, observed: Observed, context: ProjectContext): StatusOf<R>;

  /**
   * Whether a child is ready for those that depend on it (`child.node.addDependency(other)`); undefined where its kind
   * decides. Must be pure.
   *
   * @default - as kstatus says of its kind, from its status and conditions
   */
  isReady?(child: LiveObject): boolean | undefined;

  /**
   * Whether the children of a resource that is deleted go in order, each only once those that depend on it are gone. The
   * resource gets a finalizer for that, so it stays for as long as that takes, and as long as no operator runs.
   *
   * @default false - Kubernetes collects them all at once; what a resource no longer renders goes in order all the same
   */
  readonly deletesInOrder?: boolean;

  /**
   * Fields of the status that say little. A status in which nothing but those of `canWait` changed, and messages of
   * conditions, may be written some seconds later, so that a rollout of many pods is not a write for each of them; those of
   * `never` are not a reason to write it.
   *
   * @default - every change is written at once
   */
  readonly statusWrites?: {
    readonly canWait: readonly string[];
    readonly never: readonly string[];
  };

  /** @default - nothing but the children is looked at */
  readonly observes?: readonly Observation[];

  /** @default - nothing outside the cluster belongs to the resource, and it needs no finalizer */
  readonly external?: External<R>;

  /** @default - the operator shows the conditions of each resource, and nothing else of it */
  readonly gauges?: readonly ResourceGauge<R>[];
}

/**
 * A custom resource and what becomes of it: a schema, children, a status.
 *
 * `compose` and `project` are methods, so a list of compositions can be a `Composition[]`. That is sound as long as they
 * are given what `schema` has admitted, which {@link synthesize} does.
 */
export interface Composition<R extends Resource = Resource> extends CompositionProps<R> {
  readonly schema: CrdSchema;
}

const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;

/**
 * Defines a composition.
 *
 * @typeParam R the resource, a `Resource<Spec, Status>`; it need not be written where `compose` or `project` says the type
 *   of its resource
 * @throws Error where the children are none, doubled, or of a kind that contains other objects (Namespace,
 * CustomResourceDefinition), or where a gauge has no legal metric name
 */
export function defineComposition<R extends Resource>(props: CompositionProps<R>): Composition<R> {
  const kind = props.crd.spec.names.kind;
  if (props.children.length === 0) {
    throw new Error(`composition ${kind}: children is empty; expected the kinds that compose creates`);
  }
  props.children.forEach((child, index) => {
    const name = `${child.apiVersion} ${child.kind}`;
    if (holdsOthers(child)) {
      throw new Error(`composition ${kind}: children has ${name}, whose deletion would take other objects with it`);
    }
    if (props.children.findIndex((other) => isOfKind(child, other)) !== index) {
      throw new Error(`composition ${kind}: children has ${name} twice; expected each kind once, in one version`);
    }
  });
  for (const { name } of props.gauges ?? []) {
    if (!METRIC_NAME.test(name)) {
      throw new Error(
        `composition ${kind}: gauge ${JSON.stringify(name)} is not a legal metric name; expected ${METRIC_NAME}`,
      );
    }
  }
  return { ...props, schema: new CrdSchema(props.crd) };
}
