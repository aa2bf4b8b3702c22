import { storedVersion } from './crd';
import { originOf, settableFields } from './marks';
import type { CustomResourceDefinition, KubernetesDefinitions, Schema } from './schema';

/** docs/api.md: a table for each object of a custom resource, with its rules. */
export function apiReference(kubernetes: KubernetesDefinitions, crd: CustomResourceDefinition, notice: string): string {
  const version = storedVersion(crd);
  const { kind, plural, shortNames = [] } = crd.spec.names;
  const { openAPIV3Schema: schema } = version.schema;
  const reference = new Reference(kubernetes.kubernetes);
  const { spec, status } = schema.properties ?? {};
  return [
    `<!-- ${notice} -->`,
    `# ${kind}`,
    schema.description,
    `\`apiVersion: ${crd.spec.group}/${version.name}\`, \`kind: ${kind}\`. ` +
      `For kubectl: \`${[plural, ...shortNames].join('` or `')}\`; \`kubectl explain ${plural}.spec\` shows what this page says.`,
    'Types that are links without a section here are Kubernetes’ own, with its names and shapes. A field that does not ' +
      'exist is refused, as is everything that breaks a rule; the message of a rule names the field.',
    rules(schema),
    ...(spec ? reference.sections('spec', spec) : []),
    ...(status ? reference.sections('status', status) : []),
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n');
}

/** Sections of one page, for one version of Kubernetes. */
class Reference {
  readonly #kubernetes;

  /** @param kubernetes such as v1.37.2 */
  constructor(kubernetes: string) {
    this.#kubernetes = kubernetes.split('.').slice(0, 2).join('.');
  }

  /** The section of an object, and those of the objects in it. */
  sections(path: string, schema: Schema): string[] {
    const fields = settableFields(schema);
    const rows = fields.map(([name, field]) => [
      `\`${name}\``,
      this.#type(`${path}.${name}`, field),
      schema.required?.includes(name) ? 'yes' : '',
      field.default === undefined ? '' : code(JSON.stringify(field.default)),
      field.description ?? '',
    ]);
    return [
      `## ${path}`,
      schema.description ?? '',
      table(['Field', 'Type', 'Required', 'Default', 'Description'], rows),
      rules(schema),
      ...fields.flatMap(([name, field]) => {
        const [childPath, child] = field.items ? [`${path}.${name}[]`, field.items] : [`${path}.${name}`, field];
        return hasSection(child) ? this.sections(childPath, child) : [];
      }),
    ];
  }

  #type(path: string, schema: Schema): string {
    if (schema.enum) return schema.enum.map((value) => code(String(value))).join(', ');
    if (schema['x-kubernetes-int-or-string']) return schema.pattern ? 'quantity' : 'integer or string';
    if (schema.items) {
      const keys = schema['x-kubernetes-list-map-keys'];
      const type = `list of ${this.#type(`${path}[]`, schema.items)}`;
      return sentence(type, atMost(schema.maxItems, 'items'), keys && `one for each ${keys.map(code).join(' and ')}`);
    }
    if (hasSection(schema)) return `[object](#${anchor(path)})`;
    const origin = originOf(schema);
    if (origin) return this.#link(origin.definition);
    if (schema.additionalProperties) {
      const type = `map of string to ${this.#type(path, schema.additionalProperties)}`;
      return sentence(type, atMost(schema.maxProperties, 'keys'));
    }
    const limits = sentence(range(schema), length(schema), schema.pattern && `matching ${code(schema.pattern)}`);
    return `${schema.format === 'date-time' ? 'time' : schema.type}${limits && ` (${limits})`}`;
  }

  /** @param id full name of a definition */
  #link(id: string): string {
    const [name = '', version = '', group = ''] = id.split('.').toReversed();
    const host = 'https://kubernetes.io/docs/reference/generated/kubernetes-api';
    return `[${name}](${host}/${this.#kubernetes}/#${name.toLowerCase()}-${version}-${group})`;
  }
}

/** @returns whether this page describes its fields */
function hasSection(schema: Schema): boolean {
  const origin = originOf(schema);
  return schema.properties !== undefined && (origin === undefined || origin.changed);
}

function range({ minimum, maximum }: Schema): string | undefined {
  if (minimum === undefined) return maximum === undefined ? undefined : `${maximum} or less`;
  return maximum === undefined ? `${minimum} or more` : `${minimum} to ${maximum}`;
}

function length({ minLength = 0, maxLength }: Schema): string | undefined {
  if (minLength === 0 || maxLength === undefined) return atMost(maxLength, 'characters');
  return `${minLength} to ${maxLength} characters`;
}

function atMost(count: number | undefined, unit: string): string | undefined {
  return count === undefined ? undefined : `at most ${count} ${unit}`;
}

function sentence(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(', ');
}

function rules(schema: Schema): string {
  const rows = (schema['x-kubernetes-validations'] ?? []).map(({ rule, message = '', fieldPath = '' }) => [
    fieldPath && code(fieldPath.slice(1)),
    message,
    code(rule),
  ]);
  return rows.length > 0 ? table(['Field', 'Rule', 'In CEL'], rows) : '';
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const escaped = rows.map((row) => line(row.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' '))));
  return [line(head), line(head.map(() => '---')), ...escaped].join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}

/** The anchor that GitHub gives a heading. */
function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}
