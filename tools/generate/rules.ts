import { parse, type ASTNode } from '@marcbachmann/cel-js';
import { NotPlain, plainRegExp } from './patterns';
import { literal } from './typescript';
import type { CustomResourceDefinition, Schema } from './schema';

/** What a part of a rule gives: JSON of some kind, or something that only functions make. */
type Type = 'json' | 'bool' | 'int' | 'text' | 'quantity' | 'duration';

/** A part of a rule in TypeScript. */
interface Term {
  readonly code: string;
  readonly type: Type;
}

/** The rule has something that is not known here. */
class Untranslatable extends Error {}

/** What could not be made a function or an expression of JavaScript, and why. */
export interface LeftToEngine {
  readonly text: string;
  readonly reason: string;
}

/** The module that has the rules of a CRD as functions, and its patterns as expressions of JavaScript. */
export function compiledRules(
  crd: CustomResourceDefinition,
  notice: string,
): { readonly module: string; readonly left: readonly LeftToEngine[] } {
  const { rules, patterns } = textsOf(crd.spec.versions.map(({ schema }) => schema.openAPIV3Schema));
  const left: LeftToEngine[] = [];
  const translated = (texts: Iterable<string>, translate: (text: string) => string): readonly string[] =>
    [...texts].flatMap((text) => {
      try {
        return [`[${literal(text)}, ${translate(text)}],`];
      } catch (error) {
        if (!(error instanceof Untranslatable || error instanceof NotPlain)) throw error;
        left.push({ text, reason: error.message });
        return [];
      }
    });
  const translator = new Translator();
  const functions = translated(rules, (rule) => translator.rule(rule));
  const expressions = translated(patterns, (pattern) => `/${plainRegExp(pattern)}/u`);
  const module = [
    `// ${notice}`,
    `import * as cel from '../lib/composition/schema/compiled';`,
    ...translator.expressions,
    'export const compiled: cel.Compiled = {',
    `  rules: new Map<string, cel.RuleFunction>([\n    ${functions.join('\n    ')}\n  ]),`,
    `  patterns: new Map([\n    ${expressions.join('\n    ')}\n  ]),`,
    '};',
    '',
  ].join('\n');
  return { module, left };
}

/** All rules and patterns in schemas, each once. */
function textsOf(schemas: readonly Schema[]): { readonly rules: Set<string>; readonly patterns: Set<string> } {
  const rules = new Set<string>();
  const patterns = new Set<string>();
  const visit = (schema: Schema): void => {
    for (const { rule } of schema['x-kubernetes-validations'] ?? []) rules.add(rule);
    if (schema.pattern) patterns.add(schema.pattern);
    for (const child of [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties])
      if (child) visit(child);
  };
  for (const schema of schemas) visit(schema);
  return { rules, patterns };
}

/** Methods of texts, and what JavaScript calls them. */
const TEXT_METHODS = new Map([
  ['startsWith', 'startsWith'],
  ['endsWith', 'endsWith'],
  ['contains', 'includes'],
]);
const MACROS = ['all', 'exists', 'filter'];
/** Methods of quantities: what stands behind the receiver for the argument. */
const QUANTITY_METHODS = new Map<string, (argument: string) => Term>([
  ['isInteger', () => ({ code: '.asInteger() !== undefined', type: 'bool' })],
  ['isLessThan', (argument) => ({ code: `.compareTo(${argument}) < 0`, type: 'bool' })],
  ['isGreaterThan', (argument) => ({ code: `.compareTo(${argument}) > 0`, type: 'bool' })],
  ['compareTo', (argument) => ({ code: `.compareTo(${argument})`, type: 'int' })],
]);

/** Puts CEL into TypeScript, as far as our own rules use it. */
class Translator {
  readonly #names = new Map<string, string>();

  /** The declarations of the expressions that the rules match. */
  get expressions(): readonly string[] {
    return [...this.#names].map(([pattern, name]) => `const ${name} = /${plainRegExp(pattern)}/u;`);
  }

  /** The function of a rule. */
  rule(rule: string): string {
    return `(self) => ${this.#as('bool', parse(rule).ast)}`;
  }

  /** The code of a part that has to have a type. */
  #as(type: Type, node: ASTNode): string {
    const term = this.#term(node);
    if (term.type === type) return term.code;
    // All but a quantity and a duration are JSON
    if (type === 'json' && !['quantity', 'duration'].includes(term.type)) return term.code;
    if (term.type !== 'json' || !['bool', 'int', 'text'].includes(type))
      throw new Untranslatable(`${term.code} is ${term.type}, not ${type}`);
    return `cel.${type}(${term.code})`;
  }

  #term(node: ASTNode): Term {
    switch (node.op) {
      case 'value':
        return constant(node.args);
      case 'id':
        return { code: node.args, type: 'json' };
      case 'list':
        return { code: `[${node.args.map((item) => this.#as('json', item)).join(', ')}]`, type: 'json' };
      case 'map':
        if (node.args.length > 0) throw new Untranslatable('maps with content are not known');
        return { code: '{}', type: 'json' };
      case '.':
        return { code: `cel.at(${this.#as('json', node.args[0])}, ${literal(plainName(node.args[1]))})`, type: 'json' };
      case '[]':
        return this.#element(node.args[0], node.args[1]);
      case '!_':
        return { code: `!(${this.#as('bool', node.args)})`, type: 'bool' };
      case '&&':
      case '||':
        return { code: `(${node.args.map((side) => this.#as('bool', side)).join(` ${node.op} `)})`, type: 'bool' };
      case '?:':
        return this.#conditional(...node.args);
      case '==':
        return { code: this.#equal(...node.args), type: 'bool' };
      case '!=':
        return { code: `!${this.#equal(...node.args)}`, type: 'bool' };
      case 'in':
        return { code: `cel.isIn(${node.args.map((side) => this.#as('json', side)).join(', ')})`, type: 'bool' };
      case '+':
        return { code: `cel.sum(${node.args.map((side) => this.#as('int', side)).join(', ')})`, type: 'int' };
      case 'call':
        return this.#call(...node.args);
      case 'rcall':
        return this.#method(...node.args);
      case '<':
      case '<=':
      case '>':
      case '>=':
        return { code: node.args.map((side) => this.#as('int', side)).join(` ${node.op} `), type: 'bool' };
      default:
        throw new Untranslatable(`${node.op} is not known`);
    }
  }

  #element(container: ASTNode, key: ASTNode): Term {
    const { type, code } = this.#term(key);
    if (type === 'int') return { code: `cel.at(${this.#as('json', container)}, ${code})`, type: 'json' };
    return { code: `cel.at(${this.#as('json', container)}, ${this.#as('text', key)})`, type: 'json' };
  }

  #conditional(condition: ASTNode, yes: ASTNode, no: ASTNode): Term {
    const type = this.#term(yes).type === this.#term(no).type ? this.#term(yes).type : 'json';
    return { code: `(${this.#as('bool', condition)} ? ${this.#as(type, yes)} : ${this.#as(type, no)})`, type };
  }

  #equal(left: ASTNode, right: ASTNode): string {
    return `cel.equal(${this.#as('json', left)}, ${this.#as('json', right)})`;
  }

  #call(name: string, [argument, ...more]: readonly ASTNode[]): Term {
    if (argument === undefined || more.length > 0) throw new Untranslatable(`${name}() is not known`);
    if (name === 'has' && argument.op === '.') {
      const [object, key] = argument.args;
      return { code: `cel.has(${this.#as('json', object)}, ${literal(plainName(key))})`, type: 'bool' };
    }
    if (name === 'size') return { code: `cel.size(${this.#as('json', argument)})`, type: 'int' };
    if (name === 'string') return { code: `cel.string(${this.#as('json', argument)})`, type: 'text' };
    if (name === 'quantity') return { code: `cel.quantity(${this.#as('text', argument)})`, type: 'quantity' };
    if (name === 'duration') return { code: this.#as('text', argument), type: 'duration' };
    throw new Untranslatable(`${name}() is not known`);
  }

  #method(name: string, receiver: ASTNode, args: readonly ASTNode[]): Term {
    const [first, second] = args;
    if (MACROS.includes(name) && first?.op === 'id' && second !== undefined)
      return {
        code: `cel.${name}(${this.#as('json', receiver)}, (${first.args}) => ${this.#as('bool', second)})`,
        type: name === 'filter' ? 'json' : 'bool',
      };
    if (name === 'exists_one')
      return { code: `cel.size(${this.#method('filter', receiver, args).code}) === 1`, type: 'bool' };
    if (name === 'size') return { code: `cel.size(${this.#as('json', receiver)})`, type: 'int' };
    if (name === 'split')
      return {
        code: `cel.split(${[receiver, ...args].map((part, index) => this.#as(index < 2 ? 'text' : 'int', part)).join(', ')})`,
        type: 'json',
      };
    if (name === 'matches' && first?.op === 'value' && typeof first.args === 'string')
      return { code: `${this.#expression(first.args)}.test(${this.#as('text', receiver)})`, type: 'bool' };
    const method = TEXT_METHODS.get(name);
    if (method !== undefined && first !== undefined)
      return { code: `${this.#as('text', receiver)}.${method}(${this.#as('text', first)})`, type: 'bool' };
    if (name === 'getSeconds') return { code: `cel.seconds(${this.#as('duration', receiver)})`, type: 'int' };
    const behind = QUANTITY_METHODS.get(name)?.(first ? this.#as('quantity', first) : '');
    if (behind === undefined) throw new Untranslatable(`.${name}() is not known`);
    return { code: this.#as('quantity', receiver) + behind.code, type: behind.type };
  }

  /** The name of an expression. */
  #expression(pattern: string): string {
    plainRegExp(pattern);
    const name = this.#names.get(pattern) ?? `pattern${this.#names.size + 1}`;
    this.#names.set(pattern, name);
    return name;
  }
}

function constant(value: unknown): Term {
  if (typeof value === 'string') return { code: literal(value), type: 'text' };
  if (typeof value === 'boolean') return { code: `${value}`, type: 'bool' };
  if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) return { code: `${value}`, type: 'int' };
  throw new Untranslatable(`${String(value)} is not known`);
}

/** A name that stands for itself: CEL writes some names in another way. */
function plainName(name: string): string {
  if (name.includes('__')) throw new Untranslatable(`the name ${name} is not known`);
  return name;
}
