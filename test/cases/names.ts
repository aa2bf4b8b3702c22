import { custom, fake, type GoodCase, service, vllm } from './case';

const longest = 'a'.repeat(60) + '-63';

/** Names, namespaces, versions and metadata at their edges. */
export const names: readonly GoodCase[] = [
  { title: 'a name of one letter', resource: service('x', fake) },
  {
    title: 'a name of 63 characters in a namespace of 63 characters',
    resource: service(longest, vllm, { autoscaling: { enabled: true } }, { namespace: `n${'s'.repeat(61)}9` }),
  },
  {
    title: 'a name of 63 characters that differs at its end only',
    resource: service(`${longest.slice(0, -1)}4`, fake),
  },
  { title: 'a name with a double hyphen', resource: service('a--b', fake) },
  { title: 'a name that breaks vLLM where service links are on', resource: service('vllm', vllm) },
  { title: 'a name like a property of every JavaScript object', resource: service('constructor', fake) },
  { title: 'the namespace default', resource: service('in-default', fake, {}, { namespace: 'default' }) },
  ...[
    ['version-dots', '1.2.3'],
    ['version-slashes', 'release/2025/04'],
    ['version-capitals', 'V2-RC1'],
    ['version-spaces', '  two  words '],
    ['version-unicode', 'größe ✓ 版本 🚀'],
    ['version-number', '1'],
    ['version-boolean', 'true'],
    ['version-quotes', `"quoted" 'twice'`],
    ['version-lines', 'one\ntwo\tthree'],
    ['version-longest', 'v'.repeat(253)],
    ['version-expansion', '$(MODEL_URI)'],
  ].map(([name = '', version = '']) => ({
    title: `the version ${JSON.stringify(version.length > 40 ? `${version.slice(0, 10)}…` : version)}`,
    resource: service(name, fake, { model: { ...fake.model, version } }),
  })),
  {
    title: 'a uri of any text',
    resource: service('any-uri', custom, { model: { ...custom.model, uri: 'so: "me"\n#text ✓ $(X)' } }),
  },
  {
    title: 'labels, annotations and finalizers of its own',
    resource: service(
      'own-metadata',
      fake,
      {},
      {
        labels: { 'app.kubernetes.io/instance': 'argo', team: 'ml' },
        annotations: { 'argocd.argoproj.io/sync-wave': '1', constructor: 'x' },
        finalizers: ['example.com/hold'],
      },
    ),
  },
];

/**
 * Names that the API server takes for an InferenceService but not for every child. They are either rendered under a
 * legal name or refused; which of the two is the composition's decision, and both results are the same.
 */
export const doubtfulNames: readonly GoodCase[] = [
  { title: 'a name with dots', resource: service('llama-3.1-8b', fake) },
  { title: 'a name that starts with a digit', resource: service('7b-chat', fake) },
  { title: 'a name of digits only', resource: service('42', fake) },
  { title: 'a name with dots and 63 characters', resource: service(`${'a.'.repeat(31)}z`, vllm) },
];
