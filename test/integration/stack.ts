// A composition whose children depend on each other as its resources say, for tests.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Child,
  defineComposition,
  Kinds,
  setConditions,
  setHealth,
  syncedCondition,
  type Condition,
  type CustomResourceDefinition,
  type Health,
  type Resource,
} from '../../lib/composition';

export interface Part {
  readonly name: string;
  /** A Deployment has no node to run on, so its pods are ready by a test's word. @default ConfigMap */
  readonly pods?: number;
  readonly after?: readonly string[];
  readonly text?: string;
}

type Stack = Resource<{ readonly parts: readonly Part[] }, { readonly conditions: readonly Condition[] }>;

/** On a ConfigMap whose name begins with "gate", says that it is ready. */
export const OPEN = 'example.com/open';

const crd: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'stacks.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Stack', plural: 'stacks' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                properties: {
                  parts: {
                    type: 'array',
                    default: [],
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: {
                        name: { type: 'string' },
                        pods: { type: 'integer' },
                        text: { type: 'string' },
                        after: { type: 'array', items: { type: 'string' } },
                      },
                    },
                  },
                },
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
};

export const stack = defineComposition<Stack>({
  crd,
  children: [Kinds.ConfigMap, Kinds.Deployment],
  deletesInOrder: true,
  isReady: ({ kind, metadata }) =>
    kind === 'ConfigMap' && metadata.name.startsWith('gate') ? metadata.annotations?.[OPEN] === 'yes' : undefined,
  compose(scope, { spec: { parts } }) {
    const made = new Map(parts.map((part) => [part.name, child(part)]));
    for (const { name, after = [] } of parts) {
      for (const other of after) made.get(name)?.node.addDependency(made.get(other) ?? scope);
    }
    function child({ name, pods, text = '' }: Part): Child {
      if (pods === undefined)
        return new Child(scope, name, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text } });
      const labels = { part: name };
      return new Child(scope, name, {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name },
        spec: {
          replicas: pods,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'a', image: `example/a:1${text}` }] } },
        },
      });
    }
  },
  project({ metadata: { generation }, status }, _, { now, sync }) {
    const seen = generation === undefined ? {} : { observedGeneration: generation };
    const health: Health =
      sync.state === 'applied'
        ? { state: 'Ready', reason: 'Applied', message: 'All is there' }
        : {
            state: sync.state === 'waiting' ? 'Progressing' : 'Failed',
            reason: 'reason' in sync ? sync.reason : 'InvalidSpec',
            message: 'message' in sync ? sync.message : JSON.stringify(sync),
          };
    const { reason, message } = health;
    const synced = syncedCondition(
      sync.state === 'applied' ? { synced: true } : { synced: false, reason, message },
      generation,
    );
    return { conditions: setHealth(setConditions(status?.conditions, [synced], now), { ...health, ...seen }, now) };
  },
});

/** The file of its definition. */
export function stackCrd(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'inferno-stack-')), 'crd.yaml');
  writeFileSync(file, JSON.stringify(crd));
  return file;
}
