import { readDashboard } from './expressions';

test('it has an identity of its own and asks the data source that the user chooses', () => {
  const { uid, schemaVersion, templating, panels } = readDashboard();
  expect([uid, schemaVersion]).toEqual(['inferno', 41]);
  expect(templating.list.map(({ name, type }) => [name, type])).toEqual([
    ['datasource', 'datasource'],
    ['namespace', 'query'],
    ['model', 'query'],
  ]);
  const asked = panels.flatMap(({ datasource, targets = [] }) => [
    datasource,
    ...targets.map((each) => each.datasource),
  ]);
  expect(new Set(asked.flatMap((each) => each?.uid ?? []))).toEqual(new Set(['${datasource}']));
});

test('no two panels have one place or one number', () => {
  const { panels } = readDashboard();
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) => {
    expect(x + w).toBeLessThanOrEqual(24);
    return Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`);
  });
  expect(new Set(cells).size).toBe(cells.length);
});

test('each panel asks something and no two have one title', () => {
  const panels = readDashboard().panels.filter(({ type }) => type !== 'row');
  expect(panels.filter(({ targets = [] }) => targets.length === 0)).toEqual([]);
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
});
