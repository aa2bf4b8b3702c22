import { settings } from '../../../lib/settings/settings';
import type { Command } from '../../command';
import { operatorFlag } from './flags';

/** `inferno operator`. */
export const operatorCommand: Command = {
  name: 'operator',
  summary: 'Run the operator, which keeps a cluster to what its resources say.',
  description:
    'Runs the operator: it watches the resources and what they own, renders each resource as inferno render does, and\n' +
    'applies what differs. It logs a JSON object a line, and ends on SIGTERM and Ctrl-C once running work is done. A flag\n' +
    'wins over its environment variable, which stands in brackets.',
  examples: [
    { comment: "On the cluster of the kubeconfig's current context", command: 'inferno operator' },
    { comment: 'As one of several that take turns', command: 'inferno operator --leader-elect' },
    {
      comment: 'Only two namespaces, without ports',
      command: 'inferno operator --watch-namespace team-a,team-b --metrics-bind-address 0',
    },
    { comment: 'With a composition of your own', command: 'inferno operator --composition ./database.js' },
  ],
  flags: settings.map(operatorFlag),
  run: async (parsed, io) => {
    const { operator } = require('./run') as typeof import('./run');
    return operator(parsed, io);
  },
};
