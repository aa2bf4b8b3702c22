import { expand } from '../../tools/generate/expand';
import type { KubernetesDefinitions } from '../../tools/generate/schema';

const kubernetes: KubernetesDefinitions = {
  kubernetes: 'v1.2.3',
  definitions: {
    Port: {
      type: 'object',
      required: ['number'],
      properties: { number: { type: 'integer', format: 'int32' }, protocol: { type: 'string' } },
    },
    Reference: {
      type: 'object',
      'x-kubernetes-map-type': 'atomic',
      properties: { name: { type: 'string' } },
      required: ['name'],
    },
    Header: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    Thing: {
      type: 'object',
      description: 'A thing.',
      required: ['name', 'port'],
      properties: {
        name: { type: 'string', description: 'Its name.' },
        port: { $ref: '#/definitions/Port' },
        reference: { $ref: '#/definitions/Reference' },
        size: { $ref: '#/definitions/io.k8s.apimachinery.pkg.api.resource.Quantity' },
        target: { $ref: '#/definitions/io.k8s.apimachinery.pkg.util.intstr.IntOrString' },
        since: { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.Time' },
        headers: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: { $ref: '#/definitions/Header' } },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['number', 'protocol'],
          'x-kubernetes-patch-merge-key': 'number',
          items: { $ref: '#/definitions/Port' },
        },
      },
    } as KubernetesDefinitions['definitions'][string],
    Template: {
      type: 'object',
      properties: { metadata: { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' } },
    },
    'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta': {
      type: 'object',
      properties: { uid: { type: 'string' }, labels: { type: 'object' }, annotations: { type: 'object' } },
    },
  },
};

/** As the API server sees it: what only the generator knows hangs on symbols. */
const expanded = (source: Parameters<typeof expand>[1]) => JSON.parse(JSON.stringify(expand(kubernetes, source)));
const port = {
  type: 'object',
  required: ['number'],
  properties: { number: { type: 'integer', format: 'int32' }, protocol: { type: 'string' } },
};

test('$kubernetes puts the definition in, without descriptions, and keys beside it win', () => {
  const { properties, ...thing } = expanded({ $kubernetes: 'Thing', description: 'Ours.', required: ['name'] });
  expect(thing).toEqual({ type: 'object', description: 'Ours.', required: ['name'] });
  expect(properties.name).toEqual({ type: 'string' });
  expect(properties.port).toEqual(port);
  expect(properties.reference['x-kubernetes-map-type']).toBe('atomic');
});

test('a quantity, an int-or-string and a time become what the API server calls them', () => {
  const { size, target, since } = expanded({ $kubernetes: 'Thing' }).properties;
  const either = [{ type: 'integer' }, { type: 'string' }];
  expect(size).toEqual({
    anyOf: either,
    'x-kubernetes-int-or-string': true,
    pattern: expect.any(String),
    maxLength: expect.any(Number),
  });
  expect(target).toEqual({ anyOf: either, 'x-kubernetes-int-or-string': true });
  expect(since).toEqual({ type: 'string', format: 'date-time' });
});

test('every key of a merged list is required or has a default', () => {
  const { ports } = expanded({ $kubernetes: 'Thing' }).properties;
  expect(ports).toEqual({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['number', 'protocol'],
    items: { ...port, properties: { ...port.properties, protocol: { type: 'string', default: 'TCP' } } },
  });
});

test('metadata in a template has labels and annotations only', () => {
  const { metadata } = expanded({ $kubernetes: 'Template' }).properties;
  expect(Object.keys(metadata.properties)).toEqual(['labels', 'annotations']);
});

test('$partial requires only merge keys, but all of what replaces its counterpart as a whole', () => {
  const { required, properties } = expanded({ $kubernetes: 'Thing', $partial: true });
  expect(required).toBeUndefined();
  expect(properties.port.required).toBeUndefined();
  expect(properties.ports.items.required).toEqual(['number']);
  expect(properties.headers.items.required).toEqual(['name']);
  expect(properties.reference.required).toEqual(['name']);
});

test('$list makes a list of the definition, and keys beside it speak of the list', () => {
  const list = expanded({ $kubernetes: 'Reference', $list: { type: 'map', keys: ['name'] }, maxItems: 3 });
  expect(list).toEqual({
    type: 'array',
    maxItems: 3,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items: {
      type: 'object',
      'x-kubernetes-map-type': 'atomic',
      required: ['name'],
      properties: { name: { type: 'string' } },
    },
  });
  expect(expanded({ $kubernetes: 'Port', $list: { type: 'atomic' } }).items).toEqual(port);
  expect(() => expanded({ $kubernetes: 'Port', $list: { type: 'map', keys: ['nam'] } })).toThrow('no field nam');
});

test('$extra adds fields and refuses those that are there', () => {
  const { properties } = expanded({ $kubernetes: 'Port', $extra: { enabled: { type: 'boolean', default: true } } });
  expect(properties).toEqual({ ...port.properties, enabled: { type: 'boolean', default: true } });
  expect(() => expanded({ $kubernetes: 'Port', $extra: { number: { type: 'string' } } })).toThrow('use $override');
});

test('$narrow adds limits to a field and refuses to change its type', () => {
  const { properties } = expanded({ $kubernetes: 'Port', $narrow: { protocol: { maxLength: 4 } } });
  expect(properties.protocol).toEqual({ type: 'string', maxLength: 4 });
  expect(() => expanded({ $kubernetes: 'Port', $narrow: { protocol: { type: 'integer' } } })).toThrow(
    'may not have type',
  );
  expect(() => expanded({ $kubernetes: 'Port', $narrow: { protocl: { maxLength: 4 } } })).toThrow('not a field');
});

test('$override replaces a field, and the keys in it are expanded too', () => {
  const { properties } = expanded({ $kubernetes: 'Thing', $override: { name: { $kubernetes: 'Port' } } });
  expect(properties.name).toEqual(port);
  expect(() => expanded({ $kubernetes: 'Thing', $override: { nme: {} } })).toThrow('$override nme is not a field');
});

test('$refuse keeps a field so that a rule can name the better place, for any value', () => {
  const refused = { name: 'use spec.name', port: 'use spec.port', headers: 'not here', target: 'nor this' };
  const schema = expanded({ $kubernetes: 'Thing', $refuse: refused });
  expect(schema['x-kubernetes-validations']).toEqual(
    Object.entries(refused).map(([field, message]) => ({
      rule: `!has(self.${field})`,
      message,
      fieldPath: `.${field}`,
    })),
  );
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const { name, port: object, headers, target } = schema.properties;
  expect(name).toEqual({ type: 'string', description: 'Not allowed here: use spec.name.' });
  expect(object).toMatchObject(open);
  expect(headers).toMatchObject({ type: 'array', items: open });
  expect(target).toMatchObject({ 'x-kubernetes-int-or-string': true });
  expect(() => expanded({ $kubernetes: 'Thing', $refuse: { nme: 'x' } })).toThrow('$refuse nme is not a field');
});

test('$quantity takes what Kubernetes takes', () => {
  const pattern = new RegExp(expanded({ $quantity: true }).pattern);
  const good = ['1', '-1', '+1', '.5', '5.', '0.1', '100m', '1Gi', '1e3', '1E-3', '1E', '5n', '2k'];
  const bad = ['', '1K', '1ki', '1 Gi', 'Gi', '.', '1e', '1e1.5', '1e100', '1_0', '٣', '1Gi\n'];
  expect(good.filter((text) => !pattern.test(text))).toEqual([]);
  expect(bad.filter((text) => pattern.test(text))).toEqual([]);
});

test('expansion reaches properties, items and values, and leaves the source as it is', () => {
  const source = Object.freeze({
    type: 'object' as const,
    properties: {
      a: { type: 'array' as const, items: { $kubernetes: 'Port' } },
      b: { type: 'object' as const, additionalProperties: { $kubernetes: 'Port' } },
    },
  });
  const before = JSON.stringify(source);
  const { a, b } = expanded(source).properties;
  expect(a.items).toEqual(port);
  expect(b.additionalProperties).toEqual(port);
  expect(JSON.stringify(source)).toBe(before);
});

test('a misspelt key, an unknown definition and a key without $kubernetes are errors', () => {
  expect(() => expanded({ properties: { a: JSON.parse('{ "$kubernets": "Port" }') } })).toThrow(
    '.a: unknown key $kubernets',
  );
  expect(() => expanded({ $kubernetes: 'Prt' })).toThrow('Kubernetes v1.2.3 has no definition Prt');
  expect(() => expanded({ $refuse: { a: 'x' } })).toThrow('needs $kubernetes');
});
