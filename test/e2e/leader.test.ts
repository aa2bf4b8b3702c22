import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditEvent } from '../../tools/local-cluster';
import type { Pod } from './objects';
import { Inferno, NAMESPACE, OPERATOR, SYSTEM } from './support';

const ACCOUNT = `system:serviceaccount:${SYSTEM}:${OPERATOR}`;
const LEASE = 'inferno-operator.inferno.io';

let inferno: Inferno;

beforeAll(async () => {
  inferno = await Inferno.start({
    nodes: [{ name: 'one' }, { name: 'two' }],
    audit: {
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      omitStages: ['RequestReceived', 'ResponseStarted'],
      rules: [{ level: 'Metadata', users: [ACCOUNT] }, { level: 'None' }],
    },
  });
  await inferno.kubectl('scale', 'deployment', OPERATOR, '-n', SYSTEM, '--replicas=2');
  await inferno.available(OPERATOR, SYSTEM);
}, 300_000);
afterAll(() => inferno?.stop());

/** The pod that holds the Lease. */
async function leader(): Promise<Pod> {
  return inferno.until('a leader', async () => {
    const lease = await inferno.get('Lease', LEASE, SYSTEM);
    const holder = lease?.spec?.['holderIdentity'];
    const pods = await inferno.operatorPods();
    return pods.find(({ metadata }) => typeof holder === 'string' && holder.startsWith(metadata.name));
  });
}

/** The one that waits. */
async function other(than: Pod): Promise<Pod> {
  const pod = (await inferno.operatorPods()).find(({ metadata }) => metadata.uid !== than.metadata.uid);
  if (pod === undefined) throw new Error(`there is no second operator\n${await inferno.dump()}`);
  return pod;
}

function address({ status }: Pod): string {
  return status?.podIP ?? 'no address';
}

interface Write {
  readonly from: string;
  readonly began: number;
  readonly ended: number;
}

/** What operators wrote since then, except to Leases, in the order in which the API server began it. */
function writes(since: number): readonly Write[] {
  return inferno.cluster.controlPlane
    .auditEvents()
    .filter(isWrite)
    .map((event) => ({
      from: (event['sourceIPs'] as readonly string[])[0] ?? '',
      began: Date.parse(String(event['requestReceivedTimestamp'])),
      ended: Date.parse(String(event['stageTimestamp'])),
    }))
    .filter(({ began }) => began >= since)
    .toSorted((a, b) => a.began - b.began);
}

function isWrite({ objectRef, responseStatus, user, verb }: AuditEvent): boolean {
  return (
    user.username === ACCOUNT &&
    !['get', 'list', 'watch'].includes(verb) &&
    objectRef?.resource !== 'leases' &&
    (responseStatus?.code ?? 500) < 300
  );
}

/** Makes and changes resources all the time, so that all who may write do. */
class Changes {
  readonly versions = new Map<string, string>();
  readonly #stopped = new AbortController();
  readonly #running: Promise<void>;

  constructor(private readonly prefix: string) {
    this.#running = this.#run();
  }

  /** Ends the changes, and waits until everything is as it was said last. */
  async settle(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
    expect(this.versions.size).toBeGreaterThan(5);
    for (const [name, version] of this.versions) {
      await inferno.ready(name, 90);
      const deployment = JSON.stringify(await inferno.get('Deployment', name));
      expect([name, deployment]).toEqual([name, expect.stringContaining(`"MODEL_VERSION","value":"${version}"`)]);
    }
  }

  async #run(): Promise<void> {
    for (let n = 0; n < 2000 && !this.#stopped.signal.aborted; n += 1) {
      // Parked, so that nothing but the operator has work to do; ten of them are changed again and again.
      const name = `${this.prefix}-${n % 10}`;
      const version = String(n);
      const model = { uri: 'demo', framework: 'fake', version };
      const path = `/apis/inference.inferno.io/v1alpha1/namespaces/${NAMESPACE}/inferenceservices/${name}`;
      const { body, status } = await inferno.cluster.controlPlane.request(
        'PATCH',
        `${path}?fieldManager=test&force=true`,
        {
          apiVersion: 'inference.inferno.io/v1alpha1',
          kind: 'InferenceService',
          metadata: { name },
          spec: { model, replicas: { min: 0, max: 0 } },
        },
      );
      if (status >= 300) throw new Error(`${name} was answered with ${status}: ${JSON.stringify(body)}`);
      this.versions.set(name, version);
      await sleep(100);
    }
  }
}

/** The first wrote, then the second, and never the first again once the second had begun. */
function expectOneAfterTheOther(since: number, first: Pod, second: Pod): void {
  const all = writes(since);
  const [old, next] = [first, second].map((pod) => all.filter(({ from }) => from === address(pod)));
  expect(all.filter(({ from }) => ![first, second].map(address).includes(from))).toEqual([]);
  expect([old?.length, next?.length]).toEqual([expect.any(Number), expect.any(Number)]);
  const lastOld = Math.max(...(old ?? []).map(({ ended }) => ended));
  const firstNext = Math.min(...(next ?? []).map(({ began }) => began));
  expect(lastOld).toBeGreaterThan(0);
  expect(firstNext).toBeLessThan(Infinity);
  expect(lastOld).toBeLessThan(firstNext);
}

/** Kills a pod's container as often as it is started again, until what is waited for has come. */
async function killed(pod: Pod, wait: () => Promise<void>): Promise<void> {
  const end = new AbortController();
  const kills = (async () => {
    while (!end.signal.aborted) {
      const pid = inferno.cluster.pid(pod.metadata.namespace, pod.metadata.name);
      if (pid !== undefined) killOnce(pid);
      await sleep(100);
    }
  })();
  await wait().finally(() => end.abort());
  await kills;
}

function killOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended since
  }
}

async function takesOver(pod: Pod, seconds = 60): Promise<void> {
  const leads = async (): Promise<boolean> => (await leader()).metadata.uid === pod.metadata.uid;
  await inferno.until(`${pod.metadata.name} to lead`, leads, seconds);
}

test('a leader that is killed is followed by the other one, and nothing is lost', async () => {
  const since = Date.now();
  const first = await leader();
  const second = await other(first);
  const changes = new Changes('killed');
  await sleep(2000);
  // Killed once, it is there again before its Lease expires, and whoever looks first then leads.
  await killed(first, () => takesOver(second));
  await sleep(2000);
  await changes.settle();
  expectOneAfterTheOther(since, first, second);
  await inferno.available(OPERATOR, SYSTEM);
});

test('a leader that stands still for a minute writes nothing when it goes on', async () => {
  const since = Date.now();
  const first = await leader();
  const second = await other(first);
  const changes = new Changes('paused');
  await sleep(2000);
  const pid = inferno.pid(first);
  process.kill(pid, 'SIGSTOP');
  await sleep(60_000);
  await takesOver(second, 1);
  // by now the kubelet may have had enough of it
  if (inferno.cluster.pid(SYSTEM, first.metadata.name) === pid) process.kill(pid, 'SIGCONT');
  await sleep(5000);
  await changes.settle();
  expectOneAfterTheOther(since, first, second);
  await inferno.available(OPERATOR, SYSTEM);
});

test('both operators may go at once, and nothing is lost', async () => {
  const changes = new Changes('both');
  await sleep(2000);
  await inferno.kubectl('delete', 'pod', '-n', SYSTEM, '--all', '--wait=false');
  await sleep(1000);
  await inferno.available(OPERATOR, SYSTEM);
  await leader();
  await sleep(2000);
  await changes.settle();
});

test('nobody complained in the logs', async () => {
  // The API server, as it writes to an operator that has just been killed.
  const toTheDead = /"Failed to encode watch event" err="write tcp \S+: write: (broken pipe|connection reset by peer)"/;
  expect(await inferno.complaints([toTheDead])).toEqual([]);
});
