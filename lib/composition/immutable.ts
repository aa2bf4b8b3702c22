import { differences, type FieldChange } from './compare';
import { toJsonObject, type Json } from './json';
import { groupOf, type Manifest } from './manifest';
import { isObject } from './objects';

/** Fields of spec that the API server never lets change, in the kinds that compositions create. */
const IMMUTABLE: { readonly [groupAndKind: string]: readonly string[] } = {
  'apps/DaemonSet': ['selector'],
  'apps/Deployment': ['selector'],
  'apps/StatefulSet': ['selector', 'serviceName', 'podManagementPolicy'],
};

/**
 * What differs in fields that never change, each as a whole. A selector counts as different where the live one has more,
 * too: nobody else can have added that.
 */
export function immutableChanges(desired: Manifest, live: Manifest): readonly FieldChange[] {
  const fields = IMMUTABLE[`${groupOf(desired.apiVersion)}/${desired.kind}`] ?? [];
  const wanted = toJsonObject(desired)['spec'];
  const found = toJsonObject(live)['spec'];
  if (!isObject(wanted) || !isObject(found)) {
    return [];
  }
  const part = (field: string, value: Json): Manifest => ({
    apiVersion: desired.apiVersion,
    kind: desired.kind,
    metadata: { name: desired.metadata.name },
    spec: { [field]: value },
  });
  return fields.flatMap((field) => {
    const [value, was] = [wanted[field], found[field]];
    if (value === undefined || was === undefined) {
      return [];
    }
    const [one, other] = [part(field, value), part(field, was)];
    const differs = differences(one, other).length > 0 || (isObject(was) && differences(other, one).length > 0);
    return differs ? [{ path: `spec.${field}`, desired: value, live: was }] : [];
  });
}
