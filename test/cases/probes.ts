import { custom, fake, type GoodCase, service, triton, vllm } from './case';

/** Probes: off, overlaid, and of every kind. */
export const probes: readonly GoodCase[] = [
  ...[vllm, triton, fake, custom].map((spec) => ({
    title: `all probes off with ${spec.model.framework}`,
    resource: service(`probes-off-${spec.model.framework}`, spec, {
      startupProbe: { enabled: false },
      readinessProbe: { enabled: false },
      livenessProbe: { enabled: false },
    }),
  })),
  {
    title: 'probes with other numbers',
    resource: service('probe-numbers', vllm, {
      startupProbe: { periodSeconds: 7, timeoutSeconds: 3, initialDelaySeconds: 11 },
      readinessProbe: { periodSeconds: 1, failureThreshold: 1, successThreshold: 2, timeoutSeconds: 1 },
      livenessProbe: { periodSeconds: 60, failureThreshold: 10, terminationGracePeriodSeconds: 5 },
    }),
  },
  {
    title: 'probes of HTTP with headers',
    resource: service('probe-http', vllm, {
      startupProbe: { httpGet: { path: '/started', port: 'http', scheme: 'HTTP' } },
      readinessProbe: {
        httpGet: { path: '/ready?deep=1', port: 8000, httpHeaders: [{ name: 'X-Probe', value: 'yes' }] },
      },
      livenessProbe: { httpGet: { path: '/live', port: 8443, scheme: 'HTTPS', host: '127.0.0.1' } },
    }),
  },
  {
    title: 'probes of a command',
    resource: service('probe-exec', vllm, {
      startupProbe: { exec: { command: ['cat', '/tmp/started'] } },
      readinessProbe: { exec: { command: ['/bin/sh', '-c', 'test -f /tmp/ready'] } },
      livenessProbe: { exec: { command: ['true'] } },
    }),
  },
  {
    title: 'probes of TCP',
    resource: service('probe-tcp', triton, {
      startupProbe: { tcpSocket: { port: 8001 } },
      readinessProbe: { tcpSocket: { port: 'grpc' } },
      livenessProbe: { tcpSocket: { port: 'http' } },
    }),
  },
  {
    title: 'probes of gRPC',
    resource: service('probe-grpc', triton, {
      startupProbe: { grpc: { port: 8001 } },
      readinessProbe: { grpc: { port: 8001, service: 'inference.GRPCInferenceService' } },
      livenessProbe: { grpc: { port: 8001, service: '' } },
    }),
  },
  {
    title: 'the startup probe as failureThreshold instead of startupBudget',
    resource: service('probe-threshold', vllm, { startupProbe: { failureThreshold: 500, periodSeconds: 2 } }),
  },
  {
    title: 'custom with probes of its own',
    resource: service('probe-custom', custom, {
      startupProbe: { httpGet: { path: '/', port: 'http' } },
      readinessProbe: { httpGet: { path: '/', port: 'http' } },
      livenessProbe: { enabled: false },
    }),
  },
];
