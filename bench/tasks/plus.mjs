// node bench/tasks/plus.mjs COUNT: the same job with plain cdk8s-plus, one chart for each service, as its documentation
// shows it.
import { App, Chart, Size } from 'cdk8s';
import { Cpu, Deployment, EnvValue, HorizontalPodAutoscaler, Metric, MetricTarget, Probe } from 'cdk8s-plus-28';
import { services } from '../services.mjs';
import { measured } from './measured.mjs';

const input = services(Number(process.argv[2]));
measured(() => {
  const app = new App();
  for (const { metadata, spec } of input) {
    const chart = new Chart(app, `${metadata.namespace}-${metadata.name}`, { namespace: metadata.namespace });
    const deployment = new Deployment(chart, 'deployment', {
      metadata: { name: metadata.name },
      podMetadata: { labels: { app: metadata.name, operator: 'inferno' } },
      securityContext: { ensureNonRoot: true },
      containers: [
        {
          name: 'inference-server',
          image: 'vllm/vllm-openai:v0.12.0',
          portNumber: 8000,
          args: [spec.model.uri.slice('hf://'.length), '--port=8000', ...spec.args],
          envVariables: {
            MODEL_URI: EnvValue.fromValue(spec.model.uri),
            MODEL_VERSION: EnvValue.fromValue(spec.model.version),
            VLLM_LOGGING_LEVEL: EnvValue.fromValue('INFO'),
          },
          resources: {
            cpu: { request: Cpu.units(spec.resources.cpu) },
            memory: { request: Size.gibibytes(64), limit: Size.gibibytes(64) },
          },
          startup: Probe.fromHttpGet('/health', { port: 8000, failureThreshold: 180 }),
          readiness: Probe.fromHttpGet('/health', { port: 8000 }),
          liveness: Probe.fromHttpGet('/health', { port: 8000 }),
        },
      ],
    });
    deployment.exposeViaService({ name: metadata.name, ports: [{ port: 80, targetPort: 8000 }] });
    new HorizontalPodAutoscaler(chart, 'autoscaler', {
      metadata: { name: metadata.name },
      target: deployment,
      minReplicas: spec.replicas.min,
      maxReplicas: spec.replicas.max,
      metrics: [Metric.resourceCpu(MetricTarget.averageUtilization(80))],
    });
  }
  return { size: app.synthYaml().length };
});
