import { NOTHING_COMPILED, type Compiled } from './compiled';
import {
  dropNulls,
  embedsResources,
  fillDefaults,
  normalizeEmbedded,
  refuseUnknown,
  schemaOf,
  type Walk,
} from './defaults';
import { Errors } from './errors';
import { isObject, own } from '../objects';
import { requestJson } from './json';
import { checkLists } from './lists';
import { came, oneOf, show } from './messages';
import { normalizeMetadata } from './metadata';
import { checkEmbedded, checkMetadata } from './metadata-rules';
import { checkRules } from './rules';
import { checkScale } from './scale';
import type {
  Admission,
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
  Json,
  JsonObject,
  JsonSchema,
} from './types';
import { validate } from './validate';

export type {
  Admission,
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
  Json,
  JsonObject,
  JsonSchema,
  ValidationRule,
} from './types';
export type { Finding } from '../finding';

/**
 * A CRD that admits or refuses resources offline, as the API server would.
 *
 * What it guarantees, and tests with random resources compare with a real API server: {@link CrdSchema.admit} says
 * valid exactly if a create with strict field validation (a dry run, `fieldValidation=Strict`) would be accepted, and then
 * gives the resource that would be stored, except what only a cluster can add.
 *
 * What it does not know: the cluster itself (namespaces that do not exist, names that are taken, quotas, webhooks, policies),
 * the limits on the cost of CEL rules, and Kubernetes versions other than the tested one. The formats `uri` and `email` are
 * close to Go's parsers, not equal. A rule that uses a CEL library that is missing here (`url`, `ip`, `cidr`, `format`,
 * `semver`, comprehensions with two variables) makes the resource invalid, with an error that says so.
 */
export class CrdSchema {
  /** The API group, such as `inference.inferno.io`. */
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  /** Whether resources live in namespaces. */
  readonly namespaced: boolean;
  /** The names of the served versions, in the order of the CRD. */
  readonly versions: readonly string[];

  /** Reads the CRD, which must be one that an API server has accepted. Nothing is compiled before a resource needs it. */
  constructor(crd: CustomResourceDefinition);
  /** @internal what was compiled of the CRD says the same, only sooner */
  constructor(crd: CustomResourceDefinition, compiled: Compiled);
  constructor(
    private readonly crd: CustomResourceDefinition,
    private readonly compiled = NOTHING_COMPILED,
  ) {
    const { group, names, scope, versions } = crd.spec;
    this.group = group;
    this.kind = names.kind;
    this.plural = names.plural;
    this.namespaced = scope === 'Namespaced';
    this.versions = versions.filter(({ served }) => served).map(({ name }) => name);
  }

  /**
   * What the API server would answer to a create.
   *
   * If valid, the resource is a copy of the input with all defaults. Metadata is in its normal form (no nulls, no empty lists);
   * a status is left out where the CRD has the status subresource, as a create does. If invalid, the errors are all that there
   * are, in the order of the schema. CEL rules are run where what they look at has the right types.
   *
   * Pure: the input is neither changed nor shared. It never throws: what is not JSON is refused with a message.
   */
  admit<R>(resource: unknown): Admission<R> {
    const errors = new Errors();
    const root = requestJson(resource, errors);
    const schema = root === undefined ? undefined : this.complete(root, { errors, path: [], compiled: this.compiled });
    if (!errors.empty || root === undefined) return { valid: false, errors: errors.sorted(schema) };
    // The schema vouches for the shape.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return { valid: true, resource: root as R };
  }

  /** Validates and completes a resource in place; returns the schema of its version. */
  private complete(root: Json, walk: Walk): JsonSchema | undefined {
    if (!isObject(root)) {
      walk.errors.add([], 'type', `must be an object with apiVersion, kind and metadata, but is ${came(root)}`, true);
      return undefined;
    }
    const version = this.version(root, walk);
    if (version === undefined) return undefined;
    const schema = version.schema?.openAPIV3Schema ?? {};
    walk.path.push('metadata');
    const metadata = normalizeMetadata(own(root, 'metadata') ?? null, walk);
    walk.path.pop();
    if (this.crd.spec.preserveUnknownFields !== true) {
      refuseUnknown(root, schema, walk, true);
      dropNulls(root, schema);
    }
    normalizeEmbedded(root, schema, walk);
    root['metadata'] = metadata;
    fillDefaults(root, schema);
    if (version.subresources?.status !== undefined) delete root['status'];
    walk.path.push('metadata');
    checkMetadata(metadata, { kind: 'resource', namespaced: this.namespaced }, walk);
    walk.path.pop();
    validate(root, schema, walk);
    checkScale(root, version, walk);
    checkEmbeddedResources(root, schema, walk);
    checkLists(root, schema, walk);
    checkRules(named(root, metadata), schema, walk);
    return schema;
  }

  /** The version that the resource names; it must name this kind too. */
  private version(root: JsonObject, walk: Walk): CustomResourceDefinitionVersion | undefined {
    const kind = own(root, 'kind');
    if (kind !== this.kind)
      walk.errors.add(
        ['kind'],
        kind === undefined ? 'required' : 'enum',
        kind === undefined
          ? `is missing; expected ${show(this.kind)}`
          : `must be ${show(this.kind)}, but is ${came(kind)}`,
      );
    const apiVersion = own(root, 'apiVersion');
    const version = this.crd.spec.versions.find(({ name, served }) => served && apiVersion === `${this.group}/${name}`);
    if (version !== undefined) return version;
    const known = oneOf(this.versions.map((name) => `${this.group}/${name}`));
    walk.errors.add(
      ['apiVersion'],
      apiVersion === undefined ? 'required' : 'enum',
      apiVersion === undefined ? `is missing; expected ${known}` : `must be ${known}, but is ${came(apiVersion)}`,
    );
    return undefined;
  }
}

/** The longest beginning of a generated name. */
const MAX_BASE = 58;

/** The resource with a name, for the rules: a generated one is as long as it would be. */
function named(root: JsonObject, metadata: JsonObject): JsonObject {
  const { name, generateName } = metadata;
  if (name !== undefined || typeof generateName !== 'string') return root;
  return { ...root, metadata: { ...metadata, name: `${generateName.slice(0, MAX_BASE)}xxxxx` } };
}

function checkEmbeddedResources(value: Json, schema: JsonSchema | undefined, walk: Walk): void {
  if (schema === undefined || !embedsResources(schema)) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      walk.path.push(index);
      checkEmbeddedResources(item, schema.items, walk);
      walk.path.pop();
    }
  } else if (isObject(value)) {
    if (schema['x-kubernetes-embedded-resource'] === true) checkEmbedded(value, walk);
    for (const key of Object.keys(value)) {
      walk.path.push(key);
      checkEmbeddedResources(value[key] ?? null, schemaOf(key, schema), walk);
      walk.path.pop();
    }
  }
}
