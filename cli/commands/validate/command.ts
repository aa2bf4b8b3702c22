import type { Command } from '../../command';
import { inputFlags } from '../../input/flags';

/** `inferno validate`. */
export const validateCommand: Command = {
  name: 'validate',
  summary: 'Check resources as the API server would, without a cluster.',
  description:
    'Checks InferenceServices as the API server would, without a cluster: unknown fields, types, limits and rules.\n' +
    'Reports every error with file and line, and exits with 1 when there is one.',
  examples: [
    { comment: 'Check a file', command: 'inferno validate -f service.yaml' },
    { comment: 'Check all files of a repository', command: 'inferno validate -R -f .' },
    {
      comment: 'Check what a program writes, for another program',
      command: 'helm template . | inferno validate -f - -o json',
    },
  ],
  flags: [
    ...inputFlags,
    {
      name: 'output',
      short: 'o',
      value: 'FORMAT',
      values: ['text', 'json'],
      default: 'text',
      description: 'Lines for people, or a JSON array with an entry per document.',
    },
  ],
  run: (parsed, io) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is what the path says
    const { validate } = require('./run') as typeof import('./run');
    return validate(parsed, io);
  },
};
