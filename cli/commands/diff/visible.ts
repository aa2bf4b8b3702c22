import { APPLIED_AFTER_ANNOTATION, APPLIED_HASH_ANNOTATION, type Manifest } from '../../../lib/composition';
import { defined, fieldsOf, type Fields } from '../../../lib/composition/objects';
import { pick, type FieldSet } from './owned';

/** The annotation in which kubectl keeps what it applied last. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

type Identity = Pick<Manifest['metadata'], 'name' | 'namespace'>;

/** The part of a child that its owner renders, without the operator's own bookkeeping. */
export function visibleChild(child: Manifest, fields: FieldSet): Manifest {
  const picked = fieldsOf(pick(child, fields));
  const metadata = fieldsOf(picked['metadata']);
  const { ownerReferences: _owners, annotations, labels, ...rest } = metadata;
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...body } = picked;
  return {
    apiVersion: child.apiVersion,
    kind: child.kind,
    metadata: {
      ...defined<Identity>({ name: child.metadata.name, namespace: child.metadata.namespace }),
      ...filled('labels', fieldsOf(labels)),
      ...filled('annotations', without(fieldsOf(annotations), [APPLIED_HASH_ANNOTATION, APPLIED_AFTER_ANNOTATION])),
      ...rest,
    },
    ...body,
  };
}

/**
 * The part of a resource that its author writes: no status, no bookkeeping, and of labels and annotations those that the
 * author names and those that would change.
 */
export function visibleResource(resource: Manifest, other: Manifest | undefined, written: Manifest): Manifest {
  const { apiVersion, kind, metadata: _metadata, status: _status, ...body } = resource;
  const { name, namespace } = resource.metadata;
  const narrowed = (field: 'labels' | 'annotations'): Fields => {
    const [mine, theirs, named] = [resource, other, written].map((each) => fieldsOf(each?.metadata[field]));
    const kept = Object.entries(mine ?? {}).filter(
      ([key, value]) => key !== LAST_APPLIED && (Object.hasOwn(named ?? {}, key) || theirs?.[key] !== value),
    );
    return Object.fromEntries(kept);
  };
  return {
    apiVersion,
    kind,
    metadata: {
      ...defined<Identity>({ name, namespace }),
      ...filled('labels', narrowed('labels')),
      ...filled('annotations', narrowed('annotations')),
    },
    ...body,
  };
}

/** Two states of a Secret without its values: it is shown which differ, but not what they are. */
export function masked(
  before: Manifest | undefined,
  after: Manifest | undefined,
): readonly [Manifest | undefined, Manifest | undefined] {
  const mask = (object: Manifest | undefined, other: Manifest | undefined, mark: string): Manifest | undefined => {
    if (object === undefined || object.kind !== 'Secret' || object.apiVersion !== 'v1') return object;
    const fields = ['data', 'stringData'].flatMap((field) => {
      if (object[field] === undefined) return [];
      const values = fieldsOf(other?.[field]);
      const hidden = Object.entries(fieldsOf(object[field])).map(([key, value]) => [
        key,
        Object.hasOwn(values, key) && values[key] !== value ? `*** (${mark})` : '***',
      ]);
      return [[field, Object.fromEntries(hidden)]];
    });
    return { ...object, ...Object.fromEntries(fields) };
  };
  return [mask(before, after, 'before'), mask(after, before, 'after')];
}

function filled(field: string, values: Fields): Fields {
  return Object.keys(values).length === 0 ? {} : { [field]: values };
}

function without(values: Fields, keys: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !keys.includes(key)));
}
