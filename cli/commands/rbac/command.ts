import { managerName } from '../../../lib/install/names';
import { SETTINGS } from '../../../lib/settings/settings';
import type { Command } from '../../command';
import {
  compositionFlag,
  objectsOutputFlag,
  ownNamespaceFlag,
  sameAsOperator,
  watchNamespaceFlag,
} from '../operator/flags';

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
      default: managerName,
      description: "The operator's ServiceAccount.",
    },
    watchNamespaceFlag,
    sameAsOperator(SETTINGS.leaderElectionId),
    compositionFlag,
    objectsOutputFlag,
  ],
  run: async (parsed, io) => {
    const { rbac } = require('./run') as typeof import('./run');
    return rbac(parsed, io);
  },
};
