import { unknownSyntax } from '../pod/flags';
import { httpPort } from '../admitted';
import type { Engine, ProbeHandler } from './engine';
import { baselineContainer, baselinePod } from './security';

const listening: ProbeHandler = { tcpSocket: { port: httpPort } };

/** Any image that serves HTTP. Nothing is known of it, so it is only asked to listen on spec.port. */
export const custom: Engine = {
  syntax: unknownSyntax,
  knowsAllFlags: false,
  uris: 'any',
  ports: [],
  probes: { startup: listening, readiness: listening, liveness: listening },
  sharedMemory: false,
  scratch: false,
  requests: { cpu: '500m', memory: '1Gi' },
  podSecurityContext: baselinePod,
  securityContext: baselineContainer,
  plainHttp: false,
  args: () => [],
  env: () => [],
};
