import { positional } from '../pod/args';
import { literal } from '../pod/expansion';
import { unknownSyntax } from '../pod/flags';
import { httpPort } from '../admitted';
import type { Engine, ProbeHandler } from './engine';
import { nobody, restrictedContainer, restrictedPod } from './security';

/** This project's own image, which has the fake server in it. Not published yet: build it, or name your own in spec.image. */
export const infernoImage = 'ghcr.io/inferno-project/inferno:0.1.0';

const health: ProbeHandler = { httpGet: { path: '/health', port: httpPort, scheme: 'HTTP' } };

/** A small server with the OpenAI API and vLLM's metrics, for tests and trials. It loads no model and needs no GPU. */
export const fake: Engine = {
  image: infernoImage,
  syntax: unknownSyntax,
  knowsAllFlags: false,
  uris: 'any',
  ports: [],
  probes: { startup: health, readiness: health, liveness: health },
  sharedMemory: false,
  scratch: false,
  requests: { cpu: '100m', memory: '128Mi' },
  podSecurityContext: restrictedPod(nobody),
  securityContext: restrictedContainer,
  concurrencyMetric: 'vllm_num_requests_running',
  metricsPort: httpPort,
  plainHttp: true,
  args: () => [positional('fake-server')],
  env: ({ name, spec }) => [
    { name: 'HOST', value: '::' },
    { name: 'PORT', value: `${spec.port}` },
    { name: 'MODEL_NAME', value: literal(spec.model.servedName ?? name) },
    { name: 'INFERNO_FAKE_SHUTDOWN_SECONDS', value: `${spec.drain.shutdownSeconds}` },
  ],
};
