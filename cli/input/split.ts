import { defined } from '../../lib/composition/objects';
/** A piece of a YAML stream between two separators. */
export interface Chunk {
  readonly text: string;
  /** The line of the file on which the text begins, counted from 1. */
  readonly line: number;
  /** Why the separator before the text is not one, where it is not. */
  readonly separatorFault?: string;
}

const separator = /^---(.*)$/gm;

/**
 * The documents of a YAML stream, cut where kubectl cuts: at each line that begins with `---`, no matter what is between.
 * So a document that cannot be parsed never swallows the next one.
 */
export function splitYaml(text: string): readonly Chunk[] {
  const chunks: Chunk[] = [];
  let start = 0;
  let line = 1;
  let fault: string | undefined;
  const add = (end: number): void => {
    const piece = text.slice(start, end);
    chunks.push({ text: piece, line, ...defined({ separatorFault: fault }) });
    line += piece.split('\n').length - 1;
  };
  for (const match of text.matchAll(separator)) {
    add(match.index);
    const rest = (match[1] ?? '').trim();
    fault =
      rest === '' || rest.startsWith('#') ? undefined : `"---" must stand alone on its line, but "${rest}" follows it`;
    start = match.index + match[0].length;
  }
  add(text.length);
  return chunks;
}
