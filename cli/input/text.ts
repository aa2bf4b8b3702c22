import { InputError } from '../errors';

/**
 * The text in a file: UTF-8, or UTF-16 when it says so by its byte order mark, as Windows tools write it.
 * @throws InputError when it is not text
 */
export function decodeText(bytes: Uint8Array): string {
  const encoding = startsWith(bytes, 0xff, 0xfe) ? 'utf-16le' : startsWith(bytes, 0xfe, 0xff) ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new InputError('is not text in UTF-8');
  }
}

function startsWith(bytes: Uint8Array, first: number, second: number): boolean {
  return bytes[0] === first && bytes[1] === second;
}
