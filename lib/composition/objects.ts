/** An object of which only its being one is known. */
export type Fields = { readonly [field: string]: unknown };

/** The object without the fields whose value is undefined, which is how an optional field is left out. */
export function defined<T extends object>(fields: { readonly [K in keyof T]: T[K] | undefined }): T {
  const result: Partial<T> = {};
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined) result[key] = value;
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same fields, and T says which may be missing
  return result as T;
}

/** Whether a value is an object: neither null nor a list. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of what should be an object; none where it is not. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/** The objects in what should be a list of them; anything else is left out. */
export function objectsIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** What should be a text; empty where it is not. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** What should be a number; 0 where it is not. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** The member of a map, if it is the map's own: a key such as `constructor` must not find what every object inherits. */
export function own<T>(map: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** What lies at a path of JSON whose shape is not known; undefined where there is nothing. Only own members count. */
export function member(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key) ? Reflect.get(inner, key) : undefined,
    value,
  );
}
