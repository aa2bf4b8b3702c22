/** Length in bytes of UTF-8, the unit of Kubernetes' limits on names. */
export const byteLength = (text: string): number => Buffer.byteLength(text, 'utf8');

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const DNS_LABEL = new RegExp(`^${LABEL}$`);
const DNS_SUBDOMAIN = new RegExp(`^${LABEL}(\\.${LABEL})*$`);
const DNS_1035_LABEL = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const KEY = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

/** Why a text is not a DNS label; undefined if it is one. */
export function dnsLabelFault(text: string): string | undefined {
  if (byteLength(text) <= 63 && DNS_LABEL.test(text)) return undefined;
  return 'at most 63 lower-case letters, digits and "-", with a letter or digit at both ends';
}

/** Why a text is not a DNS subdomain; undefined if it is one. */
export function dnsSubdomainFault(text: string): string | undefined {
  if (byteLength(text) <= 253 && DNS_SUBDOMAIN.test(text)) return undefined;
  return 'at most 253 lower-case letters, digits, "-" and ".", with a letter or digit at both ends of every part';
}

/** Whether a text is a DNS label by RFC 1035: starts with a letter. */
export const isDns1035Label = (text: string): boolean => text.length <= 63 && DNS_1035_LABEL.test(text);

/** Why a text is not a qualified name, the form of label keys; undefined if it is one. */
export function qualifiedNameFault(text: string): string | undefined {
  const parts = text.split('/');
  const name = parts.at(-1) ?? '';
  const prefixed = parts.length === 2 && dnsSubdomainFault(parts[0] ?? '') === undefined;
  if ((parts.length === 1 || prefixed) && name.length <= 63 && KEY.test(name)) return undefined;
  return 'a name of at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends, after an optional DNS name and "/"';
}

/** Why a text is not a label's value; undefined if it is one. */
export function labelValueFault(text: string): string | undefined {
  if (text === '' || (text.length <= 63 && KEY.test(text))) return undefined;
  return 'empty or at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends';
}

/** A group and a version as `apiVersion` writes them; undefined if it is no such text. */
export function parseApiVersion(text: string): { readonly group: string; readonly version: string } | undefined {
  const parts = text.split('/');
  const [first = '', second] = parts;
  if (parts.length > 2) return undefined;
  return second === undefined ? { group: '', version: first } : { group: first, version: second };
}
