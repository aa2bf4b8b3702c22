// Many model servers in one cluster. The figures themselves are printed by `npm run bench -- cluster`.
import { type Scale, scale } from './scale';

/** A thousand take about four minutes of a machine with two cores and nothing else to do. */
const SERVICES = Number(process.env['E2E_SERVICES'] ?? 1000);
/** What the operator's Deployment reserves. */
const RESERVED_MB = 192;

let figures: Scale;

beforeAll(async () => {
  if (!Number.isInteger(SERVICES) || SERVICES < 1) {
    throw new Error(`E2E_SERVICES must be a whole number from 1, got ${process.env['E2E_SERVICES']}`);
  }
  figures = await scale(SERVICES);
}, 1_800_000);

test('all model servers run, after a few requests for each', () => {
  const { create = 0, patch = 0 } = figures.created.requests;
  // Each has a Deployment and a Service, a third has an autoscaler; the status is written while the pod starts and after.
  expect(patch / SERVICES).toBeLessThan(6);
  // Events.
  expect(create / SERVICES).toBeLessThan(3);
  expect(figures.created.requests['list'] ?? 0).toBe(0);
});

test('when nothing changes, the operator asks for nothing and hardly works', () => {
  expect(figures.idle.writes).toBe(0);
  expect(figures.idle.requests['list'] ?? 0).toBe(0);
  expect(figures.idle.cpuMs / (figures.idle.seconds * 1000)).toBeLessThan(0.05);
});

test('a new operator looks at all of them and writes nothing', () => {
  expect(figures.restarted.writes).toBe(0);
  // A page has 500 objects, and there are six kinds.
  expect(figures.restarted.requests['list']).toBeLessThanOrEqual(6 * (1 + Math.ceil(SERVICES / 500)));
});

test('the memory stays within what its Deployment reserves', () => {
  expect(figures.peakMb).toBeLessThan(RESERVED_MB);
  expect(figures.restarted.residentMb).toBeLessThan(RESERVED_MB);
});

test('their end costs the operator next to nothing', () => {
  // Word that a child is gone may come before word of its owner: then the owner is looked at, and no child made again.
  expect(figures.deleted.made).toBe(0);
  expect(figures.deleted.writes).toBe(0);
  expect(figures.deleted.requests['list'] ?? 0).toBe(0);
  expect(figures.deleted.requests['get'] ?? 0).toBeLessThanOrEqual(SERVICES);
});

test('the operator complained about nothing', () => {
  expect(figures.complaints).toEqual([]);
});
