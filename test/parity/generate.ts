import { type Json, type JsonObject, type JsonSchema } from '../../lib/composition/schema';
import { goRegExp } from '../../lib/composition/schema/re2';
import { COMPOSITES, KEYS, NUMBERS, QUANTITIES, STRINGS, withKey } from './hostile';
import type { Random } from './random';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Texts that are legal somewhere, to be tried on patterns and formats. */
const TEXTS: readonly string[] = [
  ...[
    'a',
    'main',
    'web-1',
    'a.b',
    'x-y-z',
    '10',
    '1Gi',
    '500m',
    '30m',
    '1h',
    '90s',
    'v1',
    'nvidia.com/gpu',
    'hf://a/b',
  ],
  ...[
    'pvc://claim/x',
    'abc',
    'ABC',
    '2024-02-29T12:00:00Z',
    '2024-02-29',
    '10.1.2.3',
    '::1',
    '10.0.0.0/8',
    'a@b.co',
    'Zm9v',
  ],
  ...[
    '0321751043',
    '#ffffff',
    '123e4567-e89b-12d3-a456-426614174000',
    'http://a.b/c',
    '/dev/shm',
    '00:11:22:33:44:55',
    '1m',
  ],
];

function number(schema: JsonSchema, random: Random): number {
  const low = schema.minimum ?? -5;
  const high = schema.maximum ?? low + 100;
  if (random.chance(0.2)) return random.pick([low, high]);
  const value = low + random.next() * (high - low);
  return schema.type === 'integer' || random.chance(0.5) ? Math.round(value) : value;
}

function text(schema: JsonSchema, random: Random): string | undefined {
  const fits = (candidate: string): boolean =>
    [...candidate].length >= (schema.minLength ?? 0) &&
    [...candidate].length <= (schema.maxLength ?? Infinity) &&
    (schema.pattern === undefined || goRegExp(schema.pattern).test(candidate));
  const pool = random.chance(0.15) ? [...STRINGS, ...TEXTS] : TEXTS;
  const start = random.below(pool.length);
  return [...pool.slice(start), ...pool.slice(0, start)].find(fits);
}

/** A value that is probably legal for the schema; undefined where none comes to mind. */
export function sample(schema: JsonSchema, random: Random, depth = 0): Json | undefined {
  if (schema.nullable === true && random.chance(0.1)) return null;
  if (schema.enum !== undefined) return random.pick(schema.enum as readonly Json[]);
  if (schema['x-kubernetes-int-or-string'] === true) return random.pick(QUANTITIES.slice(0, 18));
  switch (schema.type) {
    case 'string':
      return text(schema, random);
    case 'integer':
    case 'number':
      return number(schema, random);
    case 'boolean':
      return random.chance(0.5);
    case 'array':
      return array(schema, random, depth);
    case 'object':
      return object(schema, random, depth);
    default:
      return random.pick(COMPOSITES);
  }
}

function array(schema: JsonSchema, random: Random, depth: number): Json {
  const count = Math.max(schema.minItems ?? 0, random.below(depth > 5 ? 2 : 3));
  const items = Array.from({ length: count }, () => sample(schema.items ?? {}, random, depth + 1));
  return items.filter((item) => item !== undefined);
}

function object(schema: JsonSchema, random: Random, depth: number): Json {
  let result: JsonObject = {};
  const names = Object.keys(schema.properties ?? {});
  const wanted = depth === 0 ? 0.25 : Math.min(0.5, 3 / (names.length + 1)) / Math.max(1, depth - 2);
  for (const name of names) {
    const required = schema.required?.includes(name) === true;
    if (!required && !random.chance(wanted)) continue;
    const value = sample(schema.properties?.[name] ?? {}, random, depth + 1);
    if (value !== undefined) result[name] = value;
  }
  if (typeof schema.additionalProperties === 'object') {
    for (let count = Math.max(schema.minProperties ?? 0, random.below(3)); count > 0; count--) {
      const value = sample(schema.additionalProperties, random, depth + 1);
      if (value !== undefined)
        result = withKey(result, random.pick(random.chance(0.3) ? KEYS : ['a', 'b', 'c']), value);
    }
  }
  return result;
}

/** Adds some random legal values for fields that a resource does not have. */
export function enrich(resource: JsonObject, schema: JsonSchema, random: Random): JsonObject {
  const spec = schema.properties?.['spec'];
  const current = resource['spec'];
  if (spec === undefined || !isObject(current)) return resource;
  const missing = Object.keys(spec.properties ?? {}).filter((name) => !Object.hasOwn(current, name));
  const result = { ...current };
  for (let count = random.below(4); count > 0 && missing.length > 0; count--) {
    const name = random.pick(missing);
    const value = sample(spec.properties?.[name] ?? {}, random, 1);
    if (value !== undefined) result[name] = value;
  }
  return { ...resource, spec: result };
}

type Path = readonly (string | number)[];

function places(value: Json, path: Path = []): Path[] {
  const below = Array.isArray(value)
    ? value.flatMap((item, index) => places(item, [...path, index]))
    : isObject(value)
      ? Object.keys(value).flatMap((key) => places(value[key] ?? null, [...path, key]))
      : [];
  return path.length === 0 ? below : [path, ...below];
}

/** A copy in which what is at the path is what `change` makes of it; undefined removes it. */
function replaceAt(value: Json, path: Path, change: (old: Json) => Json | undefined): Json | undefined {
  const [head, ...rest] = path;
  if (head === undefined) return change(value);
  if (Array.isArray(value)) {
    const replaced = replaceAt(value[Number(head)] ?? null, rest, change);
    return value.flatMap((item, index) => (index !== head ? [item] : replaced === undefined ? [] : [replaced]));
  }
  if (!isObject(value)) return value;
  const key = String(head);
  const replaced = replaceAt(value[key] ?? null, rest, change);
  if (replaced !== undefined) return withKey(value, key, replaced);
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

function hostileValue(random: Random): Json {
  return random.pick([STRINGS, NUMBERS, QUANTITIES, COMPOSITES][random.below(4)] ?? COMPOSITES);
}

function hostileLike(old: Json, random: Random): Json {
  if (random.chance(0.3)) return hostileValue(random);
  if (typeof old === 'string') return random.pick(random.chance(0.7) ? STRINGS : QUANTITIES);
  if (typeof old === 'number') return random.pick(NUMBERS);
  if (typeof old === 'boolean') return random.pick([true, false, 'true', 0, 1]);
  if (Array.isArray(old)) {
    const item = random.chance(0.5) && old.length > 0 ? random.pick(old) : hostileValue(random);
    return random.chance(0.8) ? [...old, item] : [...old, ...old];
  }
  if (!isObject(old)) return hostileValue(random);
  const key = random.pick(random.chance(0.7) ? KEYS : [...Object.keys(old), 'unknown']);
  return withKey(old, key, random.chance(0.5) ? hostileValue(random) : random.pick(['a', 'b', '1']));
}

/** Changes one place of a resource into something hostile. */
export function mutate(resource: JsonObject, random: Random): JsonObject {
  const all = places(resource);
  if (all.length === 0) return resource;
  // Type and name are hit less often, as nothing else counts after that.
  let path = random.pick(all);
  for (let tries = 0; tries < 4 && (path[0] === 'apiVersion' || path[0] === 'kind'); tries++) path = random.pick(all);
  const changed = replaceAt(resource, path, (old) => {
    if (random.chance(0.12)) return undefined;
    return random.chance(0.1) ? null : hostileLike(old, random);
  });
  return isObject(changed) ? changed : resource;
}

const METADATA: readonly (readonly [string, readonly Json[]])[] = [
  [
    'name',
    [
      'a',
      'a.b',
      'A',
      '-a',
      'a'.repeat(63),
      'a'.repeat(64),
      'a'.repeat(253),
      'a'.repeat(254),
      '',
      '..',
      'a_b',
      5,
      null,
      'é',
    ],
  ],
  ['generateName', ['a-', 'a', 'A-', '-', 'a.', 'a'.repeat(70), '', null, 1, 'a--']],
  ['namespace', ['default', '', null, 3]],
  [
    'labels',
    [
      { a: 'b' },
      { 'a.b/c': 'd' },
      { a: '' },
      { a: null },
      { '': 'x' },
      { a: 'x y' },
      { 'a/b/c': 'x' },
      { a: 'x'.repeat(64) },
      null,
      [],
      { a: 1 },
      { 'A.b/c': '' },
      {},
    ],
  ],
  [
    'annotations',
    [
      { a: 'b c' },
      { 'A/b': 'x' },
      { a: null },
      { a: 1 },
      { '-a': '' },
      { a: 'x'.repeat(262144) },
      { a: 'x'.repeat(262143) },
      { a: 'é'.repeat(131072) },
      'x',
    ],
  ],
  ['finalizers', [['a.b/c'], ['a'], ['a b'], [''], [null], null, ['orphan', 'foregroundDeletion'], 'x', [1], []]],
  [
    'ownerReferences',
    [
      [{ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'u' }],
      [
        { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'u' },
        { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'u' },
      ],
      [
        { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'u', controller: true },
        { apiVersion: 'v1', kind: 'Pod', name: 'b', uid: 'v', controller: true },
      ],
      [{ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'u', controller: false, blockOwnerDeletion: null }],
      [{ apiVersion: 'v1', kind: 'Event', name: 'a', uid: 'u' }],
      [{ apiVersion: 'a/b/c', kind: 'Pod', name: 'a', uid: 'u' }],
      [{ apiVersion: 'a/', kind: 'Pod', name: 'a', uid: 'u' }],
      [{ kind: 'Pod' }],
      [null],
      [{}],
      null,
      {},
      [{ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'u', x: 1 }],
    ],
  ],
  [
    'managedFields',
    [
      [],
      null,
      [{}],
      [{ manager: 'x', operation: 'Update', apiVersion: 'v1' }],
      [{ operation: 'Other' }],
      [{ operation: 'Apply', fieldsV1: { a: 1 } }],
      [{ operation: 'Apply', x: 1 }],
      [{ operation: 'Update', fieldsType: 'x' }],
      [{ operation: 'Update', manager: '\n' }],
      [{ operation: 'Update', time: 'x' }],
    ],
  ],
  [
    'creationTimestamp',
    [
      null,
      '2006-01-02T15:04:05Z',
      '2006-01-02',
      '',
      5,
      '2006-01-02T5:04:05+01:00',
      '2006-02-30T15:04:05Z',
      '2006-01-02T15:04:05.5Z',
    ],
  ],
  ['deletionTimestamp', [null, '2006-01-02T15:04:05Z', 'x']],
  ['deletionGracePeriodSeconds', [null, 1, -1, 1.5, '1', 2 ** 63]],
  ['generation', [null, 1, -1, 0, 1.5, '1', 1e21]],
  ['uid', ['x', '', 5, null]],
  ['resourceVersion', ['', null, 5, '0']],
  ['selfLink', ['x', 5]],
  ['clusterName', ['x']],
  ['__proto__', [{ x: 1 }, 'x', null]],
  ['constructor', ['x']],
  ['Name', ['x']],
];

/** Changes the metadata of a resource. */
export function mutateMetadata(resource: JsonObject, random: Random): JsonObject {
  const metadata = resource['metadata'];
  const [key, values] = random.pick(METADATA);
  return { ...resource, metadata: withKey(isObject(metadata) ? metadata : {}, key, random.pick(values)) };
}

/** Resources that probe a schema: legal ones, and such with one or more hostile changes. */
export function generate(seeds: readonly JsonObject[], schema: JsonSchema, random: Random): JsonObject {
  let resource = enrich(random.pick(seeds), schema, random);
  if (random.chance(0.15)) resource = mutateMetadata(resource, random);
  if (random.chance(0.75)) resource = mutate(resource, random);
  while (random.chance(0.2)) resource = mutate(resource, random);
  return inDefaultNamespace(resource);
}

/** Requests go to one namespace, so another one would be refused only for that. */
function inDefaultNamespace(resource: JsonObject): JsonObject {
  const metadata = resource['metadata'];
  if (!isObject(metadata) || typeof metadata['namespace'] !== 'string' || metadata['namespace'] === '') return resource;
  return { ...resource, metadata: { ...metadata, namespace: 'default' } };
}
