// Which of Go's expressions JavaScript's own matcher may run: those of the few constructs below, which mean the same to both,
// where it can never go more than a few ways at once. It is many times as fast then as one that promises linear time for all.

/** A range of code points. */
type Range = readonly [first: number, last: number];

/** One character of an expression. */
interface Position {
  readonly ranges: readonly Range[];
  /** The positions that may come next; twice, where two ways lead there. */
  readonly next: Position[];
}

/** A position that may come first. */
interface Entry {
  readonly position: Position;
  /** Whether it can only stand at the beginning of the text. */
  readonly anchored: boolean;
}

/** A part of an expression. */
interface Part {
  readonly source: string;
  readonly nullable: boolean;
  /** Whether it can be empty at the beginning of the text only. */
  readonly anchor: boolean;
  readonly first: readonly Entry[];
  readonly last: readonly Position[];
}

const LAST_CODE_POINT = 0x10ffff;
const SPACE: readonly Range[] = [
  [9, 10],
  [12, 13],
  [32, 32],
];
const CONTROL: readonly Range[] = [
  [0, 31],
  [127, 127],
];
/** Classes that have a name; of these JavaScript has none, or another. */
const NAMED: Readonly<Record<string, readonly Range[]>> = { '\\s': SPACE, '[:cntrl:]': CONTROL };

/** Why an expression cannot be left to JavaScript. */
export class NotPlain extends Error {}

/**
 * The source of the JavaScript expression, for the flag u, that matches what Go's matches, in linear time.
 * @throws NotPlain where there is none, or it cannot be seen
 */
export function plainRegExp(pattern: string): string {
  const parser = new Parser(pattern);
  const whole = parser.whole();
  const searching = whole.first.filter(({ anchored }) => !anchored).map(({ position }) => position);
  // Where it may begin anywhere, so it may at every character.
  const anywhere: Position = { ranges: [[0, LAST_CODE_POINT]], next: searching };
  if (searching.length > 0) anywhere.next.push(anywhere);
  const positions = searching.length > 0 ? [...parser.positions, anywhere] : parser.positions;
  if (positions.some(({ next }) => new Set(next).size < next.length)) throw new NotPlain('repeats what is repeated');
  if (hasManyWays(positions)) throw new NotPlain('can match a text in ever more ways');
  return whole.source;
}

const EMPTY: Part = { source: '', nullable: true, anchor: false, first: [], last: [] };

/** Reads an expression; what is not known here is left to others. */
class Parser {
  readonly positions: Position[] = [];
  private at = 0;

  constructor(private readonly pattern: string) {}

  whole(): Part {
    const part = this.alternatives();
    if (this.at < this.pattern.length) throw new NotPlain('a ")" has no "("');
    return part;
  }

  private alternatives(): Part {
    const parts = [this.sequence()];
    while (this.skip('|')) parts.push(this.sequence());
    if (parts.filter(({ nullable }) => nullable).length > 1) throw new NotPlain('is empty in two ways');
    return {
      source: parts.map(({ source }) => source).join('|'),
      nullable: parts.some(({ nullable }) => nullable),
      anchor: parts.some(({ nullable, anchor }) => nullable && anchor),
      first: parts.flatMap(({ first }) => first),
      last: parts.flatMap(({ last }) => last),
    };
  }

  private sequence(): Part {
    let sequence = EMPTY;
    while (!['', '|', ')'].includes(this.peek())) sequence = follow(sequence, this.repeated());
    return sequence;
  }

  private repeated(): Part {
    const part = this.single();
    const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})/.exec(this.pattern.slice(this.at))?.[0];
    if (quantifier === undefined) return part;
    this.at += quantifier.length;
    if ('*+?{'.includes(this.peek() || ' ')) throw new NotPlain('has two quantifiers in a row');
    if (part.nullable) throw new NotPlain('repeats what may be empty');
    const [least = 0, most = quantifier.includes(',') ? Infinity : least] = (quantifier.match(/\d+/g) ?? []).map(
      Number,
    );
    if (Math.max(least, most === Infinity ? 0 : most) > 1000) throw new NotPlain('repeats too often');
    // Taken for endless: no more ways lead through a number of repetitions than through any number.
    if (!['?', '{1}'].includes(quantifier)) connect(part.last, part.first);
    return {
      ...part,
      source: part.source + quantifier,
      anchor: false,
      nullable: '*?'.includes(quantifier) || (quantifier.startsWith('{') && least === 0),
    };
  }

  private single(): Part {
    if (this.skip('(')) {
      this.skip('?:');
      const part = this.alternatives();
      if (!this.skip(')')) throw new NotPlain('a "(" has no ")"');
      return { ...part, source: `(?:${part.source})` };
    }
    if (this.skip('^')) return { ...EMPTY, source: '^', anchor: true };
    if (this.skip('$')) return { ...EMPTY, source: '$' };
    if (this.skip('[')) return this.charClass();
    if ('.?*+{'.includes(this.peek())) throw new NotPlain(`has ${this.peek()}`);
    const ranges = this.named() ?? [oneChar(this.char())];
    return this.position(ranges, false);
  }

  private charClass(): Part {
    const negated = this.skip('^');
    const ranges: Range[] = [];
    do {
      const named = this.named();
      if (named === undefined) {
        const first = this.char();
        const isRange = this.peek() === '-' && this.pattern[this.at + 1] !== ']';
        if (isRange) this.at++;
        ranges.push([first, isRange ? this.char() : first]);
      } else ranges.push(...named);
      if (this.peek() === '') throw new NotPlain('a "[" has no "]"');
    } while (!this.skip(']'));
    return this.position(ranges, negated);
  }

  private position(ranges: readonly Range[], negated: boolean): Part {
    const position: Position = { ranges: negated ? complement(ranges) : ranges, next: [] };
    this.positions.push(position);
    const single = !negated && ranges.length === 1 && ranges[0]?.[0] === ranges[0]?.[1];
    const inside = ranges.map(([first, last]) => (first === last ? shown(first) : `${shown(first)}-${shown(last)}`));
    return {
      source: single ? inside.join('').replace('\\-', '-') : `[${negated ? '^' : ''}${inside.join('')}]`,
      nullable: false,
      anchor: false,
      first: [{ position, anchored: false }],
      last: [position],
    };
  }

  private named(): readonly Range[] | undefined {
    const name = Object.keys(NAMED).find((text) => this.skip(text));
    return name === undefined ? undefined : NAMED[name];
  }

  /** One character, also after a backslash. */
  private char(): number {
    if (this.skip('\\') && /[^!-/:-@[-`{-~]/.test(this.peek())) throw new NotPlain(`has \\${this.peek()}`);
    if (this.pattern.startsWith('[:', this.at)) throw new NotPlain('has a class by its name');
    const code = this.pattern.codePointAt(this.at);
    if (code === undefined) throw new NotPlain('ends too early');
    this.at += code > 0xffff ? 2 : 1;
    return code;
  }

  private peek(): string {
    return this.pattern[this.at] ?? '';
  }

  private skip(text: string): boolean {
    if (!this.pattern.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }
}

const oneChar = (code: number): Range => [code, code];

/** A character as a class has it. */
function shown(code: number): string {
  const text = String.fromCodePoint(code);
  if (/[A-Za-z0-9 _:;,<>=!"#%&'`~@]/.test(text)) return text;
  return /[-\\^$.*+?()[\]{}|/]/.test(text) ? `\\${text}` : `\\u{${code.toString(16)}}`;
}

function complement(ranges: readonly Range[]): readonly Range[] {
  const result: Range[] = [];
  let start = 0;
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    if (first > start) result.push([start, first - 1]);
    start = Math.max(start, last + 1);
  }
  return start > LAST_CODE_POINT ? result : [...result, [start, LAST_CODE_POINT]];
}

/** What comes first cannot do so behind something if it must stand at the beginning. */
function connect(last: readonly Position[], first: readonly Entry[]): void {
  for (const { next } of last) next.push(...first.flatMap(({ position, anchored }) => (anchored ? [] : [position])));
}

function follow(before: Part, part: Part): Part {
  connect(before.last, part.first);
  const first = part.first.map((entry) => (before.anchor ? { ...entry, anchored: true } : entry));
  return {
    source: before.source + part.source,
    nullable: before.nullable && part.nullable,
    anchor: before.nullable && part.nullable && (before.anchor || part.anchor),
    first: before.nullable ? [...before.first, ...first] : before.first,
    last: part.nullable ? [...before.last, ...part.last] : part.last,
  };
}

/**
 * Whether there is no limit to the ways on which some text can be read. That is so exactly if two positions and a text exist with
 * which one comes from the first to itself, from the first to the second, and from the second to itself.
 */
function hasManyWays(positions: readonly Position[]): boolean {
  const reach = new Map(positions.map((position) => [position, reachable(position)]));
  const reaches = (from: Position, to: Position): boolean => reach.get(from)?.has(to) ?? false;
  const looping = positions.filter((position) => reaches(position, position));
  return looping.some((p) => looping.some((q) => p !== q && reaches(p, q) && meet(p, q, reaches)));
}

function reachable({ next }: Position): ReadonlySet<Position> {
  const found = new Set(next);
  for (const position of found) for (const following of position.next) found.add(following);
  return found;
}

/** Whether one text leads from p to p, from p to q and from q to q. */
function meet(p: Position, q: Position, reaches: (from: Position, to: Position) => boolean): boolean {
  const numbers = new Map<Position, number>();
  const numberOf = (position: Position): number => {
    const number = numbers.get(position) ?? numbers.size;
    numbers.set(position, number);
    return number;
  };
  const seen = new Set<string>();
  const waiting: (readonly [Position, Position, Position])[] = [[p, p, q]];
  for (let triple = waiting.pop(); triple !== undefined; triple = waiting.pop()) {
    const [x, y, z] = triple;
    for (const a of x.next.filter((position) => reaches(position, p) || position === p))
      for (const b of y.next.filter((position) => reaches(position, q) || position === q)) {
        const both = common(a.ranges, b.ranges);
        if (both.length === 0) continue;
        for (const c of z.next.filter((position) => reaches(position, q) || position === q)) {
          if (common(both, c.ranges).length === 0) continue;
          if (a === p && b === q && c === q) return true;
          const key = [a, b, c].map(numberOf).join();
          if (!seen.has(key)) waiting.push([a, b, c]);
          seen.add(key);
        }
      }
  }
  return false;
}

/** What two sets have in common. */
function common(left: readonly Range[], right: readonly Range[]): readonly Range[] {
  return left.flatMap(([a, b]) =>
    right.flatMap(([c, d]): Range[] => (Math.max(a, c) <= Math.min(b, d) ? [[Math.max(a, c), Math.min(b, d)]] : [])),
  );
}
