import type { Manifest } from '../../lib/composition';
import { NotLeaderError } from '../../operator/cluster/api-error';
import { EventRecorder, type EventNote } from '../../operator/report/events';
import { FakeClock } from './fake-clock';
import { refusal, StubClient, type Answers } from './stub-client';

const object: Manifest = {
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name: 'thing', namespace: 'ns', uid: 'u', generation: 1 },
};
const note: EventNote = { type: 'Warning', reason: 'NameTaken', action: 'Reconcile', message: 'taken' };

function recorder(answers?: Answers) {
  const client = new StubClient(answers);
  const clock = new FakeClock();
  const failed: unknown[] = [];
  const events = new EventRecorder({
    client,
    clock,
    controller: 'inferno.io/operator',
    instance: 'me',
    failed: (error) => failed.push(error),
  });
  return { client, clock, failed, events };
}

test('an event says what happened to what', async () => {
  const { client, events } = recorder();
  events.record(object, note);
  await events.flush();
  expect(client.asked).toMatchObject([
    {
      verb: 'create',
      body: {
        apiVersion: 'events.k8s.io/v1',
        metadata: { namespace: 'ns', name: expect.stringMatching(/^thing\.[0-9a-f]{16}$/) },
        eventTime: '2026-01-01T00:00:00.000000Z',
        note: 'taken',
        reason: 'NameTaken',
        regarding: { kind: 'Thing', name: 'thing', namespace: 'ns', uid: 'u' },
        reportingController: 'inferno.io/operator',
        type: 'Warning',
      },
    },
  ]);
});

test('notes with different subjects are different events', async () => {
  const { client, events } = recorder();
  for (const subject of ['a', 'b', 'a']) events.record(object, { ...note, subject, message: subject });
  await events.flush();
  expect(client.asked).toMatchObject([
    { verb: 'create', body: { note: 'a' } },
    { verb: 'create', body: { note: 'b' } },
    { verb: 'patch' },
  ]);
});

test('the same kind of trouble is one event with a count, written when it has doubled, with any text', async () => {
  const { client, events } = recorder();
  for (let n = 0; n < 9; n += 1) {
    events.record(object, { ...note, message: `taken ${n}` });
    await events.flush();
  }
  expect(client.asked.map(({ verb }) => verb)).toEqual(['create', 'patch', 'patch', 'patch']);
  expect(client.asked.slice(1).map(({ body }) => (body as { value: { count: number } }[])[0]?.value.count)).toEqual([
    2, 4, 8,
  ]);
});

test('another reason, another generation and another object are events of their own', async () => {
  const { client, events } = recorder();
  events.record(object, note);
  events.record(object, { ...note, reason: 'QuotaExceeded' });
  events.record({ ...object, metadata: { ...object.metadata, generation: 2 } }, note);
  events.record({ ...object, metadata: { ...object.metadata, uid: 'other' } }, note);
  await events.flush();
  expect(client.asked.map(({ verb }) => verb)).toEqual(['create', 'create', 'create', 'create']);
});

test('an event of an earlier process is counted up', async () => {
  const { client, events, failed } = recorder(({ verb }) => (verb === 'create' ? refusal(409, 'exists') : undefined));
  events.record(object, note);
  await events.flush();
  expect(client.asked.map(({ verb }) => verb)).toEqual(['create', 'patch']);
  expect(client.asked[1]?.body).toMatchObject([{ path: '/series', value: { count: 2 } }]);
  expect(failed).toEqual([]);
});

test('an event that has expired is written anew', async () => {
  const { client, events, failed } = recorder(({ verb }) => (verb === 'patch' ? refusal(404, 'gone') : undefined));
  events.record(object, note);
  events.record(object, note);
  await events.flush();
  expect(client.asked.map(({ verb }) => verb)).toEqual(['create', 'patch', 'create']);
  expect(failed).toEqual([]);
});

test('one object gets 25 events at once, one more in five minutes, and does not pay for those it did not get', async () => {
  const { client, clock, events } = recorder();
  for (let n = 0; n < 100; n += 1) events.record(object, { ...note, reason: `R${n}` });
  await events.flush();
  expect(client.asked).toHaveLength(25);
  await clock.advance(300_000);
  for (let n = 0; n < 5; n += 1) events.record(object, { ...note, reason: `S${n}` });
  await events.flush();
  expect(client.asked).toHaveLength(26);
  events.record({ ...object, metadata: { ...object.metadata, uid: 'other' } }, note);
  await events.flush();
  expect(client.asked).toHaveLength(27);
});

test('a note has at most 1024 bytes and a name no illegal end', async () => {
  const { client, events } = recorder();
  const name = `${'a'.repeat(199)}.b`;
  events.record({ ...object, metadata: { ...object.metadata, name } }, { ...note, message: 'ü'.repeat(2000) });
  await events.flush();
  const { note: text, metadata } = Object(client.asked[0]?.body) as { note: string; metadata: { name: string } };
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024);
  expect(text).toMatch(/^ü+…$/);
  expect(metadata.name).toMatch(/^a{199}\.[0-9a-f]{16}$/);
});

test('a failure is reported to all who want to know and delays nobody; lost leadership is not a failure', async () => {
  const error = new Error('no');
  const first = recorder(() => error);
  first.events.record(object, note);
  await first.events.flush();
  expect(first.failed).toEqual([error]);
  const second = recorder(() => new NotLeaderError('no'));
  second.events.record(object, note);
  await second.events.flush();
  expect(second.failed).toEqual([]);
});
