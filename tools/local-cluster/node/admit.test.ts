import { refusal } from './admit';
import type { Container, PodSpec } from './pod';

const main: Container = { name: 'main', image: 'process' };

function refused(spec: Partial<PodSpec>): string | undefined {
  const pod = { metadata: { name: 'pod' }, spec: { containers: [main], ...spec } };
  return refusal(pod, (name) => (name === 'light' ? { kind: 'light', name } : undefined));
}

function refusedContainer(more: Readonly<Record<string, unknown>>): string | undefined {
  return refused({ containers: [{ ...main, ...more }] });
}

test('a pod as this project renders it is admitted', () => {
  expect(
    refused({
      automountServiceAccountToken: false,
      hostNetwork: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          ...main,
          lifecycle: { preStop: { sleep: { seconds: 15 } } },
          readinessProbe: { httpGet: { path: '/health', port: 'http', scheme: 'HTTP' } },
          securityContext: {
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
            readOnlyRootFilesystem: true,
          },
        },
      ],
    }),
  ).toBeUndefined();
});

test.each<[string, Partial<PodSpec>]>([
  ['spec.hostNetwork: is not supported', { hostNetwork: true }],
  ['spec.activeDeadlineSeconds: is not supported', { activeDeadlineSeconds: 5 }],
  ['spec.ephemeralContainers: is not supported', { ephemeralContainers: [] }],
  ['spec.securityContext.sysctls: is not supported', { securityContext: { sysctls: [] } }],
  [
    'spec.initContainers[0].restartPolicy: a sidecar among the init containers is not supported',
    { initContainers: [{ ...main, restartPolicy: 'Always' }] },
  ],
  [
    'spec.containers: containers of a light image and others cannot share a pod',
    { containers: [main, { name: 'light', image: 'light' }] },
  ],
])('it says %s', (expected, spec) => {
  expect(refused(spec)).toBe(expected);
});

test.each<[string, Readonly<Record<string, unknown>>]>([
  ['volumeDevices: is not supported', { volumeDevices: [] }],
  ['lifecycle.postStart: is not supported', { lifecycle: { postStart: {} } }],
  [
    'lifecycle.preStop: must have one of httpGet, exec, sleep, got tcpSocket',
    { lifecycle: { preStop: { tcpSocket: {} } } },
  ],
  ['securityContext.privileged: true is not supported', { securityContext: { privileged: true } }],
  [
    'securityContext.capabilities.add: is not supported, got NET_ADMIN',
    { securityContext: { capabilities: { add: ['NET_ADMIN'] } } },
  ],
  [
    'securityContext.seccompProfile.type: Localhost is not supported',
    { securityContext: { seccompProfile: { type: 'Localhost' } } },
  ],
  [
    'volumeMounts(data).subPathExpr: is not supported',
    { volumeMounts: [{ name: 'data', mountPath: '/', subPathExpr: 'x' }] },
  ],
])('of a container it says %s', (expected, more) => {
  expect(refusedContainer(more)).toBe(`spec.containers[0].${expected}`);
});
