import { atZero, isBuiltIn, isQuantity, isTime, LIST_KEY_DEFAULTS, listKeys, vanishesEmpty } from './api-semantics';
import { isJsonList, jsonEquals, setMember, toJsonObject, type Json, type JsonObject } from './json';
import { groupOf, type Manifest } from './manifest';
import { defined, own, isObject } from './objects';
import { formatPath, type Path } from './path';
import { Quantity } from './quantity';

/** A field that is not as it is wanted. */
export interface FieldChange {
  /** Where it is; an element of a keyed list stands at its place in the wanted list. */
  readonly path: string;
  /** The value that is wanted. */
  readonly desired: Json;
  /** The value in the cluster; missing where there is none. */
  readonly live?: Json;
}

/**
 * The fields of a manifest that have another value in the live object, as server-side apply sees them.
 *
 * Guarantees: what only the live object has (defaults, other managers' fields, status, entries of lists that are merged
 * by key) is no difference, nor is another way to write a quantity or a time, nor a zero or empty value that the API
 * server does not store. A null says nothing about a field.
 *
 * Caveats: lists of custom resources count as atomic. The order of a keyed list is not looked at. In an element of an
 * atomic list, a field that somebody added is taken for a default.
 */
export function differences(desired: Manifest, live: Manifest): readonly FieldChange[] {
  const builtIn = isBuiltIn(groupOf(desired.apiVersion));
  const wanted = toJsonObject(withEncodedData(desired));
  const found = toJsonObject(live);
  return Object.keys(wanted).flatMap((field) => {
    if (field === 'apiVersion' || field === 'kind') {
      return [];
    }
    // metadata is the same Go type in every object.
    const place: Place = {
      path: [field],
      name: field,
      parent: '',
      kind: desired.kind,
      typed: builtIn || field === 'metadata',
    };
    return compare(wanted[field], found[field], place);
  });
}

interface Place {
  readonly path: Path;
  /** The name of the field; of an element, that of its list. */
  readonly name: string;
  /** The name of the field around it. */
  readonly parent: string;
  readonly kind: string;
  /** Whether the value goes through a Go type. */
  readonly typed: boolean;
}

function compare(desired: Json | undefined, live: Json | undefined, place: Place): readonly FieldChange[] {
  if (desired === undefined || desired === null) {
    return [];
  }
  if (isObject(desired) && isObject(live)) {
    return compareMaps(desired, live, place);
  }
  if (isJsonList(desired) && isJsonList(live)) {
    return compareLists(desired, live, place);
  }
  return same(desired, live, place) ? [] : [change(desired, live, place)];
}

function compareMaps(desired: JsonObject, live: JsonObject, place: Place): readonly FieldChange[] {
  return Object.entries(desired).flatMap(([key, value]) =>
    compare(value, own(live, key), {
      ...place,
      path: [...place.path, key],
      name: key,
      parent: place.name,
    }),
  );
}

function compareLists(desired: readonly Json[], live: readonly Json[], place: Place): readonly FieldChange[] {
  const keys = place.typed ? listKeys(place.name, place.parent, place.kind) : undefined;
  if (keys === undefined) {
    return desired.length === live.length
      ? desired.flatMap((element, index) => compareElement(element, live[index], index, place))
      : [change(desired, live, place)];
  }
  return desired.flatMap((element, index) =>
    compareElement(
      element,
      live.find((other) => sameEntry(element, other, keys)),
      index,
      place,
    ),
  );
}

function compareElement(desired: Json, live: Json | undefined, index: number, place: Place): readonly FieldChange[] {
  const at = { ...place, path: [...place.path, index] };
  // As a field a null says nothing; in a list it has a place.
  if (desired === null && live !== null) {
    return [change(desired, live, at)];
  }
  return compare(desired, live, at);
}

function sameEntry(a: Json, b: Json, keys: readonly string[]): boolean {
  if (!isObject(a) || !isObject(b)) {
    return jsonEquals(a, b);
  }
  return keys.every((key) => {
    const fallback = LIST_KEY_DEFAULTS[key];
    return jsonEquals(own(a, key) ?? fallback, own(b, key) ?? fallback);
  });
}

/** Whether a value that is not null, and is not a map or list beside one of its sort, is as wanted. */
function same(desired: Json, live: Json | undefined, { name, parent, kind, typed }: Place): boolean {
  if (desired === live) {
    return true;
  }
  if (!typed) {
    return false;
  }
  const missing = live === undefined || live === null;
  if (isJsonList(desired)) {
    return missing && desired.length === 0;
  }
  if (isObject(desired)) {
    return missing && Object.keys(desired).length === 0 && vanishesEmpty(name, kind);
  }
  if (desired === '' || desired === 0 || desired === false) {
    const zero = atZero(name, parent);
    if (zero !== 'kept') {
      return missing || zero === 'defaulted';
    }
  }
  if (isQuantity(name, parent)) {
    return sameQuantity(desired, live);
  }
  return isTime(name, parent) && sameTime(desired, live);
}

function sameQuantity(a: Json, b: Json | undefined): boolean {
  const [one, other] = [quantity(a), quantity(b)];
  return one !== undefined && other !== undefined && one.equals(other);
}

function quantity(value: Json | undefined): Quantity | undefined {
  return typeof value === 'string' || typeof value === 'number' ? Quantity.parse(String(value)) : undefined;
}

function sameTime(a: Json, b: Json | undefined): boolean {
  return typeof a === 'string' && typeof b === 'string' && Date.parse(a) === Date.parse(b);
}

function change(desired: Json, live: Json | undefined, place: Place): FieldChange {
  return defined<FieldChange>({ path: formatPath(place.path), desired, live });
}

/** A Secret's `stringData` is never read back: the API server stores it in `data`, in base64. */
function withEncodedData(manifest: Manifest): JsonObject {
  const json = toJsonObject(manifest);
  const { stringData, ...rest } = json;
  if (manifest.kind !== 'Secret' || manifest.apiVersion !== 'v1' || !isObject(stringData)) {
    return json;
  }
  const encoded: { [key: string]: Json } = {};
  for (const [key, text] of Object.entries(stringData)) {
    setMember(encoded, key, typeof text === 'string' ? Buffer.from(text).toString('base64') : text);
  }
  const { data } = rest;
  return { ...rest, data: { ...(isObject(data) ? data : {}), ...encoded } };
}
