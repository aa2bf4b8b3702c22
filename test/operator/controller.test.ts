import { inferenceServiceComposition } from '../../lib';
import type { ChildKind, Manifest } from '../../lib/composition';
import { ConnectionError } from '../../operator/cluster/api-error';
import type { Page, Selection } from '../../operator/cluster/kube';
import { Controller } from '../../operator/reconcile/controller';
import { EventRecorder } from '../../operator/report/events';
import { Informers } from '../../operator/watch/informers';
import { jsonLogger } from '../../operator/report/log';
import { Metrics } from '../../operator/report/metrics';
import { FakeClock } from './fake-clock';
import { refusal, StubClient, type Answers } from './stub-client';

/** A cluster with one resource in each of some namespaces, whose lists may fail. */
class StubCluster extends StubClient {
  constructor(
    private readonly lists: (namespace: string | undefined) => Error | undefined,
    private readonly resources: readonly Manifest[] = [],
    answers?: Answers,
  ) {
    super(answers);
  }

  override async list(kind: ChildKind, { namespace }: Selection): Promise<Page> {
    const failure = this.lists(namespace);
    if (failure !== undefined) throw failure;
    const items = kind.plural === 'inferenceservices' ? this.resources : [];
    return {
      items: items.filter(({ metadata }) => metadata.namespace === namespace),
      resourceVersion: '5',
      next: undefined,
    };
  }

  // oxlint-disable-next-line require-yield -- a watch on which nothing happens
  override async *watch(_kind: ChildKind, _selection: Selection, { signal }: { signal: AbortSignal }) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  }

  override async applyStatus(_kind: ChildKind, resource: Manifest, status: unknown): Promise<Manifest> {
    return this.apply(_kind, { ...resource, status }, { create: true }, { fieldManager: 'status' });
  }
}

function service(namespace: string): Manifest {
  return {
    apiVersion: 'inference.inferno.io/v1alpha1',
    kind: 'InferenceService',
    metadata: { name: 'demo', namespace, uid: `uid-${namespace}`, resourceVersion: '4', generation: 1 },
    spec: { model: { uri: 'demo', framework: 'fake', version: '1' }, replicas: { min: 1, max: 1 } },
  };
}

async function controlling(client: StubClient, namespaces: readonly string[]) {
  const clock = new FakeClock();
  const lines: string[] = [];
  const log = jsonLogger('info', (line) => lines.push(line));
  const informers = new Informers({ client, clock, namespaces });
  const events = new EventRecorder({ client, clock, controller: 'c', instance: 'i', failed: () => undefined });
  const metrics = new Metrics().controller('x');
  const composition = inferenceServiceComposition;
  const common = { composition, client, informers, events, metrics, log, clock };
  const controller = new Controller({ ...common, maxConcurrent: 1, resyncMs: 36_000_000 });
  const stop = new AbortController();
  const running = [informers.run(stop.signal), controller.run(stop.signal, stop.signal)];
  const settled = async (ms: number): Promise<void> => {
    // A worker lets timers of the real clock come between two keys.
    for (let step = 0; step < 20; step += 1) {
      // oxlint-disable-next-line no-await-in-loop -- time goes on step by step
      await clock.advance(ms / 20);
      // oxlint-disable-next-line no-await-in-loop
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const end = async (): Promise<void> => {
    stop.abort();
    await Promise.all(running);
  };
  return { controller, lines, settled, end };
}

const applied = (client: StubClient): readonly string[] =>
  client.asked.filter(({ verb, kind }) => verb === 'apply' && kind === 'Deployment').map(({ name }) => name);

test('a namespace that cannot be listed does not keep the others from being served', async () => {
  const there = new Set(['a']);
  const forbidden = (namespace: string | undefined): Error | undefined =>
    there.has(namespace ?? '') ? undefined : refusal(403, 'forbidden');
  const client = new StubCluster(forbidden, [service('a'), service('b')]);
  const { controller, lines, settled, end } = await controlling(client, ['a', 'b']);
  await settled(1000);
  expect(applied(client)).toEqual(['demo']);
  expect(controller.missing()).not.toEqual([]);
  there.add('b');
  await settled(60_000);
  expect(applied(client)).toEqual(['demo', 'demo']);
  expect(controller.missing()).toEqual([]);
  expect(lines.filter((line) => line.includes('"msg":"Cache synced"') && line.includes('"kind":"pods"'))).toHaveLength(
    1,
  );
  await end();
});

test.each([
  ['refused credentials', () => refusal(401, 'Unauthorized'), [1, 2]],
  ['missing rights', () => refusal(403, 'forbidden'), [1, 2]],
  ['a lost connection', () => new ConnectionError('connect ECONNREFUSED'), [0, 1]],
])('an outage by %s is an error, reported a few times and not at each try', async (_, failure, [early, late]) => {
  const { lines, settled, end } = await controlling(new StubCluster(failure), []);
  const errors = (): number =>
    lines.filter((line) => line.includes('"level":"error"') && line.includes('"kind":"pods"')).length;
  await settled(2000);
  expect(errors()).toBe(0);
  await settled(30_000);
  expect(errors()).toBe(early);
  await settled(3_600_000);
  expect(errors()).toBe(late);
  await end();
});

test('a write that is forbidden while the API server learns its roles is not reported', async () => {
  let until = 8;
  const message = 'deployments.apps "demo" is forbidden: User "x" cannot patch resource "deployments"';
  const resource = { ...service(''), metadata: { ...service('').metadata, namespace: undefined } } as never;
  const client = new StubCluster(
    () => undefined,
    [resource],
    ({ verb, kind }) => {
      if (verb === 'get') return resource;
      return verb === 'apply' && kind === 'Deployment' && --until > 0 ? refusal(403, message) : undefined;
    },
  );
  const { lines, settled, end } = await controlling(client, []);
  await settled(10_000);
  expect(until).toBe(0);
  expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  expect(client.asked.filter(({ verb }) => verb === 'create')).toEqual([]);
  await end();
});
