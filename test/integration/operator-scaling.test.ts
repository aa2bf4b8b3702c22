import { request } from 'node:https';
import { foreignAutoscaler } from './cli-cluster';
import { Bench, condition, fake, has, pause, type Live, type Space } from './operator-support';

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.start();
}, 600_000);
afterAll(() => bench?.stop(), 60_000);
afterEach(() => bench.calm());

const four = { ...fake, replicas: { min: 4, max: 8 } };

/** The state of a Deployment and every later one, as its watch reports it: none is missed. */
class History {
  readonly replicas: unknown[] = [];
  #end = (): void => undefined;

  static async of(space: Space, name: string): Promise<History> {
    const live = await space.get('deployment', name);
    const history = new History();
    if (live !== undefined) history.#take({ object: live });
    const path = `${space.path('deployment')}?watch=1&fieldSelector=metadata.name=${name}`;
    const url = new URL(`${path}&resourceVersion=${live?.metadata.resourceVersion}`, bench.cluster.url);
    const headers = { authorization: `Bearer ${bench.cluster.token}`, accept: 'application/json' };
    await new Promise<void>((resolve, reject) => {
      const sent = request(url, { ca: bench.cluster.ca, headers }, (response) => {
        let rest = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          const lines = (rest + chunk).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) history.#take(JSON.parse(line));
        });
        response.on('error', () => undefined);
        resolve();
      });
      sent.once('error', reject);
      sent.end();
      history.#end = () => sent.destroy();
    });
    return history;
  }

  #take(event: { object: Live }): void {
    const { replicas } = event.object.spec;
    if (this.replicas.at(-1) !== replicas) this.replicas.push(replicas);
  }

  async end(): Promise<readonly unknown[]> {
    await pause(200);
    this.#end();
    return this.replicas;
  }
}

function set(space: Space, name: string, spec: object): Promise<Live> {
  return space.patch('isvc', name, { spec });
}

function version(space: Space, name: string, is: string): Promise<Live> {
  return space.until('deployment', name, (live) =>
    JSON.stringify(live.spec).includes(`"MODEL_VERSION","value":"${is}"`),
  );
}

function scale(space: Space, name: string, replicas: number): Promise<Live> {
  return space.patch('deployment', name, { spec: { replicas } }, '/scale');
}

test('switching the autoscaler on, off, on and off never lets a pod go on the way', async () => {
  const space = await bench.space();
  const operator = bench.operator();
  await space.service('swing', four);
  await space.until('deployment', 'swing', (live) => live.spec['replicas'] === 4);
  const history = await History.of(space, 'swing');
  await set(space, 'swing', { autoscaling: { enabled: true } });
  await space.until('hpa', 'swing', () => true);
  await set(space, 'swing', { model: { version: '2' } });
  await version(space, 'swing', '2');
  await scale(space, 'swing', 7);
  await set(space, 'swing', { model: { version: '3' } });
  await version(space, 'swing', '3');
  await set(space, 'swing', { autoscaling: { enabled: false } });
  await space.until('deployment', 'swing', (live) => live.spec['replicas'] === 4);
  await space.gone('hpa', 'swing');
  await set(space, 'swing', { autoscaling: { enabled: true } });
  await space.until('hpa', 'swing', () => true);
  await scale(space, 'swing', 6);
  await set(space, 'swing', { autoscaling: null });
  await space.until('deployment', 'swing', (live) => live.spec['replicas'] === 4);
  await space.gone('hpa', 'swing');
  expect(await history.end()).toEqual([4, 7, 4, 6, 4]);
  expect(operator.errors(space)).toEqual([]);
}, 60_000);

test('what the autoscaler chose outlives restarts of the operator, and changes while it is down', async () => {
  const space = await bench.space();
  const first = bench.operator();
  await space.service('kept', { ...four, autoscaling: { enabled: true } });
  await space.until('hpa', 'kept', () => true);
  // The autoscaler brings it to its least number at once, and would undo what is set meanwhile.
  await space.until('deployment', 'kept', (live) => live.spec['replicas'] === 4);
  await scale(space, 'kept', 5);
  const history = await History.of(space, 'kept');
  await first.stop();
  await scale(space, 'kept', 7);
  await set(space, 'kept', { model: { version: '2' } });
  const second = bench.operator();
  await version(space, 'kept', '2');
  await second.stop();
  await set(space, 'kept', { autoscaling: { minReplicas: 5 }, model: { version: '3' } });
  bench.operator();
  await version(space, 'kept', '3');
  await space.until('hpa', 'kept', (live) => live.spec['minReplicas'] === 5);
  expect(await history.end()).toEqual([5, 7]);
}, 60_000);

test('an operator that is switched on after the resource was, and cut off at any moment, hands over all the same', async () => {
  const space = await bench.space();
  const first = bench.operator();
  const names = Array.from({ length: 8 }, (_, n) => `cut-${n}`);
  await Promise.all(names.map((name) => space.service(name, four)));
  await Promise.all(names.map((name) => space.until('deployment', name, (live) => live.spec['replicas'] === 4)));
  await first.stop();
  const histories = await Promise.all(names.map((name) => History.of(space, name)));
  await Promise.all(names.map((name) => set(space, name, { autoscaling: { enabled: true } })));
  for (let round = 0; round < 12; round += 1) {
    const operator = bench.operator({ shutdownMs: 1 });
    await pause(20 + 12 * round);
    await operator.stop();
  }
  bench.operator();
  await Promise.all(names.map((name) => space.until('hpa', name, () => true)));
  await Promise.all(
    names.map((name) => space.until('isvc', name, (live) => live.status?.['observedGeneration'] === 2)),
  );
  const seen = await Promise.all(histories.map((history) => history.end()));
  expect(seen.flat().filter((replicas) => replicas !== 4)).toEqual([]);
}, 90_000);

test('a parked service that gets an autoscaler wakes up with its least number of pods', async () => {
  const space = await bench.space();
  bench.operator();
  await space.service('parked', { ...fake, replicas: { min: 0, max: 0 }, autoscaling: { enabled: true } });
  await space.until('deployment', 'parked', (live) => live.spec['replicas'] === 0);
  await set(space, 'parked', { replicas: { min: 2, max: 4 } });
  await space.until('hpa', 'parked', () => true);
  await space.until('deployment', 'parked', (live) => live.spec['replicas'] === 2);
  await set(space, 'parked', { replicas: { min: 0, max: 0 } });
  await space.until('deployment', 'parked', (live) => live.spec['replicas'] === 0);
  await space.gone('hpa', 'parked');
}, 60_000);

test('bounds that contradict each other are refused, and the autoscaler keeps the last good ones', async () => {
  const space = await bench.space();
  bench.operator();
  await space.service('bounds', { ...four, autoscaling: { enabled: true } });
  await space.until('hpa', 'bounds', (live) => live.spec['maxReplicas'] === 8);
  const type = { 'content-type': 'application/merge-patch+json' };
  const bad = { spec: { replicas: { min: 50, max: 10 } } };
  expect((await bench.cluster.request('PATCH', space.path('isvc', 'bounds'), bad, type)).status).toBe(422);
  await pause(300);
  expect((await space.get('hpa', 'bounds'))?.spec).toMatchObject({ minReplicas: 4, maxReplicas: 8 });
}, 60_000);

test('without an autoscaler there are exactly the replicas that the resource says, no matter who scales', async () => {
  const space = await bench.space();
  bench.operator();
  await space.service('fixed', four);
  await space.until('deployment', 'fixed', (live) => live.spec['replicas'] === 4);
  await scale(space, 'fixed', 1);
  await space.until('deployment', 'fixed', (live) => live.spec['replicas'] === 4);
  // Through the resource's own scale subresource it is a wish of the user.
  await space.patch('isvc', 'fixed', { spec: { replicas: 3 } }, '/scale');
  await space.until('deployment', 'fixed', (live) => live.spec['replicas'] === 3);
}, 60_000);

test('the number that somebody else’s autoscaler chooses is left and reported, and put right when that is gone', async () => {
  const space = await bench.space();
  const first = bench.operator();
  await space.service('rival', four);
  await space.until('deployment', 'rival', (live) => live.spec['replicas'] === 4);
  await space.make('hpa', foreignAutoscaler('rival'));
  await space.until('isvc', 'rival', has('AutoscalerActive', 'False', 'AnotherAutoscaler'));
  const history = await History.of(space, 'rival');
  await scale(space, 'rival', 6);
  const told = await space.until('isvc', 'rival', has('Synced', 'False', 'ScaledByAnother'));
  expect(condition(told, 'Synced')?.['message']).toContain(`delete HorizontalPodAutoscaler ${space.name}/rival-theirs`);
  const before = space.writes().length;
  await scale(space, 'rival', 5);
  await pause(3000);
  // At most the status, with its counts.
  expect(space.writes().length - before).toBeLessThanOrEqual(2);
  await set(space, 'rival', { model: { version: '2' } });
  await version(space, 'rival', '2');
  await first.stop();
  const second = bench.operator();
  await set(space, 'rival', { model: { version: '3' } });
  await version(space, 'rival', '3');
  expect(await history.end()).toEqual([4, 6, 5]);
  const events = (await space.list('event')).filter((event) => event['reason'] === 'ScaledByAnother');
  expect(events).toMatchObject([{ type: 'Warning', regarding: { name: 'rival' } }]);
  expect([...first.errors(space), ...second.errors(space)]).toEqual([]);
  await space.delete('hpa', 'rival-theirs');
  await space.until('deployment', 'rival', (live) => live.spec['replicas'] === 4);
  await space.until('isvc', 'rival', has('Synced', 'True'));
  expect(condition(await space.get('isvc', 'rival'), 'AutoscalerActive')).toBeUndefined();
}, 90_000);

test('parking and waking up work beside somebody else’s autoscaler', async () => {
  const space = await bench.space();
  bench.operator();
  await space.service('sleeper', four);
  await space.until('deployment', 'sleeper', (live) => live.spec['replicas'] === 4);
  await space.make('hpa', foreignAutoscaler('sleeper'));
  await space.until('isvc', 'sleeper', has('AutoscalerActive', 'False', 'AnotherAutoscaler'));
  await set(space, 'sleeper', { replicas: { min: 0, max: 0 } });
  await space.until('deployment', 'sleeper', (live) => live.spec['replicas'] === 0);
  await set(space, 'sleeper', { replicas: { min: 2, max: 2 } });
  await space.until('deployment', 'sleeper', (live) => live.spec['replicas'] === 2);
}, 60_000);

test('somebody else’s autoscaler beside ours is reported, and neither is touched', async () => {
  const space = await bench.space();
  bench.operator();
  await space.service('twice', { ...four, autoscaling: { enabled: true } });
  const theirs = await space.make('hpa', foreignAutoscaler('twice'));
  await space.until('isvc', 'twice', has('AutoscalerActive', 'False', 'AnotherAutoscaler'));
  expect((await space.get('hpa', 'twice-theirs'))?.metadata.generation).toBe(theirs.metadata.generation);
  expect(await space.get('hpa', 'twice')).toBeDefined();
}, 60_000);
