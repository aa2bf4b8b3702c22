import { createServer, type Server } from 'node:net';
import { startControlPlane } from '../../tools/local-cluster';
import { freePort } from '../../tools/local-cluster/ports';

jest.mock('../../tools/local-cluster/ports', () => {
  const { freePort: original } = jest.requireActual<typeof import('../../tools/local-cluster/ports')>(
    '../../tools/local-cluster/ports',
  );
  return { freePort: jest.fn(original) };
});

jest.setTimeout(120_000);

test('a port that somebody takes in the last moment is no failure', async () => {
  const server = await listen();
  const address = server.address();
  const taken = typeof address === 'object' && address !== null ? address.port : 0;
  jest.mocked(freePort).mockResolvedValueOnce(taken);
  try {
    const controlPlane = await startControlPlane();
    expect(jest.mocked(freePort)).toHaveBeenCalledTimes(2);
    expect((await controlPlane.request('GET', '/readyz')).status).toBe(200);
    await controlPlane.stop();
  } finally {
    server.close();
  }
});

function listen(): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => resolve(server));
  });
}
