import { setTimeout as sleep } from 'node:timers/promises';
import { NO_METRICS } from './clean-logs';
import { condition, Inferno, NAMESPACE, OPERATOR, small, SYSTEM } from './support';

/** A service that the tests look at for long. */
const chat = {
  ...small,
  replicas: { min: 1, max: 3 },
  autoscaling: { enabled: true, targetConcurrency: 4 },
};

let inferno: Inferno;

beforeAll(async () => {
  inferno = await Inferno.start({
    nodes: [{ name: 'one', extended: { 'nvidia.com/gpu': '2' } }, { name: 'two' }],
    flags: {
      // a node that is cut off is noticed after seconds, not after a minute
      'kube-controller-manager': ['--node-monitor-grace-period=15s', '--node-monitor-period=1s'],
    },
  });
}, 300_000);
afterAll(() => inferno?.stop());

test('the operator runs with its own ServiceAccount, and may do no more than it needs', async () => {
  const account = `system:serviceaccount:${SYSTEM}:${OPERATOR}`;
  const [pod] = await inferno.operatorPods();
  expect(pod?.spec.serviceAccountName).toBe(OPERATOR);
  const may = await inferno.kubectl('auth', 'can-i', 'create', 'deployments.apps', `--as=${account}`, '-A');
  expect(may.trim()).toBe('yes');
  await expect(inferno.kubectl('auth', 'can-i', 'get', 'secrets', `--as=${account}`, '-A')).rejects.toThrow('no');
});

test('an InferenceService becomes a Deployment, a Service, an autoscaler and a server that answers', async () => {
  await inferno.service('chat', chat);
  const { metadata, status } = await inferno.ready('chat');
  expect(status).toMatchObject({ phase: 'Running', replicas: 1, readyReplicas: 1 });
  for (const kind of ['Deployment', 'Service', 'HorizontalPodAutoscaler'] as const) {
    const child = await inferno.get(kind, 'chat');
    expect([kind, child?.metadata.ownerReferences?.[0]?.uid]).toEqual([kind, metadata.uid]);
  }
  const [code] = await inferno.curl('chat', '/health');
  expect(code).toBe(200);
  expect(await inferno.ask('chat')).toMatch(/\w/);
  expect(await inferno.ask('chat', { stream: true })).toMatch(/\w/);
  expect(await inferno.kubectl('get', 'isvc', 'chat', '-n', NAMESPACE)).toMatch(/chat +Running/);
});

test('a change rolls the pods, and the new version answers', async () => {
  const before = await inferno.pod('chat');
  await inferno.service('chat', { ...chat, model: { ...chat.model, version: '2' } });
  await inferno.ready('chat');
  const after = await inferno.pod('chat');
  expect(after.metadata.uid).not.toBe(before.metadata.uid);
  const [, version] = await inferno.curl('chat', '/version');
  expect(JSON.parse(version)).toMatchObject({ version: '2' });
});

test('ten services at once all become Ready and answer', async () => {
  const names = Array.from({ length: 10 }, (_, n) => `ten-${n}`);
  await Promise.all(names.map((name) => inferno.service(name)));
  await Promise.all(names.map((name) => inferno.ready(name, 120)));
  for (const name of names) expect(await inferno.ask(name)).toMatch(/\w/);
  await inferno.kubectl('delete', 'isvc', '-n', NAMESPACE, ...names);
});

test('a pod that is deleted is replaced', async () => {
  const { metadata } = await inferno.pod('chat');
  await inferno.kubectl('delete', 'pod', metadata.name, '-n', NAMESPACE, '--wait=false');
  await inferno.untilSays('chat', 'Ready', 'False');
  await inferno.ready('chat');
  expect((await inferno.pod('chat')).metadata.uid).not.toBe(metadata.uid);
  expect(await inferno.ask('chat')).toMatch(/\w/);
});

test('a server that is killed is started again, which status, restart count and events show', async () => {
  const pod = await inferno.pod('chat');
  const { name } = pod.metadata;
  process.kill(inferno.pid(pod), 'SIGKILL');
  const { status } = await inferno.untilSays('chat', 'Ready', 'False', /ContainerCrashes/);
  expect(condition({ metadata: pod.metadata, ...(status && { status }) }, 'Ready')?.['message']).toBe(
    `Pod ${name}, container inference-server: crashes with exit code 137 (Error)`,
  );
  await inferno.ready('chat');
  const again = await inferno.pod('chat');
  expect(again.metadata.uid).toBe(pod.metadata.uid);
  expect(again.status?.containerStatuses?.[0]).toMatchObject({
    restartCount: 1,
    lastState: { terminated: { exitCode: 137 } },
  });
  const events = await inferno.kubectl('events', '-n', NAMESPACE, '--for', 'isvc/chat');
  expect(events).toMatch(/Normal +Ready/);
  expect(await inferno.ask('chat')).toMatch(/\w/);
});

test('a server that hangs is restarted by its liveness probe', async () => {
  const probe = { periodSeconds: 1, timeoutSeconds: 1, failureThreshold: 3 };
  const drain = { preStopSeconds: 0, shutdownSeconds: 1, terminationGracePeriodSeconds: 2 };
  await inferno.service('hangs', { ...small, drain, livenessProbe: probe, readinessProbe: probe });
  await inferno.ready('hangs');
  const pod = await inferno.pod('hangs');
  process.kill(inferno.pid(pod), 'SIGSTOP');
  await inferno.untilSays('hangs', 'Ready', 'False');
  await inferno.ready('hangs');
  const again = await inferno.pod('hangs');
  expect(again.metadata.uid).toBe(pod.metadata.uid);
  expect(again.status?.containerStatuses?.[0]?.restartCount).toBe(1);
  await inferno.kubectl('delete', 'isvc', 'hangs', '-n', NAMESPACE);
});

test('the pods of a drained node start on another one, which the status shows', async () => {
  const before = await inferno.pod('chat');
  const node = before.spec.nodeName ?? '';
  const seen = watchMessages('chat');
  await inferno.kubectl('drain', node, '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=120s');
  await inferno.ready('chat', 90);
  const after = await inferno.pod('chat');
  expect(after.spec.nodeName).not.toBe(node);
  expect(await inferno.ask('chat')).toMatch(/\w/);
  expect(await seen.stop()).toContainEqual(expect.stringMatching(/^Ready=False RollingOut/));
  await inferno.available(OPERATOR, SYSTEM);
  await inferno.kubectl('uncordon', node);
});

test('GPUs are given by count; who gets none waits, and the status says what is missing', async () => {
  const gpu = (count: number): object => ({ ...small, resources: { gpu: count } });
  await inferno.service('gpu-a', gpu(1));
  await inferno.service('gpu-b', gpu(1));
  await Promise.all([inferno.ready('gpu-a'), inferno.ready('gpu-b')]);
  expect([(await inferno.pod('gpu-a')).spec.nodeName, (await inferno.pod('gpu-b')).spec.nodeName]).toEqual([
    'one',
    'one',
  ]);
  await inferno.service('gpu-c', gpu(1));
  const live = await inferno.untilSays('gpu-c', 'Ready', 'False', /Unschedulable .*2 Insufficient nvidia\.com\/gpu/);
  expect(live.status).toMatchObject({ phase: 'Pending' });
  await inferno.service('gpu-many', gpu(3));
  await inferno.untilSays('gpu-many', 'Ready', 'False', /Unschedulable .*Insufficient nvidia\.com\/gpu/);
  await inferno.kubectl('delete', 'isvc', 'gpu-a', '-n', NAMESPACE);
  await inferno.ready('gpu-c');
  await inferno.kubectl('delete', 'isvc', 'gpu-b', 'gpu-c', 'gpu-many', '-n', NAMESPACE);
});

test('a node without power is reported in the status, and its pods start again when it is back', async () => {
  const [operator] = await inferno.operatorPods();
  const other = operator?.spec.nodeName ?? '';
  await inferno.kubectl('cordon', other);
  await inferno.service('dark');
  await inferno.ready('dark');
  await inferno.kubectl('uncordon', other);
  const { metadata, spec } = await inferno.pod('dark');
  const node = spec.nodeName ?? '';
  expect(node).not.toBe(other);
  await inferno.cluster.stopNode(node);
  await inferno.untilSays('dark', 'Ready', 'False');
  await inferno.cluster.startNode(node);
  await inferno.ready('dark', 90);
  expect((await inferno.pod('dark')).metadata.uid).toBe(metadata.uid);
  expect(await inferno.ask('dark')).toMatch(/\w/);
});

test('with the resource goes everything that was made from it', async () => {
  await inferno.kubectl('delete', 'isvc', '--all', '-n', NAMESPACE);
  const kinds = ['Deployment', 'ReplicaSet', 'Pod', 'Service', 'EndpointSlice', 'HorizontalPodAutoscaler'] as const;
  for (const kind of kinds) {
    await inferno.until(`the end of each ${kind}`, async () => (await inferno.list(kind)).length === 0, 90);
  }
});

test('nobody complained in the logs', async () => {
  expect(await inferno.complaints([NO_METRICS])).toEqual([]);
});

/** Collects what a resource says of itself while something happens. */
function watchMessages(name: string): { stop(): Promise<readonly string[]> } {
  const said = new Set<string>();
  const stopped = new AbortController();
  const watching = (async () => {
    while (!stopped.signal.aborted) {
      const ready = condition(await inferno.get('InferenceService', name), 'Ready');
      said.add(`Ready=${ready?.['status']} ${ready?.['reason']} ${ready?.['message']}`);
      await sleep(100);
    }
  })();
  return {
    stop: async () => {
      stopped.abort();
      await watching;
      return [...said];
    },
  };
}
