import type { Environment } from '../../vendor/cel';
import { Library } from './cel-library';
import { prepare, usesOldSelf } from './cel-source';
import type { CelTypes } from './cel-values';
import type { RuleFunction } from './compiled';
import type { Json, ValidationRule } from './types';

/** What came of a rule. */
export type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed' }
  /** It could not be evaluated on this value, which is a failure. */
  | { readonly kind: 'error'; readonly message: string }
  /** The engine cannot evaluate it at all, so nothing is known. */
  | { readonly kind: 'unsupported'; readonly message: string };

interface Engine {
  readonly environment: Environment;
  readonly types: CelTypes;
  readonly library: Library;
}

let engine: Engine | undefined;

/** The engine, loaded when the first rule needs it: most of the time that a first validation takes goes into this. */
function theEngine(): Engine {
  if (engine !== undefined) return engine;
  // oxlint-disable-next-line typescript/no-require-imports, typescript/no-unsafe-type-assertion
  const cel = require('../../vendor/cel') as typeof import('../../vendor/cel');
  const environment = new cel.Environment({ enableOptionalTypes: true });
  const zero: unknown = environment.evaluate("duration('0s')");
  if (typeof zero !== 'object' || zero === null) throw new TypeError('the CEL engine has no durations');
  const { constructor: Duration } = zero;
  const types: CelTypes = {
    duration(nanoseconds) {
      // Seconds are rounded down, so that the nanoseconds are never negative: the engine adds and compares those rightly.
      const nanos = ((nanoseconds % BILLION) + BILLION) % BILLION;
      return Reflect.construct(Duration, [(nanoseconds - nanos) / BILLION, Number(nanos)]);
    },
  };
  environment.registerVariable('self', 'dyn').registerVariable('oldSelf', 'dyn');
  engine = { environment, types, library: new Library(environment, types) };
  return engine;
}

const BILLION = 1_000_000_000n;

/** Makers of CEL values, by the engine. */
export const celTypes: CelTypes = { duration: (nanoseconds) => theEngine().types.duration(nanoseconds) };

type Program = ReturnType<Environment['parse']>;

/** A function that is computed once for each rule. */
function perRule<T>(compute: (rule: ValidationRule) => T): (rule: ValidationRule) => T {
  const results = new WeakMap<ValidationRule, { readonly value: T }>();
  return (rule) => {
    let result = results.get(rule);
    if (result === undefined) results.set(rule, (result = { value: compute(rule) }));
    return result.value;
  };
}

const ruleProgram = perRule(({ rule }) => compile(rule));
const messageProgram = perRule(({ messageExpression = '' }) => compile(messageExpression));

function compile(text: string): Program | Error {
  const { environment, library } = theEngine();
  const source = prepare(text);
  try {
    library.need(source.functions);
    return environment.parse(source.text);
  } catch (error) {
    return asError(error);
  }
}

let none: { readonly value: unknown } | undefined;

/** The former state of an object that is only being made. */
const noOldSelf = (): unknown => (none ??= { value: theEngine().environment.evaluate('optional.none()') }).value;

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** The first line; the engine's messages go on with a picture of the rule. */
const summary = (error: Error): string => error.message.split('\n')[0] ?? '';

/** Whether a create runs the rule: one that compares with the former state runs only if that is optional. */
export function runsOnCreate(rule: ValidationRule): boolean {
  if (rule.rule.trim() === '') return false;
  return rule.optionalOldSelf === true || !usesOldSelf(rule.rule);
}

/** Runs a program of a rule on a value; the result is a CEL value. */
function run(program: Program | Error, rule: ValidationRule, self: unknown): { readonly value: unknown } | Outcome {
  if (program instanceof Error) return { kind: 'unsupported', message: summary(program) };
  try {
    const optional = rule.optionalOldSelf === true;
    return { value: program(optional ? { self, oldSelf: noOldSelf() } : { self }) };
  } catch (caught) {
    const message = summary(asError(caught));
    // Kubernetes has compiled the rule, so if the engine cannot, the fault is the engine's and not the value's.
    return { kind: program.check().valid ? 'error' : 'unsupported', message };
  }
}

const PASSED: Outcome = { kind: 'passed' };
const FAILED: Outcome = { kind: 'failed' };

/** Runs a rule in the engine, on a CEL value. */
export function runRule(rule: ValidationRule, self: unknown): Outcome {
  const result = run(ruleProgram(rule), rule, self);
  if (!('value' in result)) return result;
  return result.value === true ? PASSED : FAILED;
}

/** Runs a rule as a function, on a value of JSON; undefined where the engine has to say what comes of it. */
export function runFunction(rule: RuleFunction, self: Json): Outcome | undefined {
  try {
    return rule(self) ? PASSED : FAILED;
  } catch {
    return undefined;
  }
}

/** What a failed rule has to say: its messageExpression, if that gives a proper line of text, else its message. */
export function failureMessage(rule: ValidationRule, self: () => unknown): string {
  const expression = rule.messageExpression ?? '';
  if (expression !== '') {
    const result = run(messageProgram(rule), rule, self());
    const text = 'value' in result && typeof result.value === 'string' ? result.value.trim() : '';
    if (text !== '' && !text.includes('\n')) return text;
  }
  const message = rule.message?.trim() ?? '';
  return message === '' ? `fails the rule ${rule.rule.trim()}` : message;
}
