import type { Manifest } from '../../lib/composition';
import { describeObject } from '../../lib/composition/manifest';
import { ApiError } from '../cluster/api-error';
import { publicText } from '../report/public-text';

/** Why a step of a plan is not done. */
export interface StepFailure {
  readonly object: Manifest;
  /** One word in camel case. */
  readonly reason: string;
  /** For people; without secrets, and short. */
  readonly message: string;
  /**
   * - `refused`: somebody has to act; tried again with growing waits
   * - `passing`: should go by itself in a moment; worth a word only where it does not
   * - `silent`: the namespace goes away, and the resource with it; not worth a word
   * - `altered`: it was done, and something changed it; not done again for now
   */
  readonly sort: 'refused' | 'passing' | 'silent' | 'altered';
  /** An API server that has just started does not know its roles yet: worth a word only where it stays so. @default false */
  readonly early?: boolean;
  /** When to look again, where it is known, in milliseconds. */
  readonly againMs?: number;
}

/** Answers that say something about the server, or about this client, not about the object that was sent. */
const NOT_ABOUT_THE_OBJECT: ReadonlySet<number> = new Set([401, 408, 429, 502, 503, 504]);

/**
 * What the API server's refusal of a write to one object means. Pure.
 *
 * @throws the error itself where it is not about the object: then nothing else is worth a try now
 */
export function failureOf(object: Manifest, error: ApiError): StepFailure {
  if (NOT_ABOUT_THE_OBJECT.has(error.status)) throw error;
  const message = publicText(`${describeObject(object)}: ${error.message}`, [object]);
  const goes =
    (error.status === 403 && error.causes.some(({ reason }) => reason === 'NamespaceTerminating')) ||
    (error.status === 404 && /^namespaces ".*" not found$/.test(error.message));
  if (goes) return { object, reason: 'NamespaceTerminating', message, sort: 'silent' };
  if (error.status === 409) return { object, reason: 'Conflict', message, sort: 'passing' };
  if (isUnknownField(error)) return { object, reason: 'UnknownField', message, sort: 'refused' };
  // An etcd that elects, a webhook that does not answer: mostly over soon, and for one kind of object alone.
  if (error.status >= 500) return { object, reason: 'ServerError', message, sort: 'passing' };
  const reason = error.message.includes('exceeded quota') ? 'QuotaExceeded' : error.reason;
  const early = lacksRights(error) ? { early: true } : {};
  return { object, reason: isReason(reason) ? reason : 'ApplyFailed', message, sort: 'refused', ...early };
}

/** An apply to a uid that no longer exists: 409 where the name is free, 422 where another object has it. */
export function isGone(error: ApiError): boolean {
  return (
    (error.status === 409 && /uid mismatch|UID in precondition/i.test(error.message)) ||
    (error.status === 422 && error.causes.some((cause) => cause.field === 'metadata.uid'))
  );
}

/** A refusal by the API server's authorizer, not by a quota or by admission. */
export function lacksRights(error: ApiError): boolean {
  return error.status === 403 && /\bUser ".*" cannot /.test(error.message);
}

/** An apply with a field that the server does not know is answered with 500, though trying again does not help. */
function isUnknownField(error: ApiError): boolean {
  return error.message.includes('field not declared in schema') || error.message.includes('unknown field "');
}

/** What Kubernetes takes for a reason of a condition. */
function isReason(text: string): boolean {
  return /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/.test(text);
}
