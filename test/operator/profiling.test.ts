import { startStatusServer, type StatusServer } from '../../operator/serve/http';
import { profilingRoutes } from '../../operator/serve/profiling';

let server: StatusServer;
beforeAll(async () => {
  server = await startStatusServer({ host: '127.0.0.1', port: 0 }, profilingRoutes());
});
afterAll(() => server.close());

const get = (path: string) => fetch(`http://${server.address}${path}`);

test('a CPU profile is what the developer tools read', async () => {
  const profile = (await (await get('/debug/profile?seconds=0.1')).json()) as { nodes: unknown[]; samples: unknown[] };
  expect(profile.nodes.length).toBeGreaterThan(1);
  expect(Array.isArray(profile.samples)).toBe(true);
});

test.each(['0', '-1', '61', 'x'])('%s seconds are refused', async (seconds) => {
  expect((await get(`/debug/profile?seconds=${seconds}`)).status).toBe(400);
});

test('only one is made at a time', async () => {
  const statuses = await Promise.all([get('/debug/profile?seconds=0.2'), get('/debug/profile?seconds=0.2')]);
  expect(statuses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
});
