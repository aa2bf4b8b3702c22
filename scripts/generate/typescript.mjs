// @ts-check

/**
 * A doc comment, or nothing where there is nothing to say.
 * @param {readonly (string | undefined)[]} paragraphs each becomes lines of its own
 * @param {string} [indent]
 * @returns {string}
 */
export function docComment(paragraphs, indent = '') {
  const lines = paragraphs
    .filter((text) => text !== undefined)
    .flatMap((text) => wrap(text.replaceAll('*/', '*\\/'), 116 - indent.length));
  if (lines.length === 0) return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

/**
 * @param {string} text
 * @param {number} width
 * @returns {string[]}
 */
function wrap(text, width) {
  /** @type {string[]} */
  const lines = [];
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

/**
 * @param {string} name
 * @returns {string}
 */
export function propertyName(name) {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

/**
 * @param {unknown} value
 * @returns {string}
 */
export function literal(value) {
  return typeof value === 'string'
    ? `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
    : JSON.stringify(value);
}

/**
 * @param {string} item
 * @returns {string}
 */
export function arrayOf(item) {
  return /^[\w.]+$/.test(item) ? `readonly ${item}[]` : `readonly (${item})[]`;
}

/**
 * @param {string} value
 * @returns {string}
 */
export function mapOf(value) {
  return `{ readonly [key: string]: ${value} }`;
}
