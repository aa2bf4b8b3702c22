import { groupOf, type Manifest } from './manifest';
import type { Finding } from './finding';
import { fieldsOf, isObject, member } from './objects';
import type { Path } from './path';
import { isDns1035Label, isDnsLabel, isDnsSubdomain, isLabelValue, isQualifiedName } from './schema/names';

const MAX_ANNOTATIONS = 256 * 1024;

interface Rule {
  readonly isLegal: (text: string) => boolean;
  readonly max: number;
  readonly expected: string;
}

const SUBDOMAIN: Rule = {
  isLegal: isDnsSubdomain,
  max: 253,
  expected: 'lower-case letters, digits, "-" and ".", a letter or digit at both ends of each part',
};
const LABEL: Rule = {
  isLegal: isDnsLabel,
  max: 63,
  expected: 'lower-case letters, digits and "-", a letter or digit at both ends',
};
const PATH_SEGMENT: Rule = {
  isLegal: (text) => /^(?!\.{1,2}$)[^/%]+$/.test(text),
  max: Infinity,
  expected: 'no "/" and no "%"',
};
const NAME_RULES: { readonly [groupAndKind: string]: Rule } = {
  '/Service': { isLegal: isDns1035Label, max: 63, expected: 'lower-case letters, digits and "-", a letter first' },
  'apps/StatefulSet': LABEL,
  // 11 characters are left for the time that a CronJob puts behind the names of its Jobs.
  'batch/CronJob': { ...SUBDOMAIN, max: 52 },
  'rbac.authorization.k8s.io/Role': PATH_SEGMENT,
  'rbac.authorization.k8s.io/RoleBinding': PATH_SEGMENT,
};

/** Where pod templates, and other templates with metadata of their own, are in the kinds that have them. */
const TEMPLATES: readonly (readonly string[])[] = [
  ['spec', 'template'],
  ['spec', 'jobTemplate'],
  ['spec', 'jobTemplate', 'spec', 'template'],
];

/**
 * What the API server would say against an object's name, namespace, labels and annotations, and those of its templates.
 * Empty where all are legal.
 */
export function illegalMetadata(manifest: Manifest): readonly Finding[] {
  const { name, namespace } = manifest.metadata;
  const rule = NAME_RULES[`${groupOf(manifest.apiVersion)}/${manifest.kind}`] ?? SUBDOMAIN;
  const errors = textFaults(name, rule).map((message) => illegal(['metadata', 'name'], message));
  if (namespace !== undefined) {
    errors.push(...textFaults(namespace, LABEL).map((message) => illegal(['metadata', 'namespace'], message)));
  }
  errors.push(...illegalMaps(['metadata'], manifest.metadata));
  for (const path of TEMPLATES) {
    const value = member(manifest, ...path, 'metadata');
    if (value !== undefined) {
      errors.push(...illegalMaps([...path, 'metadata'], value));
    }
  }
  return errors;
}

function illegalMaps(path: Path, metadata: unknown): readonly Finding[] {
  if (!isObject(metadata)) {
    return metadata === null ? [] : [{ code: 'type', path, message: `is ${JSON.stringify(metadata)}; expected a map` }];
  }
  const annotations = fieldsOf(metadata['annotations']);
  const size = Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(String(value)),
    0,
  );
  const message = `has ${size} bytes; expected at most ${MAX_ANNOTATIONS}`;
  const tooLarge: Finding = { code: 'size', path: [...path, 'annotations'], message };
  return [
    ...illegalEntries([...path, 'labels'], fieldsOf(metadata['labels']), (key, value) => [
      ...keyFaults(key, key),
      ...labelValueFaults(value),
    ]),
    ...illegalEntries([...path, 'annotations'], annotations, (key, value) => [
      ...keyFaults(key, key.toLowerCase()),
      ...(typeof value === 'string' ? [] : [`is ${JSON.stringify(value)}; expected a text`]),
    ]),
    ...(size > MAX_ANNOTATIONS ? [tooLarge] : []),
  ];
}

function illegalEntries(
  path: Path,
  map: { readonly [key: string]: unknown },
  faults: (key: string, value: unknown) => readonly string[],
): readonly Finding[] {
  return Object.entries(map).flatMap(([key, value]) =>
    faults(key, value).map((message) => illegal([...path, key], message)),
  );
}

function illegal(path: Path, message: string): Finding {
  return { code: 'name', path, message };
}

const LABEL_VALUE: Rule = {
  isLegal: isLabelValue,
  max: 63,
  expected: 'letters, digits, "-", "_" and ".", a letter or digit at both ends',
};

function labelValueFaults(value: unknown): readonly string[] {
  if (typeof value !== 'string') {
    return [`is ${JSON.stringify(value)}; expected a text`];
  }
  return textFaults(value, LABEL_VALUE);
}

function keyFaults(original: string, key: string): readonly string[] {
  const expected = 'a name of at most 63 characters, optionally after a DNS subdomain and "/"';
  return isQualifiedName(key) ? [] : [`has the key ${JSON.stringify(original)}; expected ${expected}`];
}

function textFaults(text: string, rule: Rule): readonly string[] {
  if (text.length > rule.max) {
    return [`is ${text.length} characters long: ${JSON.stringify(text)}; expected at most ${rule.max}`];
  }
  return rule.isLegal(text) ? [] : [`is ${JSON.stringify(text)}; expected ${rule.expected}`];
}
