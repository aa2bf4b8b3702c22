import { flag, positional } from '../pod/args';
import { literal } from '../pod/expansion';
import { flagSyntax } from '../pod/flags';
import { httpPort } from '../admitted';
import type { Engine, ProbeHandler } from './engine';
import { nobody, restrictedContainer, restrictedPod } from './security';
import { vllmFlags } from './vllm-flags';

// Refused until the model is loaded, and open where an API key guards /v1.
const health: ProbeHandler = { httpGet: { path: '/health', port: httpPort, scheme: 'HTTP' } };

/** Other ways to use several devices: with one of them, their number is no longer the tensor parallel size. */
const otherParallelism = [
  '--pipeline-parallel-size',
  '--data-parallel-size',
  '--data-parallel-size-local',
  '--decode-context-parallel-size',
  '--prefill-context-parallel-size',
];

/** vLLM. Facts about it hold for the version of the image and of ./vllm-flags. */
export const vllm: Engine = {
  image: 'vllm/vllm-openai:v0.33.0',
  command: ['vllm', 'serve'],
  syntax: flagSyntax({ table: vllmFlags, underscores: true, abbreviations: true }),
  knowsAllFlags: true,
  // Its parser takes every abbreviation that no other flag has, and `--flag.key` for a part of a flag in JSON.
  reservedFlags: {
    names: ['--model', '--por', '--port', '--ho', '--hos', '--host'],
    beginnings: [...['--ssl', '--serv', '--revi', '--api-k', '--api_k', '--ud'], ...['--model.', '--port.', '--host.']],
    message:
      '--model, --port, --served-model-name and --revision are set from model.uri, port, model.servedName and ' +
      'model.revision; an API key belongs in env as VLLM_API_KEY from a Secret; the probes and the Service need plain HTTP ' +
      'on every address of the pod, so --host, --uds and --ssl-* cannot be used',
  },
  uris: ['hf://', 'pvc://', 'file://', 's3://', 'gs://', '/'],
  ports: [],
  probes: { startup: health, readiness: health, liveness: health },
  sharedMemory: true,
  scratch: true,
  requests: { cpu: '2', memory: '8Gi' },
  podSecurityContext: restrictedPod(nobody),
  securityContext: restrictedContainer,
  concurrencyMetric: 'vllm_num_requests_running',
  concurrencyLimitFlag: '--max-num-seqs',
  metricsPort: httpPort,
  plainHttp: true,
  args({ name, spec, source, devices }) {
    const { model, port, drain } = spec;
    return [
      // Before every flag: several of them take all the words that follow.
      positional(literal(source.location)),
      flag('--port', port),
      flag('--served-model-name', literal(model.servedName ?? name)),
      ...(model.revision === undefined ? [] : [flag('--revision', literal(model.revision))]),
      ...(source.kind === 'object-store' ? [flag('--load-format', 'runai_streamer')] : []),
      ...(devices > 1 ? [flag('--tensor-parallel-size', devices, otherParallelism)] : []),
      // Without it a running answer is cut off, and the process may hang until it is killed.
      flag('--shutdown-timeout', drain.shutdownSeconds),
    ];
  },
  // Compiled kernels, configuration and downloads all go below the home directory.
  env: () => [{ name: 'HOME', value: '/tmp' }],
};
