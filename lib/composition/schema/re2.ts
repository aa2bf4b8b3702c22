/** POSIX classes and Perl classes as Go means them: ASCII only. */
const POSIX: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

const PERL: Readonly<Record<string, string>> = { d: '0-9', w: '0-9A-Za-z_', s: '\\t\\n\\f\\r ' };
const LITERALS: Readonly<Record<string, string>> = { a: '\\x07', f: '\\f', n: '\\n', r: '\\r', t: '\\t', v: '\\v' };

const cache = new Map<string, RegExp>();
const MAX_CACHED = 1000;

/**
 * The JavaScript expression that matches what the Go expression matches.
 *
 * @throws SyntaxError if Go would not take the pattern, or if it uses something that cannot be said in JavaScript.
 */
export function goRegExp(pattern: string): RegExp {
  let found = cache.get(pattern);
  if (found === undefined) {
    if (cache.size >= MAX_CACHED) cache.clear();
    found = new Translator(pattern).regExp();
    cache.set(pattern, found);
  }
  return found;
}

/** The flags that hold inside of a group. */
interface Flags {
  readonly multiline: boolean;
  readonly dotAll: boolean;
  /** How many groups of our own are open in it. */
  readonly opened: number;
}

class Translator {
  private position = 0;
  private output = '';
  private insensitive = false;
  private flags: Flags = { multiline: false, dotAll: false, opened: 0 };
  private readonly outer: Flags[] = [];

  constructor(private readonly pattern: string) {}

  regExp(): RegExp {
    // Flags before or right after the anchor hold for the whole expression.
    const head = /^(\^?)\(\?([imsU]+)\)/.exec(this.pattern);
    if (head !== null) {
      this.position = head[0].length;
      this.insensitive = head[2]?.includes('i') ?? false;
      this.setFlags(head[2] ?? '');
      this.output = head[1] === '' ? '' : '^';
    }
    while (this.position < this.pattern.length) this.output += this.next();
    this.output += ')'.repeat(this.flags.opened);
    return new RegExp(this.output, `u${this.insensitive ? 'i' : ''}`);
  }

  private setFlags(letters: string): void {
    if (letters.includes('U')) this.fail('flag U is not supported');
    const [on = '', off = ''] = letters.split('-');
    const value = (letter: string, before: boolean): boolean =>
      (before || on.includes(letter)) && !off.includes(letter);
    this.flags = {
      ...this.flags,
      multiline: value('m', this.flags.multiline),
      dotAll: value('s', this.flags.dotAll),
    };
  }

  private fail(reason: string): never {
    throw new SyntaxError(`the expression ${JSON.stringify(this.pattern)} cannot be used: ${reason}`);
  }

  private next(): string {
    const rest = this.pattern.slice(this.position);
    const char = String.fromCodePoint(rest.codePointAt(0) ?? 0);
    switch (char) {
      case '\\':
        return this.escape(false);
      case '[':
        return this.charClass();
      case '(':
        return this.group(rest);
      case ')':
        return this.groupEnd();
      case '{':
        return this.repetition(rest);
      case '}':
      case ']':
        this.position++;
        return `\\${char}`;
      case '.':
        this.position++;
        return this.flags.dotAll ? '[^]' : '[^\\n]';
      case '^':
        this.position++;
        return this.flags.multiline ? '(?<=^|\\n)' : '^';
      case '$':
        this.position++;
        return this.flags.multiline ? '(?=\\n|$)' : '$';
      default:
        this.position += char.length;
        return char === '/' ? '\\/' : char;
    }
  }

  private group(rest: string): string {
    const head = /^\(\?(?:P?<([A-Za-z_]\w*)>|([imsU]*(?:-[imsU]+)?)([:)]))/.exec(rest);
    if (head === null && rest.startsWith('(?'))
      this.fail('of what starts with "(?" only names and flags are supported');
    this.position += head?.[0].length ?? 1;
    if (head?.[3] === ')') return this.flagsFromHere(head[2] ?? '');
    this.outer.push(this.flags);
    this.flags = { ...this.flags, opened: 0 };
    if (head === null) return '(';
    if (head[1] !== undefined) return `(?<${head[1]}>`;
    this.setFlags(head[2] ?? '');
    return `(?${modifiers(head[2] ?? '')}:`;
  }

  /** Flags that hold up to the end of the group; JavaScript needs a group for them, newer than Node 22. */
  private flagsFromHere(letters: string): string {
    this.setFlags(letters);
    if (modifiers(letters) === '') return '';
    this.flags = { ...this.flags, opened: this.flags.opened + 1 };
    return `(?${modifiers(letters)}:`;
  }

  private groupEnd(): string {
    const before = this.outer.pop() ?? this.fail('a ")" has no "("');
    const closing = ')'.repeat(this.flags.opened + 1);
    this.flags = before;
    this.position++;
    return closing;
  }

  private repetition(rest: string): string {
    const bounds = /^\{(\d+)(?:(,)(\d*))?\}/.exec(rest);
    if (bounds === null) {
      this.position++;
      return '\\{';
    }
    if (Number(bounds[1]) > 1000 || Number(bounds[3] || 0) > 1000)
      this.fail('no more than 1000 repetitions are allowed');
    this.position += bounds[0].length;
    return bounds[0];
  }

  /** An escape; inside a class, only what a class may hold. */
  private escape(inClass: boolean): string {
    const rest = this.pattern.slice(this.position);
    const code = /^\\x(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{2}))/.exec(rest);
    if (code !== null) return this.take(code[0], `\\u{${code[1] ?? code[2]}}`);
    const octal = /^\\(0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(rest);
    if (octal !== null) return this.take(octal[0], `\\u{${Number.parseInt(octal[1] ?? '0', 8).toString(16)}}`);
    const property = /^\\([pP])(?:\{(\^?)(\w+)\}|(\w))/.exec(rest);
    if (property !== null) {
      const negated = (property[1] === 'P') !== (property[2] === '^');
      const name = property[3] ?? property[4] ?? '';
      const key = name.length <= 2 ? name : `Script=${name}`;
      return this.take(property[0], `\\${negated ? 'P' : 'p'}{${key}}`);
    }
    const letter = rest[1] ?? this.fail('it ends with a backslash');
    if (letter === 'Q' && !inClass) return this.quoted(rest);
    const perl = PERL[letter.toLowerCase()];
    if (perl !== undefined) return this.take(rest.slice(0, 2), this.perlClass(letter, perl, inClass));
    const literal = LITERALS[letter];
    if (literal !== undefined) return this.take(rest.slice(0, 2), literal);
    if (!inClass && (letter === 'b' || letter === 'B')) return this.take(rest.slice(0, 2), `\\${letter}`);
    if (!inClass && letter === 'A') return this.take(rest.slice(0, 2), '^');
    if (!inClass && letter === 'z') return this.take(rest.slice(0, 2), '$');
    if (/[A-Za-z0-9]/.test(letter) || letter > '\x7F') this.fail(`\\${letter} is not known`);
    return this.take(rest.slice(0, 2), punctuation(letter));
  }

  private perlClass(letter: string, perl: string, inClass: boolean): string {
    if (letter === letter.toLowerCase()) return inClass ? perl : `[${perl}]`;
    if (!inClass) return `[^${perl}]`;
    if (letter === 'D') return '\\D';
    return this.fail(`\\${letter} inside [ ] is not supported`);
  }

  private quoted(rest: string): string {
    const end = rest.indexOf('\\E');
    const text = end < 0 ? rest.slice(2) : rest.slice(2, end);
    this.position += end < 0 ? rest.length : end + 2;
    return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  }

  private take(source: string, result: string): string {
    this.position += source.length;
    return result;
  }

  private charClass(): string {
    this.position++;
    let result = '[';
    if (this.pattern[this.position] === '^') {
      result += '^';
      this.position++;
    }
    for (let first = true; ; first = false) {
      const rest = this.pattern.slice(this.position);
      if (rest === '') this.fail('"[" is never closed');
      const posix = /^\[:(\^?)(\w+):\]/.exec(rest);
      const char = String.fromCodePoint(rest.codePointAt(0) ?? 0);
      if (posix !== null) {
        const set = POSIX[posix[2] ?? ''];
        if (set === undefined || posix[1] === '^') this.fail(`the class ${posix[0]} is not supported`);
        result += this.take(posix[0], set);
      } else if (char === ']' && !first) {
        this.position++;
        return `${result}]`;
      } else if (char === '\\') {
        result += this.escape(true);
      } else {
        this.position += char.length;
        result += /[[\]/^|(){}*+?.$]/.test(char) ? `\\${char}` : char;
      }
    }
  }
}

/** A punctuation mark as a literal; JavaScript's unicode mode takes a backslash only before some of them. */
function punctuation(letter: string): string {
  if (/[\\^$.*+?()[\]{}|/]/.test(letter)) return `\\${letter}`;
  return letter === '-' ? '\\x2D' : letter;
}

/** The part of Go's flags that has to be said to JavaScript: whether case counts. */
function modifiers(letters: string): string {
  const [on = '', off = ''] = letters.split('-');
  if (off.includes('i')) return '-i';
  return on.includes('i') ? 'i' : '';
}
