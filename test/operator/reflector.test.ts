import type { Manifest } from '../../lib/composition/manifest';
import { ApiError, ConnectionError } from '../../operator/cluster/api-error';
import { Cache } from '../../operator/watch/cache';
import type { KubeClient, Page, WatchEvent } from '../../operator/cluster/kube';
import {
  afterEvent,
  DEFAULT_IDLE_MS,
  leavesPosition,
  Reflector,
  type ReflectorState,
} from '../../operator/watch/reflector';
import { FakeClock } from './fake-clock';

const KIND = { apiVersion: 'v1', kind: 'Service', plural: 'services' };

function service(name: string, version: string): Manifest {
  return { ...KIND, metadata: { name, namespace: 'a', uid: name, resourceVersion: version } };
}

/** An API server of which a test says what each list and watch answers, in their order; after that it is silent. */
class Script {
  readonly asked: string[] = [];

  constructor(private readonly answers: (Page | Error | readonly (WatchEvent | Error)[])[]) {}

  readonly client = {
    list: async (_kind: unknown, _selection: unknown, of: { limit: number; next?: string }): Promise<Page> => {
      this.asked.push(`list ${of.limit}${of.next === undefined ? '' : ` ${of.next}`}`);
      const answer = this.answers.shift();
      if (answer instanceof Error) throw answer;
      if (answer === undefined || !('items' in answer)) throw new Error('the script has no list here');
      return answer;
    },
    watch: (_kind: unknown, _selection: unknown, since: { resourceVersion: string; signal: AbortSignal }) => {
      this.asked.push(`watch ${since.resourceVersion}`);
      return this.#events(this.answers.shift(), since.signal);
    },
  } as unknown as KubeClient;

  async *#events(answer: Page | Error | readonly (WatchEvent | Error)[] | undefined, signal: AbortSignal) {
    if (answer instanceof Error) throw answer;
    if (answer === undefined || 'items' in answer) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return;
    }
    for (const event of answer) {
      if (event instanceof Error) throw event;
      yield event;
    }
  }
}

function page(version: string, items: readonly Manifest[] = [], next?: string): Page {
  return { items, resourceVersion: version, next };
}

function start(
  answers: ConstructorParameters<typeof Script>[0],
  options: { relistMs?: number; random?: () => number } = {},
) {
  const [script, clock, cache] = [new Script(answers), new FakeClock(), new Cache()];
  const states: ReflectorState[] = [];
  const waits: number[] = [];
  const stop = new AbortController();
  const reflector = new Reflector({
    kind: KIND,
    selection: {},
    client: script.client,
    cache,
    clock,
    random: () => 0,
    listener: {
      changed: () => undefined,
      state: (state) => states.push(state),
      failed: (_error, retryMs) => waits.push(retryMs),
    },
    ...options,
  });
  const running = reflector.run(stop.signal);
  return { asked: script.asked, cache, clock, reflector, running, states, stop, waits };
}

const names = (cache: Cache) => cache.all().map(({ metadata }) => metadata.name);
const reset = () => new ConnectionError('reset');

test('lists page by page, then watches from the version of the list', async () => {
  const { asked, cache, clock, states } = start([
    page('5', [service('x', '3')], 'more'),
    page('5', [service('y', '4')]),
  ]);
  await clock.advance(0);
  expect(asked).toEqual(['list 500', 'list 500 more', 'watch 5']);
  expect(names(cache)).toEqual(['x', 'y']);
  expect(states).toEqual(['synced']);
});

test('pages that went out of date are asked for all at once', async () => {
  const { asked, cache, clock } = start([
    page('5', [service('x', '3')], 'more'),
    new ApiError('list', 410, {}, 0),
    page('9', [service('z', '8')]),
  ]);
  await clock.advance(0);
  expect(asked).toEqual(['list 500', 'list 500 more', 'list 0', 'watch 9']);
  expect(names(cache)).toEqual(['z']);
});

test('takes in what the watch says, and goes on from the last word after a lost connection', async () => {
  const { asked, cache, clock } = start([
    page('5', [service('x', '3')]),
    [
      { type: 'ADDED', object: service('y', '6') },
      { type: 'DELETED', object: service('x', '7') },
      { type: 'BOOKMARK', resourceVersion: '9' },
      reset(),
    ],
  ]);
  await clock.advance(1000);
  expect(names(cache)).toEqual(['y']);
  expect(asked).toEqual(['list 500', 'watch 5', 'watch 9']);
});

test.each([
  ['a 410', new ApiError('watch', 410, {}, 0), true],
  ['a 400', new ApiError('watch', 400, {}, 0), true],
  [
    'a version from before the cluster was set back',
    new ApiError('watch', 504, { message: 'Too large resource version: 9' }, 0),
    true,
  ],
  ['a fault of the program', new TypeError('x'), true],
  ['a lost connection', reset(), false],
  ['a 429', new ApiError('watch', 429, {}, 0), false],
  ['a 503', new ApiError('watch', 503, {}, 0), false],
  ['refused credentials', new ApiError('watch', 401, {}, 0), false],
  ['roles that are not known yet', new ApiError('watch', 403, {}, 0), false],
])('after %s it lists again or not', async (_what, error, again) => {
  const { asked, clock } = start([page('5'), error, page('6')]);
  await clock.advance(1000);
  expect(asked.slice(2)).toEqual(again ? ['list 500', 'watch 6'] : ['watch 5']);
  expect(leavesPosition(error)).toBe(!again);
});

test('a watch that fails each time is asked for less and less often, no matter what the lists between say', async () => {
  const failing = Array.from({ length: 40 }, () => [page('5'), new ApiError('watch', 400, {}, 0)]).flat();
  const { asked, clock, waits } = start(failing);
  await clock.advance(100_000);
  expect(waits.slice(0, 7)).toEqual([800, 1600, 3200, 6400, 12_800, 25_600, 30_000]);
  expect(asked.length).toBeLessThanOrEqual(18);
});

test('a watch that ends at once is not asked for in a loop', async () => {
  const { asked, clock } = start([page('5'), ...Array.from({ length: 50 }, () => [])]);
  await clock.advance(60_000);
  expect(asked.length).toBeLessThanOrEqual(9);
});

test('waits as long as the server asks', async () => {
  const { asked, clock } = start([new ApiError('list', 429, {}, 20_000), page('5')]);
  await clock.advance(19_999);
  expect(asked).toEqual(['list 500']);
  await clock.advance(1);
  expect(asked).toEqual(['list 500', 'list 500', 'watch 5']);
});

test('a kind that is not in the cluster has an empty cache, and is asked for every few seconds', async () => {
  const gone = () => new ApiError('list', 404, {}, 0);
  const { asked, cache, clock, states } = start([
    page('5', [service('x', '3')]),
    gone(),
    ...Array.from({ length: 5 }, gone),
    page('9', [service('y', '8')]),
  ]);
  await clock.advance(100);
  expect(names(cache)).toEqual([]);
  await clock.advance(30_000);
  expect(states).toEqual(['synced', 'absent', 'synced']);
  expect(names(cache)).toEqual(['y']);
  expect(asked.at(-1)).toBe('watch 9');
});

test('a cluster that was set back is taken as it is', async () => {
  const { cache, clock } = start([
    page('500', [service('x', '450')]),
    new ApiError('watch', 504, { message: 'Too large resource version: 500, current: 60' }, 0),
    page('60', [service('x', '50')]),
  ]);
  await clock.advance(1000);
  expect(cache.all()).toEqual([service('x', '50')]);
});

test('lists again after a long time though nothing failed', async () => {
  const { asked, clock } = start([page('5'), [{ type: 'BOOKMARK', resourceVersion: '8' }], page('9')], {
    relistMs: 500,
  });
  await clock.advance(1000);
  expect(asked).toEqual(['list 500', 'watch 5', 'list 500', 'watch 9']);
});

test('says for how long it heard nothing', async () => {
  const { clock, reflector } = start([page('5')]);
  await clock.advance(40_000);
  expect(reflector.silentSeconds).toBe(40);
  expect(reflector.idleSeconds).toBe(40);
});

test('ends with its signal, no matter what it waits for', async () => {
  const watching = start([page('5')]);
  const waiting = start([reset()]);
  await Promise.all([watching.clock.advance(10), waiting.clock.advance(10)]);
  watching.stop.abort();
  waiting.stop.abort();
  await Promise.all([watching.running, waiting.running]);
  expect(waiting.clock.pending).toBe(0);
});

test('a silent watch is given up before 90 s have passed, and after the bookmark that comes each minute', () => {
  expect(DEFAULT_IDLE_MS).toBeGreaterThan(60_000);
  expect(DEFAULT_IDLE_MS).toBeLessThanOrEqual(75_000);
});

test('an event without a version leads to a list', () => {
  expect(afterEvent({ type: 'BOOKMARK', resourceVersion: '' })).toEqual({ from: 'list' });
  expect(afterEvent({ type: 'ERROR', code: 410, message: '' })).toEqual({ from: 'list' });
  expect(afterEvent({ type: 'BOOKMARK', resourceVersion: '7' })).toEqual({ from: 'watch', resourceVersion: '7' });
});
