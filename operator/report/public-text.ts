import type { Manifest } from '../../lib/composition';
import { cutText } from '../../lib/composition/text';

/** The longest text of one failure, in characters: some sentences, not a dump. */
const LONGEST = 1024;
/** Shorter values are too common to be taken out of a text, and too short to be secrets. */
const SHORTEST_SECRET = 8;
/** Nothing in Kubernetes is nested deeper. */
const DEEPEST = 64;

/**
 * A text that may stand in a status, an event or the log: values that could be secrets are replaced by `***`, white space
 * by single spaces, and it has at most about 1000 characters. Pure.
 *
 * The API server quotes values that it refuses. What is taken out are the values of Secrets and of environment variables
 * in `objects`, as they are, as JSON writes them, and decoded from base64.
 *
 * Caveat: a secret that stands elsewhere, such as in an argument, is not known to be one.
 */
export function publicText(text: string, objects: readonly Manifest[]): string {
  const secrets = [...new Set(objects.flatMap(secretsOf).flatMap(spellings))]
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .toSorted((a, b) => b.length - a.length);
  const open = secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
  return cutText(open.replaceAll(/\s+/g, ' ').trim(), LONGEST);
}

function secretsOf(object: Manifest): readonly string[] {
  return object.kind === 'Secret' && object.apiVersion === 'v1'
    ? [...texts(object['data']), ...texts(object['data']).map(decoded), ...texts(object['stringData'])]
    : environmentValues(object, 0);
}

function environmentValues(value: unknown, depth: number): readonly string[] {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return [];
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) =>
    key === 'env' && Array.isArray(member)
      ? member.flatMap((variable: unknown) =>
          typeof variable === 'object' && variable !== null && 'value' in variable && typeof variable.value === 'string'
            ? [variable.value]
            : [],
        )
      : environmentValues(member, depth + 1),
  );
}

function spellings(secret: string): readonly string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), Buffer.from(secret).toString('base64')];
}

function texts(map: unknown): readonly string[] {
  return typeof map === 'object' && map !== null
    ? Object.values(map).filter((value: unknown): value is string => typeof value === 'string')
    : [];
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}
