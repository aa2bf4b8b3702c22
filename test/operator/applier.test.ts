import { Kinds, type LiveObject, type Manifest, type Outcome, type Owner } from '../../lib/composition';
import { ConnectionError } from '../../operator/cluster/api-error';
import { planned } from '../composition/fixtures';
import { Applier, type StepResult } from '../../operator/write/applier';
import { Informers } from '../../operator/watch/informers';
import { FakeClock } from './fake-clock';
import { refusal, StubClient, type Answers } from './stub-client';

const { Deployment, HorizontalPodAutoscaler: Hpa, Service } = Kinds;
const owner: Owner = {
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  name: 'thing',
  uid: 'owner',
  children: [Deployment, Service, Hpa],
};
const reference = { apiVersion: 'example.com/v1', kind: 'Thing', name: 'thing', uid: 'owner', controller: true };
const ownerReferences = [reference];
const labels = { 'app.kubernetes.io/managed-by': 'inferno' };
const metadata = { name: 'thing', namespace: 'ns', labels };
const deployment: Manifest = { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { replicas: 2 } };
const service: Manifest = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata,
  spec: { ports: [{ port: 80, protocol: 'TCP' }] },
};
const hpa: Manifest = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata,
  spec: { scaleTargetRef: { kind: 'Deployment', name: 'thing' }, maxReplicas: 3 },
};

function live(object: Manifest, more: object = {}): LiveObject {
  const uid = `uid-${object.kind}`;
  return { ...object, metadata: { ...object.metadata, uid, resourceVersion: '7', ownerReferences, ...more } };
}

/** What was written, by kind, and what became of the rest. */
interface Applied {
  readonly done: readonly string[];
  readonly failures: readonly (Outcome | undefined)[];
}

function appliedOf(results: readonly StepResult[]): Applied {
  return {
    done: results
      .filter(({ done }) => done)
      .map(({ step }) => `${step.action} ${(step.action === 'delete' ? step.live : step.manifest).kind}`),
    failures: results.map(({ outcome }) => outcome).filter((outcome) => outcome?.state !== 'applied'),
  };
}

async function carryOut(
  desired: readonly Manifest[],
  there: readonly LiveObject[],
  answers?: Answers,
): Promise<{ readonly client: StubClient; readonly applied: Applied; readonly informers: Informers }> {
  const client = new StubClient(answers);
  const clock = new FakeClock();
  const informers = new Informers({ client, clock, namespaces: [] });
  const applier = new Applier({ client, clock, cacheOf: (kind) => informers.of({ kind }) });
  const results = await applier.carryOut(planned(desired, there, owner), owner, new AbortController().signal);
  return { client, applied: appliedOf(results), informers };
}

function asked(client: StubClient): readonly string[] {
  return client.asked.map(({ verb, kind, manager }) => `${verb} ${kind}${manager === undefined ? '' : ` ${manager}`}`);
}

test('what is missing is made where nothing is, and the cache knows it at once', async () => {
  const { client, applied, informers } = await carryOut([deployment, service], []);
  expect(client.asked.map(({ target }) => target)).toEqual([{ create: true }, { create: true }]);
  expect(applied).toEqual({ failures: [], done: ['create Deployment', 'create Service'] });
  expect(informers.of({ kind: Service }).get('ns', 'thing')?.metadata.uid).toBe('made-Service');
});

test('what is there is changed by its uid', async () => {
  const { client, applied } = await carryOut([service], [live(service)]);
  expect(client.asked).toMatchObject([{ verb: 'apply', target: { uid: 'uid-Service' } }]);
  expect(applied).toEqual({ failures: [], done: ['update Service'] });
});

test('a refusal does not keep others from being done, but nothing is pruned', async () => {
  const answers: Answers = ({ kind }) => (kind === 'Deployment' ? refusal(422, 'spec: no') : undefined);
  const { client, applied } = await carryOut([deployment, service], [live(hpa, { name: 'other' })], answers);
  // An autoscaler goes all the same: it must not scale what it should not.
  expect(asked(client)).toEqual([
    'delete HorizontalPodAutoscaler',
    'apply Deployment inferno',
    'apply Service inferno',
  ]);
  expect(applied.failures).toMatchObject([{ state: 'refused' }]);
  const pruning = await carryOut([deployment], [live(service)], answers);
  expect(asked(pruning.client)).toEqual(['apply Deployment inferno']);
});

test('an autoscaler that cannot be deleted keeps its target’s number', async () => {
  const answers: Answers = ({ verb }) => (verb === 'delete' ? refusal(403, 'not allowed') : undefined);
  const { client, applied } = await carryOut([deployment, service], [live(hpa), live(deployment)], answers);
  expect(asked(client)).toEqual(['delete HorizontalPodAutoscaler', 'apply Service inferno']);
  expect(applied.failures).toMatchObject([
    { state: 'refused', message: expect.stringContaining('not allowed') },
    undefined,
  ]);
});

test('a number of replicas is handed over before it is dropped', async () => {
  const managedFields = [{ manager: 'inferno', fieldsV1: { 'f:spec': { 'f:replicas': {} } } }];
  const { client } = await carryOut([{ ...deployment, spec: {} }, hpa], [live(deployment, { managedFields })]);
  expect(asked(client)).toEqual([
    'apply Deployment inferno-handover',
    'apply Deployment inferno',
    'apply HorizontalPodAutoscaler inferno',
  ]);
  expect(client.asked[0]).toMatchObject({ body: { spec: { replicas: 2 }, metadata: { resourceVersion: '7' } } });
});

test.each([
  ['of nobody', {}, 'refused', 'NameTaken'],
  ['of another controller', { ownerReferences: [{ ...reference, kind: 'Job', uid: 'x' }] }, 'refused', 'NameTaken'],
  [
    'of an earlier resource of our name',
    { ownerReferences: [{ ...reference, uid: 'x' }] },
    'waiting',
    'WaitingForDeletion',
  ],
  ['of our own', { ownerReferences }, 'waiting', 'SeenLate'],
])('an object %s that the cache did not know is found out by a read', async (_, more, state, reason) => {
  const there: Manifest = { ...service, metadata: { ...metadata, uid: 'there', ...more } };
  const answers: Answers = ({ verb }) => (verb === 'apply' ? refusal(409, 'modified') : there);
  const { client, applied, informers } = await carryOut([service], [], answers);
  expect(asked(client)).toEqual(['apply Service inferno', 'get Service']);
  expect(applied.failures).toMatchObject([{ state, reason }]);
  expect(informers.of({ kind: Service }).get('ns', 'thing') !== undefined).toBe(reason === 'SeenLate');
});

test('a conflict with something beside the object passes by itself', async () => {
  const answers: Answers = ({ verb }) => (verb === 'apply' ? refusal(409, 'resourcequotas was modified') : undefined);
  const { applied } = await carryOut([service], [], answers);
  expect(applied.failures).toMatchObject([{ state: 'waiting', reason: 'Conflict' }]);
});

test('an object that was replaced meanwhile is no error', async () => {
  const { applied } = await carryOut([service], [live(service)], () => refusal(409, 'uid mismatch: a'));
  expect(applied.failures).toMatchObject([{ state: 'waiting' }]);
});

test.each([
  [404, 'services "thing" not found'],
  [409, 'Precondition failed: UID in precondition: uid-Service, UID in object meta: other'],
  [409, 'the UID in the precondition (uid-Service) does not match the UID in record (other)'],
])('an object that is gone already (%d, %s) counts as deleted', async (status, message) => {
  const { applied, informers } = await carryOut([], [live(service)], () => refusal(status, message));
  expect(applied).toEqual({ failures: [], done: ['delete Service'] });
  expect(informers.of({ kind: Service }).size).toBe(0);
});

test.each([
  'Precondition failed: ResourceVersion in precondition: 7, ResourceVersion in object meta: 8',
  'the ResourceVersion in the precondition (7) does not match the ResourceVersion in record (8)',
])('only the version that was seen is deleted, as it may have been let go meanwhile: %s', async (message) => {
  const { applied } = await carryOut([], [live(service)], () => refusal(409, message));
  expect(applied).toMatchObject({ failures: [{ state: 'waiting', reason: 'SeenLate', for: 'moment' }], done: [] });
});

test('an object that finalizers keep is known to be ending', async () => {
  const kept = live(service, { deletionTimestamp: 'now', finalizers: ['slow'], resourceVersion: '8' });
  const { applied, informers } = await carryOut([], [live(service)], () => kept);
  expect(applied.done).toEqual(['delete Service']);
  expect(informers.of({ kind: Service }).get('ns', 'thing')).toEqual(kept);
});

test.each([
  ['a lost connection', new ConnectionError('cut')],
  ['a busy server', refusal(503, 'busy')],
])('%s ends the whole plan', async (_, error) => {
  await expect(carryOut([deployment, service], [], () => error)).rejects.toBe(error);
});

test('an answer that is not what was applied is reported, and counts as done', async () => {
  const answers: Answers = ({ body }) => {
    const manifest = body as Manifest;
    return {
      ...manifest,
      metadata: { ...manifest.metadata, uid: 'u', labels: { ...labels, 'app.kubernetes.io/managed-by': 'x' } },
    };
  };
  const { applied } = await carryOut([service], [], answers);
  expect(applied).toMatchObject({
    done: ['create Service'],
    failures: [{ state: 'altered', reason: 'FieldsNotKept' }],
  });
});
