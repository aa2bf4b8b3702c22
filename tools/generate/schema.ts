/** A CEL rule of a structural schema. */
export interface Rule {
  rule: string;
  message?: string;
  messageExpression?: string;
  fieldPath?: string;
  reason?: string;
}

/** Where a schema comes from, where it is one of Kubernetes' definitions. */
export interface Origin {
  /** Full name of the definition, such as io.k8s.api.core.v1.Toleration. */
  readonly definition: string;
  /** Nothing is required but merge keys. */
  readonly partial: boolean;
  /** Fields were added, replaced or refused, so that the definition's own type does not fit any more. */
  readonly changed: boolean;
}

/**
 * A structural schema, as far as we use it. What the API server must not see hangs on symbols (see marks.ts), which
 * neither JSON nor YAML writes.
 */
export interface Schema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  format?: string;
  description?: string;
  default?: unknown;
  enum?: readonly (string | number | boolean)[];
  nullable?: boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  pattern?: string;
  anyOf?: readonly { readonly type: string }[];
  required?: readonly string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
  items?: Schema;
  'x-kubernetes-int-or-string'?: true;
  'x-kubernetes-preserve-unknown-fields'?: true;
  'x-kubernetes-list-type'?: 'atomic' | 'map' | 'set';
  'x-kubernetes-list-map-keys'?: readonly string[];
  'x-kubernetes-map-type'?: 'atomic' | 'granular';
  'x-kubernetes-validations'?: readonly Rule[];
  /** @see marks.ts ORIGIN */
  [origin: symbol]: unknown;
}

/** A schema as a person writes it in crds/src: a structural schema with keys that expand.ts puts something in for. */
export interface SourceSchema extends Omit<Schema, 'properties' | 'items' | 'additionalProperties'> {
  properties?: Record<string, SourceSchema>;
  additionalProperties?: SourceSchema;
  items?: SourceSchema;
  $kubernetes?: string;
  $partial?: true;
  $list?: { type: 'atomic' | 'map' | 'set'; keys?: readonly string[] };
  $extra?: Record<string, SourceSchema>;
  $narrow?: Record<string, Schema>;
  $override?: Record<string, SourceSchema>;
  $refuse?: Record<string, string>;
  $quantity?: true;
}

/** A definition of Kubernetes' OpenAPI document, or a part of one. */
export interface Definition {
  readonly $ref?: string;
  readonly type?: NonNullable<Schema['type']>;
  readonly format?: string;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Definition>>;
  readonly additionalProperties?: Definition;
  readonly items?: Definition;
  readonly 'x-kubernetes-list-type'?: NonNullable<Schema['x-kubernetes-list-type']>;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: NonNullable<Schema['x-kubernetes-map-type']>;
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
}

/** crds/src/kubernetes.json */
export interface KubernetesDefinitions {
  /** Version of Kubernetes, such as v1.37.2. */
  readonly kubernetes: string;
  readonly definitions: Readonly<Record<string, Definition>>;
}

export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly description?: string;
  readonly priority?: number;
}

/** The part of apiextensions.k8s.io/v1 that we write. */
export interface CustomResourceDefinition<S = Schema> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: {
      readonly kind: string;
      readonly plural: string;
      readonly shortNames?: readonly string[];
      readonly [name: string]: unknown;
    };
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly storage: boolean;
      readonly additionalPrinterColumns?: readonly PrinterColumn[];
      readonly schema: { readonly openAPIV3Schema: S };
      readonly [field: string]: unknown;
    }[];
  };
}
