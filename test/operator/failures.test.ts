import { ApiError, type StatusBody } from '../../operator/cluster/api-error';
import { failureOf, isGone } from '../../operator/write/failures';

const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x', namespace: 'ns' } };

function error(status: number, body: StatusBody): ApiError {
  return new ApiError('PATCH /x', status, body, 0);
}

test.each([
  ['a quota', 403, { reason: 'Forbidden', message: 'exceeded quota: a' }, 'refused', 'QuotaExceeded'],
  ['missing rights', 403, { reason: 'Forbidden', message: 'User "x" cannot patch' }, 'refused', 'Forbidden'],
  ['an invalid object', 422, { reason: 'Invalid', message: 'spec.a: Required value' }, 'refused', 'Invalid'],
  ['a webhook’s denial', 400, { reason: 'BadRequest', message: 'denied' }, 'refused', 'BadRequest'],
  ['a denial without a reason', 403, { message: 'denied' }, 'refused', 'ApplyFailed'],
  ['a reason that is none', 403, { reason: 'not a word!', message: 'denied' }, 'refused', 'ApplyFailed'],
  [
    'an unknown field in an apply',
    500,
    { message: '.spec.a: field not declared in schema' },
    'refused',
    'UnknownField',
  ],
  [
    'an unknown field elsewhere',
    400,
    { message: 'strict decoding error: unknown field "spec.a"' },
    'refused',
    'UnknownField',
  ],
  ['a webhook that does not answer', 500, { message: 'failed calling webhook' }, 'waiting', 'ServerError'],
  ['a conflict', 409, { reason: 'Conflict', message: 'modified' }, 'waiting', 'Conflict'],
  ['a namespace that is gone', 404, { message: 'namespaces "ns" not found' }, 'ending', 'NamespaceTerminating'],
  [
    'a namespace that goes',
    403,
    { message: 'unable to create', details: { causes: [{ reason: 'NamespaceTerminating' }] } },
    'ending',
    'NamespaceTerminating',
  ],
])('%s', (_, status, body, state, reason) => {
  const failure = failureOf(object, error(status, body));
  const message = state === 'ending' ? {} : { message: `Deployment ns/x: ${body.message}` };
  expect(failure).toMatchObject({ state, reason, ...message });
});

test.each([401, 408, 429, 502, 503, 504])('%d is not about the object and is thrown', (status) => {
  const thrown = error(status, { message: 'busy' });
  expect(() => failureOf(object, thrown)).toThrow(thrown);
});

test('an object of that uid is gone, or another one is in its place', () => {
  expect(isGone(error(409, { message: 'uid mismatch: the provided object specified uid a' }))).toBe(true);
  expect(isGone(error(422, { details: { causes: [{ field: 'metadata.uid' }] } }))).toBe(true);
  expect(isGone(error(409, { message: 'the object has been modified' }))).toBe(false);
  expect(isGone(error(422, { details: { causes: [{ field: 'spec' }] } }))).toBe(false);
});

test('only a refusal by the authorizer may be one that passes once the API server knows its roles', () => {
  const early = (message: string): boolean | undefined => {
    const outcome = failureOf(object, error(403, { message }));
    return outcome.state === 'refused' ? outcome.early : undefined;
  };
  expect(early('deployments.apps "x" is forbidden: User "y" cannot patch resource "deployments"')).toBe(true);
  expect(early('exceeded quota: a')).toBeUndefined();
  expect(early('admission webhook "x" denied the request')).toBeUndefined();
});
