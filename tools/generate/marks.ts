import type { Origin, Schema } from './schema';
/** On a schema that comes from Kubernetes' definitions: its {@link Origin}. */
const ORIGIN = Symbol('origin');
/** On a field that exists only to be refused: the hint for the user. */
const REFUSED = Symbol('refused');

export function markOrigin<S extends Schema>(schema: S, origin: Origin): S {
  return { ...schema, [ORIGIN]: origin };
}

export function originOf(schema: Schema): Origin | undefined {
  return schema[ORIGIN] as Origin | undefined;
}

export function markRefused(schema: Schema, hint: string): Schema {
  return { ...schema, [REFUSED]: hint };
}

export function refusedHint(schema: Schema): string | undefined {
  return schema[REFUSED] as string | undefined;
}

/** The fields that a user can set, in their order. */
export function settableFields(schema: Schema): [name: string, schema: Schema][] {
  return Object.entries(schema.properties ?? {}).filter(([, field]) => refusedHint(field) === undefined);
}
