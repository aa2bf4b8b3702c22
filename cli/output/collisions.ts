import { defined, fieldsOf, textOf } from '../../lib/composition/objects';
import { InputError } from '../errors';
import type { Place } from '../input/items';
import type { OutputObject } from '../input/admit';
import { groupOf } from '../../lib/composition/manifest';

/** An object of the output, and the resource that it comes from. */
export interface Origin {
  readonly object: OutputObject;
  readonly place: Place;
}

interface Identity {
  readonly group?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** What an object is called. generateName counts as a name, as files need one. */
export function identify(object: OutputObject): Identity {
  const { namespace, name, generateName } = fieldsOf(object['metadata']);
  return defined<Identity>({
    group: groupOf(String(object['apiVersion'])),
    kind: String(object['kind']),
    namespace: textOf(namespace) || undefined,
    name: textOf(name) || textOf(generateName),
  });
}

/**
 * Refuses an object that is there twice, such as a Deployment that passed through and bears the name of a rendered one.
 * @throws InputError that names both places
 */
export function refuseCollisions(objects: readonly Origin[]): void {
  const seen = new Map<string, Place>();
  for (const { object, place } of objects) {
    const { group, kind, namespace, name } = identify(object);
    const key = JSON.stringify([group, kind, namespace, name]);
    const first = seen.get(key);
    if (first !== undefined && hasName(object)) {
      const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
      throw new InputError(
        `${kind} ${name}${where} comes out twice, first from ${first.file}, line ${first.line}`,
        place,
      );
    }
    seen.set(key, place);
  }
}

function hasName(object: OutputObject): boolean {
  return Object.hasOwn(fieldsOf(object['metadata']), 'name');
}
