import { synthesize } from '../../lib/composition';
import { groupOf } from '../../lib/composition/manifest';
import type { Composition, Finding, Path } from '../../lib/composition';
import type { UnknownKinds } from './flags';
import { isObject } from '../../lib/composition/objects';
import { lineOf, memberOf, textAt, toValue } from './located';
import type { Located } from './located';
import type { Identity, Item, Place } from './items';
import { nearest } from '../nearest';

/** An error or a warning with the line that it is about. */
export interface LocatedFinding extends Finding {
  readonly line: number;
}

/** A Kubernetes object on its way to the output. */
export interface OutputObject {
  readonly [field: string]: unknown;
}

/** What became of a resource, or of a document that is none. */
export interface InputResult {
  readonly place: Place;
  readonly identity: Identity;
  /** Whether a composition renders its kind. */
  readonly known: boolean;
  /** The composition that renders its kind. @default - none does */
  readonly composition?: Composition;
  /** The resource as written, with its namespace filled in. @default - none, where a document is not a resource */
  readonly resource?: unknown;
  readonly errors: readonly LocatedFinding[];
  readonly warnings: readonly LocatedFinding[];
  /** What it renders to; a resource of another kind is its own rendering. Empty where there are errors. */
  readonly manifests: readonly OutputObject[];
}

/** Options of an {@link Admitter}. */
export interface AdmitOptions {
  readonly compositions: readonly Composition[];
  readonly namespace?: string;
  readonly unknownKinds: UnknownKinds;
  /** Whether manifests have Argo CD's sync waves. @default false */
  readonly syncWaves?: boolean;
}

/** Admits and renders resources one by one, and remembers them to find those that come twice. */
export class Admitter {
  private readonly seen = new Map<string, Place>();

  constructor(private readonly options: AdmitOptions) {}

  admit(item: Item): InputResult {
    const identity = this.withNamespace(item);
    const composition = this.compositionOf(identity);
    const errors = composition === undefined ? [...shapeErrors(item.node), ...this.kindErrors(identity)] : [];
    const base = {
      place: item.place,
      identity,
      known: composition !== undefined,
      ...(composition === undefined
        ? {}
        : { composition, resource: withNamespace(toValue(item.node), identity.namespace) }),
    };
    const result =
      errors.length > 0 ? { errors, warnings: [], manifests: [] } : this.render(item, identity, composition);
    const located = (found: Finding): LocatedFinding => ({ ...found, line: lineOf(item.node, found.path) });
    const duplicate = this.duplicateErrors(item, identity);
    return {
      ...base,
      errors: [...result.errors, ...duplicate].map(located),
      warnings: result.warnings.map(located),
      manifests: duplicate.length > 0 ? [] : result.manifests,
    };
  }

  private render(
    { node }: Item,
    identity: Identity,
    composition: Composition | undefined,
  ): Pick<InputResult, 'manifests'> & {
    readonly errors: readonly Finding[];
    readonly warnings: readonly Finding[];
  } {
    const value = toValue(node);
    if (composition === undefined) {
      return { errors: [], warnings: [], manifests: isObject(value) ? [value] : [] };
    }
    const { syncWaves = false } = this.options;
    const result = synthesize(composition, withNamespace(value, identity.namespace), undefined, { syncWaves });
    return result.valid
      ? { errors: [], warnings: result.warnings, manifests: result.manifests }
      : { errors: result.errors, warnings: [], manifests: [] };
  }

  private compositionOf({ apiVersion, kind }: Identity): Composition | undefined {
    return this.options.compositions.find(
      ({ crd }) => crd.spec.group === groupOf(apiVersion ?? '') && crd.spec.names.kind === kind,
    );
  }

  private withNamespace(item: Item): Identity {
    const { identity } = item;
    const { namespace } = this.options;
    if (namespace === undefined || identity.namespace !== undefined) return identity;
    const given = memberOf(memberOf(item.node, 'metadata') ?? item.node, 'namespace');
    // Something that is not a name stays, for the schema to refuse.
    const isMissing = given === undefined || (given.kind === 'scalar' && (given.value === null || given.value === ''));
    return isMissing && this.compositionOf(identity) !== undefined ? { ...identity, namespace } : identity;
  }

  private kindErrors({ apiVersion, kind }: Identity): readonly Finding[] {
    if (apiVersion === undefined || kind === undefined) return [];
    const group = groupOf(apiVersion);
    const ours = this.options.compositions.filter(({ crd }) => crd.spec.group === group);
    const kinds = this.options.compositions.map(({ crd }) => crd.spec.names.kind);
    if (ours.length > 0) {
      const known = ours.map(({ crd }) => crd.spec.names.kind);
      return [
        {
          code: 'enum',
          path: ['kind'],
          message: `is not a kind of ${group}: came ${JSON.stringify(kind)}, expected ${known.join(' or ')}`,
        },
      ];
    }
    if (this.options.unknownKinds === 'pass') return [];
    const meant = nearest(kind, kinds);
    const hint = meant === undefined || meant === kind ? '' : `; did you mean ${meant}?`;
    return [
      {
        code: 'enum',
        path: ['kind'],
        message: `is refused: ${apiVersion} ${kind} is none of ${kinds.join(', ')}${hint}`,
      },
    ];
  }

  private duplicateErrors(item: Item, identity: Identity): readonly Finding[] {
    if (identity.name === undefined || identity.kind === undefined || identity.apiVersion === undefined) return [];
    const key = JSON.stringify([groupOf(identity.apiVersion), identity.kind, identity.namespace, identity.name]);
    const first = this.seen.get(key);
    if (first === undefined) {
      this.seen.set(key, item.place);
      return [];
    }
    const named = identity.namespace === undefined ? 'without namespace' : `in namespace ${identity.namespace}`;
    const message = `is given twice: ${identity.kind} ${identity.name} ${named} stands in ${first.file}, line ${first.line}, too`;
    return [{ code: 'duplicate', path: ['metadata', 'name'], message }];
  }
}

/** What every Kubernetes object needs, of any kind. */
function shapeErrors(node: Located): readonly Finding[] {
  if (node.kind !== 'map') {
    const came = node.kind === 'list' ? 'a list' : JSON.stringify(node.value);
    return [
      {
        code: 'type',
        path: [],
        message: `is not a resource: came ${came}, expected a map with apiVersion, kind and metadata`,
      },
    ];
  }
  const errors = ['apiVersion', 'kind'].flatMap((key) => missingText(node, key, [key]));
  const metadata = memberOf(node, 'metadata');
  if (metadata === undefined)
    return [...errors, { code: 'required', path: ['metadata'], message: 'is required, with a name' }];
  if (metadata.kind !== 'map')
    return [...errors, { code: 'type', path: ['metadata'], message: 'must be a map with a name' }];
  if (textAt(metadata, 'generateName') !== undefined && memberOf(metadata, 'name') === undefined) return errors;
  return [...errors, ...missingText(metadata, 'name', ['metadata', 'name'])];
}

function missingText(node: Located, key: string, path: Path): readonly Finding[] {
  if (textAt(node, key) !== undefined) return [];
  const member = memberOf(node, key);
  if (member === undefined) return [{ code: 'required', path, message: 'is required' }];
  const came = member.kind === 'scalar' ? JSON.stringify(member.value) : `a ${member.kind}`;
  return [{ code: 'type', path, message: `must be a text that is not empty, but came as ${came}` }];
}

function withNamespace(value: unknown, namespace: string | undefined): unknown {
  if (namespace === undefined || !isObject(value) || !isObject(value['metadata'])) return value;
  return { ...value, metadata: { ...value['metadata'], namespace } };
}
