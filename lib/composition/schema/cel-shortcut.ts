import {
  element,
  FUNCTIONS,
  listOf,
  MACROS,
  METHODS,
  not,
  RELATIONS,
  type Callable,
  type Macro,
} from './cel-shortcut-values';
import { tokenize } from './cel-source';

/**
 * Whether a rule is true for a value, as far as that is plain to see; if not, the engine has to say.
 *
 * Nearly every rule holds for nearly every resource, so mostly the engine, which takes longer to load than all the rest of a
 * validation, is not needed. Known are the operators, macros and functions below, on texts, whole numbers, booleans, lists and
 * maps. Anything else, whatever fails, and every mix of types leave the verdict to the engine.
 */
export type Shortcut = (self: unknown) => boolean;

/** The variables of a term. */
interface Scope {
  readonly name: string;
  readonly value: unknown;
  readonly outer?: Scope;
}

/** What a part of a rule gives; undefined where that is for the engine to find out. */
type Term = (scope: Scope) => unknown;

/** Reads a rule. */
export function shortcut(rule: string): Shortcut {
  const alternatives = alternativesOf(tokenize(rule)).flatMap((tokens) => parse(tokens) ?? []);
  return (self) => {
    try {
      return anyOf(alternatives, { name: 'self', value: self }) === true;
    } catch {
      return false;
    }
  };
}

function parse(tokens: readonly string[]): Term | undefined {
  try {
    return new Parser(tokens).whole();
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}

/** The alternatives of a rule, any of which decides; a conditional binds weaker than they do. */
function alternativesOf(tokens: readonly string[]): readonly (readonly string[])[] {
  const alternatives: string[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token === '(' || token === '[' || token === '{') depth++;
    if (token === ')' || token === ']' || token === '}') depth--;
    if (depth === 0 && token === '?') return [tokens];
    if (depth === 0 && token === '||') alternatives.push([]);
    else alternatives.at(-1)?.push(token);
  }
  return alternatives;
}

/** The rule has something that is not known here. */
class Unknown extends Error {}

const WORD = /^[A-Za-z_]\w*$/;
const TEXT = /^(?:'([^'\\]*)'|"([^"\\]*)")$/;

/** Reads one term after the other, by precedence: conditional, or, and, relations, not, members. */
class Parser {
  private at = 0;
  private readonly variables = ['self'];

  constructor(private readonly tokens: readonly string[]) {}

  whole(): Term {
    const term = this.conditional();
    if (this.at < this.tokens.length) throw new Unknown();
    return term;
  }

  private conditional(): Term {
    const condition = this.or();
    if (!this.skip('?')) return condition;
    const yes = this.or();
    this.expect(':');
    const no = this.conditional();
    return (scope) => {
      const chosen = condition(scope);
      if (typeof chosen !== 'boolean') return undefined;
      return chosen ? yes(scope) : no(scope);
    };
  }

  private or(): Term {
    const terms = this.row('||', () => this.and());
    return terms.length === 1 ? terms[0] : (scope) => anyOf(terms, scope);
  }

  private and(): Term {
    const terms = this.row('&&', () => this.relation());
    return terms.length === 1 ? terms[0] : (scope) => allOf(terms, scope);
  }

  private row(separator: string, read: () => Term): readonly [Term, ...Term[]] {
    const terms: [Term, ...Term[]] = [read()];
    while (this.skip(separator)) terms.push(read());
    return terms;
  }

  private relation(): Term {
    const left = this.unary();
    const relation = RELATIONS.get(this.peek());
    if (relation === undefined) return left;
    this.at++;
    const right = this.unary();
    return (scope) => relation(left(scope), right(scope));
  }

  private unary(): Term {
    if (!this.skip('!')) return this.member();
    const term = this.unary();
    return (scope) => not(term(scope));
  }

  private member(): Term {
    let term = this.primary();
    for (;;) {
      if (this.skip('.')) term = this.named(term, this.word());
      else if (this.skip('[')) {
        term = apply(element, [term, this.conditional()]);
        this.expect(']');
      } else return term;
    }
  }

  private named(term: Term, name: string): Term {
    if (!this.skip('(')) return (scope) => element(term(scope), name);
    const macro = MACROS.get(name);
    if (macro !== undefined) return this.macro(macro, term);
    const method = METHODS.get(name);
    if (method === undefined) throw new Unknown();
    return apply(method, [term, ...this.list(')')]);
  }

  private macro(macro: Macro, term: Term): Term {
    const name = this.word();
    this.expect(',');
    this.variables.push(name);
    const body = this.conditional();
    this.variables.pop();
    this.expect(')');
    return (outer) => {
      const value = term(outer);
      const items: readonly unknown[] | undefined = value instanceof Map ? [...value.keys()] : listOf(value);
      return items && macro(items, (item) => body({ name, value: item, outer }));
    };
  }

  private primary(): Term {
    if (this.skip('(')) {
      const term = this.conditional();
      this.expect(')');
      return term;
    }
    if (this.skip('[')) {
      const items = this.list(']');
      return (scope) => items.map((item) => item(scope));
    }
    const token = this.peek();
    this.at++;
    const text = TEXT.exec(token);
    if (text !== null) return constant(text[1] ?? text[2] ?? '');
    if (/^\d{1,18}$/.test(token)) return constant(BigInt(token));
    if (token === 'true' || token === 'false') return constant(token === 'true');
    if (this.skip('(')) return this.call(token);
    if (!this.variables.includes(token)) throw new Unknown();
    return (scope) => valueOf(scope, token);
  }

  private call(name: string): Term {
    if (name === 'has') {
      let object = this.primary();
      this.expect('.');
      let key = this.word();
      while (this.skip('.')) {
        object = this.named(object, key);
        key = this.word();
      }
      this.expect(')');
      return (scope) => {
        const value = object(scope);
        return value instanceof Map ? value.has(key) : undefined;
      };
    }
    const known = FUNCTIONS.get(name);
    if (known === undefined) throw new Unknown();
    return apply(known, this.list(')'));
  }

  /** The terms before a closing bracket. */
  private list(end: string): readonly Term[] {
    if (this.skip(end)) return [];
    const terms = this.row(',', () => this.conditional());
    this.expect(end);
    return terms;
  }

  private peek(): string {
    return this.tokens[this.at] ?? '';
  }

  private word(): string {
    const token = this.peek();
    if (!WORD.test(token)) throw new Unknown();
    this.at++;
    return token;
  }

  private skip(token: string): boolean {
    if (this.peek() !== token) return false;
    this.at++;
    return true;
  }

  private expect(token: string): void {
    if (!this.skip(token)) throw new Unknown();
  }
}

const constant =
  (value: unknown): Term =>
  () =>
    value;

function apply(call: Callable, terms: readonly Term[]): Term {
  const [first, second, ...others] = terms;
  if (first === undefined || others.length > 0) return (scope) => call(...terms.map((term) => term(scope)));
  return second === undefined ? (scope) => call(first(scope)) : (scope) => call(first(scope), second(scope));
}

/** Whether one term is true. As in CEL, what is not known does not matter beside it. */
function anyOf(terms: readonly Term[], scope: Scope): boolean | undefined {
  let known = true;
  for (const term of terms) {
    const result = term(scope);
    if (result === true) return true;
    if (result !== false) known = false;
  }
  return known ? false : undefined;
}

function allOf(terms: readonly Term[], scope: Scope): boolean | undefined {
  let known = true;
  for (const term of terms) {
    const result = term(scope);
    if (result === false) return false;
    if (result !== true) known = false;
  }
  return known ? true : undefined;
}

function valueOf(scope: Scope | undefined, name: string): unknown {
  for (let at = scope; at !== undefined; at = at.outer) if (at.name === name) return at.value;
  return undefined;
}
