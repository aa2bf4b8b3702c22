import { type ControlPlane, poll, startControlPlane } from '../../tools/local-cluster';
import { chat, ServiceClient } from '../load';

const SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';

let cluster: ControlPlane;
const clients: ServiceClient[] = [];

beforeAll(async () => {
  cluster = await startControlPlane();
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.stop()));
});
afterAll(() => cluster?.stop());

/** Makes the Service have an endpoint at each of these addresses, all of them ready. */
async function endpoints(service: string, ...addresses: readonly string[]): Promise<void> {
  const { status } = await cluster.request('PATCH', `${SLICES}/${service}-1?fieldManager=test&force=true`, {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `${service}-1`, labels: { 'kubernetes.io/service-name': service } },
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 8000 }],
    endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
  });
  expect([200, 201]).toContain(status);
}

async function connect(service: string, lagSeconds: number): Promise<ServiceClient> {
  const made = await ServiceClient.start(cluster, 'default', service, { lagSeconds });
  clients.push(made);
  return made;
}

function known(client: ServiceClient): string {
  return client.endpoints.map(({ address }) => address).join();
}

test('endpoints are known at the start, and followed with a lag', async () => {
  await endpoints('lagging', '10.244.1.1');
  const [slow, quick] = [await connect('lagging', 2), await connect('lagging', 0)];
  expect([known(slow), known(quick)]).toEqual(['10.244.1.1', '10.244.1.1']);
  await endpoints('lagging', '10.244.1.2', '10.244.1.3');
  const changed = Date.now();
  await poll('the quick one to follow', async () => known(quick) === '10.244.1.2,10.244.1.3');
  expect(known(slow)).toBe('10.244.1.1');
  await poll('the slow one to follow', async () => known(slow) === '10.244.1.2,10.244.1.3');
  expect(Date.now() - changed).toBeGreaterThan(1900);
});

test('endpoints of another Service play no part, and none is a refusal', async () => {
  await endpoints('other', '10.244.1.9');
  const made = await connect('mine', 0);
  await endpoints('other', '10.244.1.8');
  expect(made.endpoints).toEqual([]);
  expect(await chat(made, { model: 'm' })).toEqual({ ok: false, error: 'Service mine has no endpoint' });
});

test('endpoints are kept while the API server is away, and followed again afterwards', async () => {
  await endpoints('outage', '10.244.1.1');
  const made = await connect('outage', 0);
  await cluster.stopComponent('kube-apiserver');
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(known(made)).toBe('10.244.1.1');
  await cluster.startComponent('kube-apiserver');
  await endpoints('outage', '10.244.1.2');
  await poll('the new endpoint', async () => known(made) === '10.244.1.2', { seconds: 10 });
});
