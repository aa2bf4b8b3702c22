/** Length in bytes of UTF-8, the unit of Kubernetes' limits on names. */
export const byteLength = (text: string): number => Buffer.byteLength(text, 'utf8');

const PARTS = '[a-z0-9]+(([.]|-+)[a-z0-9]+)*';

/** The forms of Kubernetes' names as patterns of a schema, which is how a CRD has them. Lengths are limits of their own. */
export const NAME_PATTERNS = {
  label: '^[a-z0-9]+(-+[a-z0-9]+)*$',
  subdomain: `^${PARTS}$`,
  /** The key of a label; its part behind the "/" has at most 63 characters. */
  qualifiedName: `^(${PARTS}/)?[A-Za-z0-9]([-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?$`,
  labelValue: '^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$',
} as const;

const DNS_LABEL = new RegExp(NAME_PATTERNS.label);
const DNS_SUBDOMAIN = new RegExp(NAME_PATTERNS.subdomain);
const LABEL_VALUE = new RegExp(NAME_PATTERNS.labelValue);
const DNS_1035_LABEL = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const QUALIFIED_NAME = new RegExp(NAME_PATTERNS.qualifiedName);

/** Whether a text is a DNS label, by RFC 1123: the form of namespaces. */
export const isDnsLabel = (text: string): boolean => text.length <= 63 && DNS_LABEL.test(text);

/** Whether a text is a DNS subdomain: the form of most names. */
export const isDnsSubdomain = (text: string): boolean => text.length <= 253 && DNS_SUBDOMAIN.test(text);

/** Whether a text is a name with, optionally, a DNS subdomain and "/" before it: the form of keys of labels. */
export const isQualifiedName = (text: string): boolean => text.lastIndexOf('/') <= 253 && QUALIFIED_NAME.test(text);

/** Whether a text can be the value of a label. */
export const isLabelValue = (text: string): boolean => text.length <= 63 && LABEL_VALUE.test(text);

/** Why a text is not a DNS label; undefined if it is one. */
export function dnsLabelFault(text: string): string | undefined {
  if (isDnsLabel(text)) return undefined;
  return 'at most 63 lower-case letters, digits and "-", with a letter or digit at both ends';
}

/** Why a text is not a DNS subdomain; undefined if it is one. */
export function dnsSubdomainFault(text: string): string | undefined {
  if (isDnsSubdomain(text)) return undefined;
  return 'at most 253 lower-case letters, digits, "-" and ".", with a letter or digit at both ends of every part';
}

/** Whether a text is a DNS label by RFC 1035: starts with a letter. */
export const isDns1035Label = (text: string): boolean => text.length <= 63 && DNS_1035_LABEL.test(text);

/** Why a text is not a qualified name, the form of label keys; undefined if it is one. */
export function qualifiedNameFault(text: string): string | undefined {
  if (isQualifiedName(text)) return undefined;
  return 'a name of at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends, after an optional DNS name and "/"';
}

/** Why a text is not a label's value; undefined if it is one. */
export function labelValueFault(text: string): string | undefined {
  if (isLabelValue(text)) return undefined;
  return 'empty or at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends';
}

/** A group and a version as `apiVersion` writes them; undefined if it has another form. */
export function parseApiVersion(text: string): { readonly group: string; readonly version: string } | undefined {
  const parts = text.split('/');
  const [first = '', second] = parts;
  if (parts.length > 2) return undefined;
  return second === undefined ? { group: '', version: first } : { group: first, version: second };
}
