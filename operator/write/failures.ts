import { describeObject, type Manifest, type Outcome } from '../../lib/composition';
import { ApiError } from '../cluster/api-error';
import { publicText } from '../report/public-text';

/** Answers that say something about the server, or about this client, not about the object that was sent. */
const NOT_ABOUT_THE_OBJECT: ReadonlySet<number> = new Set([401, 408, 429, 502, 503, 504]);

/**
 * What the API server's refusal of a write to one object means. Pure.
 *
 * @throws the error itself where it is not about the object: then nothing else is worth a try now
 */
export function failureOf(object: Manifest, error: ApiError): Outcome {
  if (NOT_ABOUT_THE_OBJECT.has(error.status)) throw error;
  const message = publicText(`${describeObject(object)}: ${error.message}`, [object]);
  const goes =
    (error.status === 403 && error.causes.some(({ reason }) => reason === 'NamespaceTerminating')) ||
    (error.status === 404 && /^namespaces ".*" not found$/.test(error.message));
  if (goes) return { state: 'ending', reason: 'NamespaceTerminating' };
  if (error.status === 409) return momentary('Conflict', message);
  if (isUnknownField(error)) return { state: 'refused', reason: 'UnknownField', message };
  // An etcd that elects, a webhook that does not answer: mostly over soon, and for one kind of object only.
  if (error.status >= 500) return momentary('ServerError', message);
  const reason = error.message.includes('exceeded quota') ? 'QuotaExceeded' : error.reason;
  const early = lacksRights(error) ? { early: true } : {};
  return { state: 'refused', reason: isReason(reason) ? reason : 'ApplyFailed', message, ...early };
}

/** What should be over in moments, and is tried again. */
export function momentary(reason: string, message: string): Outcome {
  return { state: 'waiting', reason, message, for: 'moment' };
}

/** A write to a uid that no longer exists: 409, or 422 for an apply where another object has the name. */
export function isGone(error: ApiError): boolean {
  return (
    (error.status === 409 && /uid mismatch|UID in (the )?precondition/i.test(error.message)) ||
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
