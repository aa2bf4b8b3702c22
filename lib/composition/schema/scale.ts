import type { Walk } from './defaults';
import { isObject, own } from '../objects';
import { came } from './messages';
import { isInt64 } from './numbers';
import type { CustomResourceDefinitionVersion, Json, JsonObject } from './types';

const MAX_REPLICAS = 2 ** 31 - 1;

/** Checks the fields that the scale subresource reads and writes. */
export function checkScale(resource: JsonObject, version: CustomResourceDefinitionVersion, walk: Walk): void {
  const scale = version.subresources?.scale;
  if (scale === undefined) return;
  for (const path of [scale.specReplicasPath, scale.statusReplicasPath]) {
    const found = follow(resource, path, walk);
    if (found === undefined) continue;
    const { value } = found;
    if (typeof value !== 'number' || !isInt64(value) || value < 0 || value > MAX_REPLICAS)
      walk.errors.add(found.path, 'type', `must be an integer from 0 to ${MAX_REPLICAS}, but is ${came(value)}`);
  }
  if (scale.labelSelectorPath === undefined) return;
  const found = follow(resource, scale.labelSelectorPath, walk);
  if (found !== undefined && typeof found.value !== 'string')
    walk.errors.add(found.path, 'type', `must be a string, but is ${came(found.value)}`);
}

function follow(
  resource: JsonObject,
  path: string,
  walk: Walk,
): { readonly value: Json; readonly path: readonly string[] } | undefined {
  let value: Json = resource;
  const keys = path.replace(/^\./, '').split('.');
  for (const [depth, key] of keys.entries()) {
    if (!isObject(value)) {
      walk.errors.add(keys.slice(0, depth), 'type', `must be an object, but is ${came(value)}`, true);
      return undefined;
    }
    const next: Json | undefined = own(value, key);
    if (next === undefined) return undefined;
    value = next;
  }
  return { value, path: keys };
}
