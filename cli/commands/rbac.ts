import type { Command } from '../command';

/** `inferno rbac`. */
export const rbacCommand: Command = {
  name: 'rbac',
  summary: 'Print the ServiceAccount and the permissions of the operator.',
  description:
    'Prints the ServiceAccount of the operator and the roles that it needs, no more: a ClusterRole, or a Role for each\n' +
    'namespace that it is confined to, and a Role for its Lease.',
  examples: [
    { comment: 'For all namespaces', command: 'inferno rbac | kubectl apply -f -' },
    { comment: 'For two namespaces', command: 'inferno rbac --watch-namespace team-a,team-b | kubectl apply -f -' },
  ],
  flags: [
    {
      name: 'namespace',
      short: 'n',
      value: 'NAMESPACE',
      default: 'inferno-system',
      description: "The operator's own namespace.",
    },
    {
      name: 'service-account',
      value: 'NAME',
      default: 'inferno-controller-manager',
      description: "The operator's ServiceAccount.",
    },
    {
      name: 'watch-namespace',
      value: 'NAMESPACE',
      repeatable: true,
      default: 'all namespaces',
      description: 'What is given to inferno operator as --namespace.',
    },
    {
      name: 'leader-election-id',
      value: 'NAME',
      default: 'inferno-operator.inferno.io',
      description: 'What is given to inferno operator under the same name.',
    },
    {
      name: 'composition',
      value: 'FILE.js',
      completes: 'file',
      repeatable: true,
      description: 'What is given to inferno operator under the same name.',
    },
    {
      name: 'output',
      short: 'o',
      value: 'FORMAT',
      values: ['yaml', 'json'],
      default: 'yaml',
      description: 'YAML documents, or JSON (a v1 List).',
    },
  ],
  run: async (parsed, io) => {
    const { rbac } = require('../rbac') as typeof import('../rbac');
    return rbac(parsed, io);
  },
};
