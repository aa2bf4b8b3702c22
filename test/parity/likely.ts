import type { Json, JsonObject, JsonSchema } from '../../lib/composition/schema';
import { goRegExp } from '../../lib/composition/schema/re2';
import type { Random } from './random';

/** What a careful user would write, by the name of the field, so that most values get past the checks of their own field. */
const LIKELY: { readonly [field: string]: readonly Json[] } = {
  uri: [
    'hf://org/model',
    'hf://a/b.c',
    'pvc://claim',
    'pvc://claim/folder',
    'file:///models/x',
    '/models/x',
    's3://bucket/path',
    'gs://b/p',
    'as://x',
  ],
  framework: ['vllm', 'triton', 'fake', 'custom'],
  name: ['a', 'b', 'web-1', 'a.b', 'c0'],
  image: ['registry.example.com/a:1', 'a@sha256:' + 'a'.repeat(64)],
  mountPath: ['/data', '/a/b', '/tmp', '/dev/shm', '/x/'],
  path: ['a', '/a', 'a/b', '/health', '/'],
  key: ['a', 'k.b', 'a.b/c'],
  fieldPath: ['metadata.name', 'status.podIP', 'spec.nodeName', "metadata.labels['a']"],
  resource: ['limits.cpu', 'requests.memory'],
  port: [80, 8000, 'http'],
  ip: ['10.0.0.1', '::1'],
  topologyKey: ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'],
  whenUnsatisfiable: ['DoNotSchedule', 'ScheduleAnyway'],
  operator: ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Equal', 'Gt', 'Lt'],
  effect: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
  protocol: ['TCP', 'UDP'],
  scheme: ['HTTP', 'HTTPS'],
  host: ['example.com', '10.0.0.1'],
  medium: ['', 'Memory'],
  startupBudget: ['30m', '90s', '1h30m'],
  min: [0, 1, 2],
  max: [1, 2, 5],
  minReplicas: [1, 2],
  maxReplicas: [2, 5],
  weight: [1, 50, 100],
  restartPolicy: ['Always'],
  imagePullPolicy: ['Always', 'Never', 'IfNotPresent'],
  divisor: ['1', '0', '1m', '1Mi'],
  values: [['a'], ['1']],
  accessModes: [['ReadWriteOnce'], ['ReadWriteMany']],
  storage: ['1Gi'],
};
const WILD: readonly string[] = [
  '',
  'a',
  'A',
  '-a',
  'a b',
  'a/b',
  '/a',
  '..',
  '../x',
  'a:b',
  'é',
  '10',
  'a_b',
  'a.b',
  '$(X)',
  '$$',
  'a\nb',
  '\u0000',
  'x'.repeat(64),
  'x'.repeat(254),
  'Always',
  'None',
  '{',
  '%',
];
/** How often a value is none that fits. */
const wild = 0.08;
const QUANTITIES: readonly Json[] = ['1', '0', '500m', '1Gi', '0.1m', '1e3', 2, '1.5', '-0', '100Mi', 1.5];
const WILD_NUMBERS = [0, 1, -1, 2, 80, 8000, 65535, 65536, 100, 101, 1000, 2 ** 31 - 1];

function text(schema: JsonSchema, key: string, random: Random): Json | undefined {
  const fits = (c: string): boolean =>
    c.length >= (schema.minLength ?? 0) &&
    c.length <= (schema.maxLength ?? Infinity) &&
    (schema.pattern === undefined || goRegExp(schema.pattern).test(c));
  const likely = (LIKELY[key] ?? ['a', 'b', 'main', 'a.b', '10']).filter((v): v is string => typeof v === 'string');
  const pool = random.chance(wild) ? WILD : likely;
  const start = random.below(Math.max(1, pool.length));
  return [...pool.slice(start), ...pool.slice(0, start), 'a', '1', '/a', '30m', 'nvidia.com/gpu'].find(fits);
}

function sample(schema: JsonSchema, key: string, random: Random, depth: number): Json | undefined {
  if (schema.enum !== undefined) return random.pick(schema.enum as readonly Json[]);
  if (schema['x-kubernetes-int-or-string'] === true) {
    if (key === 'port') return random.pick([80, 'http', 8080, 'a']);
    if (key === 'maxSurge' || key === 'maxUnavailable') return random.pick([0, 1, '25%', '0%', '100%', '150%']);
    return random.pick(QUANTITIES);
  }
  switch (schema.type) {
    case 'string':
      return text(schema, key, random);
    case 'integer':
    case 'number': {
      const likely = (LIKELY[key] ?? []).filter((v) => typeof v === 'number');
      if (likely.length > 0 && !random.chance(wild)) return random.pick(likely);
      const low = schema.minimum ?? 0;
      const high = schema.maximum ?? 100;
      if (random.chance(wild))
        return random.pick(
          WILD_NUMBERS.filter((n) => n >= (schema.minimum ?? -Infinity) && n <= (schema.maximum ?? Infinity)).concat(
            low,
          ),
        );
      return Math.round(low + random.next() * (high - low));
    }
    case 'boolean':
      return random.chance(0.5);
    case 'array': {
      const likely = LIKELY[key];
      if (likely && Array.isArray(likely[0])) return random.pick(likely);
      const n = Math.max(schema.minItems ?? 0, random.below(3));
      return Array.from({ length: n }, () => sample(schema.items ?? {}, key, random, depth + 1)).filter(
        (x) => x !== undefined,
      );
    }
    case 'object': {
      const names = Object.keys(schema.properties ?? {});
      const result: JsonObject = {};
      // A union, such as a volume's source or a probe's check: one of them, most of the time.
      const wanted = Math.min(0.5, 2 / (names.length + 1));
      for (const name of names) {
        if (schema.required?.includes(name) !== true && !random.chance(wanted)) continue;
        const v = sample(schema.properties?.[name] ?? {}, name, random, depth + 1);
        if (v !== undefined) result[name] = v;
      }
      if (typeof schema.additionalProperties === 'object')
        for (let n = random.below(3); n > 0; n--) {
          const k = random.chance(wild)
            ? random.pick(WILD)
            : random.pick(
                key === 'requests' || key === 'limits'
                  ? ['cpu', 'memory', 'nvidia.com/gpu', 'ephemeral-storage', 'hugepages-2Mi']
                  : ['a', 'b', 'a.b/c'],
              );
          const v = sample(schema.additionalProperties, key === 'labels' ? 'name' : 'value', random, depth + 1);
          if (v !== undefined) result[k] = v;
        }
      return result;
    }
    default:
      return 'a';
  }
}

/** A resource with some fields that are probably right, each by itself. */
export function likelyResource(schema: JsonSchema, random: Random): JsonObject {
  const spec = schema.properties?.['spec'];
  const props = spec?.properties ?? {};
  const framework = random.pick(['vllm', 'triton', 'fake', 'custom']);
  const uri = random.pick(
    framework === 'vllm'
      ? ['hf://org/model', 'pvc://claim/x', '/models', 's3://b/p']
      : ['pvc://claim', '/models', 's3://b/p', 'file:///x'],
  );
  const result: JsonObject = {
    model: { uri, framework, version: random.pick(['1', 'v1.2', 'a/b c', '$(X)', 'x\ny', '$$']) },
    replicas: random.pick([
      { min: 1, max: 3 },
      { min: 0, max: 0 },
      { min: 2, max: 2 },
      { min: 0, max: 1 },
    ]),
    ...(framework === 'custom' ? { image: 'x:1' } : {}),
  };
  const names = Object.keys(props).filter((n) => !(n in result));
  const chosen = Array.from({ length: 1 + random.below(4) }, () => random.pick(names));
  for (const name of chosen) {
    const v = sample(props[name] ?? {}, name, random, 1);
    if (v !== undefined) result[name] = v;
  }
  return {
    apiVersion: 'inference.inferno.io/v1alpha1',
    kind: 'InferenceService',
    metadata: { name: random.pick(['service', 'a.b', '0x', 'x'.repeat(63)]), namespace: 'default' },
    spec: result,
  };
}

/** The resource without what the paths of errors name; undefined where nothing of that can be left out. */
export function without(resource: JsonObject, paths: readonly string[]): JsonObject | undefined {
  const copy = structuredClone(resource);
  for (const path of paths) remove(copy, stepsOf(path));
  const pruned = isObject(copy) ? prune(copy) : undefined;
  return isObject(pruned) ? pruned : undefined;
}

function stepsOf(path: string): (string | number)[] {
  const steps = path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g);
  return [...steps].map(([, quoted, index, name = '']) =>
    quoted !== undefined ? String(JSON.parse(`"${quoted}"`)) : index !== undefined ? Number(index) : name,
  );
}

/** Removes what is there of a path: what a rule asks for may be missing, and then it is the object that lacks it. */
function remove(root: JsonObject, steps: readonly (string | number)[]): void {
  let at: Json = root;
  let last: (() => void) | undefined;
  for (const [depth, step] of steps.entries()) {
    const parent: Json = at;
    if (Array.isArray(parent)) {
      const list: Json[] = parent;
      if (list[Number(step)] === undefined) break;
      last = () => void (list[Number(step)] = null);
      at = list[Number(step)] ?? null;
    } else if (isObject(parent) && Object.hasOwn(parent, step)) {
      last = depth === 0 ? undefined : () => Reflect.deleteProperty(parent, step);
      at = parent[step] ?? null;
    } else break;
  }
  last?.();
}

/** Without the places of list items that were removed. */
function prune(value: Json): Json {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(prune);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, prune(member)]));
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
