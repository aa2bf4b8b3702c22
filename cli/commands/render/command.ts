import type { Command } from '../../command';
import { compositionFlag } from '../../cluster/flags';
import { inputFlags } from '../../input/flags';

/** `inferno render`. */
export const renderCommand: Command = {
  name: 'render',
  summary: 'Write the manifests that resources become.',
  description:
    'Writes the Deployment, Service and autoscaler that each InferenceService becomes, the same as cdk8s synth and the\n' +
    'operator make, each after those that it depends on. Resources of other kinds pass unchanged, at their place. When\n' +
    'one resource is invalid, nothing is written.',
  examples: [
    { comment: 'See what would be applied', command: 'inferno render -f service.yaml' },
    { comment: 'Apply it', command: 'inferno render -n models -f service.yaml | kubectl apply -f -' },
    {
      comment: 'A file per resource, for Argo CD or Flux',
      command: 'inferno render -R -f services/ --out-dir manifests/',
    },
    { comment: 'From standard input, as JSON', command: 'cat service.yaml | inferno render -f - -o json' },
  ],
  flags: [
    ...inputFlags,
    {
      name: 'output',
      short: 'o',
      value: 'FORMAT',
      values: ['yaml', 'json'],
      default: 'yaml',
      description: 'YAML documents, or JSON (one v1 List, or with --out-dir one object per file).',
    },
    {
      name: 'out-dir',
      value: 'FOLDER',
      completes: 'folder',
      description: 'Write a file per resource into this folder, all of them or none.',
    },
    {
      name: 'argocd-sync-waves',
      description:
        "Give what depends on others Argo CD's sync wave, so that it is applied once they are healthy: " +
        'argocd.argoproj.io/sync-wave.',
    },
    compositionFlag,
  ],
  run: (parsed, io) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is what the path says
    const { render } = require('./run') as typeof import('./run');
    return render(parsed, io);
  },
};
