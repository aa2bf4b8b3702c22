import { engines } from '../../lib/inference/engines/index';
import type { Engine } from '../../lib/inference/engines/engine';
import type { Rule } from './schema';

/** What the items `$engines: …` of a list in crds/src stand for. */
const meanings = {
  /** The values of spec.model.framework. */
  names: () => Object.keys(engines),
  /** Rules of spec.model. */
  uris: () => eachEngine(uriRule),
  /** Rules of spec. */
  reservedFlags: () => eachEngine(flagRule),
};

const eachEngine = (ruleOf: (name: string, engine: Engine) => readonly Rule[]): readonly Rule[] =>
  Object.entries(engines).flatMap(([name, engine]) => ruleOf(name, engine));

/** A copy of a source in which everything that an engine's own file says is filled in. */
export function withEngines<T>(source: T): T {
  return JSON.parse(JSON.stringify(source), (_key, value: unknown) =>
    Array.isArray(value) ? value.flatMap(meaningOf) : value,
  ) as T;
}

function meaningOf(item: unknown): unknown {
  if (typeof item !== 'object' || item === null || !('$engines' in item)) return item;
  const found = Object.entries(meanings).find(([name]) => name === item.$engines);
  if (found === undefined)
    throw new Error(
      `$engines: ${JSON.stringify(item.$engines)} is not known; known are ${Object.keys(meanings).join(', ')}`,
    );
  return found[1]();
}

function uriRule(name: string, { uris }: Engine): readonly Rule[] {
  if (uris === 'any') return [];
  const schemes = uris.filter((uri) => uri.endsWith('://'));
  const paths = uris.filter((uri) => !schemes.includes(uri));
  const pattern = `^(${schemes.map((scheme) => scheme.replace('://', '')).join('|')})://`;
  return [
    {
      rule: [
        `self.framework != '${name}'`,
        `self.uri.matches('${pattern}')`,
        ...paths.map((path) => `self.uri.startsWith('${path}')`),
      ].join(' || '),
      message: `framework ${name} loads ${[schemes.join(', '), ...paths.map(() => 'an absolute path')].join(' or ')}`,
      fieldPath: '.uri',
    },
  ];
}

function flagRule(name: string, { reservedFlags }: Engine): readonly Rule[] {
  if (reservedFlags === undefined) return [];
  const { names, beginnings = [], message } = reservedFlags;
  const conditions = [
    ...beginnings.map((beginning) => `!a.startsWith('${beginning}')`),
    `!(a.split('=', 2)[0] in [${names.map((flag) => `'${flag}'`).join(', ')}])`,
  ];
  return [
    {
      rule:
        `self.model.framework != '${name}' || !has(self.args) || ` +
        "(has(self.argsPolicy) ? self.argsPolicy == 'Replace' : has(self.command)) || " +
        `self.args.all(a, ${conditions.join(' && ')})`,
      message,
      fieldPath: '.args',
    },
  ];
}
