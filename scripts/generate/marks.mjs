// @ts-check
/** @import { Origin, Schema } from './schema.d.ts' */

/** On a schema that comes from Kubernetes' definitions: its {@link Origin}. */
const ORIGIN = Symbol('origin');
/** On a field that exists only to be refused: the hint for the user. */
const REFUSED = Symbol('refused');

/**
 * @template {Schema} S
 * @param {S} schema
 * @param {Origin} origin
 * @returns {S}
 */
export function markOrigin(schema, origin) {
  return { ...schema, [ORIGIN]: origin };
}

/**
 * @param {Schema} schema
 * @returns {Origin | undefined}
 */
export function originOf(schema) {
  return /** @type {Origin | undefined} */ (schema[ORIGIN]);
}

/**
 * @param {Schema} schema
 * @param {string} hint
 * @returns {Schema}
 */
export function markRefused(schema, hint) {
  return { ...schema, [REFUSED]: hint };
}

/**
 * @param {Schema} schema
 * @returns {string | undefined}
 */
export function refusedHint(schema) {
  return /** @type {string | undefined} */ (schema[REFUSED]);
}

/**
 * The fields that a user can set, in their order.
 * @param {Schema} schema
 * @returns {[name: string, schema: Schema][]}
 */
export function settableFields(schema) {
  return Object.entries(schema.properties ?? {}).filter(([, field]) => refusedHint(field) === undefined);
}
