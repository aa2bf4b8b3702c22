import type { Command } from '../../command';

/** `inferno schema`. */
export const schemaCommand: Command = {
  name: 'schema',
  summary: 'Print the JSON Schema of InferenceService, for editors.',
  description:
    'Prints the JSON Schema of InferenceService. Editors complete, explain and check with it. In VS Code with the YAML\n' +
    'extension, and in other editors with yaml-language-server, a file names its schema in its first line:\n\n' +
    '  # yaml-language-server: $schema=./inferenceservice.schema.json',
  examples: [{ comment: 'Save it beside your files', command: 'inferno schema > inferenceservice.schema.json' }],
  flags: [],
  run: async (_, io) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is what the path says
    const { schema } = require('./run') as typeof import('./run');
    return schema(io);
  },
};
