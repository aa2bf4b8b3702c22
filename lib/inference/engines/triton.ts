import { flag } from '../pod/args';
import { literal } from '../pod/expansion';
import { flagSyntax } from '../pod/flags';
import { httpPort } from '../admitted';
import type { Engine, ProbeHandler } from './engine';
import { restrictedContainer, restrictedPod } from './security';

const ready: ProbeHandler = { httpGet: { path: '/v2/health/ready', port: httpPort, scheme: 'HTTP' } };
const live: ProbeHandler = { httpGet: { path: '/v2/health/live', port: httpPort, scheme: 'HTTP' } };

/** Only the flags that are generated: the server has no way to list its own offline. */
const flags = `
--model-repository --model-store
--http-port
--grpc-port
--metrics-port
--exit-timeout-secs
`;

/** The user `triton-server` of the image. */
const tritonUser = 1000;

/** NVIDIA Triton Inference Server. The model is a model repository: a folder of models, each with its own name. */
export const triton: Engine = {
  image: 'nvcr.io/nvidia/tritonserver:26.08-py3',
  command: ['tritonserver'],
  syntax: flagSyntax({ table: flags }),
  knowsAllFlags: false,
  reservedFlags: {
    names: ['--model-repository', '--model-store', '--http-port', '--grpc-port', '--metrics-port'],
    message: '--model-repository, --http-port, --grpc-port and --metrics-port are set from model.uri, port and ports',
  },
  uris: ['pvc://', 'file://', 's3://', 'gs://', 'as://', '/'],
  ports: [
    { name: 'grpc', containerPort: 8001 },
    { name: 'metrics', containerPort: 8002 },
  ],
  probes: { startup: ready, readiness: ready, liveness: live },
  sharedMemory: true,
  scratch: true,
  requests: { cpu: '1', memory: '4Gi' },
  podSecurityContext: restrictedPod(tritonUser),
  securityContext: restrictedContainer,
  concurrencyMetric: 'nv_inference_pending_request_count',
  metricsPort: 'metrics',
  plainHttp: true,
  args: ({ spec, source, port }) => [
    flag('--model-repository', literal(source.location)),
    flag('--http-port', spec.port),
    flag('--grpc-port', port('grpc')),
    flag('--metrics-port', port('metrics')),
    flag('--exit-timeout-secs', spec.drain.shutdownSeconds),
  ],
  env: () => [{ name: 'HOME', value: '/tmp' }],
};
