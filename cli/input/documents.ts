import { DocumentError } from './located';
import type { Located } from './located';
import { parseJsonStream } from './json';
import { splitYaml } from './split';
import type { Chunk } from './split';
import { parseYaml } from './yaml';

/** A document of a file: read, or broken. Documents without content (nothing, or comments alone) do not count. */
export type SourceDocument =
  | { readonly file: string; readonly document: number; readonly line: number; readonly root: Located }
  | { readonly file: string; readonly document: number; readonly line: number; readonly fault: string };

/**
 * The documents of a text, YAML or JSON, as kubectl tells them apart: what begins with `{` may be a stream of JSON values.
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
  if (!/^\s*\{/.test(chunk.text)) return readYaml(chunk);
  const values = parseJsonStream(chunk.text, chunk.line);
  if (!values.some((value) => value instanceof DocumentError)) return values;
  const yaml = readYaml(chunk);
  const isJson = values.length > 1 || /^\s*\{\s*["}]/.test(chunk.text);
  return isJson && yaml.some((value) => value instanceof DocumentError) ? values : yaml;
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
