import { runInNewContext } from 'node:vm';
import { jsonEquals, toJson, toJsonObject } from '../../lib/composition/json';

test('a copy has sorted keys at every level and shares nothing with its source', () => {
  const source = { b: [{ z: 1, a: { y: null, x: '' } }], a: {} };
  const copy = toJson(source);
  expect(JSON.stringify(copy)).toBe('{"a":{},"b":[{"a":{"x":"","y":null},"z":1}]}');
  source.b.pop();
  expect(JSON.stringify(copy)).toContain('"z":1');
});

test('keys that JavaScript knows otherwise are plain keys', () => {
  const source: unknown = JSON.parse('{"constructor":"c","__proto__":{"x":1},"toString":"t","hasOwnProperty":1}');
  const copy = toJsonObject(source);
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"x":1},"constructor":"c","hasOwnProperty":1,"toString":"t"}');
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
});

test('undefined members are left out, empty values stay', () => {
  expect(toJson({ a: undefined, b: '', c: [], d: {}, e: 0, f: false, g: null })).toStrictEqual({
    b: '',
    c: [],
    d: {},
    e: 0,
    f: false,
    g: null,
  });
});

test('maps without a prototype and from another realm are maps', () => {
  const bare: { [key: string]: unknown } = Object.create(null);
  bare['a'] = 1;
  expect(toJson(bare)).toStrictEqual({ a: 1 });
  expect(toJson(runInNewContext('({ a: [1] })'))).toStrictEqual({ a: [1] });
});

const cycle: { [key: string]: unknown } = {};
cycle['self'] = cycle;
class Point {
  readonly x = 1;
}

test.each([
  [{ a: [undefined] }, 'a[0] is undefined; expected a JSON value'],
  [{ a: { 'b.c/d': () => 1 } }, 'a["b.c/d"] is a function; expected a JSON value'],
  [{ a: new Date(0) }, 'a is an instance of Date; expected a JSON value'],
  [{ a: [{ b: new Point() }] }, 'a[0].b is an instance of Point; expected a JSON value'],
  [{ a: new Map() }, 'a is an instance of Map; expected a JSON value'],
  [{ a: 1n }, 'a is a bigint; expected a JSON value'],
  [{ a: Symbol('s') }, 'a is a symbol; expected a JSON value'],
  [{ a: NaN }, 'a is NaN; expected a finite number'],
  [{ a: Infinity }, 'a is Infinity; expected a finite number'],
  [{ a: 'x\ud800' }, 'a is "x\\ud800", which has half a surrogate pair; expected well-formed text'],
  [{ a: [1, { b: 1 }], c: NaN }, 'c is NaN; expected a finite number'],
  [cycle, `self${'.self'.repeat(9)} is a cycle or an endless nesting; expected at most 200 levels`],
])('what JSON would lose or change is refused with its path: %#', (value, message) => {
  expect(() => toJson(value)).toThrow(new TypeError(message));
});

test('something that has to be a map is refused where it is none', () => {
  expect(() => toJsonObject([1], 'spec')).toThrow('spec is an instance of Array; expected a map');
  expect(() => toJsonObject(undefined)).toThrow('the value is undefined; expected a map');
});

test('minus zero becomes zero, as JSON has no other', () => {
  expect(Object.is(toJson(-0), 0)).toBe(true);
});

test('equality looks at values, not at the order of keys or at inherited members', () => {
  expect(jsonEquals({ a: [1, { b: null }], c: '' }, { c: '', a: [1, { b: null }] })).toBe(true);
  expect(jsonEquals([1, 2], [2, 1])).toBe(false);
  expect(jsonEquals({ a: 1 }, { a: 1, b: 1 })).toBe(false);
  expect(jsonEquals({ toString: null }, { a: null })).toBe(false);
  expect(jsonEquals(toJson(JSON.parse('{"__proto__":{}}')), { a: {} })).toBe(false);
  expect(jsonEquals(undefined, null)).toBe(false);
  expect(jsonEquals([], {})).toBe(false);
  expect(jsonEquals({}, [])).toBe(false);
  expect(jsonEquals('1', 1)).toBe(false);
});
