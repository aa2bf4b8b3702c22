import type { Manifest } from '../../lib/composition/manifest';
import { Cache } from '../../operator/watch/cache';

function object(name: string, version: number, more: { uid?: string; owner?: string } = {}): Manifest {
  const { owner, uid = `uid-${name}` } = more;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name,
      namespace: 'a',
      uid,
      resourceVersion: String(version),
      ...(owner === undefined
        ? {}
        : { ownerReferences: [{ apiVersion: 'x/v1', kind: 'X', name: owner, uid: owner, controller: true }] }),
    },
  };
}

const versionOf = (cache: Cache, name: string) => cache.get('a', name)?.metadata.resourceVersion;

test('an object never goes back to an older version of itself', () => {
  const cache = new Cache();
  cache.put(object('x', 10));
  expect(cache.put(object('x', 9))).toEqual([]);
  expect(cache.put(object('x', 10))).toEqual([]);
  expect(versionOf(cache, 'x')).toBe('10');
});

test('versions are compared as numbers of any length', () => {
  const cache = new Cache();
  cache.put({ ...object('x', 0), metadata: { ...object('x', 0).metadata, resourceVersion: '99999999999999999998' } });
  const next = { ...object('x', 0).metadata, resourceVersion: '99999999999999999999' };
  expect(cache.put({ ...object('x', 0), metadata: next })).toHaveLength(1);
  expect(cache.put(object('x', 100))).toEqual([]);
});

test('late news of the object that had the name before do not bring it back', () => {
  const cache = new Cache();
  cache.put(object('x', 10, { uid: 'old' }));
  cache.put(object('x', 12, { uid: 'new' }));
  expect(cache.put(object('x', 11, { uid: 'old' }))).toEqual([]);
  expect(cache.remove(object('x', 11, { uid: 'old' }))).toEqual([]);
  expect(cache.get('a', 'x')?.metadata.uid).toBe('new');
});

test('an object of another uid is reported as an end and a beginning', () => {
  const cache = new Cache();
  const [before, after] = [object('x', 1, { uid: 'old' }), object('x', 2, { uid: 'new' })];
  cache.put(before);
  expect(cache.put(after)).toEqual([{ before }, { after }]);
});

test('a list takes away what it does not have, except what was written after it was made', () => {
  const cache = new Cache();
  for (const each of [object('gone', 5), object('stays', 6), object('written-since', 12)]) cache.put(each);
  const changes = cache.replace([object('stays', 6), object('new', 9)], '10');
  expect(changes).toEqual([{ before: object('gone', 5) }, { after: object('new', 9) }]);
  expect(cache.all().map(({ metadata }) => metadata.name)).toEqual(['stays', 'written-since', 'new']);
});

test('a list does not take back what we wrote since it was made', () => {
  const cache = new Cache();
  cache.put(object('x', 12));
  expect(cache.replace([object('x', 8)], '10')).toEqual([]);
  expect(versionOf(cache, 'x')).toBe('12');
});

test('a cluster that was set back is taken as it is', () => {
  const cache = new Cache();
  for (const each of [object('x', 100), object('y', 101)]) cache.put(each);
  cache.replace([object('x', 50)]);
  expect(cache.all()).toEqual([object('x', 50)]);
});

test('children are found by the uid of their controller, and follow it', () => {
  const cache = new Cache();
  cache.put(object('x', 1, { owner: 'one' }));
  cache.put(object('y', 2, { owner: 'one' }));
  expect(cache.ownedBy('one').map(({ metadata }) => metadata.name)).toEqual(['x', 'y']);
  cache.put(object('x', 3, { owner: 'two' }));
  cache.remove(object('y', 4, { owner: 'one' }));
  expect(cache.ownedBy('one')).toEqual([]);
  expect(cache.ownedBy('two')).toHaveLength(1);
});

test('managedFields are not kept', () => {
  const cache = new Cache();
  const full = object('x', 1);
  cache.put({ ...full, metadata: { ...full.metadata, managedFields: [{}] } });
  expect(cache.get('a', 'x')).toEqual(full);
});

test('the answer to a write that comes after the end of its object does not bring it back', () => {
  const cache = new Cache();
  cache.put(object('x', 5));
  cache.remove(object('x', 6));
  expect(cache.put(object('x', 5))).toEqual([]);
  cache.remove(object('y', 9));
  expect(cache.put(object('y', 8))).toEqual([]);
  expect(cache.size).toBe(0);
  expect(cache.put(object('y', 10, { uid: 'another' }))).toHaveLength(1);
});

test('an object that left the selection comes back with the version that it left with', () => {
  const cache = new Cache();
  cache.put(object('x', 5));
  cache.remove(object('x', 6));
  expect(cache.put(object('x', 6))).toHaveLength(1);
});
