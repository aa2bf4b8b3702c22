/** The object without the fields whose value is undefined, which is how an optional field of a manifest is left out. */
export function defined<T extends object>(fields: { readonly [K in keyof T]: T[K] | undefined }): T {
  const result: Partial<T> = {};
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined) result[key] = value;
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same fields, and T says which may be missing
  return result as T;
}

/** Whether a value is a JSON object: neither null nor a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
