import { setTimeout as sleep } from 'node:timers/promises';
import { describeLoad, type LoadReport } from '../load';
import { NO_METRICS } from './clean-logs';
import { condition, Inferno, small } from './support';

/** Ends as slowly as services do by default, so that nothing gets lost. */
const steady = {
  model: { uri: 'demo', framework: 'fake', version: '1' },
  replicas: { min: 2, max: 2 },
  env: [{ name: 'INFERNO_FAKE_FIRST_TOKEN_MS', value: '50' }],
};

let inferno: Inferno;

beforeAll(async () => {
  inferno = await Inferno.start({ nodes: [{ name: 'one' }] });
}, 300_000);
afterAll(() => inferno?.stop());

function expectNoFailure(report: LoadReport, requests: number): void {
  if (report.failures.length > 0) throw new Error(describeLoad(report));
  expect(report.requests).toBe(requests);
}

async function uids(name: string): Promise<readonly string[]> {
  return (await inferno.pods(name)).map(({ metadata }) => metadata.uid).toSorted();
}

test.concurrent('a rollout to a new version, and one back, lose no request', async () => {
  const next = { ...steady, model: { ...steady.model, version: '2' } };
  await inferno.service('steady', steady);
  await inferno.ready('steady');
  const before = await uids('steady');
  const load = await inferno.users('steady', 10, 60);
  await sleep(5000);
  await inferno.service('steady', next);
  await inferno.ready('steady');
  expect((await uids('steady')).filter((uid) => before.includes(uid))).toEqual([]);
  await inferno.service('steady', steady);
  await inferno.ready('steady');
  expectNoFailure(await load.finished, 600);
});

test.concurrent(
  'an image that never gets ready leaves the old version serving, and the way back loses no request',
  async () => {
    const good = {
      ...steady,
      drain: { preStopSeconds: 5, shutdownSeconds: 10 },
      startupBudget: '15s',
      progressDeadlineSeconds: 20,
    };
    await inferno.service('broken', good);
    await inferno.ready('broken');
    const before = await uids('broken');
    const load = await inferno.users('broken', 10, 60);
    await sleep(5000);
    await inferno.service('broken', { ...good, image: 'test.local/never-ready:1' });
    const live = await inferno.untilSays(
      'broken',
      'Ready',
      'False',
      /Pod broken-[a-z0-9]+-[a-z0-9]+, container inference-server: /,
    );
    expect(live.status).toMatchObject({ readyReplicas: 2 });
    const pods = await inferno.pods('broken');
    const failing = pods.find(({ metadata }) => !before.includes(metadata.uid))?.metadata.name ?? 'no pod';
    expect(condition(live, 'Ready')?.['message']).toContain(failing);
    await inferno.untilSays('broken', 'Stalled', 'True', /ProgressDeadlineExceeded|ContainerCrashes/);
    await inferno.service('broken', good);
    await inferno.ready('broken');
    expect(await uids('broken')).toEqual(before);
    expectNoFailure(await load.finished, 600);
  },
);

test.concurrent(
  'answers that take 20 s are finished during a rollout, and during one back',
  async () => {
    const streams = {
      ...steady,
      env: [
        { name: 'INFERNO_FAKE_TOKEN_MS', value: '500' },
        { name: 'INFERNO_FAKE_ANSWER_TOKENS', value: '40' },
      ],
    };
    await inferno.service('streams', streams);
    await inferno.ready('streams');
    const load = await inferno.users('streams', 1, 60, { stream: true });
    await sleep(15_000);
    await inferno.service('streams', { ...streams, model: { ...streams.model, version: '2' } });
    await inferno.ready('streams');
    await inferno.service('streams', streams);
    await inferno.ready('streams');
    const report = await load.finished;
    expectNoFailure(report, 60);
    expect(report.latency.p50).toBeGreaterThan(19_000);
  },
  200_000,
);

test.concurrent('an autoscaler that comes and goes loses no request', async () => {
  const scaled = { ...steady, replicas: { min: 2, max: 4 } };
  await inferno.service('scaled', scaled);
  await inferno.ready('scaled');
  const before = await uids('scaled');
  const load = await inferno.users('scaled', 5, 40);
  await sleep(3000);
  await inferno.service('scaled', { ...scaled, autoscaling: { enabled: true } });
  await inferno.ready('scaled');
  expect(await inferno.get('HorizontalPodAutoscaler', 'scaled')).toBeDefined();
  await sleep(3000);
  await inferno.service('scaled', scaled);
  await inferno.until(
    'the end of the autoscaler',
    async () => !(await inferno.get('HorizontalPodAutoscaler', 'scaled')),
  );
  await inferno.ready('scaled');
  expectNoFailure(await load.finished, 200);
  expect(await uids('scaled')).toEqual(before);
});

test.concurrent('the status names the pod that runs and is never ready, though nothing kills it', async () => {
  await inferno.service('mute', {
    ...small,
    model: { ...small.model, framework: 'custom' },
    image: 'test.local/never-ready:1',
    env: [{ name: 'PORT', value: '8000' }],
    readinessProbe: { httpGet: { path: '/health' }, periodSeconds: 1 },
  });
  await inferno.untilSays('mute', 'Ready', 'False', /pod mute-\S+, container \S+ waits for its readiness probe/);
});

test('nobody complained in the logs', async () => {
  expect(await inferno.complaints([NO_METRICS])).toEqual([]);
});
