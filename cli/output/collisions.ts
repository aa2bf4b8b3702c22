import { InputError } from '../errors';
import type { Place } from '../input/items';
import { groupOf } from '../input/admit';
import type { OutputObject } from '../input/admit';
import { defined } from '../../lib/composition/objects';

/** An object of the output, and the resource that it comes from. */
export interface Origin {
  readonly object: OutputObject;
  readonly place: Place;
}

/** What an object is called. generateName counts as a name, as files need one. */
export function identify(object: OutputObject): { group?: string; kind: string; namespace?: string; name: string } {
  const metadata = object['metadata'];
  const text = (key: string): string | undefined => {
    const value: unknown = typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, key) : undefined;
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const group = groupOf(String(object['apiVersion']));
  const namespace = text('namespace');
  return {
    ...defined({ group }),
    kind: String(object['kind']),
    ...defined({ namespace }),
    name: text('name') ?? text('generateName') ?? '',
  };
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
  const metadata = object['metadata'];
  return typeof metadata === 'object' && metadata !== null && Object.hasOwn(metadata, 'name');
}
