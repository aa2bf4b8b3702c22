import { storedVersion } from './crd';
import { kubernetesTypeNames } from './kubernetes-types';
import { originOf, settableFields } from './marks';
import { structuralDefinition } from './structural';
import { arrayOf, docComment, literal, mapOf, propertyName } from './typescript';
import type { CustomResourceDefinition, Origin, KubernetesDefinitions, Schema } from './schema';

/** `written` is what a user writes: a field with a default may be left out. `defaulted` is what the API server stores. */
type View = 'written' | 'defaulted';

/**
 * Plain JSON types of a custom resource. A field with a shape of Kubernetes' has the type of imports/k8s.ts; every other
 * object is an interface that is named after its path.
 */
export class ResourceTypes {
  /** declarations by name, in order of first use */
  readonly #declarations = new Map<string, string>();
  readonly #imports = new Set<string>();
  readonly #kubernetesNames;

  constructor(private readonly kubernetes: KubernetesDefinitions) {
    this.#kubernetesNames = kubernetesTypeNames(kubernetes);
  }

  /**
   * The TypeScript type of a schema. Declares the interfaces that it needs.
   * @param name of the interface, should one be needed
   */
  typeOf(schema: Schema, name: string, view: View = 'written'): string {
    if (schema['x-kubernetes-int-or-string']) return 'number | string';
    if (schema.enum) return schema.enum.map(literal).join(' | ');
    const origin = originOf(schema);
    if (origin && !origin.changed) return this.#kubernetesType(schema, origin);
    switch (schema.type) {
      case 'array':
        return schema.items ? arrayOf(this.typeOf(schema.items, singular(name), view)) : 'readonly unknown[]';
      case 'object':
        if (schema.properties) return this.#interface(schema, name, view);
        return mapOf(
          schema.additionalProperties ? this.typeOf(schema.additionalProperties, `${name}Value`, view) : 'unknown',
        );
      case 'integer':
      case 'number':
        return 'number';
      case 'string':
      case 'boolean':
        return schema.type;
      default:
        return 'unknown';
    }
  }

  /** The names that a type takes from imports/k8s.ts, sorted. */
  get imports(): readonly string[] {
    return [...this.#imports].toSorted();
  }

  get declarations(): string {
    return [...this.#declarations.values()].join('\n');
  }

  /** The definition's own type where the schema asks for no less than it, else an interface for the overlay. */
  #kubernetesType(schema: Schema, { definition, partial }: Origin): string {
    const name = this.#kubernetesNames.get(definition);
    if (name === undefined) throw new Error(`no type for the definition ${definition}`);
    if (partial && requirements(schema) !== requirements(structuralDefinition(this.kubernetes, definition))) {
      const doc = `${definition} as an overlay: what it would require may be left out.`;
      return this.#interface({ ...schema, description: doc }, `Partial${name}`, 'written');
    }
    this.#imports.add(name);
    return name;
  }

  /** @returns the interface's name */
  #interface(schema: Schema, name: string, view: View): string {
    if (view === 'defaulted' && hasDefaults(schema)) return this.#defaultedInterface(schema, name);
    if (this.#declarations.has(name)) return name;
    this.#declarations.set(name, ''); // keeps the place before those of the fields
    const fields = settableFields(schema).map(([field, value]) =>
      this.#field(name, field, value, 'written', schema.required?.includes(field) === true),
    );
    this.#declarations.set(
      name,
      `${docComment([schema.description])}export interface ${name} {\n${fields.join('')}}\n`,
    );
    return name;
  }

  /**
   * The same interface with what defaults change about it.
   * @returns the interface's name
   */
  #defaultedInterface(schema: Schema, name: string): string {
    const full = `Defaulted${name}`;
    if (this.#declarations.has(full)) return full;
    this.#declarations.set(full, '');
    const changed = settableFields(schema).filter(([, value]) => value.default !== undefined || hasDefaults(value));
    const fields = changed.map(([field, value]) => {
      const required = value.default !== undefined || schema.required?.includes(field) === true;
      return this.#field(name, field, value, 'defaulted', required);
    });
    const base = `Omit<${this.#interface(schema, name, 'written')}, ${changed.map(([field]) => literal(field)).join(' | ')}>`;
    const doc = docComment([`{@link ${name}} as the API server stores it: defaults are filled in.`]);
    this.#declarations.set(full, `${doc}export interface ${full} extends ${base} {\n${fields.join('')}}\n`);
    return full;
  }

  #field(owner: string, name: string, schema: Schema, view: View, required: boolean): string {
    const type = this.typeOf(schema, owner + name.charAt(0).toUpperCase() + name.slice(1), view);
    return `${docComment(fieldDoc(schema), '  ')}  readonly ${propertyName(name)}${required ? '' : '?'}: ${type};\n`;
  }
}

/** imports/inference-service.ts: the custom resource as a user writes it and as the API server stores it. */
export function resourceTypes(
  kubernetes: KubernetesDefinitions,
  crd: CustomResourceDefinition,
  notice: string,
): string {
  const { kind } = crd.spec.names;
  const types = new ResourceTypes(kubernetes);
  const version = storedVersion(crd);
  const { spec, status } = version.schema.openAPIV3Schema.properties ?? {};
  if (!spec || !status) throw new Error(`${crd.metadata.name}: the schema has no spec or status`);
  const written = types.typeOf(spec, `${kind}Spec`);
  const defaulted = types.typeOf(spec, `${kind}Spec`, 'defaulted');
  const statusType = types.typeOf(status, `${kind}Status`);
  const resource = (name: string, specType: string, doc: readonly string[]): string =>
    `${docComment(doc)}export interface ${name} {\n` +
    `  readonly apiVersion: '${crd.spec.group}/${version.name}';\n  readonly kind: '${kind}';\n` +
    `  readonly metadata: ObjectMeta & { readonly name: string };\n` +
    `  readonly spec: ${specType};\n  readonly status?: ${statusType};\n}\n`;
  const { description = '' } = version.schema.openAPIV3Schema;
  const roots = [
    resource(`${kind}Resource`, written, [description]),
    resource(`Defaulted${kind}Resource`, defaulted, [
      `{@link ${kind}Resource} as the API server stores it: defaults are filled in.`,
    ]),
  ];
  const imports = [...new Set(['ObjectMeta', ...types.imports])].toSorted();
  return (
    `// ${notice}\n\nimport type {\n${imports.map((name) => `  ${name},\n`).join('')}} from './k8s';\n\n` +
    `${roots.join('\n')}\n${types.declarations}`
  );
}

/**
 * Description and default of a field. A default that depends on other fields cannot stand in the schema: it ends the
 * description, as "Default is ...".
 */
function fieldDoc({ description = '', default: value }: Schema): (string | undefined)[] {
  if (value !== undefined) return [description, `@default ${JSON.stringify(value)}`];
  const [text, computed] = description.split(/\s*\bDefault is (?=[^]+$)/);
  return [text || undefined, computed && `@default ${computed.replace(/\.$/, '')}`];
}

/** @returns whether the type differs once defaults are filled in */
function hasDefaults(schema: Schema): boolean {
  const origin = originOf(schema);
  if (origin && !origin.changed) return false;
  return [...settableFields(schema).map(([, field]) => field), schema.items, schema.additionalProperties].some(
    (part) => part && (part.default !== undefined || hasDefaults(part)),
  );
}

/** What a schema requires, at every depth, in a form that can be compared. */
function requirements(schema: Schema): string {
  return JSON.stringify(schema, (key, value) => {
    if (key === 'description' || key === 'default') return undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/**
 * @param name of a list
 * @returns of one of its items
 */
function singular(name: string): string {
  return name.endsWith('s') ? name.slice(0, -1) : `${name}Item`;
}
