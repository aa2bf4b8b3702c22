import type { Command } from '../../command';
import { clusterFlags } from '../../cluster/flags';

/** `inferno status`. */
export const statusCommand: Command = {
  name: 'status',
  summary: 'Show resources in the cluster, their children and pods, and what each waits for.',
  description:
    'Shows resources in the cluster as trees: each with its children and its pods, and what they wait for. The verdict is\n' +
    "the operator's own, made anew from what the cluster has now, so it is also right where the operator does not run; then\n" +
    'a line says that the written status is older.\n\n' +
    'Exit codes: 0 shown, 1 nothing of that name, or no cluster; with --exit-status 3 where a resource is not Ready.',
  examples: [
    { comment: 'One resource', command: 'inferno status chat -n models' },
    { comment: 'All, over and over', command: 'inferno status -A --watch' },
    { comment: 'In a pipeline', command: 'inferno status chat --exit-status' },
  ],
  argument: { name: 'NAME', description: 'the name of a resource; without one, all that the flags select are shown' },
  flags: [
    {
      name: 'namespace',
      short: 'n',
      value: 'NAMESPACE',
      default: "the kubeconfig's",
      description: 'Namespace of the resources.',
    },
    { name: 'all-namespaces', short: 'A', description: 'Resources of all namespaces.' },
    {
      name: 'selector',
      short: 'l',
      value: 'SELECTOR',
      description: 'Only resources with these labels, such as team=a.',
    },
    {
      name: 'output',
      short: 'o',
      value: 'FORMAT',
      values: ['tree', 'json', 'yaml'],
      default: 'tree',
      description: 'A tree for people, or a list with an entry per resource.',
    },
    { name: 'watch', short: 'w', description: 'Look again every 2 seconds until Ctrl-C, and show what has changed.' },
    { name: 'exit-status', description: 'Exit with 3 where a resource is not Ready.' },
    ...clusterFlags,
  ],
  run: async (parsed, io) => {
    const { status } = require('./run') as typeof import('./run');
    return status(parsed, io);
  },
};
