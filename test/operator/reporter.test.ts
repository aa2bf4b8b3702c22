import type { Manifest, Finding } from '../../lib/composition';
import { EventRecorder } from '../../operator/report/events';
import { jsonLogger } from '../../operator/report/log';
import { Reporter, type ReportMemory } from '../../operator/report/reporter';
import { FakeClock } from './fake-clock';
import { StubClient } from './stub-client';

const resource: Manifest = {
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name: 'thing', namespace: 'ns', uid: 'u', generation: 1 },
  spec: { env: [{ name: 'TOKEN', value: 'open-sesame-12345' }] },
};
const floating: Finding = { code: 'warning', path: ['spec', 'image'], message: 'has no tag' };
const inClear: Finding = {
  code: 'warning',
  path: ['spec', 'env', 0, 'value'],
  message: 'open-sesame-12345 looks like a secret',
};

function reporting() {
  const client = new StubClient();
  const lines: string[] = [];
  const clock = new FakeClock();
  const events = new EventRecorder({ client, clock, controller: 'c', instance: 'i', failed: () => undefined });
  const log = jsonLogger('info', (line) => lines.push(line));
  const notes = async (): Promise<readonly unknown[]> => {
    await events.flush();
    return client.asked.map(({ body }) => (body as { readonly note?: string }).note);
  };
  return { reporter: new Reporter({ events, log }), lines, notes };
}

test('each warning is one event and one line at info, however often the resource is looked at', async () => {
  const { reporter, lines, notes } = reporting();
  const memory: ReportMemory = {};
  for (let look = 0; look < 20; look += 1) reporter.warned(resource, memory, [floating, inClear], false);
  expect(await notes()).toEqual(['spec.image: has no tag', 'spec.env[0].value: *** looks like a secret']);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'info', namespace: 'ns', name: 'thing', warning: 'spec.image: has no tag' },
    { level: 'info', namespace: 'ns', name: 'thing', warning: 'spec.env[0].value: *** looks like a secret' },
  ]);
});

test('a warning that comes, goes and comes again is reported each time it comes', async () => {
  const { reporter, lines } = reporting();
  const memory: ReportMemory = {};
  reporter.warned(resource, memory, [floating], false);
  reporter.warned(resource, memory, [floating, inClear], false);
  reporter.warned(resource, memory, [inClear], false);
  reporter.warned(resource, memory, [floating, inClear], false);
  expect(lines).toHaveLength(3);
});

test('what an earlier process reported is not reported again, and what is new since is', async () => {
  const { reporter, lines, notes } = reporting();
  const memory: ReportMemory = {};
  reporter.warned(resource, memory, [floating], true);
  expect(lines).toEqual([]);
  reporter.warned(resource, memory, [floating, inClear], true);
  expect(await notes()).toEqual(['spec.env[0].value: *** looks like a secret']);
});
