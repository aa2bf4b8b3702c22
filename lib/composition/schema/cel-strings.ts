import type { Register } from './cel-library';
import { findAll, goRegExp } from './re2';

/** Ends the evaluation of a rule, which counts as its failure. */
export const fail = (message: string): never => {
  throw new Error(message);
};

/** A text by its characters, which is how CEL counts. */
const chars = (text: string): readonly string[] => [...text];

/** A position in something that is `length` long. */
export function index(position: bigint, length: number): number {
  if (position < 0n || position > BigInt(length)) fail(`index out of range: ${position}`);
  return Number(position);
}

function find(text: readonly string[], part: readonly string[], from: number): bigint {
  for (let start = from; start + part.length <= text.length; start++)
    if (part.every((char, offset) => text[start + offset] === char)) return BigInt(start);
  return -1n;
}

function findLast(text: readonly string[], part: readonly string[], from: number): bigint {
  for (let start = Math.min(from, text.length - part.length); start >= 0; start--)
    if (part.every((char, offset) => text[start + offset] === char)) return BigInt(start);
  return -1n;
}

/** A search that starts somewhere; behind the end there is nothing to find. */
function findFrom(search: typeof find, text: string, part: string, from: bigint): bigint {
  const all = chars(text);
  if (part === '') return from;
  return from >= BigInt(all.length) ? -1n : search(all, chars(part), index(from, all.length));
}

function replace(text: string, from: string, to: string, limit: bigint): string {
  let left = limit < 0n ? Infinity : Number(limit);
  if (from === '') {
    const parts = chars(text).map((char) => (left-- > 0 ? to + char : char));
    return parts.join('') + (left > 0 ? to : '');
  }
  return text.replaceAll(from, (found) => (left-- > 0 ? to : found));
}

/** The parts of a text, at most `limit` of them unless it is negative. */
export function split(text: string, separator: string, limit: bigint): readonly string[] {
  if (limit === 0n) return [];
  const parts = separator === '' ? chars(text) : text.split(separator);
  if (limit < 0n || BigInt(parts.length) <= limit) return parts;
  const kept = Number(limit) - 1;
  return [...parts.slice(0, kept), parts.slice(kept).join(separator)];
}

const SPACE = '[\\t\\n\\v\\f\\r \\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000]';
const EDGES = new RegExp(`^${SPACE}+|(?<!${SPACE})${SPACE}+$`, 'g');

function quote(text: string): string {
  const escapes: Readonly<Record<string, string>> = { '\x07': '\\a', '\b': '\\b', '\v': '\\v' };
  return `"${text.replace(/["\\\x07\b\f\n\r\t\v]/g, (char) => escapes[char] ?? JSON.stringify(char).slice(1, -1))}"`;
}

/** Kubernetes' functions on strings. */
export function strings(own: Register): void {
  own('string.matches(string): bool', (text: string, pattern: string) => goRegExp(pattern).test(text));
  own('string.find(string): string', (text: string, pattern: string) => findAll(pattern, text, 1)[0] ?? '');
  own('string.findAll(string): list<string>', (text: string, pattern: string) => findAll(pattern, text, -1));
  own('string.findAll(string, int): list<string>', (text: string, pattern: string, limit: bigint) =>
    findAll(pattern, text, Number(limit)),
  );
  own('string.charAt(int): string', (text: string, at: bigint) => {
    const all = chars(text);
    return all[index(at, all.length)] ?? '';
  });
  own('string.indexOf(string): int', (text: string, part: string) => find(chars(text), chars(part), 0));
  own('string.indexOf(string, int): int', (text: string, part: string, from: bigint) =>
    findFrom(find, text, part, from),
  );
  own('string.lastIndexOf(string): int', (text: string, part: string) => {
    const all = chars(text);
    return findLast(all, chars(part), all.length);
  });
  own('string.lastIndexOf(string, int): int', (text: string, part: string, from: bigint) =>
    findFrom(findLast, text, part, from),
  );
  own('string.lowerAscii(): string', (text: string) => text.replace(/[A-Z]+/g, (found) => found.toLowerCase()));
  own('string.upperAscii(): string', (text: string) => text.replace(/[a-z]+/g, (found) => found.toUpperCase()));
  own('string.replace(string, string): string', (text: string, from: string, to: string) =>
    replace(text, from, to, -1n),
  );
  own('string.replace(string, string, int): string', replace);
  own('string.split(string): list<string>', (text: string, separator: string) => split(text, separator, -1n));
  own('string.split(string, int): list<string>', split);
  own('string.substring(int): string', (text: string, from: bigint) => {
    const all = chars(text);
    return all.slice(index(from, all.length)).join('');
  });
  own('string.substring(int, int): string', (text: string, from: bigint, to: bigint) => {
    const all = chars(text);
    if (from > to) fail(`invalid substring range: ${from} to ${to}`);
    return all.slice(index(from, all.length), index(to, all.length)).join('');
  });
  own('string.trim(): string', (text: string) => text.replace(EDGES, ''));
  own('string.reverse(): string', (text: string) => chars(text).toReversed().join(''));
  own('strings_quote(string): string', quote);
}
