import type { Manifest } from '../../lib/composition';
import { ObservationIndex } from '../../operator/watch/observation-index';

function pod(name: string, version: string, phase: string, app = 'chat'): Manifest {
  const metadata = { name, namespace: 'ns', uid: name, resourceVersion: version, labels: { app } };
  return { apiVersion: 'v1', kind: 'Pod', metadata, status: { phase } };
}

function indexByApp(): ObservationIndex {
  return new ObservationIndex(({ metadata }) => metadata.labels?.['app']);
}

test('an object is found by the resource that it says something about, also after that changed', () => {
  const index = indexByApp();
  const [first, second] = [pod('a', '1', 'Running'), pod('a', '2', 'Running', 'other')];
  expect(index.take({ after: first })).toEqual(['ns/chat']);
  expect(index.of('ns/chat')).toEqual([first]);
  expect(index.take({ before: first, after: second })).toEqual(['ns/chat', 'ns/other']);
  expect([index.of('ns/chat'), index.of('ns/other')]).toEqual([[], [second]]);
  index.take({ before: second });
  expect(index.of('ns/other')).toEqual([]);
});

test('an object of which only the version is another matters to nobody, and is kept in its newest version', () => {
  const index = indexByApp();
  const [first, same, next] = [pod('a', '1', 'Pending'), pod('a', '2', 'Pending'), pod('a', '3', 'Running')];
  index.take({ after: first });
  expect(index.take({ before: first, after: same })).toEqual([]);
  expect(index.of('ns/chat')).toEqual([same]);
  expect(index.take({ before: same, after: next })).toEqual(['ns/chat']);
});
