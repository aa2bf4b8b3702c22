/** Prefix of the functions that are our own: the engine lacks them, or they differ from Kubernetes'. */
export const PREFIX = 'k8s_';

/** Functions that are called without a receiver. */
const GLOBAL_FUNCTIONS: ReadonlySet<string> = new Set(['int', 'double', 'string', 'duration', 'timestamp', 'sign']);

/** Functions that are called on a receiver. */
const MEMBER_FUNCTIONS: ReadonlySet<string> = new Set([
  ...['matches', 'charAt', 'indexOf', 'lastIndexOf', 'lowerAscii', 'upperAscii', 'replace', 'split', 'substring'],
  ...['trim', 'join', 'find', 'findAll', 'isSorted', 'sum', 'min', 'max', 'sort', 'slice', 'distinct', 'reverse'],
]);

/** Functions that make quantities, which have more functions of their own. */
const QUANTITY_FUNCTIONS: ReadonlySet<string> = new Set(['quantity', 'isQuantity']);

/** Functions in a namespace. */
const NAMESPACED_FUNCTIONS: ReadonlySet<string> = new Set([
  ...['sets.contains', 'sets.equivalent', 'sets.intersects', 'strings.quote', 'lists.range'],
]);

/** A rule for the engine. */
export interface Source {
  readonly text: string;
  /** Our own functions that it calls. */
  readonly functions: ReadonlySet<string>;
}

const TOKEN =
  /\s+|\/\/[^\n]*|(?:[rR][bB]?|[bB][rR]?)?(?:"""[^]*?"""|'''[^]*?''')|(?:[rR][bB]?|[bB][rR])(?:"[^"\n]*"|'[^'\n]*')|[bB]?(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|[A-Za-z_]\w*|\d[\w.]*|\|\||&&|[!=<>]=|[^]/g;

const BLANK = /^(?:\s|\/\/)/;
const WORD = /^[A-Za-z_]\w*$/;

/** The parts of a rule that are neither blank nor comment. */
export function tokenize(rule: string): readonly string[] {
  return (rule.match(TOKEN) ?? []).filter((text) => !BLANK.test(text));
}

/** Whether a rule looks at the object's former state. */
export function usesOldSelf(rule: string): boolean {
  if (!rule.includes('oldSelf')) return false;
  const tokens = tokenize(rule);
  return tokens.some((token, index) => token === 'oldSelf' && tokens[index - 1] !== '.');
}

/** Rewrites a Kubernetes rule for the engine: calls of the functions above get our prefix. */
export function prepare(rule: string): Source {
  const parts = rule.match(TOKEN) ?? [];
  // Positions of what is neither blank nor comment.
  const tokens = parts.flatMap((text, index) => (BLANK.test(text) ? [] : [index]));
  const textAt = (token: number): string => parts[tokens[token] ?? -1] ?? '';
  const functions = new Set<string>();
  for (const [token, index] of tokens.entries()) {
    const text = parts[index] ?? '';
    if (!WORD.test(text)) continue;
    const member = textAt(token - 1) === '.';
    if (textAt(token + 1) !== '(') continue;
    const namespace = member && textAt(token - 3) !== '.' ? textAt(token - 2) : '';
    if (NAMESPACED_FUNCTIONS.has(`${namespace}.${text}`)) {
      parts[tokens[token - 2] ?? -1] = '';
      parts[tokens[token - 1] ?? -1] = '';
      functions.add(`${namespace}_${text}`);
      parts[index] = `${PREFIX}${namespace}_${text}`;
    } else if ((member ? MEMBER_FUNCTIONS : GLOBAL_FUNCTIONS).has(text)) {
      functions.add(text);
      parts[index] = PREFIX + text;
    } else if (QUANTITY_FUNCTIONS.has(text)) functions.add('quantity');
  }
  return { text: parts.join(''), functions };
}
