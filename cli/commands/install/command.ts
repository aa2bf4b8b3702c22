import { OPERATOR_RESOURCES } from '../../../lib/install/names';
import { SETTINGS } from '../../../lib/settings/settings';
import { LOG_LEVELS } from '../../../lib/settings/types';
import type { Command, Flag } from '../../command';
import { compositionFlag, objectsOutputFlag, ownNamespaceFlag, watchNamespaceFlag } from '../operator/flags';

const amounts = (of: Readonly<Record<string, string>>): string =>
  Object.entries(of)
    .map((each) => each.join('='))
    .join();
const pair = { value: 'KEY=VALUE', repeatable: true } as const;

const flags: readonly Flag[] = [
  ownNamespaceFlag,
  { name: 'without-namespace', description: 'Leave the namespace out; it has to be there.' },
  {
    name: 'image',
    value: 'IMAGE',
    default: "this project's image of the same version",
    description: 'Image whose entry point is the command inferno.',
  },
  {
    name: 'image-pull-policy',
    value: 'POLICY',
    values: ['Always', 'IfNotPresent', 'Never'],
    description: 'When the image is pulled.',
  },
  { name: 'image-pull-secret', value: 'NAME', repeatable: true, description: 'Secret to pull the image with.' },
  { name: 'replicas', value: 'COUNT', default: '1', description: 'Operators, of which one works and the others wait.' },
  { ...watchNamespaceFlag, description: 'Namespace to watch; it gets a Role there instead of a ClusterRole.' },
  {
    name: 'log-level',
    value: 'LEVEL',
    values: LOG_LEVELS,
    default: SETTINGS.logLevel.default,
    description: 'How much the operator logs.',
  },
  {
    name: 'requests',
    value: 'RESOURCES',
    default: amounts(OPERATOR_RESOURCES.requests),
    description: "The operator's requests.",
  },
  {
    name: 'limits',
    value: 'RESOURCES',
    default: amounts(OPERATOR_RESOURCES.limits),
    description: "The operator's limits.",
  },
  {
    name: 'priority-class-name',
    value: 'NAME',
    default: 'one of its own',
    description: 'PriorityClass that is there already.',
  },
  { name: 'without-priority-class', description: 'No PriorityClass of its own.' },
  { name: 'without-pod-disruption-budget', description: 'No PodDisruptionBudget.' },
  { name: 'without-network-policy', description: 'No NetworkPolicy: every pod can read the metrics.' },
  { name: 'monitoring', description: 'ServiceMonitors and alerts, for the Prometheus operator.' },
  { ...pair, name: 'monitoring-label', description: 'Label of these, where Prometheus selects by one.' },
  { name: 'without-crds', description: 'Leave the CustomResourceDefinitions and their policies out.' },
  {
    ...compositionFlag,
    description: 'Composition beside InferenceService, for its definition and permissions; the image has to hold it.',
  },
  { ...pair, name: 'node-selector', description: 'Label that a node has to have.' },
  {
    name: 'toleration',
    value: 'TAINT',
    repeatable: true,
    description: 'Taint to tolerate, as kubectl taint takes it: KEY, KEY:EFFECT or KEY=VALUE:EFFECT.',
  },
  { ...pair, name: 'pod-label', description: 'Label of the pods.' },
  { ...pair, name: 'pod-annotation', description: 'Annotation of the pods.' },
  {
    name: 'arg',
    value: 'FLAG',
    repeatable: true,
    description: 'Further flag of inferno operator: --arg=--max-concurrent-reconciles=8.',
  },
  { name: 'env', value: 'NAME=VALUE', repeatable: true, description: 'Environment variable of the operator.' },
  objectsOutputFlag,
];

/** `inferno install`. */
export const installCommand: Command = {
  name: 'install',
  summary: 'Print all that installs the operator in a cluster.',
  description:
    'Prints the manifests that install the operator: namespace, CustomResourceDefinition, permissions, Deployment and what\n' +
    'belongs to it. The same flags print the same text. It talks to no cluster.',
  examples: [
    { comment: 'Install it, or bring it up to date', command: 'inferno install | kubectl apply -f -' },
    {
      comment: 'Two operators that take turns, for two namespaces',
      command: 'inferno install --replicas 2 --watch-namespace team-a,team-b | kubectl apply -f -',
    },
    {
      comment: 'An image of your own, and the Prometheus operator',
      command: 'inferno install --image registry.example.com/inferno:1 --monitoring | kubectl apply -f -',
    },
    {
      comment:
        'Uninstall what was installed with no other flags; the definition, the InferenceServices and the model servers stay',
      command: 'inferno install --without-crds --without-namespace | kubectl delete -f -',
    },
  ],
  flags,
  run: async (parsed, io) => {
    const { install } = require('./run') as typeof import('./run');
    return install(parsed, io);
  },
};
