import crd from '../../imports/inferenceservice.crd.json';
import { compiled } from '../../imports/inferenceservice.rules';
import type { Json, JsonObject, JsonSchema } from '../../lib/composition/schema';
import { celTypes, runFunction, runRule } from '../../lib/composition/schema/cel';
import { celValue } from '../../lib/composition/schema/cel-values';
import { NOTHING_COMPILED } from '../../lib/composition/schema/compiled';
import { Errors } from '../../lib/composition/schema/errors';
import { isObject } from '../../lib/composition/objects';
import { goRegExp } from '../../lib/composition/schema/re2';
import { validate } from '../../lib/composition/schema/validate';
import { generate } from '../parity/generate';
import { Random } from '../parity/random';
import { SERVICES } from '../parity/services';

const SCHEMA: JsonSchema = crd.spec.versions[0]?.schema.openAPIV3Schema ?? {};

/** Schemas of a resource's parts, with their values. */
function parts(value: Json | undefined, schema: JsonSchema): readonly (readonly [Json, JsonSchema])[] {
  if (value === undefined || value === null) return [];
  const children = isObject(value)
    ? Object.keys(value).map((key) => [value[key], schema.properties?.[key] ?? schema.additionalProperties] as const)
    : Array.isArray(value)
      ? value.map((item) => [item, schema.items] as const)
      : [];
  return [[value, schema], ...children.flatMap(([child, its]) => (typeof its === 'object' ? parts(child, its) : []))];
}

/** Whether rules are run on a value at all: only if its types are right. */
function canBeRun(value: Json, schema: JsonSchema): boolean {
  const errors = new Errors();
  validate(value, schema, { errors, path: [], compiled: NOTHING_COMPILED });
  return !errors.blockedBelow([]);
}

const random = new Random(20_260_101);
const RESOURCES: readonly JsonObject[] = Array.from({ length: 1_500 }, () => generate(SERVICES, SCHEMA, random));
const PARTS = RESOURCES.flatMap((resource) => parts(resource, SCHEMA));

test('a rule gives the same as a function and in the engine, for each kind of value', () => {
  const decided = new Map<string, Set<string>>();
  const differences: string[] = [];
  for (const [value, schema] of PARTS.filter(([part, its]) => canBeRun(part, its)))
    for (const rule of schema['x-kubernetes-validations'] ?? []) {
      const run = compiled.rules.get(rule.rule);
      const outcome = run && runFunction(run, value);
      if (outcome === undefined) continue;
      const engine = runRule(rule, celValue(value, schema, celTypes, schema === SCHEMA));
      if (engine.kind !== outcome.kind)
        differences.push(`${rule.rule} of ${JSON.stringify(value)}: ${outcome.kind}, engine: ${engine.kind}`);
      decided.set(rule.rule, (decided.get(rule.rule) ?? new Set()).add(outcome.kind));
    }
  expect(differences.slice(0, 10)).toEqual([]);
  expect([...decided.values()].filter((kinds) => kinds.has('passed')).length).toBeGreaterThan(100);
  expect([...decided.values()].filter((kinds) => kinds.has('failed')).length).toBeGreaterThan(60);
});

test('a pattern matches the same in JavaScript and in RE2', () => {
  const texts = [...new Set(PARTS.flatMap(([value]) => (typeof value === 'string' ? [value] : [])))];
  const hostile = [
    '',
    '\n',
    'a\n',
    '\u2028',
    '\u00a0',
    '😀',
    '\v',
    'é',
    '-',
    'a'.repeat(70),
    '/'.repeat(70),
    '..',
    'a/../b',
  ];
  const differences = [...compiled.patterns].flatMap(([pattern, expression]) =>
    [...texts, ...hostile]
      .filter((text) => expression.test(text) !== goRegExp(pattern).test(text))
      .map((text) => ({ pattern, text })),
  );
  expect(differences).toEqual([]);
  expect(texts.length).toBeGreaterThan(200);
});

test('neither of the engines is loaded for an InferenceService, right or wrong', () => {
  const loaded: string[] = [];
  for (const name of ['cel', 're2'])
    jest.doMock(`../../lib/vendor/${name}`, () => {
      loaded.push(name);
      return jest.requireActual<object>(`../../lib/vendor/${name}`);
    });
  jest.isolateModules(() => {
    // oxlint-disable-next-line typescript/no-require-imports
    const { inferenceServiceComposition } = require('../../lib/inference') as typeof import('../../lib/inference');
    const { schema } = inferenceServiceComposition;
    expect(SERVICES.filter((service) => !schema.admit(service).valid)).toEqual([]);
    const wrong = SERVICES.map((service) => ({
      ...service,
      spec: { ...(service['spec'] as JsonObject), port: 8001, argsPolicy: 'Replace' },
    }));
    expect(wrong.filter((service) => !schema.admit(service).valid)).not.toEqual([]);
  });
  expect(loaded).toEqual([]);
});
