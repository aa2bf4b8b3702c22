import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Child, defineComposition, dnsLabel, Kinds, setHealth } from 'cdk8s-inferno/composition';
import type { Condition, CustomResourceDefinition, Health, k8s, Resource } from 'cdk8s-inferno/composition';
import { parse } from 'yaml';

interface RedisCacheSpec {
  readonly version: string;
  readonly memoryMi: number;
  readonly evict: string;
}

interface RedisCacheStatus {
  readonly address: string;
  readonly conditions: readonly Condition[];
}

export type RedisCache = Resource<RedisCacheSpec, RedisCacheStatus>;

const crd: CustomResourceDefinition = parse(readFileSync(join(__dirname, 'crd.yaml'), 'utf8'));
const PORT = 6379;

/** A RedisCache becomes a StatefulSet of one pod and a Service. */
export const redisCache = defineComposition<RedisCache>({
  crd,
  children: [Kinds.Service, Kinds.StatefulSet],

  compose(scope, { metadata, spec }, context) {
    const name = dnsLabel(metadata.name);
    const labels = { 'app.kubernetes.io/name': 'redis', 'cache.example.com/cache': name };
    const probe = { tcpSocket: { port: 'redis' } };
    if (spec.evict === 'noeviction') {
      context.warn('spec.evict', 'makes writes fail once the memory is full, which is rarely meant for a cache');
    }

    new Child<k8s.Service>(scope, 'service', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, labels },
      spec: { selector: labels, ports: [{ name: 'redis', port: PORT, targetPort: 'redis', protocol: 'TCP' }] },
    });
    new Child<k8s.StatefulSet>(scope, 'pods', {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name, labels },
      spec: {
        replicas: 1,
        serviceName: name,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            automountServiceAccountToken: false,
            containers: [
              {
                name: 'redis',
                image: `redis:${spec.version}`,
                args: ['--save', '', '--maxmemory', `${spec.memoryMi}mb`, '--maxmemory-policy', spec.evict],
                ports: [{ name: 'redis', containerPort: PORT, protocol: 'TCP' }],
                resources: { limits: { memory: `${Math.ceil(spec.memoryMi * 1.25)}Mi` } },
                readinessProbe: probe,
                livenessProbe: { ...probe, initialDelaySeconds: 10 },
              },
            ],
          },
        },
      },
    });
  },

  project({ metadata, status }, observed, { now, sync }) {
    const name = dnsLabel(metadata.name);
    const pods = observed.get(Kinds.StatefulSet, name);
    const ready = pods?.status?.readyReplicas === 1;
    const health: Health = ready
      ? { state: 'Ready', reason: 'PodReady', message: 'Redis answers' }
      : { state: 'Progressing', reason: 'PodNotReady', message: 'Redis does not answer yet' };
    const trouble: Health = { state: 'Failed', reason: 'NotApplied', message: JSON.stringify(sync) };
    const generation = metadata.generation === undefined ? {} : { observedGeneration: metadata.generation };
    return {
      address: `${name}.${metadata.namespace ?? 'default'}:${PORT}`,
      conditions: setHealth(
        status?.conditions,
        { ...(sync.state === 'applied' ? health : trouble), ...generation },
        now,
      ),
    };
  },
});
