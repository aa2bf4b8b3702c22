import { DocumentError } from './located';
import type { Located } from './located';
import { splitYaml } from './split';
import type { Chunk } from './split';
import { isMeantAsJson, parseYaml } from './yaml';

/** A document of a file: read, or broken. Documents without content (nothing, or only comments) do not count. */
export type SourceDocument =
  | { readonly file: string; readonly document: number; readonly line: number; readonly root: Located }
  | { readonly file: string; readonly document: number; readonly line: number; readonly fault: string };

/**
 * The documents of a text, YAML or JSON, as kubectl separates them: what begins with `{` may be a stream of JSON values.
 * @param file the name for messages
 */
export function readDocuments(text: string, file: string): readonly SourceDocument[] {
  return splitYaml(text)
    .flatMap((chunk) => readChunk(chunk))
    .map((result, index) => {
      const place = { file, document: index + 1, line: result.line };
      return result instanceof DocumentError ? { ...place, fault: result.message } : { ...place, root: result };
    });
}

type Result = Located | DocumentError;

function readChunk(chunk: Chunk): readonly Result[] {
  if (chunk.separatorFault !== undefined) return [new DocumentError(chunk.separatorFault, chunk.line)];
  if (!isMeantAsJson(chunk.text)) return readYaml(chunk);
  const values: Result[] = [];
  for (const value of jsonValues(chunk)) {
    const results = readYaml(value);
    values.push(...results);
    if (!results.some((result) => result instanceof DocumentError)) continue;
    // Comments and single quotes, which YAML has, may have braces in them.
    const whole = readYaml(chunk);
    return whole.some((result) => result instanceof DocumentError) ? values : whole;
  }
  return values;
}

/** The values of a JSON stream, each as a text; what is left behind the last one is one more. */
function jsonValues({ text, line: firstLine }: Chunk): readonly Chunk[] {
  const chunks: Chunk[] = [];
  let [start, line, depth] = [0, firstLine, 0];
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]|$/g)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    if (token !== '' && (depth > 0 || token.startsWith('"'))) continue;
    const piece = text.slice(start, index + token.length);
    if (piece.trim() !== '') chunks.push({ text: piece, line });
    line += piece.split('\n').length - 1;
    start += piece.length;
  }
  return chunks;
}

function readYaml(chunk: Chunk): readonly Result[] {
  if (/^(?:[ \t\r]*(?:#.*)?\n?)*$/.test(chunk.text) && !chunk.text.includes('\u0000')) return [];
  try {
    const root = parseYaml(chunk.text, chunk.line);
    return root === undefined ? [] : [root];
  } catch (error) {
    if (error instanceof DocumentError) return [error];
    throw error;
  }
}
