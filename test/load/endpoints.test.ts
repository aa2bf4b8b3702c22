import { type EndpointSlice, usableEndpoints } from './endpoints';

type Conditions = NonNullable<NonNullable<EndpointSlice['endpoints']>[number]['conditions']>;

function slice(name: string, ...endpoints: readonly (readonly [address: string, conditions?: Conditions])[]) {
  return {
    metadata: { name },
    ports: [
      { name: 'metrics', port: 9000 },
      { name: 'http', port: 8000 },
    ],
    endpoints: endpoints.map(([address, conditions]) => ({
      addresses: [address],
      ...(conditions === undefined ? {} : { conditions }),
    })),
  };
}

const ending = { ready: false, serving: true, terminating: true };
const starting = { ready: false, serving: false, terminating: false };

test('ready endpoints of all slices are used, with the port of that name', () => {
  const slices = [slice('a', ['10.244.1.1', { ready: true }], ['10.244.1.2', starting]), slice('b', ['10.244.1.3'])];
  expect(usableEndpoints(slices)).toEqual([
    { address: '10.244.1.1', port: 8000 },
    { address: '10.244.1.3', port: 8000 },
  ]);
  expect(usableEndpoints(slices, 'metrics').map(({ port }) => port)).toEqual([9000, 9000]);
});

test('endpoints that end are used only where none is ready', () => {
  const [a, b, c] = ['10.244.1.1', '10.244.1.2', '10.244.1.3'];
  expect(usableEndpoints([slice('a', [a, ending], [b, { ready: true }])])).toEqual([{ address: b, port: 8000 }]);
  expect(usableEndpoints([slice('a', [a, ending], [c, starting])])).toEqual([{ address: a, port: 8000 }]);
});

test('a slice without endpoints, or without that port, gives none', () => {
  expect(usableEndpoints([{ metadata: { name: 'a' }, endpoints: null, ports: null }])).toEqual([]);
  expect(usableEndpoints([{ ...slice('a'), endpoints: null }])).toEqual([]);
  expect(usableEndpoints([slice('a', ['10.244.1.1'])], 'grpc')).toEqual([]);
});
