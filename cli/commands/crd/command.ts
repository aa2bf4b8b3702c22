import type { Command } from '../../command';

/** `inferno crd`. */
export const crdCommand: Command = {
  name: 'crd',
  summary: 'Print the CustomResourceDefinition of InferenceService.',
  description: 'Prints the CustomResourceDefinition of InferenceService, as the API server needs it.',
  examples: [
    {
      comment: 'Install it',
      command: 'inferno crd | kubectl apply --server-side -f -',
    },
    { comment: 'Look at its versions', command: "inferno crd -o json | jq '.spec.versions[].name'" },
  ],
  flags: [
    {
      name: 'output',
      short: 'o',
      value: 'FORMAT',
      values: ['yaml', 'json'],
      default: 'yaml',
      description: 'YAML or JSON.',
    },
  ],
  run: async (parsed, io) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is what the path says
    const { crd } = require('./run') as typeof import('./run');
    return crd(parsed, io);
  },
};
