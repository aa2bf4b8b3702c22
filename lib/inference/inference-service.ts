import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import type { Deployment, HorizontalPodAutoscaler, Service } from '../../imports/k8s';
import type { InferenceServiceResource, InferenceServiceSpec } from '../../imports/inference-service';
import type { Child } from '../composition/child';
import { InvalidResourceError } from '../composition/errors';
import { toJsonObject, type JsonObject } from '../composition/json';
import type { Finding } from '../composition/schema';
import { checkManifests } from '../composition/synthesis-checks';
import { addChildren } from './compose';
import { inferenceServiceComposition } from './composition';
import { inferenceServiceSchema } from './crd';
import { InvalidInferenceServiceError } from './errors';
import { selectorLabels, type Labels } from './labels';
import { standInService, type ServiceClass } from './plus';
import { propagateAnnotation } from './propagation';
import type { AdmittedInferenceService } from './admitted';
import { servicePort } from './service';
import { warnings } from './warnings';
import { defined, isObject } from '../composition/objects';

const apiVersion = 'inference.inferno.io/v1alpha1';
const kind = 'InferenceService';

/** Metadata of an InferenceService. */
export interface InferenceServiceMetadata {
  /**
   * The name of the service: that of its Deployment, Service and autoscaler, and the pods' label `app`.
   *
   * @default - the id of the construct
   */
  readonly name?: string;
  /** @default - the namespace of the chart */
  readonly namespace?: string;
  /**
   * Labels of the Deployment, the Service and the autoscaler. Pods have those of `podMetadata` instead, so that a changed
   * label restarts nothing. The labels that Inferno sets itself cannot be changed.
   *
   * @default - none but those that Inferno sets, and those of the chart
   */
  readonly labels?: Labels;
  /**
   * Annotations of the Deployment, the Service and the autoscaler. `inferno.io/propagate` names the keys that they get, as
   * it does on a resource in a cluster.
   *
   * @default - none; of those that are given, and of the labels, all reach the children
   */
  readonly annotations?: Labels;
}

/** The fields of an InferenceService's spec, and its metadata. */
export interface InferenceServiceProps extends InferenceServiceSpec {
  /** @default - the construct's id as name, in the chart's namespace */
  readonly metadata?: InferenceServiceMetadata;
}

/**
 * A model server: its Deployment, its Service and, where autoscaling is on, its HorizontalPodAutoscaler. `ApiObject.of`
 * gives the Deployment.
 *
 * What the operator would refuse is refused here too: the props at once, what labels of the chart and later changes of the
 * children make of them when the app is synthesized.
 *
 * @example
 * const llama = new InferenceService(chart, 'llama', {
 *   model: { uri: 'hf://meta-llama/Llama-3.1-8B-Instruct', framework: 'vllm', version: '3.1' },
 *   replicas: { min: 1, max: 1 },
 *   resources: { gpu: 1, memory: '24Gi' },
 * });
 * llama.deployment.addJsonPatch(JsonPatch.add('/spec/minReadySeconds', 10));
 */
export class InferenceService extends Construct {
  /** The Deployment. Change it with `addJsonPatch`. */
  readonly deployment: Child<Deployment>;
  /** The Service. Change it with `addJsonPatch`. */
  readonly service: Child<Service>;
  /** The HorizontalPodAutoscaler; undefined where nothing scales the pods. */
  readonly autoscaler?: Child<HorizontalPodAutoscaler>;
  /** The name of the resource, as a user writes it. */
  readonly resourceName: string;
  /** The name of the Service: the resource's, made legal where it is not a DNS label. */
  readonly serviceName: string;
  /** The Service's port for HTTP. */
  readonly servicePort: number;
  /** The labels that select the pods. */
  readonly podSelector: Labels;
  /** What is allowed but probably not meant. */
  readonly warnings: readonly Finding[];
  #standIn?: Construct;

  /**
   * @param id the construct's id, and the name of the service unless `metadata.name` says another
   * @throws InvalidInferenceServiceError with everything that is wrong with the props
   * @throws InvalidInferenceServiceError where another one in the chart has its name and namespace
   * @throws TypeError where a prop is not plain JSON, such as a `Lazy`
   */
  constructor(scope: Construct, id: string, props: InferenceServiceProps) {
    super(scope, usableId(id));
    const resource = admit(resourceOf(this, id, props), `"${id}" (${this.node.path})`);
    claimName(this, resource);
    const children = this.#addChildren(resource);
    this.deployment = children.deployment;
    this.service = children.service;
    if (children.autoscaler) this.autoscaler = children.autoscaler;
    this.node.defaultChild = this.deployment;
    this.node.addValidation({ validate: () => [...this.#faults(resource)] });
    this.resourceName = resource.metadata.name;
    this.serviceName = this.service.name;
    this.servicePort = servicePort;
    this.podSelector = selectorLabels(resource);
    this.warnings = warnings(resource);
  }

  /**
   * The construct for a whole resource, as it is in YAML. It renders what the operator would: of the labels and annotations,
   * the children get those that the resource names in its annotation `inferno.io/propagate`.
   *
   * @param resource an InferenceService: apiVersion, kind, metadata and spec; the chart's namespace applies where it has none
   * @throws InvalidInferenceServiceError with everything that is wrong with the resource
   */
  static fromResource(scope: Construct, id: string, resource: InferenceServiceResource): InferenceService {
    const { metadata, spec } = admit(withNamespace(scope, toJsonObject(resource)), `"${id}"`);
    const { name, namespace, labels, annotations } = metadata;
    return new InferenceService(scope, id, {
      ...spec,
      metadata: defined<InferenceServiceMetadata>({
        name,
        namespace,
        labels,
        annotations: { [propagateAnnotation]: '', ...annotations },
      }),
    });
  }

  /**
   * The Service as an object of cdk8s-plus, for constructs that ask for one. It refers to this Service and renders nothing.
   *
   * @param ServiceOfPlus the class `Service` of the cdk8s-plus that you use
   * @example
   * ingress.addHostRule('llm.example.com', '/', kplus.IngressBackend.fromService(llama.plusService(kplus.Service), { port: 80 }));
   */
  plusService<S extends Construct>(ServiceOfPlus: ServiceClass<S>): S {
    if (this.#standIn instanceof ServiceOfPlus) return this.#standIn;
    const { namespace } = this.service.metadata;
    const standIn = standInService(this, 'plus-service', ServiceOfPlus, {
      metadata: { name: this.serviceName, ...defined({ namespace }) },
      ports: (this.service.manifest.spec?.ports ?? []).map(({ name = '', port }) => ({ name, port })),
    });
    this.#standIn = standIn;
    return standIn;
  }

  #faults({ metadata }: AdmittedInferenceService): readonly string[] {
    const children = [this.deployment, this.service, ...(this.autoscaler ? [this.autoscaler] : [])];
    return checkManifests(
      children.map((child) => child.toJson()),
      inferenceServiceComposition,
      metadata.namespace,
    );
  }

  #addChildren(resource: AdmittedInferenceService): ReturnType<typeof addChildren> {
    try {
      return addChildren(this, resource);
    } catch (error) {
      if (!(error instanceof InvalidResourceError)) throw error;
      throw new InvalidInferenceServiceError(`"${this.node.id}" (${this.node.path})`, error.errors);
    }
  }
}

/** The services of a chart by namespace and name. A chart may be for a cluster of its own, so each has its own. */
const claims = new WeakMap<Chart, Map<string, InferenceService>>();

/** Two services of one name would be the same objects, of which `kubectl apply` keeps the last. */
function claimName(service: InferenceService, { metadata }: AdmittedInferenceService): void {
  const chart = Chart.of(service);
  const names = claims.get(chart) ?? new Map<string, InferenceService>();
  claims.set(chart, names);
  const key = `${metadata.namespace ?? ''}/${metadata.name}`;
  const other = names.get(key);
  if (other && other.node.scope?.node.tryFindChild(other.node.id) === other) {
    const message = `"${metadata.name}" is the name of ${other.node.path} too, in the same chart and namespace`;
    throw new InvalidInferenceServiceError(`"${service.node.id}" (${service.node.path})`, [
      { path: 'metadata.name', message },
    ]);
  }
  names.set(key, service);
}

/** constructs keeps children in a plain object, in which a few names are there from the start. */
function usableId(id: string): string {
  if (!(id in {})) return id;
  throw new Error(`"${id}" cannot be the id of a construct; give another id, and metadata.name: "${id}"`);
}

function resourceOf(scope: Construct, id: string, props: InferenceServiceProps): unknown {
  const { metadata = {}, ...spec } = toJsonObject(props);
  const named = isObject(metadata) ? { name: id, ...withAllPropagated(metadata) } : metadata;
  return withNamespace(scope, { apiVersion, kind, metadata: named, spec });
}

/** In props, labels and annotations have no other use than on the children. */
function withAllPropagated(metadata: JsonObject): JsonObject {
  const { labels = {}, annotations = {} } = metadata;
  if (!isObject(labels) || !isObject(annotations)) return metadata;
  const keys = [...Object.keys(labels), ...Object.keys(annotations)];
  return keys.length === 0
    ? metadata
    : { ...metadata, annotations: { [propagateAnnotation]: keys.join(','), ...annotations } };
}

/** The chart's namespace is for objects that name none. */
function withNamespace(scope: Construct, resource: JsonObject): JsonObject {
  const { namespace } = Chart.of(scope);
  const { metadata } = resource;
  if (namespace === undefined || !isObject(metadata)) return resource;
  return { ...resource, metadata: { namespace, ...metadata } };
}

function admit(resource: unknown, what: string): AdmittedInferenceService {
  const admission = inferenceServiceSchema.admit<AdmittedInferenceService>(resource);
  if (!admission.valid) throw new InvalidInferenceServiceError(what, admission.errors);
  return admission.resource;
}
