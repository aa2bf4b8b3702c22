import type { Command } from '../../command';
import { inputFlags } from '../../input/flags';
import { clusterFlags } from '../../cluster/flags';

/** `inferno diff`. */
export const diffCommand: Command = {
  name: 'diff',
  summary: 'Show what resources would change in the cluster.',
  description:
    'Shows what would change in the cluster if the resources were applied and the operator had done its work: each\n' +
    'resource and its children, as unified diffs of what they own. The API server judges by a dry run; nothing is changed.\n' +
    'Values of Secrets are not shown.\n\n' +
    'Exit codes: 0 nothing would change, 1 something would, 2 something is invalid, refused or cannot be reached.',
  examples: [
    { comment: 'What would change', command: 'inferno diff -f service.yaml' },
    { comment: 'In a pipeline, with a pager', command: 'inferno diff -R -f services/ | less -R' },
  ],
  flags: [
    ...inputFlags,
    ...clusterFlags,
    {
      name: 'field-manager',
      value: 'NAME',
      default: 'kubectl',
      description: 'Who applies the resources, as kubectl apply --server-side has it.',
    },
  ],
  failure: 2,
  run: async (parsed, io) => {
    const { diff } = require('./run') as typeof import('./run');
    return diff(parsed, io);
  },
};
