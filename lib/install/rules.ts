/** How a text has to look: a pattern that JavaScript and the JSON Schema of the Helm chart read alike, and it in words. */
export interface TextRule {
  readonly pattern: string;
  readonly expected: string;
}

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const name = '[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?';
const part = '[a-z0-9]+([._-]+[a-z0-9]+)*';
const host = String.raw`[A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?(:[0-9]{1,5})?`;
const repository = `(${host}/)?${part}(/${part})*`;
const tag = '[A-Za-z0-9_][-A-Za-z0-9_.]{0,127}';
const digest = 'sha256:[0-9a-f]{64}';

/** Texts of an installation that are more than any text. */
export const rules = {
  namespace: {
    pattern: '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$',
    expected: 'must be at most 63 of a-z, 0-9 and "-", and begin and end with a letter or digit',
  },
  image: {
    pattern: `^${repository}(:${tag})?(@${digest})?$`,
    expected: 'must be the name of an image, in small letters: REGISTRY/PATH:TAG or REGISTRY/PATH@sha256:DIGEST',
  },
  repository: { pattern: `^${repository}$`, expected: 'must be the name of an image without tag and digest' },
  tag: { pattern: `^(${tag})?$`, expected: 'must be a tag of an image' },
  digest: { pattern: `^(${digest})?$`, expected: 'must be sha256: and 64 digits of 0-9 and a-f' },
  objectName: {
    pattern: String.raw`^${label}(\.${label})*$`,
    expected: 'must have names of a-z, 0-9, "-" and ".", with a letter or digit at both ends of each part',
  },
  labelKey: {
    pattern: String.raw`^(${label}(\.${label})*/)?${name}$`,
    expected: 'must have keys of at most 63 letters, digits, "-", "_" and ".", after an optional DNS subdomain and "/"',
  },
  labelValue: {
    pattern: `^(${name})?$`,
    expected: 'must have values of at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends',
  },
  annotationKey: {
    pattern: String.raw`^([A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?/)?${name}$`,
    expected: 'must have keys of at most 63 letters, digits, "-", "_" and ".", after an optional DNS subdomain and "/"',
  },
  variable: { pattern: '^[ -<>-~]+$', expected: 'must have names of printable ASCII without "="' },
  quantity: {
    pattern: String.raw`^\+?([0-9]+(\.[0-9]*)?|\.[0-9]+)([numkMGTPE]|[KMGTPE]i|[eE][-+]?[0-9]{1,2})?$`,
    expected: 'must have quantities of 0 or more, such as 100m or 512Mi',
  },
} as const satisfies Readonly<Record<string, TextRule>>;

/** Whether a text is as the rule says. */
export function follows({ pattern }: TextRule, text: unknown): boolean {
  return typeof text === 'string' && new RegExp(pattern).test(text);
}
