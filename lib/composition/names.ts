import { createHash } from 'node:crypto';
import { isDns1035Label, isLabelValue } from './schema/names';

const MAX_LENGTH = 63;
const HASH_LENGTH = 10;
const ALTERED = /-h[0-9a-f]{10}$/;

/**
 * A legal DNS-1035 label for a text: lower-case letters, digits and `-`, a letter first, at most 63 characters. It is
 * a legal name for an object of any kind (CronJobs and other kinds with shorter names aside).
 *
 * Guarantees: a text that is legal stays as it is; everything else is altered and ends in `-h` and ten hexadecimal
 * digits of a hash of the whole text. A legal text that ends that way is altered too, so an altered name never equals
 * one that was left as it is. Two different texts share a name only where 40 bits of SHA-256 collide.
 *
 * Not idempotent: an altered name is altered again. Derive a name once, from the text that the user wrote.
 */
export function dnsLabel(text: string): string {
  if (isDns1035Label(text) && !ALTERED.test(text)) {
    return text;
  }
  const base = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '');
  return alter(/^[a-z]/.test(base) ? base : `x${base}`, text);
}

/**
 * A legal value of a label for a text: letters of both cases, digits, `-`, `_` and `.`, at most 63 characters.
 *
 * Guarantees and caveats are those of {@link dnsLabel}; the empty text is legal.
 */
export function labelValue(text: string): string {
  if (isLabelValue(text) && !ALTERED.test(text)) {
    return text;
  }
  const base = text.replaceAll(/[^A-Za-z0-9_.]+/g, '-').replace(/^[-_.]+/, '');
  return alter(base === '' ? 'x' : base, text);
}

function alter(base: string, text: string): string {
  // UTF-16, as UTF-8 would give every half of a surrogate pair the same bytes.
  const hash = createHash('sha256').update(text, 'utf16le').digest('hex').slice(0, HASH_LENGTH);
  const room = MAX_LENGTH - HASH_LENGTH - '-h'.length;
  return `${base.slice(0, room).replace(/[-_.]+$/, '')}-h${hash}`;
}
