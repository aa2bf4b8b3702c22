/** Where a command writes text. */
export interface Sink {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Columns of the terminal. @default - 80 */
  readonly columns?: number;
}

/** The world as a command sees it, so that tests can give it another one. */
export interface Io {
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** All of standard input. */
  readStdin(): Promise<Uint8Array>;
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
  /** Milliseconds of a clock that only goes forward, only for progress. */
  now(): number;
  /** Aborted when the user presses Ctrl-C. */
  readonly interrupted: AbortSignal;
}

// Controls (which move the cursor, set titles, recolour text), and the marks that reverse the direction of text.
// oxlint-disable-next-line no-control-regex
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Surrogate}/gu;

/** Text from an input, safe to show on a terminal: what could steer it is written as an escape. */
export function printable(text: string): string {
  return text.replace(unsafe, (character) => escapes.get(character) ?? unicodeEscape(character));
}

/** JSON that a terminal can show, too. Its meaning is unchanged. */
export function printableJson(json: string): string {
  return json.replace(unsafe, (character) => (character === '\n' ? character : unicodeEscape(character)));
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['\n', String.raw`\n`],
  ['\r', String.raw`\r`],
  ['\t', String.raw`\t`],
]);

function unicodeEscape(character: string): string {
  return String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, '0');
}

/** How a text stands out on a terminal. */
export type Style = 'red' | 'yellow' | 'green' | 'cyan' | 'bold' | 'dim';

const codes: { readonly [style in Style]: string } = {
  red: '31',
  yellow: '33',
  green: '32',
  cyan: '36',
  bold: '1',
  dim: '2',
};

/** A function that colours text for a sink: only on a terminal, and not where NO_COLOR is set (https://no-color.org). */
export function painter(sink: Sink, env: Io['env']): (style: Style, text: string) => string {
  const plain = !sink.isTerminal || (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  return (style, text) => (plain ? text : `\u001b[${codes[style]}m${text}\u001b[0m`);
}
