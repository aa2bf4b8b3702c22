// @ts-check
/** @import { Definition, KubernetesDefinitions } from './schema.d.ts' */

const PREFIX = '#/definitions/';

/**
 * The definition that a schema points at.
 * @param {Definition} schema
 * @returns {string | undefined} its full name
 */
export function referenceOf(schema) {
  return schema.$ref?.slice(PREFIX.length);
}

/**
 * @param {KubernetesDefinitions} kubernetes
 * @param {string} name
 * @returns {Definition}
 */
export function definition(kubernetes, name) {
  const found = kubernetes.definitions[name];
  if (!found) {
    throw new Error(
      `Kubernetes ${kubernetes.kubernetes} has no definition ${name} in crds/src/kubernetes.json; ` +
        'check the spelling, or run scripts/kubernetes-definitions.mjs if it is newly used',
    );
  }
  return found;
}

/**
 * The definitions that can be reached from the given ones, sorted by name, without descriptions.
 * @param {Readonly<Record<string, Definition>>} all
 * @param {readonly string[]} roots
 * @returns {Record<string, Definition>}
 */
export function prune(all, roots) {
  /** @type {Map<string, Definition>} */
  const kept = new Map();
  const waiting = [...roots];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (kept.has(name)) continue;
    const found = all[name];
    if (!found) throw new Error(`the OpenAPI document has no definition ${name}`);
    kept.set(name, withoutDescriptions(found));
    waiting.push(...references(found));
  }
  return Object.fromEntries([...kept].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * @param {Definition} schema
 * @returns {string[]}
 */
function references(schema) {
  const own = referenceOf(schema);
  return [...(own === undefined ? [] : [own]), ...parts(schema).flatMap(references)];
}

/**
 * @param {Definition} schema
 * @returns {Definition[]}
 */
function parts({ items, additionalProperties, properties = {} }) {
  return [
    ...(items ? [items] : []),
    ...(additionalProperties ? [additionalProperties] : []),
    ...Object.values(properties),
  ];
}

/**
 * @param {Definition} schema
 * @returns {Definition}
 */
function withoutDescriptions({ description: _, items, additionalProperties, properties, ...rest }) {
  return {
    ...rest,
    ...(items && { items: withoutDescriptions(items) }),
    ...(additionalProperties && { additionalProperties: withoutDescriptions(additionalProperties) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, withoutDescriptions(field)]),
      ),
    }),
  };
}
