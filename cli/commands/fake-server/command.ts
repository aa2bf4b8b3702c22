import type { Command } from '../../command';

/** `inferno fake-server`. */
export const fakeServerCommand: Command = {
  name: 'fake-server',
  summary: 'Run a small server with the OpenAI API, for tests and trials.',
  description:
    'Runs the server behind framework "fake": the OpenAI API with made-up answers, /health and /metrics, no GPU and no\n' +
    'model. Environment variables say how it behaves. It ends on SIGTERM and Ctrl-C, once its answers are finished.',
  examples: [
    { comment: 'On port 8000 of this machine', command: 'inferno fake-server' },
    {
      comment: 'On a free port, 50 ms between two tokens',
      command: 'INFERNO_FAKE_TOKEN_MS=50 inferno fake-server --port 0',
    },
  ],
  flags: [
    { name: 'port', value: 'PORT', description: 'TCP port; wins over the variable PORT.' },
    { name: 'host', value: 'ADDRESS', description: 'Address to listen on; wins over the variable HOST.' },
  ],
  more: () => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is what the path says
    const { describeEnvironment } = require('../../../fake-server') as typeof import('../../../fake-server');
    return `Environment variables:\n${describeEnvironment().replaceAll(/^(?=.)/gm, '  ')}`;
  },
  run: async ({ values }, io) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is what the path says
    const { runFakeServer } = require('../../../fake-server') as typeof import('../../../fake-server');
    const PORT = values.get('port')?.[0] ?? io.env['PORT'];
    const HOST = values.get('host')?.[0] ?? io.env['HOST'];
    return runFakeServer({ ...io.env, PORT, HOST }, io);
  },
};
