import { type JsonObject } from '../../lib/composition/schema';

const everything = (spec: JsonObject): JsonObject => ({
  apiVersion: 'parity.example.com/v1',
  kind: 'Everything',
  metadata: { name: 'everything' },
  spec,
});

/** Legal resources of the CRD that uses every feature. */
export const EVERYTHINGS: readonly JsonObject[] = [
  everything({}),
  everything({ low: 2, high: 5, words: ['a', 'b'], counts: { a: 1, b: 2 }, ratio: 1.5, memory: '1Gi', wait: '1h' }),
  everything({
    entries: [{ name: 'a' }, { name: 'a', protocol: 'UDP', value: 1 }],
    simple: [{ key: 1 }, { key: 2, nested: null }],
  }),
  everything({
    embedded: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', labels: { a: 'b' } }, spec: { anything: [1] } },
    embeddedClosed: { apiVersion: 'a/v1', kind: 'Thing', metadata: { generateName: 'x' }, spec: { a: 'b' } },
  }),
  everything({
    set: ['a', 'b'],
    numbers: [1, 1.5],
    defaultWords: ['a', null],
    nullWords: [null],
    lists: { a: [['x'], []] },
  }),
  everything({
    open: { known: { a: 'x' }, unknown: { b: [1] } },
    free: { a: null },
    freeList: [{ a: 'x', b: 1 }],
    anything: { a: 1 },
  }),
  everything({
    any: { a: 'x' },
    one: { b: 'y' },
    all: 'abc',
    none: 'good',
    notNumber: 5,
    alternatives: '10.0.0.1',
    letter: 65,
  }),
  everything({
    nested: { deep: 'x', deeper: {} },
    mapped: { a: {}, b: { a: 'x' } },
    mapDefault: { a: null, b: 'x' },
    maybe: null,
  }),
];
