import { App, Chart } from 'cdk8s';
import { stringify } from 'yaml';
import { Inferno, type InfernoProps } from '../lib/install';
import { MOST_REPLICAS } from '../lib/install/check';
import { FURTHER_FLAGS, RESERVED_VARIABLES } from '../lib/install/arguments';
import { SETTINGS } from '../lib/settings/settings';
import { LOG_LEVELS } from '../lib/settings/types';
import { rules, type TextRule } from '../lib/install/rules';

/** JSON Schema, as far as values need it. */
interface Schema {
  readonly properties?: { readonly [name: string]: Schema | false };
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** A value of the chart: what it says where nobody sets it, what it may be, and the prop that it becomes. */
interface Value {
  readonly path: string;
  readonly value: unknown;
  readonly schema: Schema;
  /** Its doc comment describes the value. */
  readonly prop?: keyof InfernoProps;
  /** Stands instead of the prop's doc comment, or behind it. */
  readonly note?: string;
}

const boolean: Schema = { type: 'boolean' };
const text: Schema = { type: 'string' };
const textAs = ({ pattern }: TextRule): Schema => ({ ...text, pattern });
const object: Schema = { type: 'object' };
const objects: Schema = { type: 'array', items: object };
const quantity: Schema = { type: ['string', 'number'], pattern: rules.quantity.pattern, minimum: 0 };
const quantities: Schema = { type: 'object', additionalProperties: quantity };
const annotations: Schema = {
  type: 'object',
  patternProperties: { [rules.annotationKey.pattern]: text },
  additionalProperties: false,
};
const labels: Schema = {
  type: 'object',
  patternProperties: { [rules.labelKey.pattern]: textAs(rules.labelValue) },
  additionalProperties: false,
};
const named = (rule: TextRule): Schema => ({ type: 'object', required: ['name'], properties: { name: textAs(rule) } });

/** A flag of the operator that the chart does not give itself, or its value. */
const furtherFlag: Schema = {
  ...text,
  pattern: `^(${FURTHER_FLAGS.map((flag) => (flag.startsWith('--') ? `${flag}(=|$)` : flag)).join('|')}|[^-])`,
};

/** A variable that does not say what such a flag says. */
const furtherVariable: Schema = {
  type: 'object',
  required: ['name'],
  properties: { name: { ...textAs(rules.variable), not: { enum: RESERVED_VARIABLES } }, value: text },
};

/** Labels beside those that select the pods. Not by propertyNames, of which Helm reports a wrong place. */
function furtherLabels(): Schema {
  return { ...labels, properties: Object.fromEntries(Object.keys(defaults().labels).map((key) => [key, false])) };
}

/** All values, in the order of `values.yaml`. */
function allValues(): readonly Value[] {
  const { image, resources } = defaults();
  const [repository = ''] = image.split(/:(?=[^/]*$)/);
  return [
    { path: 'image.repository', value: repository, schema: textAs(rules.repository), prop: 'image' },
    { path: 'image.tag', value: '', schema: textAs(rules.tag), note: "Empty: the chart's appVersion." },
    {
      path: 'image.digest',
      value: '',
      schema: textAs(rules.digest),
      note: 'Such as sha256:…; it stands instead of the tag.',
    },
    {
      path: 'image.pullPolicy',
      value: '',
      schema: { enum: ['', 'Always', 'IfNotPresent', 'Never'] },
      prop: 'imagePullPolicy',
      note: 'Empty: as Kubernetes decides.',
    },
    {
      path: 'imagePullSecrets',
      value: [],
      schema: { type: 'array', items: named(rules.objectName) },
      prop: 'imagePullSecrets',
      note: 'Such as [{ name: pull }].',
    },
    { path: 'replicas', value: 1, schema: { type: 'integer', minimum: 0, maximum: MOST_REPLICAS }, prop: 'replicas' },
    {
      path: 'watchNamespaces',
      value: [],
      schema: { type: 'array', items: textAs(rules.namespace) },
      prop: 'watchNamespaces',
      note: 'Empty: all.',
    },
    { path: 'logLevel', value: SETTINGS.logLevel.default, schema: { enum: LOG_LEVELS }, prop: 'logLevel' },
    {
      path: 'resources',
      value: resources,
      schema: { type: 'object', properties: { requests: quantities, limits: quantities } },
      prop: 'resources',
    },
    { path: 'priorityClass.create', value: true, schema: boolean, prop: 'priorityClass' },
    {
      path: 'priorityClassName',
      value: '',
      schema: { anyOf: [{ enum: [''] }, textAs(rules.objectName)] },
      prop: 'priorityClassName',
    },
    { path: 'podDisruptionBudget.enabled', value: true, schema: boolean, prop: 'podDisruptionBudget' },
    { path: 'networkPolicy.enabled', value: true, schema: boolean, prop: 'networkPolicy' },
    { path: 'monitoring.enabled', value: false, schema: boolean, prop: 'monitoring' },
    { path: 'monitoring.labels', value: {}, schema: furtherLabels(), prop: 'monitoringLabels' },
    {
      path: 'crds.install',
      value: true,
      schema: boolean,
      prop: 'crds',
      note: 'They stay when the release is uninstalled.',
    },
    { path: 'nodeSelector', value: {}, schema: labels, prop: 'nodeSelector' },
    { path: 'tolerations', value: [], schema: objects, prop: 'tolerations' },
    { path: 'affinity', value: {}, schema: object, prop: 'affinity' },
    {
      path: 'topologySpreadConstraints',
      value: [],
      schema: objects,
      prop: 'topologySpreadConstraints',
      note: 'Empty: over nodes where there is a choice, if there are several.',
    },
    { path: 'podLabels', value: {}, schema: furtherLabels(), prop: 'podLabels' },
    { path: 'podAnnotations', value: {}, schema: annotations, prop: 'podAnnotations' },
    { path: 'args', value: [], schema: { type: 'array', items: furtherFlag }, prop: 'args' },
    { path: 'env', value: [], schema: { type: 'array', items: furtherVariable }, prop: 'env' },
  ];
}

/** What the construct renders without props. */
function defaults(): Defaults {
  const inferno = new Inferno(new Chart(new App(), 'inferno'), 'inferno');
  const { metadata, spec } = inferno.deployment.manifest.spec?.template ?? {};
  const [container] = spec?.containers ?? [];
  if (container?.image === undefined) throw new Error('the operator has no container with an image');
  return { image: container.image, resources: container.resources, labels: metadata?.labels ?? {} };
}

interface Defaults {
  readonly image: string;
  readonly resources: unknown;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * The chart's `values.yaml`.
 *
 * @param docs what the props' doc comments say
 */
export function valuesYaml(docs: ReadonlyMap<string, string>): string {
  const lines: string[] = [];
  let open: string | undefined;
  for (const { path, value, prop, note } of allValues()) {
    const [first = '', second] = path.split('.');
    const indent = second === undefined ? '' : '  ';
    if (second === undefined || first !== open) lines.push('');
    if (second !== undefined && first !== open) lines.push(`${first}:`);
    open = first;
    lines.push(
      ...comment(
        [...(prop === undefined ? [] : [docOf(prop, docs)]), ...((note ?? []).length > 0 ? [note ?? ''] : [])].join(
          ' ',
        ),
        indent,
      ),
    );
    const written = stringify({ [second ?? first]: value }, { lineWidth: 0, defaultStringType: 'PLAIN' }).trimEnd();
    lines.push(...written.split('\n').map((line) => `${indent}${line}`));
  }
  return `# Made from the construct Inferno of cdk8s-inferno, which describes all of it.\n${lines.join('\n')}\n`;
}

function docOf(prop: string, docs: ReadonlyMap<string, string>): string {
  const doc = docs.get(prop);
  if (doc === undefined) throw new Error(`the prop ${prop} has no doc comment`);
  return doc;
}

/** Lines of a comment, none of them too long. */
function comment(words: string, indent: string): readonly string[] {
  const lines: string[] = [];
  for (const word of words.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || indent.length + last.length + 1 + word.length > 118) lines.push(`# ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.map((line) => `${indent}${line}`);
}

/** The chart's `values.schema.json`: what is misspelt or of a wrong type is refused by Helm. */
export function valuesSchema(): string {
  const properties: Record<string, Schema> = {};
  const required = new Set<string>();
  for (const { path, schema, value } of allValues()) {
    const [first = '', second] = path.split('.');
    const isNeeded = !mayBeGone(path, value);
    properties[first] =
      second === undefined ? schema : withMember(properties[first], { name: second, schema, isNeeded });
    if (second !== undefined || isNeeded) required.add(first);
  }
  // Helm hands it to every chart that is part of another.
  properties['global'] = object;
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    additionalProperties: false,
    required: [...required],
    properties,
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

/**
 * Whether a value may be taken away with null, as Helm lets a user do: none is the same as an empty one. Where it is not,
 * a switch would be turned without a word, or 0 operators run.
 */
function mayBeGone(path: string, value: unknown): boolean {
  const isEmpty = value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  // The templates go through these.
  return isEmpty && path !== 'watchNamespaces';
}

interface Member {
  readonly name: string;
  readonly schema: Schema;
  readonly isNeeded: boolean;
}

function withMember(parent: Schema | undefined, { name, schema, isNeeded }: Member): Schema {
  const before = parent?.required ?? [];
  const required = isNeeded ? [...before, name] : before;
  return {
    type: 'object',
    additionalProperties: false,
    required,
    properties: { ...parent?.properties, [name]: schema },
  };
}
