import { celTypes, failureMessage, runFunction, runRule, runsOnCreate } from './cel';
import { celName, celValue } from './cel-values';
import { schemaOf, type Walk } from './defaults';
import { isObject, own } from '../objects';
import { anywhere, memo } from './memo';
import { show } from './messages';
import type { Json, JsonSchema, ValidationRule } from './types';

const NO_RULES: readonly ValidationRule[] = [];

/** The rules of a schema that a create runs. */
const rulesOf = memo((schema) => (schema['x-kubernetes-validations'] ?? NO_RULES).filter(runsOnCreate));

/** Whether there is a rule in the schema or below it. */
const hasRules = anywhere((schema) => (schema['x-kubernetes-validations'] ?? NO_RULES).length > 0);

/** A value on which rules are run. */
interface Node {
  readonly value: Json;
  /** The schema that says what the value is. */
  readonly schema: JsonSchema;
  /** The CEL value, made when a rule needs it. */
  readonly self: () => unknown;
}

/** Runs all rules of a resource that the API server would run on a create. */
export function checkRules(resource: Json, schema: JsonSchema, walk: Walk): void {
  if (!hasRules(schema)) return;
  visit({ value: resource, schema, self: lazily(() => celValue(resource, schema, celTypes, true)) }, schema, walk);
}

function lazily(make: () => unknown): () => unknown {
  let made: { readonly value: unknown } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** `rules` is the schema itself or a part of its allOf, which has rules but no types. */
function visit(node: Node, rules: JsonSchema, walk: Walk): void {
  const { value, schema } = node;
  if (value === null || !hasRules(rules)) return;
  const here = rulesOf(rules);
  // A rule has nothing sensible to look at where types are wrong or fields are missing; the API server would run none.
  if (here.length > 0 && (walk.errors.empty || !walk.errors.blockedBelow(walk.path)))
    for (const rule of here) check(rule, node, walk);
  for (const part of rules.allOf ?? []) visit(node, part, walk);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      if (rules.items !== undefined && hasRules(rules.items))
        descend(index, item, schema.items, rules.items, childOf(node, index), walk);
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const childRules = schemaOf(key, rules);
      if (childRules !== undefined && hasRules(childRules))
        descend(key, value[key] ?? null, schemaOf(key, schema), childRules, childOf(node, key), walk);
    }
  }
}

function descend(
  segment: string | number,
  value: Json,
  schema: JsonSchema | undefined,
  rules: JsonSchema,
  self: (schema: JsonSchema) => unknown,
  walk: Walk,
): void {
  if (schema === undefined) return;
  walk.path.push(segment);
  visit({ value, schema, self: lazily(() => self(schema)) }, rules, walk);
  walk.path.pop();
}

/** The CEL value of a child: taken out of the parent's, so that nothing is converted twice. */
function childOf(node: Node, segment: string | number): (schema: JsonSchema) => unknown {
  return (schema) => {
    const parent = node.self();
    if (typeof segment === 'number' && Array.isArray(parent)) {
      const items: readonly unknown[] = parent;
      return items[segment];
    }
    if (typeof segment === 'string' && parent instanceof Map) {
      const name = node.schema.properties === undefined ? segment : celName(segment);
      if (name !== undefined && parent.has(name)) return parent.get(name);
    }
    const child = typeof segment === 'string' && isObject(node.value) ? own(node.value, segment) : undefined;
    return celValue(child ?? null, schema, celTypes);
  };
}

function check(rule: ValidationRule, node: Node, walk: Walk): void {
  const compiled = walk.compiled.rules.get(rule.rule);
  const outcome = (compiled && runFunction(compiled, node.value)) ?? runRule(rule, node.self());
  if (outcome.kind === 'passed') return;
  if (outcome.kind === 'failed') {
    const path = fieldPath(rule.fieldPath);
    const value = path.reduce<Json | undefined>((at, key) => (isObject(at) ? own(at, key) : undefined), node.value);
    const scalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    walk.errors.add(
      [...walk.path, ...path],
      'rule',
      `${failureMessage(rule, node.self)}${scalar ? `, got ${show(value)}` : ''}`,
    );
  } else if (outcome.kind === 'error') {
    // What the rule could not make sense of has been reported, and more plainly.
    if (walk.errors.anyBelow(walk.path)) return;
    walk.errors.add(walk.path, 'rule', `cannot be checked by the rule ${rule.rule.trim()}: ${outcome.message}`);
  } else {
    walk.errors.add(
      walk.path,
      'unchecked',
      `has a rule that cannot be checked offline, only by the API server: ${rule.rule.trim()}: ${outcome.message}`,
    );
  }
}

/** The keys of a rule's fieldPath, `.a['b.c']`. */
function fieldPath(path: string | undefined): readonly string[] {
  return [...(path ?? '').matchAll(/\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/g)].map(
    ([, name, quoted]) => name ?? (quoted ?? '').replace(/\\(.)/g, '$1'),
  );
}
