import { formatPath } from '../../lib/composition';
import { models, render, type SpecChange } from './support';

const rows: readonly (readonly [string, SpecChange, readonly string[]])[] = [
  ['nothing for the defaults', {}, []],
  ['an image without a tag', { image: 'registry.example.com:5000/server' }, ['spec.image']],
  ['the tag latest', { image: 'server:latest' }, ['spec.image']],
  ['nothing for a version', { image: 'server:1.2' }, []],
  ['nothing for a digest', { image: `server@sha256:${'a'.repeat(64)}` }, []],
  ['a flag in place of a generated one', { args: ['--shutdown-timeout=5'] }, ['spec.args']],
  ['a flag that vLLM does not have', { args: ['--enable-metrics', '--max-model-len=1'] }, ['spec.args']],
  ['nothing for a part of a JSON value', { args: ['--compilation-config.mode', '3', '-O3'] }, []],
  ['nothing on flags of another image', { image: 'other/vllm:9', args: ['--new-flag'] }, []],
  ['nothing on flags that only the user gives', { argsPolicy: 'Replace', args: ['--enable-metrics'] }, []],
  ['a secret in env', { env: [{ name: 'HF_TOKEN', value: 'hf_x' }] }, ['spec.env[0].value']],
  [
    'nothing for an empty secret, or one by reference',
    {
      env: [
        { name: 'HF_TOKEN', value: '' },
        { name: 'MY_API_KEY', value: '$(OTHER)' },
      ],
    },
    [],
  ],
  ['nothing for a number of tokens', { env: [{ name: 'MAX_TOKENS', value: '5' }] }, []],
  [
    'a secret in args',
    { model: models.fake, args: ['--api-key', 'x', '--hub_token=y'] },
    ['spec.args[0]', 'spec.args[2]'],
  ],
  ['a secret behind a shortened flag', { args: ['--hf-toke', 'x'] }, ['spec.args[0]']],
  [
    'a target that cannot be reached',
    { autoscaling: { enabled: true, targetConcurrency: 9 }, args: ['--max-num-seqs', '8'] },
    ['spec.autoscaling.targetConcurrency'],
  ],
  [
    'nothing for a target that can',
    { autoscaling: { enabled: true, targetConcurrency: 8 }, args: ['--max-num-seqs=8'] },
    [],
  ],
  [
    'TLS against a server without',
    { readinessProbe: { httpGet: { scheme: 'HTTPS' } } },
    ['spec.readinessProbe.httpGet.scheme'],
  ],
  ['liveness without startup', { startupProbe: { enabled: false } }, ['spec.startupProbe.enabled']],
  ['nothing without both', { startupProbe: { enabled: false }, livenessProbe: { enabled: false } }, []],
];

test.each(rows)('warns of %s', (_what, spec, paths) => {
  expect(render(spec).warnings.map(({ path }) => formatPath(path))).toEqual(paths);
});

test('a warning says what came and what to do', () => {
  const [replaced] = render({ args: ['--shutdown_timeout', '5'] }).warnings;
  expect(replaced?.message).toBe('--shutdown_timeout takes the place of --shutdown-timeout=60');
});
