import type { Definition, KubernetesDefinitions } from './schema';
const PREFIX = '#/definitions/';

/**
 * The definition that a schema points at.
 * @returns its full name
 */
export function referenceOf(schema: Definition): string | undefined {
  return schema.$ref?.slice(PREFIX.length);
}

export function definition(kubernetes: KubernetesDefinitions, name: string): Definition {
  const found = kubernetes.definitions[name];
  if (!found) {
    throw new Error(
      `Kubernetes ${kubernetes.kubernetes} has no definition ${name} in crds/src/kubernetes.json; ` +
        'check the spelling, or run tools/kubernetes-definitions.ts if it is newly used',
    );
  }
  return found;
}

/** The definitions that can be reached from the given ones, sorted by name, without descriptions. */
export function prune(all: Readonly<Record<string, Definition>>, roots: readonly string[]): Record<string, Definition> {
  const kept: Map<string, Definition> = new Map();
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

function references(schema: Definition): string[] {
  const own = referenceOf(schema);
  return [...(own === undefined ? [] : [own]), ...parts(schema).flatMap(references)];
}

function parts({ items, additionalProperties, properties = {} }: Definition): Definition[] {
  return [
    ...(items ? [items] : []),
    ...(additionalProperties ? [additionalProperties] : []),
    ...Object.values(properties),
  ];
}

function withoutDescriptions({
  description: _,
  items,
  additionalProperties,
  properties,
  ...rest
}: Definition): Definition {
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
