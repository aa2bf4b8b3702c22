import { SETTINGS } from '../../../lib/settings/settings';
import type { Command } from '../../command';
import { compositionFlag, objectsOutputFlag, ownNamespaceFlag, watchNamespaceFlag } from '../operator/flags';

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
    ownNamespaceFlag,
    {
      name: 'service-account',
      value: 'NAME',
      default: 'inferno-controller-manager',
      description: "The operator's ServiceAccount.",
    },
    watchNamespaceFlag,
    {
      name: 'leader-election-id',
      value: 'NAME',
      default: SETTINGS.leaderElectionId.default,
      description: 'What is given to inferno operator under the same name.',
    },
    compositionFlag,
    objectsOutputFlag,
  ],
  run: async (parsed, io) => {
    const { rbac } = require('./run') as typeof import('./run');
    return rbac(parsed, io);
  },
};
