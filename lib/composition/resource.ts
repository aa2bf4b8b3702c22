/** Metadata of a custom resource, as far as a composition may depend on it. */
export interface ResourceMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly generation?: number;
  readonly deletionTimestamp?: string;
  readonly labels?: { readonly [key: string]: string };
  readonly annotations?: { readonly [key: string]: string };
}

/** A custom resource: plain JSON, as the API server sends it. */
export interface Resource<Spec = unknown, Status = unknown> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ResourceMetadata;
  readonly spec: Spec;
  readonly status?: Status;
}
