import { DocumentError, maxDepth } from './located';
import type { Located, LocatedEntry } from './located';

const whitespace = /[ \t\r\n]*/y;
const string = /"[^"\\\u0000-\u001f]*(?:\\.[^"\\\u0000-\u001f]*)*"/y; // oxlint-disable-line no-control-regex
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?(?![0-9A-Za-z.+-])/y;
const word = /(?:true|false|null)(?![0-9A-Za-z_])/y;

/**
 * The JSON values that follow one another in a text, as kubectl reads a JSON stream. What is broken ends the stream, as
 * nothing says where the next value would begin.
 * @param firstLine the line of the file on which the text begins
 */
export function parseJsonStream(text: string, firstLine: number): readonly (Located | DocumentError)[] {
  const reader = new JsonReader(text, firstLine);
  const values: (Located | DocumentError)[] = [];
  try {
    while (!reader.atEnd()) values.push(reader.value(0));
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    values.push(error);
  }
  return values;
}

/** A reader with a place in the text that only goes forward, and knows its line. */
class JsonReader {
  private offset = 0;
  private counted = 0;

  constructor(
    private readonly text: string,
    private line: number,
  ) {}

  atEnd(): boolean {
    this.match(whitespace);
    return this.offset >= this.text.length;
  }

  value(depth: number): Located {
    this.match(whitespace);
    const line = this.here();
    if (depth > maxDepth) throw new DocumentError(`is nested too deeply: at most ${maxDepth} levels are read`, line);
    const next = this.text[this.offset];
    if (next === '{') return { kind: 'map', line, entries: this.entries(depth) };
    if (next === '[') return { kind: 'list', line, items: this.items(depth) };
    if (next === '"') return { kind: 'scalar', line, value: this.string() };
    const literal = this.match(word);
    if (literal !== undefined) return { kind: 'scalar', line, value: literal === 'null' ? null : literal === 'true' };
    return { kind: 'scalar', line, value: this.number() };
  }

  private entries(depth: number): ReadonlyMap<string, LocatedEntry> {
    const entries = new Map<string, LocatedEntry>();
    this.sequence('}', () => {
      const line = this.here();
      const key = this.string();
      const first = entries.get(key);
      if (first !== undefined) {
        throw new DocumentError(`the key ${JSON.stringify(key)} is given twice, first on line ${first.line}`, line);
      }
      this.match(whitespace);
      this.expect(':');
      entries.set(key, { line, node: this.value(depth + 1) });
    });
    return entries;
  }

  private items(depth: number): readonly Located[] {
    const items: Located[] = [];
    this.sequence(']', () => items.push(this.value(depth + 1)));
    return items;
  }

  private sequence(end: string, element: () => void): void {
    this.offset += 1;
    this.match(whitespace);
    if (this.text[this.offset] === end) {
      this.offset += 1;
      return;
    }
    for (;;) {
      this.match(whitespace);
      element();
      this.match(whitespace);
      if (this.text[this.offset] === end) break;
      this.expect(',', `"," or "${end}"`);
    }
    this.offset += 1;
  }

  private string(): string {
    const source = this.match(string);
    if (source === undefined) throw this.error('a string in double quotes');
    try {
      return String(JSON.parse(source));
    } catch {
      throw this.error('a string with valid escapes', source.length);
    }
  }

  private number(): number {
    const source = this.match(number);
    if (source === undefined) throw this.error('a value');
    const value = Number(source);
    if (Number.isFinite(value) && (Number.isSafeInteger(value) || !/^-?[0-9]+$/.test(source)))
      return value === 0 ? 0 : value;
    throw new DocumentError(`${source} is beyond ±${Number.MAX_SAFE_INTEGER} and would lose digits`, this.here());
  }

  private expect(character: string, expected = `"${character}"`): void {
    if (this.text[this.offset] !== character) throw this.error(expected);
    this.offset += 1;
  }

  private error(expected: string, back = 0): DocumentError {
    this.offset -= back;
    const found = this.text[this.offset];
    const came =
      found === undefined ? 'the end of the text' : JSON.stringify(this.text.slice(this.offset, this.offset + 12));
    return new DocumentError(`is not valid JSON: expected ${expected}, but found ${came}`, this.here());
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.offset;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.offset += found.length;
    return found;
  }

  private here(): number {
    for (let at = this.text.indexOf('\n', this.counted); at !== -1 && at < this.offset;) {
      this.line += 1;
      this.counted = at + 1;
      at = this.text.indexOf('\n', this.counted);
    }
    return this.line;
  }
}
