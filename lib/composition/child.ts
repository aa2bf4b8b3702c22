import { ApiObject, ApiObjectMetadataDefinition, type JsonPatch, type OwnerReference } from 'cdk8s';
import type { Construct } from 'constructs';
import { setMember, toJson, toJsonObject, type Json, type JsonObject } from './json';
import { applyJsonPatch, patchOperation, type PatchOperation } from './json-patch';
import { isManifest, type Identified, type KubernetesObject, type Manifest } from './manifest';
import { isObject, member } from './objects';

/**
 * A Kubernetes object that renders exactly what it was given.
 *
 * For cdk8s it is an `ApiObject` like any other: dependencies, `ApiObject.of`, `metadata.addLabel`, JSON patches, the
 * chart's namespace and labels, `chart.toJson()` and `app.synth()` all work.
 *
 * Guarantees, where a plain `ApiObject` has none:
 * - values arrive as they were given, also empty strings, maps and lists, nulls, and keys such as `constructor`; only
 *   members that are `undefined` are left out
 * - what is not JSON is refused, with its path; so are `Lazy` values and tokens, which this class does not resolve
 * - a JSON patch that cannot be applied throws
 * - keys come in the order apiVersion, kind, metadata, then by name, in every environment
 */
export class Child<T extends KubernetesObject = KubernetesObject> extends ApiObject {
  /** Whether an object is a `Child`; `ApiObject`'s own test would take every ApiObject for one. */
  static override [Symbol.hasInstance](value: unknown): value is Child {
    return typeof value === 'object' && value !== null && #operations in value;
  }

  /** What was given to the constructor. Later changes of metadata and JSON patches are not in it. */
  readonly manifest: Identified<T>;
  override readonly metadata: ChildMetadata;
  readonly #operations: PatchOperation[] = [];
  /** All but the metadata. A copy, so that it is checked once and cannot change any more. */
  readonly #document: JsonObject;
  /** What it renders to, until it is changed again: cdk8s asks for it to validate and to write. */
  #rendered: Manifest | undefined;

  /**
   * @param manifest the whole object, with apiVersion, kind and metadata.name
   * @throws TypeError for values that are not JSON
   */
  constructor(scope: Construct, id: string, manifest: Identified<T>) {
    const { apiVersion, kind, metadata } = manifest;
    super(scope, id, { apiVersion, kind, metadata: { name: metadata.name } });
    this.manifest = manifest;
    const { metadata: given = {}, ...document } = toJsonObject(manifest);
    this.metadata = new ChildMetadata(this, isObject(given) ? given : {}, () => {
      this.#rendered = undefined;
    });
    this.#document = document;
  }

  override addJsonPatch(...patches: JsonPatch[]): void {
    this.#operations.push(...patches.map(patchOperation));
    this.#rendered = undefined;
  }

  /** @throws Error where a JSON patch fails or leaves something that is not a Kubernetes object */
  override toJson(): Manifest {
    return (this.#rendered ??= this.#render());
  }

  #render(): Manifest {
    const what = (): string => `${this.kind} ${this.name} (${this.node.path})`;
    const metadata = this.metadata.toJson();
    if (this.#operations.length === 0) {
      return inOrder(this.#document, metadata, what);
    }
    let patched: Json;
    try {
      patched = applyJsonPatch({ ...this.#document, metadata }, this.#operations);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${what()}: ${reason}`, { cause: error });
    }
    return canonicalManifest(patched, what);
  }
}

/** Metadata of a {@link Child}: as cdk8s', but empty maps and lists stay, and keys are only data. */
class ChildMetadata extends ApiObjectMetadataDefinition {
  readonly #members: { [key: string]: Json } = {};
  readonly #changed: () => void;

  constructor(child: ApiObject, given: JsonObject, changed: () => void) {
    const { chart, name } = child;
    const namespace = given['namespace'] ?? chart.namespace;
    super({ apiObject: child, name, ...(typeof namespace === 'string' ? { namespace } : {}) });
    this.#changed = changed;
    this.#set(given);
    if (namespace !== undefined) {
      this.add('namespace', namespace);
    }
    for (const [key, value] of Object.entries(chart.labels)) {
      if (this.getLabel(key) === undefined) {
        this.addLabel(key, value);
      }
    }
  }

  override addLabel(key: string, value: string): void {
    this.#addTo('labels', key, value);
  }

  override getLabel(key: string): string | undefined {
    const value = member(this.#members, 'labels', key);
    return typeof value === 'string' ? value : undefined;
  }

  override addAnnotation(key: string, value: string): void {
    this.#addTo('annotations', key, value);
  }

  override addFinalizers(...finalizers: string[]): void {
    this.#append('finalizers', finalizers);
  }

  override addOwnerReference(owner: OwnerReference): void {
    this.#append('ownerReferences', [owner]);
  }

  override add(key: string, value: unknown): void {
    setMember(this.#members, key, toJson(value, `metadata.${key}`));
    this.#changed();
  }

  override toJson(): JsonObject {
    return toJsonObject(this.#members, 'metadata');
  }

  #set(members: JsonObject): void {
    for (const [key, value] of Object.entries(members)) {
      setMember(this.#members, key, value);
    }
  }

  #addTo(field: string, key: string, value: string): void {
    const map: { [key: string]: Json } = { ...toJsonObject(this.#members[field] ?? {}) };
    setMember(map, key, value);
    this.#members[field] = map;
    this.#changed();
  }

  #append(field: string, entries: readonly unknown[]): void {
    const list = this.#members[field] ?? [];
    this.#members[field] = [...(Array.isArray(list) ? list : []), ...entries.map((entry) => toJson(entry, field))];
    this.#changed();
  }
}

/** Manifests that are canonical already, so that a synthesis does not copy them again. */
const canonical = new WeakSet<object>();

function isCanonical(value: unknown): value is Manifest {
  return typeof value === 'object' && value !== null && canonical.has(value);
}

/**
 * A manifest with its keys in the order that every output has: apiVersion, kind, metadata, then by name.
 *
 * @throws Error where the value is not a Kubernetes object
 */
export function canonicalManifest(value: unknown, what: () => string): Manifest {
  if (isCanonical(value)) {
    return value;
  }
  const { metadata, ...document } = toJsonObject(value);
  return inOrder(document, metadata, what);
}

/** As {@link canonicalManifest}, for JSON whose maps are sorted already. */
function inOrder(document: JsonObject, metadata: Json | undefined, what: () => string): Manifest {
  const ordered: { [key: string]: Json | undefined } = {
    apiVersion: document['apiVersion'],
    kind: document['kind'],
    metadata,
  };
  for (const key of Object.keys(document)) {
    setMember(ordered, key, document[key]);
  }
  if (!isManifest(ordered)) {
    throw new Error(
      `${what()} is not a Kubernetes object; expected apiVersion, kind, and a metadata of the right types`,
    );
  }
  canonical.add(ordered);
  return ordered;
}
