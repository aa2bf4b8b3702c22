import { LineCounter, isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { Node, Pair, Scalar as YamlScalar, YAMLMap, YAMLParseError } from 'yaml';
import { DocumentError, maxDepth } from './located';
import type { Located, LocatedEntry } from './located';
import { resolvePlain } from './scalar';
import type { Scalar } from './scalar';

/** How many values the aliases of one document may stand for: far beyond real use, far below what fills the memory. */
const maxAliased = 100_000;

/**
 * One YAML or JSON document as kubectl reads it, with the line of each value. Stricter than kubectl where it would lose
 * something without a word: a key that is given twice, tags other than YAML's own, a second document behind `...`.
 * @param text the document without its separators
 * @param firstLine the line of the file on which the text begins
 * @returns undefined when there are only comments, or nothing
 * @throws DocumentError
 */
export function parseYaml(text: string, firstLine: number): Located | undefined {
  const lines = new LineCounter();
  const lineAt = (offset: number): number => firstLine + Math.max(lines.linePos(offset).line, 1) - 1;
  refuseAmbiguousCharacters(text, firstLine);
  const document = parseDocument(text, {
    schema: 'failsafe',
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
    lineCounter: lines,
  });
  const error = document.errors[0];
  if (error !== undefined) {
    // What is missing at the end is reported on the last line with text, not on the next separator's.
    const end = Math.max(text.trimEnd().length - 1, 0);
    throw new DocumentError(explain(error, text), lineAt(Math.min(error.pos[0], end)));
  }
  const root = document.contents;
  if (root === null || (isScalar(root) && isEmpty(root))) return undefined;
  return new Reader(lineAt).read(root, 0);
}

function isEmpty(scalar: YamlScalar): boolean {
  return scalar.type === 'PLAIN' && scalar.source === '' && scalar.tag === undefined;
}

/** Whether a text is JSON, or should be: flow maps that people write begin without a quote. */
export function isMeantAsJson(text: string): boolean {
  return /^\s*\{\s*["}]/.test(text);
}

function explain(error: YAMLParseError, text: string): string {
  if (error.code === 'RESOURCE_EXHAUSTION') return `is nested too deeply: at most ${maxDepth} levels are read`;
  if (error.code === 'MULTIPLE_DOCS')
    return 'another document begins here without a line "---", so kubectl would skip it';
  return `is not valid ${isMeantAsJson(text) ? 'JSON' : 'YAML'}: ${error.message}`;
}

// Characters that YAML 1.1 and 1.2 take differently (as line breaks, or not at all), so that two readers would see two
// documents, and control characters, which kubectl refuses. A carriage return is fine at the end of a line.
// oxlint-disable-next-line no-control-regex
const ambiguous = /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\r(?!\n)/;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function refuseAmbiguousCharacters(text: string, firstLine: number): void {
  const match = ambiguous.exec(text);
  // In JSON nobody takes them for line breaks.
  if (match === null || (isMeantAsJson(text) && isJson(text))) return;
  const code = match[0].charCodeAt(0).toString(16).padStart(4, '0');
  const line = firstLine + text.slice(0, match.index).split('\n').length - 1;
  throw new DocumentError(
    `contains the character U+${code.toUpperCase()}: write it as "\\u${code}" in double quotes`,
    line,
  );
}

/** Turns the syntax tree into located values: resolves scalars, aliases and merge keys. */
class Reader {
  private readonly anchors = new Map<string, Located | 'open'>();
  private readonly sizes = new Map<Located, number>();
  private aliased = 0;

  constructor(private readonly lineAt: (offset: number) => number) {}

  read(node: unknown, depth: number): Located {
    if (isAlias(node)) return this.alias(node.source, this.line(node));
    if (!isScalar(node) && !isMap(node) && !isSeq(node))
      throw new DocumentError('is not readable YAML', this.lineAt(0));
    const line = this.line(node);
    if (depth > maxDepth) throw new DocumentError(`is nested too deeply: at most ${maxDepth} levels are read`, line);
    const { anchor } = node;
    if (anchor !== undefined) this.anchors.set(anchor, 'open');
    const located = this.content(node, line, depth);
    if (anchor !== undefined) this.anchors.set(anchor, located);
    return located;
  }

  private content(
    node: YamlScalar | YAMLMap | Extract<Node, { items: unknown[] }>,
    line: number,
    depth: number,
  ): Located {
    if (isScalar(node)) return { kind: 'scalar', line, value: scalarValue(node, line) };
    if (isMap(node)) {
      refuseTag(node.tag, 'tag:yaml.org,2002:map', line);
      return this.map(node, line, depth);
    }
    refuseTag(node.tag, 'tag:yaml.org,2002:seq', line);
    return { kind: 'list', line, items: node.items.map((item) => this.read(item, depth + 1)) };
  }

  private map(map: YAMLMap, line: number, depth: number): Located {
    const entries = new Map<string, LocatedEntry>();
    const own = new Map<string, number>();
    for (const pair of map.items) {
      const keyLine = this.line(pair.key);
      const value = pair.value === null ? emptyValue(keyLine) : this.read(pair.value, depth + 1);
      if (isMergeKey(pair)) {
        for (const [key, entry] of mergedEntries(value, keyLine)) entries.set(key, entry);
        continue;
      }
      const key = this.key(pair.key, keyLine, depth);
      const first = own.get(key);
      if (first !== undefined) {
        throw new DocumentError(`the key ${JSON.stringify(key)} is given twice, first on line ${first}`, keyLine);
      }
      own.set(key, keyLine);
      entries.set(key, { line: keyLine, node: value });
    }
    return { kind: 'map', line, entries };
  }

  private key(node: unknown, line: number, depth: number): string {
    const key = node === null ? emptyValue(line) : this.read(node, depth + 1);
    if (key.kind !== 'scalar' || key.value === null) {
      throw new DocumentError(`a key must be a string, not ${key.kind === 'scalar' ? 'null' : `a ${key.kind}`}`, line);
    }
    if (typeof key.value === 'number' && !(isScalar(node) && isInteger(node))) {
      throw new DocumentError(`a key must be a string; write ${JSON.stringify(String(key.value))} in quotes`, line);
    }
    return String(key.value);
  }

  private alias(name: string, line: number): Located {
    const target = this.anchors.get(name);
    if (target === undefined) throw new DocumentError(`the alias *${name} has no anchor &${name} before it`, line);
    if (target === 'open') throw new DocumentError(`the alias *${name} stands inside what it names`, line);
    this.aliased += this.size(target);
    if (this.aliased > maxAliased) {
      throw new DocumentError(`its aliases stand for more than ${maxAliased} values`, line);
    }
    return target;
  }

  /** Values in a tree whose aliases are written out. */
  private size(node: Located): number {
    const known = this.sizes.get(node);
    if (known !== undefined) return known;
    let size = 1;
    if (node.kind === 'list') for (const item of node.items) size += this.size(item);
    if (node.kind === 'map') for (const entry of node.entries.values()) size += this.size(entry.node);
    this.sizes.set(node, size);
    return size;
  }

  private line(node: unknown): number {
    const range = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range : undefined;
    return this.lineAt(range?.[0] ?? 0);
  }
}

function emptyValue(line: number): Located {
  return { kind: 'scalar', line, value: null };
}

function isMergeKey(pair: Pair): boolean {
  return isScalar(pair.key) && pair.key.type === 'PLAIN' && pair.key.value === '<<' && pair.key.tag === undefined;
}

function isInteger(key: YamlScalar): boolean {
  const resolved = resolvePlain(String(key.source));
  return resolved.ok && resolved.float !== true;
}

/** What a merge key brings: of several maps the earlier one wins. */
function mergedEntries(value: Located, line: number): Iterable<[string, LocatedEntry]> {
  const maps = value.kind === 'list' ? value.items.toReversed() : [value];
  const merged = new Map<string, LocatedEntry>();
  for (const map of maps) {
    if (map.kind !== 'map') throw new DocumentError('the merge key << needs a map or a list of maps', line);
    for (const [key, entry] of map.entries) merged.set(key, entry);
  }
  return merged;
}

function refuseTag(tag: string | undefined, expected: string, line: number): void {
  if (tag !== undefined && tag !== expected)
    throw new DocumentError(`the tag ${showTag(tag)} is not supported here`, line);
}

function showTag(tag: string): string {
  return tag.startsWith('tag:yaml.org,2002:') ? `!!${tag.slice('tag:yaml.org,2002:'.length)}` : tag;
}

function scalarValue(scalar: YamlScalar, line: number): Scalar {
  const text = String(scalar.value);
  const { tag } = scalar;
  if (tag === undefined) return scalar.type === 'PLAIN' ? plainValue(text, line) : text;
  if (tag === 'tag:yaml.org,2002:str') return text;
  const type = taggedTypes.get(tag);
  if (type === undefined) throw new DocumentError(`the tag ${showTag(tag)} is not supported here`, line);
  const value = plainValue(text, line);
  if (!type(value)) throw new DocumentError(`${JSON.stringify(text)} is not a ${showTag(tag)}`, line);
  return value;
}

const taggedTypes: ReadonlyMap<string, (value: Scalar) => boolean> = new Map([
  ['tag:yaml.org,2002:int', (value) => Number.isInteger(value)],
  ['tag:yaml.org,2002:float', (value) => typeof value === 'number'],
  ['tag:yaml.org,2002:bool', (value) => typeof value === 'boolean'],
  ['tag:yaml.org,2002:null', (value) => value === null],
]);

function plainValue(text: string, line: number): Scalar {
  const resolved = resolvePlain(text);
  if (!resolved.ok) throw new DocumentError(resolved.message, line);
  return resolved.value;
}
