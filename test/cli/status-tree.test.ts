import { factsOf } from '../../cli/commands/status/facts';
import type { StatusNode } from '../../cli/commands/status/node';
import { treeText } from '../../cli/commands/status/tree';
import type { Manifest } from '../../lib/composition';

const plain = (_: unknown, text: string): string => text;

function object(kind: string, fields: object): Manifest {
  return { apiVersion: 'v1', kind, metadata: { name: 'x', generation: 2 }, ...fields };
}

const waiting = (reason: string, more: object = {}) => ({
  status: {
    phase: 'Running',
    containerStatuses: [{ name: 'c', restartCount: 1, state: { waiting: { reason } }, ...more }],
  },
});

test.each([
  [
    'a rollout that is finished',
    object('Deployment', {
      spec: { replicas: 2 },
      status: { observedGeneration: 2, replicas: 2, readyReplicas: 2, updatedReplicas: 2 },
    }),
    'good',
    '2/2 ready',
    [],
  ],
  [
    'pods of an older template',
    object('Deployment', {
      spec: { replicas: 2 },
      status: { observedGeneration: 2, replicas: 3, readyReplicas: 2, updatedReplicas: 1 },
    }),
    'waiting',
    '2/2 ready, 1 updated, 2 older',
    [],
  ],
  [
    'a Deployment that nobody has seen',
    object('Deployment', { spec: { replicas: 0 } }),
    'waiting',
    '0/0 ready, not seen by its controller yet',
    [],
  ],
  [
    'a quota',
    object('Deployment', {
      spec: {},
      status: {
        observedGeneration: 2,
        conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'exceeded quota' }],
      },
    }),
    'bad',
    '0/1 ready, 0 updated',
    ['FailedCreate: exceeded quota'],
  ],
  [
    'a pod that is ready',
    object('Pod', { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } }),
    'good',
    'ready',
    [],
  ],
  ['a pod that starts', object('Pod', waiting('ContainerCreating')), 'waiting', 'Running, 1 restart', []],
  [
    'an image that is not there',
    object('Pod', waiting('ImagePullBackOff')),
    'bad',
    'Running, 1 restart',
    ['c: ImagePullBackOff'],
  ],
  [
    'a crash',
    object('Pod', waiting('CrashLoopBackOff', { lastState: { terminated: { exitCode: 1, reason: 'Error' } } })),
    'bad',
    'Running, 1 restart',
    ['c: CrashLoopBackOff: exit code 1 (Error)'],
  ],
  [
    'an autoscaler that is switched off',
    object('HorizontalPodAutoscaler', {
      spec: { maxReplicas: 3 },
      status: {
        currentReplicas: 0,
        conditions: [{ type: 'ScalingActive', status: 'False', reason: 'ScalingDisabled' }],
      },
    }),
    'good',
    '1 to 3, now 0',
    [],
  ],
  [
    'an object that goes',
    { ...object('Service', {}), metadata: { name: 'x', deletionTimestamp: 'now' } },
    'waiting',
    'is being deleted',
    [],
  ],
  [
    'another kind that is not ready',
    object('Job', {
      status: { conditions: [{ type: 'Complete', status: 'False', reason: 'Runs', message: 'still' }] },
    }),
    'waiting',
    'Runs',
    ['still'],
  ],
  ['another kind that says nothing', object('ConfigMap', {}), 'unknown', '', []],
])('%s', (_, given, health, summary, messages) => {
  expect(factsOf(given)).toEqual({ health, summary, messages });
});

const long = 'x '.repeat(200).trim();

function node(name: string, children: readonly StatusNode[] = []): StatusNode {
  return { kind: 'Thing', name, health: 'bad', summary: 'Failed', messages: [long], children };
}

test.each([40, 80, 120])('within %d columns no line is longer', (columns) => {
  const text = treeText([node('a', [node('b', [node('c')]), node('d')])], columns, plain);
  expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(columns);
  expect(text.replaceAll(/[^a-z ]+/g, ' ').match(/x/g)).toHaveLength(800);
});

test('guides lead from a parent to its children and not further', () => {
  const bare = (name: string, children: readonly StatusNode[] = []): StatusNode => ({
    ...node(name, children),
    messages: ['why'],
  });
  expect(treeText([bare('a', [bare('b', [bare('c')]), bare('d')])], 80, plain)).toBe(
    [
      '✗ Thing a  Failed',
      '│ why',
      '├─✗ Thing b  Failed',
      '│ │ why',
      '│ └─✗ Thing c  Failed',
      '│     why',
      '└─✗ Thing d  Failed',
      '    why',
      '',
    ].join('\n'),
  );
});

test('what could steer a terminal is shown as an escape', () => {
  const text = treeText([{ ...node('a'), messages: ['\u001b]0;title\u0007'] }], 80, plain);
  expect(text).toContain(String.raw`\u001b]0;title\u0007`);
});
