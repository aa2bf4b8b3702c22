import { setTimeout as sleep } from 'node:timers/promises';
import { describeLoad } from '../load';
import { Inferno, INSTALL, OPERATOR, small, SYSTEM } from './support';

const CRD = 'inferenceservices.inference.inferno.io';

let inferno: Inferno;

beforeAll(async () => {
  inferno = await Inferno.start({ nodes: [{ name: 'one' }] });
}, 300_000);
afterAll(() => inferno?.stop());

test('the definition is kept from being deleted by mistake', async () => {
  await inferno.service('kept');
  await inferno.ready('kept');
  await expect(inferno.kubectl('delete', 'crd', CRD)).rejects.toThrow(/inferno\.io\/allow-deletion/);
  expect(await inferno.get('InferenceService', 'kept')).toBeDefined();
});

test('without the operator the model serves on, and a new operator takes it over as it is', async () => {
  const [deployment, pod] = [await inferno.get('Deployment', 'kept'), await inferno.pod('kept')];
  const load = await inferno.users('kept', 20, 120);

  await inferno.kubectl('delete', '-f', INSTALL, '-l', 'app.kubernetes.io/component notin (crd,namespace)');
  await inferno.until('the end of the operator', async () => (await inferno.list('Pod', SYSTEM)).length === 0);
  await sleep(5000);
  expect((await inferno.pod('kept')).metadata.uid).toBe(pod.metadata.uid);

  await inferno.install();
  await inferno.until('the operator to lead', async () => {
    const [operator] = await inferno.operatorPods();
    const log = inferno.cluster.podLog(SYSTEM, operator?.metadata.name ?? '');
    return log.includes('Became leader') && log.includes('"kind":"inferenceservices"');
  });
  await sleep(5000);
  expect((await inferno.get('Deployment', 'kept'))?.metadata.generation).toBe(deployment?.metadata.generation);
  expect((await inferno.pod('kept')).metadata.uid).toBe(pod.metadata.uid);
  const report = await load.stop();
  expect([report.requests > 100, describeLoad(report)]).toEqual([true, expect.stringContaining(' 0 failed')]);

  await inferno.service('kept', { ...small, model: { ...small.model, version: '2' } });
  await inferno.ready('kept');
  expect(JSON.parse((await inferno.curl('kept', '/version'))[1])).toMatchObject({ version: '2' });
});

test('who deletes the whole file by mistake loses the operator and no model server, and installs it again', async () => {
  const pod = await inferno.pod('kept');
  await expect(inferno.kubectl('delete', '-f', INSTALL)).rejects.toThrow(/inferno\.io\/allow-deletion/);
  await inferno.until('the end of the operator’s namespace', async () => {
    return (await inferno.kubectl('get', 'namespace', SYSTEM, '--ignore-not-found')) === '';
  });
  expect(await inferno.ask('kept')).toMatch(/\w/);
  await inferno.install();
  await inferno.ready('kept');
  expect((await inferno.pod('kept')).metadata.uid).toBe(pod.metadata.uid);
});

test('a server that crashes without an operator starts again all the same', async () => {
  await inferno.kubectl('scale', 'deployment', OPERATOR, '-n', SYSTEM, '--replicas=0');
  await inferno.until('the end of the operator', async () => (await inferno.list('Pod', SYSTEM)).length === 0);
  const pod = await inferno.pod('kept');
  process.kill(inferno.pid(pod), 'SIGKILL');
  await inferno.until('the restart', async () => {
    const { status } = await inferno.pod('kept');
    const [container] = status?.containerStatuses ?? [];
    return container?.restartCount === 1 && container.ready;
  });
  expect(await inferno.ask('kept')).toMatch(/\w/);
  await inferno.kubectl('scale', 'deployment', OPERATOR, '-n', SYSTEM, '--replicas=1');
  await inferno.available(OPERATOR, SYSTEM);
});

test('nobody complained in the logs', async () => {
  // kubectl deletes the ServiceAccount some moments before the operator that uses it
  const uninstalled = /Unable to authenticate the request.*serviceaccounts \\"inferno-controller-manager\\" not found/;
  expect(await inferno.complaints([uninstalled])).toEqual([]);
});
