import type { LiveObject, Manifest } from '../../lib/composition';
import { portRepairs } from '../../operator/write/port-collision';

const http = { name: 'http', port: 80, protocol: 'TCP' };

function service(...ports: readonly object[]): Manifest & LiveObject {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 'x', uid: 'u' }, spec: { ports } };
}

function deployment(...containers: readonly object[]): Manifest & LiveObject {
  const template = { spec: { containers } };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x', uid: 'u' }, spec: { template } };
}

test('a port of ours whose number was edited gives way to ours', () => {
  expect(portRepairs(service(http), service({ ...http, port: 81 }))).toEqual([{ path: '/spec/ports', value: [http] }]);
});

test('ports of others under names of their own stay, also in a repaired list', () => {
  const other = { name: 'debug', port: 9229, protocol: 'TCP' };
  expect(portRepairs(service(http), service(http, other))).toEqual([]);
  expect(portRepairs(service(http), service(other, { ...http, port: 81 }))).toEqual([
    { path: '/spec/ports', value: [other, http] },
  ]);
});

test('one number over two protocols is two ports', () => {
  const udp = { name: 'dns', port: 53, protocol: 'UDP' };
  const tcp = { name: 'dns-tcp', port: 53 };
  expect(portRepairs(service(udp, tcp), service(udp, tcp))).toEqual([]);
  const edited = service({ ...http, protocol: 'UDP' });
  expect(portRepairs(service(http), edited)).toEqual([{ path: '/spec/ports', value: [http] }]);
});

test('a container is found by its name, at any place', () => {
  const server = (containerPort: number) => ({ name: 'server', ports: [{ name: 'http', containerPort }] });
  const injected = { name: 'proxy', ports: [{ name: 'http', containerPort: 15_000 }] };
  expect(portRepairs(deployment(server(8000)), deployment(injected, server(8111)))).toEqual([
    { path: '/spec/template/spec/containers/1/ports', value: [{ name: 'http', containerPort: 8000 }] },
  ]);
  expect(portRepairs(deployment(server(8000)), deployment(injected))).toEqual([]);
});
