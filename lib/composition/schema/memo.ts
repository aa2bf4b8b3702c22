import type { JsonSchema } from './types';

/** A function of a schema that is computed once for each. */
export function memo<T>(compute: (schema: JsonSchema) => T): (schema: JsonSchema) => T {
  const results = new WeakMap<JsonSchema, { readonly value: T }>();
  return (schema) => {
    let result = results.get(schema);
    if (result === undefined) results.set(schema, (result = { value: compute(schema) }));
    return result.value;
  };
}

/** Whether a schema, or one below it that describes a value, is such a one; to leave out walks that find nothing. */
export function anywhere(test: (schema: JsonSchema) => boolean): (schema: JsonSchema) => boolean {
  const search = memo((schema: JsonSchema): boolean => {
    if (test(schema)) return true;
    const { properties, additionalProperties, items, allOf = [] } = schema;
    for (const child of [items, additionalProperties, ...allOf])
      if (typeof child === 'object' && search(child)) return true;
    for (const name in properties) {
      const child = properties[name];
      if (child !== undefined && search(child)) return true;
    }
    return false;
  });
  return search;
}
