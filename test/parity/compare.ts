import { isDeepStrictEqual } from 'node:util';
import { type Admission, type CrdSchema, type Json, type JsonObject } from '../../lib/composition/schema';

/** The API server's answer to a create. */
export interface Answer {
  readonly status: number;
  readonly body: JsonObject;
}

/** Sends a resource as JSON text to the API server, as a dry run with strict field validation. */
export type Post = (path: string, body: string) => Promise<Answer>;

/** A resource on which the API server and the offline check do not agree. */
export interface Disagreement {
  readonly resource: JsonObject;
  readonly reason: string;
}

/** How a comparison went. */
export interface Report {
  readonly accepted: number;
  readonly refused: number;
  readonly disagreements: readonly Disagreement[];
  readonly milliseconds: number;
}

/** How many requests are under way at once. */
const IN_FLIGHT = 8;

/** What only a cluster can fill in. */
const BY_THE_CLUSTER = [
  'uid',
  'creationTimestamp',
  'generation',
  'managedFields',
  'namespace',
  'resourceVersion',
  'selfLink',
];
const BY_THE_CLIENT = ['deletionTimestamp', 'deletionGracePeriodSeconds'];

/** Sorted keys, without what only a cluster fills in. */
function comparable(resource: JsonObject): JsonObject {
  const { metadata, ...rest } = resource;
  const entries = Object.entries(metadata ?? {}).filter(
    ([key]) => ![...BY_THE_CLUSTER, ...BY_THE_CLIENT].includes(key) && !(key === 'name' && isGenerated(metadata)),
  );
  return { ...rest, metadata: Object.fromEntries(entries) };
}

function isGenerated(metadata: Json | undefined): boolean {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return false;
  const { name, generateName } = metadata;
  return (
    typeof generateName === 'string' &&
    generateName !== '' &&
    (name === undefined || (typeof name === 'string' && name.length === Math.min(58, generateName.length) + 5))
  );
}

function disagreement(offline: Admission<JsonObject>, online: Answer): string | undefined {
  const message = JSON.stringify(online.body['message'] ?? null).slice(0, 600);
  if (online.status === 201) {
    if (!offline.valid) return `accepted by the API server; offline: ${JSON.stringify(offline.errors).slice(0, 600)}`;
    // A create drops a status; what the API server shows then is the default, which stands nowhere else.
    const stored = { ...online.body };
    if (offline.resource['status'] === undefined) delete stored['status'];
    const [ours, theirs] = [comparable(offline.resource), comparable(stored)];
    return isDeepStrictEqual(ours, theirs) ? undefined : difference(ours, theirs);
  }
  if (![400, 413, 422].includes(online.status)) return `the API server answered ${online.status}: ${message}`;
  return offline.valid ? `refused by the API server (${online.status}): ${message}` : undefined;
}

function difference(ours: Json, theirs: Json, path = ''): string {
  const both = [ours, theirs];
  if (both.every((value) => typeof value === 'object' && value !== null)) {
    const [a, b] = both as [JsonObject, JsonObject];
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
      if (!isDeepStrictEqual(a[key], b[key])) return difference(a[key] ?? null, b[key] ?? null, `${path}/${key}`);
  }
  return `other values at ${path}: offline ${JSON.stringify(ours)}, API server ${JSON.stringify(theirs)}`;
}

/** Asks both about every resource. */
export async function compare(
  schema: CrdSchema,
  resources: readonly JsonObject[],
  path: string,
  post: Post,
): Promise<Report> {
  const start = performance.now();
  const disagreements: Disagreement[] = [];
  let accepted = 0;
  let next = 0;
  const work = async (): Promise<void> => {
    for (let resource = resources[next++]; resource !== undefined; resource = resources[next++]) {
      const online = await post(path, JSON.stringify(resource));
      if (online.status === 201) accepted++;
      const reason = disagreement(schema.admit<JsonObject>(resource), online);
      if (reason !== undefined) disagreements.push({ resource, reason });
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  const milliseconds = performance.now() - start;
  return { accepted, refused: resources.length - accepted, disagreements, milliseconds };
}
