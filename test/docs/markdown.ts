import { readdirSync, readFileSync } from 'node:fs';

/** A fenced block of code in a document. */
export interface CodeBlock {
  /** The document, and the line that the block starts on. */
  readonly where: string;
  /** All that stands behind the fence, such as `ts` or `ts engine`. */
  readonly language: string;
  readonly text: string;
}

/** The documents that people wrote, relative to the root of the repository. */
export const documents: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...readdirSync('docs').map((file) => `docs/${file}`),
];

/** The blocks of code of a document, without their indentation. */
export function codeBlocks(document: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open:
    { readonly language: string; readonly indent: string; readonly line: number; readonly lines: string[] } | undefined;
  for (const [index, line] of readFileSync(document, 'utf8').split('\n').entries()) {
    const [, indent = '', language = ''] = /^( *)```(.*)$/.exec(line) ?? [];
    if (!/^ *```/.test(line)) {
      open?.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line.trimStart());
    } else if (open) {
      blocks.push({ where: `${document}:${open.line}`, language: open.language, text: open.lines.join('\n') });
      open = undefined;
    } else {
      open = { language, indent, line: index + 1, lines: [] };
    }
  }
  return blocks;
}

/** All blocks of the documents in a language. */
export function blocksIn(language: string): readonly CodeBlock[] {
  return documents.flatMap(codeBlocks).filter((block) => block.language === language);
}
