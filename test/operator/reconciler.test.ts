import { inferenceServiceComposition } from '../../lib';
import type { ChildKind, Composition, Manifest } from '../../lib/composition';
import { ApiError, ConnectionError } from '../../operator/cluster/api-error';
import type { Page, Selection, WatchEvent } from '../../operator/cluster/kube';
import { Controller } from '../../operator/reconcile/controller';
import { EventRecorder } from '../../operator/report/events';
import { Informers } from '../../operator/watch/informers';
import { jsonLogger } from '../../operator/report/log';
import { Metrics } from '../../operator/report/metrics';
import { FakeClock } from './fake-clock';
import { refusal, StubClient, type Asked } from './stub-client';

type Event = Extract<WatchEvent, { readonly object: Manifest }>;

// Each kind is then watched once.
const composition: Composition = { ...inferenceServiceComposition, observes: [] };
const resource: Manifest = {
  apiVersion: 'inference.inferno.io/v1alpha1',
  kind: 'InferenceService',
  metadata: { name: 'demo', namespace: 'ns', uid: 'first', resourceVersion: '4', generation: 1 },
  spec: { model: { uri: 'demo', framework: 'fake', version: '1' }, replicas: { min: 1, max: 1 } },
  // The CRD's default.
  status: { observedGeneration: -1 },
};

/** A cluster in which each kind's watch reports what a test says, when it says so. */
class StubCluster extends StubClient {
  /** What is stored of the resource: what a GET is answered with. */
  stored: Manifest | Error = resource;
  refuses: (asked: Asked) => Error | undefined = () => undefined;
  /** What was applied last, by kind. */
  readonly applied = new Map<string, Manifest>();
  #version = 150;
  readonly #told = new Map<string, Event[]>();
  readonly #waiting = new Set<() => void>();

  constructor(private readonly listed: readonly Manifest[] = [resource]) {
    super((asked) => (asked.verb === 'get' && asked.kind === resource.kind ? this.stored : this.refuses(asked)));
  }

  tell(type: Event['type'], object: Manifest): void {
    this.#told.set(object.kind, [...(this.#told.get(object.kind) ?? []), { type, object }]);
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  override async list({ kind }: ChildKind): Promise<Page> {
    return { items: this.listed.filter((each) => each.kind === kind), resourceVersion: '5', next: undefined };
  }

  override async *watch({ kind }: ChildKind, _selection: Selection, { signal }: { signal: AbortSignal }) {
    while (!signal.aborted) {
      yield* this.#told.get(kind)?.splice(0) ?? [];
      // oxlint-disable-next-line no-await-in-loop -- one event after the other
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
        signal.addEventListener('abort', () => resolve());
      });
    }
  }

  override async apply(...request: Parameters<StubClient['apply']>): Promise<Manifest> {
    const answer = await super.apply(...request);
    this.applied.set(answer.kind, answer);
    return answer;
  }

  /** The child of a kind that was made, with changes in its metadata. */
  child(kind: string, change: object = {}): Manifest {
    const made = this.applied.get(kind);
    if (made === undefined) throw new Error(`no ${kind} was made`);
    return { ...made, metadata: { ...made.metadata, resourceVersion: '200', ...change } };
  }

  override async applyStatus(_kind: ChildKind, object: Manifest, status: unknown): Promise<Manifest> {
    this.asked.push({ verb: 'patch', kind: object.kind, name: object.metadata.name, body: status });
    this.#version += 1;
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) }, status };
  }
}

/** A controller over a cluster, with what it asked for since somebody looked last. */
class Running {
  readonly lines: string[] = [];
  readonly #clock = new FakeClock();
  readonly #stop = new AbortController();
  readonly #ended: Promise<unknown>;

  constructor(readonly client: StubCluster) {
    const clock = this.#clock;
    const informers = new Informers({ client, clock, namespaces: [] });
    const controller = new Controller({
      composition,
      client,
      informers,
      events: new EventRecorder({ client, clock, controller: 'c', instance: 'i', failed: () => undefined }),
      metrics: new Metrics().controller('x'),
      log: jsonLogger('info', (line) => this.lines.push(line)),
      clock,
      maxConcurrent: 1,
      resyncMs: 36_000_000,
    });
    const { signal } = this.#stop;
    this.#ended = Promise.all([informers.run(signal), controller.run(signal, signal)]);
  }

  /** Lets so much time pass. Returns what was asked for. */
  async asked(ms = 1000): Promise<readonly string[]> {
    for (let step = 0; step < 20; step += 1) {
      // oxlint-disable-next-line no-await-in-loop -- time goes on step by step
      await this.#clock.advance(ms / 20);
      // A worker lets timers of the real clock come between two keys.
      // oxlint-disable-next-line no-await-in-loop
      await new Promise((resolve) => setImmediate(resolve));
    }
    return this.client.asked.splice(0).map(({ verb, kind }) => `${verb} ${kind}`);
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }
}

let running: Running | undefined;
afterEach(() => running?.end());

function start(client: StubCluster): Running {
  running = new Running(client);
  return running;
}

const CREATION = ['apply Deployment', 'apply Service', 'patch InferenceService'];
const LOOK = 'get InferenceService';

/** A resource whose children were made and whose status was written. */
async function settled(of: Manifest = resource): Promise<Running> {
  const started = start(new StubCluster([of]));
  expect(await started.asked()).toEqual(CREATION);
  return started;
}

function changed(metadata: object): Manifest {
  return { ...resource, metadata: { ...resource.metadata, resourceVersion: '210', ...metadata } };
}

function notFound(): ApiError {
  const message = 'inferenceservices.inference.inferno.io "demo" not found';
  return new ApiError('GET /x', 404, { reason: 'NotFound', message }, 0);
}

test('a new resource is not asked for before its children are made', async () => {
  await settled();
});

test('a child is not made again when word of its end comes before word that its resource is gone', async () => {
  const { client, lines } = await settled();
  client.stored = notFound();
  client.tell('DELETED', client.child('Deployment'));
  expect(await running?.asked()).toEqual([LOOK]);
  client.tell('DELETED', client.child('Service'));
  expect(await running?.asked()).toEqual([]);
  client.tell('DELETED', changed({}));
  expect(await running?.asked(600_000)).toEqual([]);
  expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

test('a late word of the resource does not bring back one that is gone', async () => {
  const { client } = await settled();
  client.stored = notFound();
  client.tell('DELETED', client.child('Deployment'));
  client.tell('DELETED', client.child('Service'));
  expect(await running?.asked()).toEqual([LOOK]);
  client.tell('MODIFIED', { ...changed({ resourceVersion: '180', generation: 2 }), status: { observedGeneration: 1 } });
  expect(await running?.asked()).toEqual([LOOK]);
});

test.each([{ observedGeneration: 1 }, { phase: 'Pending' }])(
  'a new process asks before it makes the children that a resource with the status %j should have had',
  async (status) => {
    const { client } = start(new StubCluster([{ ...resource, status }]));
    client.stored = notFound();
    expect(await running?.asked()).toEqual([LOOK]);
  },
);

test('a child of a resource that has no status yet is not made again without asking', async () => {
  const { client } = start(new StubCluster());
  const message = 'services is forbidden: User "x" cannot patch resource';
  client.refuses = ({ verb, kind }) => (verb === 'apply' && kind === 'Service' ? refusal(403, message) : undefined);
  expect(await running?.asked(3)).not.toContain('patch InferenceService');
  client.stored = notFound();
  client.tell('DELETED', client.child('Deployment'));
  expect(await running?.asked()).toEqual([LOOK]);
});

test('a child is made again when its resource is there', async () => {
  const { client } = await settled();
  client.tell('DELETED', client.child('Deployment'));
  expect(await running?.asked()).toEqual([LOOK, 'apply Deployment']);
});

test('nothing is made for a resource that is being deleted, though that was not heard yet', async () => {
  const { client } = await settled();
  client.stored = changed({ deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['foregroundDeletion'] });
  client.tell('DELETED', client.child('Deployment'));
  expect(await running?.asked()).toEqual([LOOK]);
});

test('another resource of the same name gets children of its own, and the old one none', async () => {
  const { client } = await settled();
  const second = changed({ uid: 'second' });
  client.stored = second;
  client.tell('DELETED', client.child('Deployment'));
  client.tell('DELETED', client.child('Service'));
  expect(await running?.asked()).toEqual([LOOK]);
  client.tell('DELETED', changed({ resourceVersion: '190' }));
  client.tell('ADDED', second);
  expect(await running?.asked()).toEqual(CREATION);
  const owners = ['Deployment', 'Service'].map((kind) => client.child(kind).metadata.ownerReferences?.[0]?.uid);
  expect(owners).toEqual(['second', 'second']);
});

test.each([
  ['a lost connection', () => new ConnectionError('connect ECONNREFUSED')],
  ['a busy API server', () => refusal(429, 'too many requests')],
  ['an etcd that elects', () => refusal(500, 'etcdserver: leader changed')],
  ['a path that is not served yet', () => refusal(404, '404 page not found')],
])('while %s keeps the answer away, nothing is made; after that it is', async (_, failure) => {
  const { client, lines } = await settled();
  client.stored = failure();
  client.tell('DELETED', client.child('Deployment'));
  const asked = await running?.asked(200);
  expect(new Set(asked)).toEqual(new Set([LOOK]));
  expect(asked?.length).toBeGreaterThan(1);
  client.stored = resource;
  expect((await running?.asked(2000))?.slice(0, 2)).toEqual([LOOK, 'apply Deployment']);
  expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

test('the right to read resources, where it is missing, is reported with the words of the API server', async () => {
  const { client, lines } = await settled();
  const message = 'inferenceservices is forbidden: User "x" cannot get resource';
  client.stored = new ApiError('GET /x', 403, { reason: 'Forbidden', message }, 0);
  client.tell('DELETED', client.child('Deployment'));
  expect(await running?.asked(60_000)).not.toContain('apply Deployment');
  const errors = lines.filter((line) => line.includes('"level":"error"')).map((line): unknown => JSON.parse(line));
  expect(errors).toMatchObject([{ reason: 'Forbidden', error: `InferenceService ns/demo: ${message}` }]);
});

describe('children that were let go, to outlive their resource', () => {
  test.each([
    ['', {}],
    [', though it asks to take them over', { annotations: { 'inferno.io/adopt': 'Deployment/demo, Service/demo' } }],
  ])('are not taken back by the resource that is gone%s', async (_, metadata) => {
    const { client, lines } = await settled({ ...resource, metadata: { ...resource.metadata, ...metadata } });
    client.stored = notFound();
    client.tell('MODIFIED', client.child('Deployment', { ownerReferences: [] }));
    expect(await running?.asked()).toEqual([LOOK]);
    client.tell('MODIFIED', client.child('Service', { ownerReferences: [] }));
    expect(await running?.asked()).toEqual([]);
    expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  test('are reported once when the resource is there', async () => {
    const { client } = await settled();
    client.tell('MODIFIED', client.child('Deployment', { ownerReferences: [] }));
    const asked = await running?.asked(60_000);
    expect(asked?.filter((each) => each === LOOK)).toHaveLength(1);
    expect(asked).toEqual([LOOK, 'patch InferenceService', 'create Event']);
  });
});
