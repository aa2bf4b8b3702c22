import { setTimeout as sleep } from 'node:timers/promises';
import { infernoImage } from '../../lib/inference/engines/fake';
import { poll, startControlPlane, type ControlPlane } from '../../tools/local-cluster';
import {
  CRD,
  installation,
  installFile,
  kubectl,
  makeModelServer,
  modelServers,
  operatorPods,
  SERVICES,
  untilProtected,
} from './install-support';

jest.setTimeout(120_000);

let cluster: ControlPlane;

/** The objects of a cluster that tests of uninstallation ask for. */
async function exists(...what: readonly string[]): Promise<boolean> {
  return (await kubectl(cluster, ['get', ...what])).code === 0;
}

const policies = 'validatingadmissionpolicy,validatingadmissionpolicybinding';
const operatorOnly = ['-f', installFile, '-l', 'app.kubernetes.io/component notin (crd,namespace)'];

describe('where nothing is yet', () => {
  beforeAll(async () => {
    cluster = await startControlPlane({ controllerManager: true });
  }, 120_000);

  afterAll(() => cluster?.stop());

  test.each([[[]], [['--server-side']]])(
    'kubectl apply %j takes the file without a warning, after one of the other kind too, and again changes nothing',
    async (flags: readonly string[]) => {
      const apply = ['apply', ...flags, '--validate=strict', '-f', installFile];
      expect(await kubectl(cluster, apply)).toMatchObject({ code: 0, stderr: '' });
      const versions = async (): Promise<string> =>
        (
          await cluster.kubectl([
            'get',
            `crd,${policies},clusterrole,clusterrolebinding,priorityclass,ns`,
            ...['-l', 'app.kubernetes.io/name=inferno', '-o', 'jsonpath={.items[*].metadata.generation}'],
          ])
        ).stdout;
      const before = await versions();
      const again = await kubectl(cluster, apply);
      expect(again).toMatchObject({ code: 0, stderr: '' });
      // kubectl sends the selector of a PodDisruptionBudget each time; the API server finds it unchanged
      const changed = again.stdout.split('\n').filter((line) => /created|configured/.test(line));
      expect(changed.filter((line) => !line.startsWith('poddisruptionbudget'))).toEqual([]);
      expect(await versions()).toBe(before);
    },
  );

  test('the pod is admitted by Pod Security restricted, with the priority and the account of its own', async () => {
    await cluster.kubectl(['apply', '-f', installFile]);
    await poll('the pod of the operator', async () => (await operatorPods(cluster)).length === 1);
    const [{ spec } = { spec: undefined }] = await operatorPods(cluster);
    expect(spec).toMatchObject({ priority: 1_000_000, serviceAccountName: 'inferno-controller-manager' });
    expect(JSON.stringify(spec)).toContain('serviceAccountToken');
    const root = ['run', 'root', '-n', 'inferno-system', '--image=example.com/root'];
    expect((await kubectl(cluster, root)).stderr).toContain('violates PodSecurity "restricted:latest"');
  });

  test('in two namespaces it may do there what it has to, and nothing elsewhere', async () => {
    for (const namespace of ['a', 'b', 'c']) await cluster.kubectl(['create', 'namespace', namespace]);
    const text = await installation('--namespace', 'platform', '--watch-namespace', 'a,b');
    expect(await kubectl(cluster, ['apply', '--validate=strict', '-f', '-'], text)).toMatchObject({
      code: 0,
      stderr: '',
    });
    const may = async (namespace: string): Promise<boolean> =>
      (
        await kubectl(cluster, [
          ...['auth', 'can-i', 'create', 'deployments.apps', '-n', namespace],
          '--as=system:serviceaccount:platform:inferno-controller-manager',
        ])
      ).code === 0;
    expect([await may('a'), await may('b'), await may('c')]).toEqual([true, true, false]);
  });
});

// One control plane for all of them, in this order: what is deleted last does not come back in time. The garbage collector
// knows the definition from the start, as it does in a cluster that has it for more than half a minute.
describe('where models run', () => {
  let before: readonly string[];

  beforeAll(async () => {
    cluster = await startControlPlane({ controllerManager: true, crds: ['crds/inferenceservice.yaml'] });
    await makeModelServer(cluster);
    await poll('the ReplicaSet', async () => (await modelServers(cluster)).length === 4);
    before = await modelServers(cluster);
  }, 120_000);

  beforeEach(async () => {
    await poll('the namespace to be there or gone', async () => {
      const { stdout } = await kubectl(cluster, ['get', 'ns', 'inferno-system', '-o', 'jsonpath={.status.phase}']);
      return stdout !== 'Terminating';
    });
    await cluster.kubectl(['apply', '-f', installFile]);
    await untilProtected(cluster);
  });

  afterAll(() => cluster?.stop());

  test.each<[string, (cluster: ControlPlane) => ReturnType<typeof kubectl>]>([
    ['kubectl delete -f with a selector', (of) => kubectl(of, ['delete', ...operatorOnly])],
    [
      'inferno install --without-crds --without-namespace',
      async (of) => kubectl(of, ['delete', '-f', '-'], await installation('--without-crds', '--without-namespace')),
    ],
  ])(
    '%s uninstalls only the operator; installed anew, it finds the model servers as they were',
    async (_, uninstall) => {
      expect(await uninstall(cluster)).toMatchObject({ code: 0, stderr: '' });
      expect(await exists('deployment', '-n', 'inferno-system', 'inferno-controller-manager')).toBe(false);
      expect(await exists('clusterrole', 'inferno-system-inferno-controller-manager')).toBe(false);
      expect(await exists('crd', CRD)).toBe(true);
      expect(await exists('namespace', 'inferno-system')).toBe(true);
      expect(await kubectl(cluster, ['apply', '-f', installFile])).toMatchObject({ code: 0, stderr: '' });
      await sleep(1000);
      expect(await modelServers(cluster)).toEqual(before);
      expect(await exists('deployment', '-n', 'inferno-system', 'inferno-controller-manager')).toBe(true);
    },
  );

  test('an upgrade rolls the operator and nothing else', async () => {
    await cluster.kubectl(['delete', ...operatorOnly]);
    await cluster.kubectl(['apply', '-f', '-'], { input: await installation('--image', 'example.com/inferno:0.0.9') });
    const images = async (): Promise<readonly string[]> => (await operatorPods(cluster)).map(({ image }) => image);
    await poll('the older pod', async () => (await images()).join() === 'example.com/inferno:0.0.9');
    const others = async (): Promise<string> => {
      const kinds = `ns,crd,${policies},sa,svc,netpol,role,rolebinding,clusterrole,clusterrolebinding,priorityclass`;
      const version = '{range .items[*]}{.kind}={.metadata.uid}/{.metadata.resourceVersion} {end}';
      const selection = ['-n', 'inferno-system', '-l', 'app.kubernetes.io/name=inferno'];
      return (await cluster.kubectl(['get', kinds, ...selection, '-o', `jsonpath=${version}`])).stdout;
    };
    const untouched = await others();
    expect(await kubectl(cluster, ['apply', '-f', installFile])).toMatchObject({ code: 0, stderr: '' });
    // no node makes it ready, so the older one stays beside it
    await poll('the newer pod', async () => (await images()).length === 2);
    expect(await images()).toEqual(['example.com/inferno:0.0.9', infernoImage]);
    expect(await modelServers(cluster)).toEqual(before);
    expect(await others()).toBe(untouched);
  });

  test('deleting all that the file holds leaves the definition and the model servers, also when it is repeated', async () => {
    expect(before.map((line) => line.split(' ')[0])).toEqual(
      expect.arrayContaining(['InferenceService', 'Deployment', 'Service']),
    );
    for (const time of ['first', 'second']) {
      const { code, stderr } = await kubectl(cluster, ['delete', '-f', installFile, '--timeout=60s']);
      expect(`${time} time: ${code}`).toBe(`${time} time: 1`);
      expect(stderr).toContain('this would delete every InferenceService in the cluster');
      expect(stderr).toContain(`kubectl annotate crd ${CRD} inferno.io/allow-deletion=true`);
      // the garbage collector would follow at once, and the API server forgets a policy after a moment
      await sleep(3000);
    }
    expect(await exists('deployment', '-n', 'inferno-system', 'inferno-controller-manager')).toBe(false);
    expect(await modelServers(cluster)).toEqual(before);
  });

  test('no way to delete definitions leads around the policy', async () => {
    const refusal = expect.stringContaining('this would delete every InferenceService');
    const collection = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    expect((await cluster.request('DELETE', collection)).body).toMatchObject({ message: refusal });
    expect(await kubectl(cluster, ['delete', 'crd', '--all'])).toMatchObject({ code: 1, stderr: refusal });
    expect(await kubectl(cluster, ['delete', 'crd', CRD, '--force', '--grace-period=0'])).toMatchObject({ code: 1 });
    expect(await kubectl(cluster, ['delete', policies, '--all', '--wait=false'])).toMatchObject({ code: 0 });
    await sleep(2000);
    expect(await kubectl(cluster, ['delete', 'crd', CRD])).toMatchObject({ code: 1, stderr: refusal });
  });

  test('the steps of the documentation remove everything', async () => {
    const policy = `keep-${CRD}`;
    await cluster.kubectl(['delete', ...operatorOnly]);
    await cluster.kubectl(['annotate', 'crd', CRD, 'inferno.io/allow-deletion=true']);
    await cluster.kubectl(['delete', 'crd', CRD]);
    await cluster.kubectl(['patch', policies, policy, '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);
    await cluster.kubectl(['delete', policies, policy, '--ignore-not-found']);
    await cluster.kubectl(['delete', 'namespace', 'inferno-system']);
    const { stdout } = await cluster.kubectl([
      ...['get', `crd,${policies},clusterrole,clusterrolebinding,priorityclass,namespace`],
      ...['-l', 'app.kubernetes.io/name=inferno', '-o', 'name'],
    ]);
    expect(stdout).toBe('');
    await poll('the model server to go', async () => (await modelServers(cluster)).length === 0);
    expect((await cluster.request('GET', SERVICES)).status).toBe(404);
  });
});
