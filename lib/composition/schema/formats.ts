import { byteLength, isDnsLabel, isDnsSubdomain } from './names';
import { isDay } from './time';
import { parseDuration } from './duration';

const IPV4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

/** Go's lenient form of IPv4: leading zeros are decimal. */
export function isIpv4(text: string): boolean {
  const parts = /^\d+\.\d+\.\d+\.\d+$/.test(text) ? text.split('.') : undefined;
  return parts?.every((part) => Number(part) <= 255) ?? false;
}

/** Not node:net's: loading that takes longer than most validations. */
function isIpv6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  let groups = 0;
  for (const [index, half] of halves.entries()) {
    if (half === '' && halves.length === 2) continue;
    const parts = half.split(':');
    const last = parts.at(-1) ?? '';
    // An IPv4 address may stand for the last two groups.
    const mixed = index === halves.length - 1 && last.includes('.');
    if (mixed && (!isIpv4(last) || /(?:^|\.)0\d/.test(last))) return false;
    if (!(mixed ? parts.slice(0, -1) : parts).every((part) => /^[0-9A-Fa-f]{1,4}$/.test(part))) return false;
    groups += parts.length + (mixed ? 1 : 0);
  }
  return halves.length === 2 ? groups < 8 : groups === 8;
}

function isCidr(text: string): boolean {
  const [address = '', length = '', ...more] = text.split('/');
  if (more.length > 0 || !/^\d+$/.test(length)) return false;
  return (isIpv4(address) && Number(length) <= 32) || (isIpv6(address) && Number(length) <= 128);
}

/** A date of the form 2006-01-02. */
export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  return match !== null && isDay(Number(match[1]), Number(match[2]), Number(match[3]));
}

const TIME = /^(\d{2}):(\d{2}):(\d{2})([^\n]\d+)?(z|([+-]\d{2}:\d{2}))$/u;

/** As Kubernetes checks date-time: hours up to 23, minutes and seconds up to 59, any offset. */
function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  const match = time === undefined ? null : TIME.exec(time);
  if (match === null || !isDate(date)) return false;
  return (match[1] ?? '') <= '23' && (match[2] ?? '') <= '59' && (match[3] ?? '') <= '59';
}

const HOSTNAME =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;

function isHostname(text: string): boolean {
  return byteLength(text) <= 255 && text.split('.').every((part) => byteLength(part) <= 63) && HOSTNAME.test(text);
}

function isIsbn(text: string, length: 10 | 13): boolean {
  const digits = text.replace(/[\t\n\f\r -]+/g, '');
  if (length === 10) {
    if (!/^(?:\d{9}X|\d{10})$/.test(digits)) return false;
    const sum = [...digits].reduce(
      (total, digit, index) => total + (index + 1) * (digit === 'X' ? 10 : Number(digit)),
      0,
    );
    return sum % 11 === 0;
  }
  if (!/^\d{13}$/.test(digits)) return false;
  const sum = [...digits.slice(0, 12)].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  );
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}

const CARD =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const digits = text.replace(/\D+/g, '');
  if (!CARD.test(digits)) return false;
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (doubled >= 10 ? (doubled % 10) + 1 : doubled);
  }, 0);
  return sum % 10 === 0;
}

function isMac(text: string): boolean {
  const pairs = (separator: string): boolean =>
    [6, 8, 20].some((count) => new RegExp(`^[0-9A-Fa-f]{2}(${separator}[0-9A-Fa-f]{2}){${count - 1}}$`).test(text));
  const dotted = [3, 4, 10].some((count) => new RegExp(`^[0-9A-Fa-f]{4}(\\.[0-9A-Fa-f]{4}){${count - 1}}$`).test(text));
  return pairs(':') || pairs('-') || dotted;
}

/** What Go's url.ParseRequestURI takes: an absolute URL or an absolute path. */
function isRequestUri(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  if (text === '*' || text === '') return text === '*';
  // oxlint-disable-next-line no-control-regex
  if (/[\0-\x1F\x7F]/.test(text)) return false;
  const url = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?([^?]*)/.exec(text);
  const scheme = url?.[1];
  const rest = url?.[2] ?? '';
  if (!rest.startsWith('/')) return scheme !== undefined;
  const parts = /^(?:\/\/([^/]*))?(.*)$/s.exec(rest);
  const authority = scheme === undefined ? '' : (parts?.[1] ?? '');
  const path = scheme === undefined ? rest : (parts?.[2] ?? '');
  if (/%(?![0-9A-Fa-f]{2})/.test(path)) return false;
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (/[ <>"\\^`{}|]/.test(host) || /%(?![0-9A-Fa-f]{2})/.test(authority)) return false;
  return host.startsWith('[') ? /^\[[^\]]+\](:\d*)?$/.test(host) : !host.includes(':') || /^[^:]*:\d*$/.test(host);
}

const CHAR = String.raw`[A-Za-z0-9!#$%&'*+/=?^_\x60{|}~\-\u0080-\u{10FFFF}]`;
const QUOTED = String.raw`"(?:[^"\\\r\n\0-\x08\x0B-\x1F\x7F]|\\[\t -~\u0080-\u{10FFFF}])*"`;
const DOTTED = `${CHAR}+(?:\\.${CHAR}+)*`;
const ADDRESS = `(?:${DOTTED}|${QUOTED})@(?:${DOTTED}|\\[[^\\[\\]\\s]+\\])`;
const EMAIL = new RegExp(`^(?:[ \\t]*${ADDRESS}|(?:[. \\t]|${CHAR}|${QUOTED})*<${ADDRESS}>)[ \\t]*$`, 'u');

const uuid = (third: string, fourth: string): RegExp =>
  new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`, 'i');
const UUIDS: Readonly<Record<string, RegExp>> = {
  uuid: uuid('[0-9a-f]{4}', '[0-9a-f]{4}'),
  uuid3: uuid('3[0-9a-f]{3}', '[0-9a-f]{4}'),
  uuid4: uuid('4[0-9a-f]{3}', '[89ab][0-9a-f]{3}'),
  uuid5: uuid('5[0-9a-f]{3}', '[89ab][0-9a-f]{3}'),
};

const CHANNEL = String.raw`[\t\n\f\r ]*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])[\t\n\f\r ]*`;
const RGB = new RegExp(`^rgb\\(${CHANNEL},${CHANNEL},${CHANNEL}\\)$`);
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;

/** The string formats that the API server checks, by their names without dashes. */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: (text) => /^[0-9a-fA-F]{24}$/.test(text),
  uri: isRequestUri,
  email: (text) => EMAIL.test(text),
  hostname: isHostname,
  ipv4: (text) => isIpv4(text) || (text.includes('.') && isIpv6(text)),
  ipv6: (text) => isIpv6(text) && !IPV4.test(text),
  cidr: isCidr,
  mac: isMac,
  uuid: (text) => UUIDS['uuid']?.test(text) ?? false,
  uuid3: (text) => UUIDS['uuid3']?.test(text) ?? false,
  uuid4: (text) => UUIDS['uuid4']?.test(text) ?? false,
  uuid5: (text) => UUIDS['uuid5']?.test(text) ?? false,
  isbn: (text) => isIsbn(text, 10) || isIsbn(text, 13),
  isbn10: (text) => isIsbn(text, 10),
  isbn13: (text) => isIsbn(text, 13),
  creditcard: isCreditCard,
  ssn: (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  hexcolor: (text) => /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text),
  rgbcolor: (text) => RGB.test(text),
  byte: (text) => BASE64.test(text),
  password: () => true,
  date: isDate,
  duration: (text) => parseDuration(text) !== undefined,
  datetime: isDateTime,
  k8sshortname: isDnsLabel,
  k8slongname: isDnsSubdomain,
};

/** The check of a string format; undefined for one that the API server does not know, and so ignores. */
export function stringFormat(name: string): ((text: string) => boolean) | undefined {
  const normal = name.replaceAll('-', '');
  return Object.hasOwn(FORMATS, normal) ? FORMATS[normal] : undefined;
}
