import { InputError } from '../errors';
import { identify } from './collisions';
import type { Origin } from './collisions';
import type { Format } from './format';

/**
 * A file name for each object: `deployment_NAMESPACE_NAME.yaml`. An underscore parts the three, as it is in no name of
 * Kubernetes' own; where other kinds have it, it is written as an escape, and so is all that a file system may not take.
 * @throws InputError for two objects with the same file name, also where they differ only in capitals
 */
export function fileNames(objects: readonly Origin[], format: Format): readonly string[] {
  const seen = new Map<string, Origin>();
  return objects.map((origin) => {
    const { kind, namespace, name } = identify(origin.object);
    const parts = [kind.toLowerCase(), ...(namespace === undefined ? [] : [namespace]), name];
    const file = `${parts.map(escapePart).join('_')}.${format}`;
    const first = seen.get(file.toLowerCase());
    if (first !== undefined) {
      const { line, file: source } = first.place;
      throw new InputError(
        `${kind} ${name} would have the same file name ${file} as that of ${source}, line ${line}`,
        origin.place,
      );
    }
    seen.set(file.toLowerCase(), origin);
    return file;
  });
}

function escapePart(part: string): string {
  return encodeURIComponent(part).replaceAll(
    /[_!'()*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
