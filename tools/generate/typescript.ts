/**
 * A doc comment, or nothing where there is nothing to say.
 * @param paragraphs each becomes lines of its own
 */
export function docComment(paragraphs: readonly (string | undefined)[], indent: string = ''): string {
  const lines = paragraphs
    .filter((text) => text !== undefined)
    .flatMap((text) => wrap(text.replaceAll('*/', '*\\/'), 116 - indent.length));
  if (lines.length === 0) return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (line && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line ? `${line} ${word}` : word;
    }
  }
  return line ? [...lines, line] : lines;
}

export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

export function literal(value: unknown): string {
  return typeof value === 'string'
    ? `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
    : JSON.stringify(value);
}

export function arrayOf(item: string): string {
  return /^[\w.]+$/.test(item) ? `readonly ${item}[]` : `readonly (${item})[]`;
}

export function mapOf(value: string): string {
  return `{ readonly [key: string]: ${value} }`;
}
