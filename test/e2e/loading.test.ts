import { setTimeout as sleep } from 'node:timers/promises';
import { chat, describeLoad } from '../load';
import { Inferno, NAMESPACE } from './support';

const demo = { model: { uri: 'demo', framework: 'fake', version: '1' }, replicas: { min: 1, max: 1 } };

let inferno: Inferno;

beforeAll(async () => {
  const busy = { labels: { role: 'busy' } };
  inferno = await Inferno.start({
    nodes: [
      { name: 'calm', labels: { role: 'calm' } },
      { name: 'busy-1', ...busy },
      { name: 'busy-2', ...busy },
    ],
  });
}, 300_000);
afterAll(() => inferno?.stop());

test.concurrent(
  'a model that loads for two minutes is waited for',
  async () => {
    await inferno.service('slow', {
      ...demo,
      nodeSelector: { role: 'calm' },
      env: [{ name: 'INFERNO_FAKE_LOAD_SECONDS', value: '120' }],
    });
    const began = Date.now();
    await inferno.ready('slow', 200);
    expect(Date.now() - began).toBeGreaterThan(115_000);
    const [container] = (await inferno.pod('slow')).status?.containerStatuses ?? [];
    expect(container?.restartCount).toBe(0);
    expect(await inferno.ask('slow')).toMatch(/\w/);
  },
  300_000,
);

test.concurrent(
  'a drain waits for running answers, and loses no new ones either',
  async () => {
    await inferno.service('talks', {
      ...demo,
      nodeSelector: { role: 'busy' },
      env: [
        { name: 'INFERNO_FAKE_TOKEN_MS', value: '500' },
        { name: 'INFERNO_FAKE_ANSWER_TOKENS', value: '40' },
      ],
    });
    await inferno.ready('talks');
    const { metadata, spec } = await inferno.pod('talks');
    const client = await inferno.client('talks');
    const running = Array.from({ length: 5 }, () => chat(client, { model: 'talks', stream: true }));
    await sleep(2000);
    const began = Date.now();
    const load = await inferno.users('talks', 5, 30, { maxTokens: 2 });
    const flags = ['--ignore-daemonsets', '--delete-emptydir-data', '--timeout=150s'];
    await inferno.kubectl('drain', spec.nodeName ?? '', ...flags);
    // 15 s for proxies to hear of it, then the rest of the answers
    expect(Date.now() - began).toBeGreaterThan(15_000);
    const gone = await inferno.get('Pod', metadata.name, NAMESPACE);
    expect(gone).toBeUndefined();
    for (const outcome of await Promise.all(running)) expect(outcome).toMatchObject({ ok: true });
    const report = await load.finished;
    expect([report.requests, describeLoad(report)]).toEqual([150, expect.stringContaining(' 0 failed')]);
    await inferno.ready('talks');
  },
  250_000,
);

test('nobody complained in the logs', async () => {
  expect(await inferno.complaints()).toEqual([]);
});
