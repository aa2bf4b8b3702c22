import { ApiObject, App, Chart, type AppProps } from 'cdk8s';
import { canonicalManifest } from './child';
import type { ComposeContext, Composition, Observed } from './composition';
import { addSyncWaves, dependenciesOf, objectsInOrder } from './dependencies';
import { InvalidResourceError, SynthesisError } from './errors';
import { finding, type Finding } from './finding';
import { toJsonObject } from './json';
import type { Manifest } from './manifest';
import { defined } from './objects';
import { MANAGED_BY, MANAGED_BY_LABEL } from './ownership';
import type { Resource } from './resource';
import { checkManifests, lostPatches } from './synthesis-checks';

/** What became of a resource. */
export type Synthesis<R extends Resource = Resource> =
  | {
      readonly valid: true;
      /** The resource as admitted: defaults filled in. */
      readonly resource: R;
      /** The children in the order of creation: what another one depends on comes before it. */
      readonly manifests: readonly Manifest[];
      /** What has to be ready before a manifest is applied: `child.node.addDependency(other)`. Others are not in it. */
      readonly dependencies: ReadonlyMap<Manifest, readonly Manifest[]>;
      /** What is allowed but probably not meant. */
      readonly warnings: readonly Finding[];
    }
  | { readonly valid: false; readonly errors: readonly Finding[] };

/** How manifests are written. */
export interface SynthesisOptions {
  /** Whether each has Argo CD's sync wave by what it depends on: see {@link addSyncWaves}. @default false */
  readonly syncWaves?: boolean;
}

/**
 * Renders a resource: validates it, composes it in an app of its own, and checks what came out.
 *
 * Guarantees:
 * - pure: the same resource gives the same manifests, byte for byte; they do not depend on the order of its keys, the
 *   environment or the calls before; nothing is written, and the input stays as it was
 * - the manifests are of declared kinds, with legal and unique names, legal labels, and in the resource's namespace; each
 *   has the label `app.kubernetes.io/managed-by: inferno`; their keys are sorted
 * - what the composition handed over is in them: values of a {@link Child} verbatim, JSON patches in effect
 *
 * @param resource an object as a user wrote it or as the API server sent it
 * @param observed the children in the cluster; without one, leave it out
 * @param options how the manifests are written, for those who apply them without the operator
 * @returns `valid: false` with all errors where the schema or the composition refuses the resource
 * @throws SynthesisError where the fault is the composition's
 */
export function synthesize<R extends Resource>(
  composition: Composition<R>,
  resource: unknown,
  observed?: Observed,
  options: SynthesisOptions = {},
): Synthesis<R> {
  const admission = composition.schema.admit<R>(resource);
  if (!admission.valid) {
    return { valid: false, errors: admission.errors };
  }
  const admitted = sorted(admission.resource);
  const { name, namespace } = admitted.metadata;
  const fail = (message: string, cause?: unknown): SynthesisError =>
    new SynthesisError(
      composition.crd.spec.names.kind,
      namespace === undefined ? name : `${namespace}/${name}`,
      message,
      cause === undefined ? undefined : { cause },
    );
  const warnings: Finding[] = [];
  const context: ComposeContext = {
    ...defined({ observed }),
    warn: (path, message, code = 'warning') => {
      warnings.push(finding({ path, message, code }));
    },
  };

  let rendered: Rendered;
  try {
    rendered = render(composition, asWritten(admitted), context, options);
  } catch (error) {
    if (error instanceof InvalidResourceError) {
      return { valid: false, errors: error.errors.map(finding) };
    }
    throw fail(error instanceof Error ? error.message : String(error), error);
  }
  const faults = checkManifests(rendered.manifests, composition, namespace);
  if (faults.length > 0) {
    throw fail(faults.join('; '));
  }
  return { valid: true, resource: admitted, ...rendered, warnings };
}

/** What cdk8s would read from the environment otherwise, for each app. Nothing is written, so the folder does not matter. */
const fromNoEnvironment: AppProps = { outdir: 'dist', recordConstructMetadata: false };

type Rendered = Pick<Extract<Synthesis, { valid: true }>, 'manifests' | 'dependencies'>;

function render<R extends Resource>(
  composition: Composition<R>,
  resource: R,
  context: ComposeContext,
  { syncWaves = false }: SynthesisOptions,
): Rendered {
  const { name, namespace } = resource.metadata;
  // constructs keeps children in a plain object, in which a few names are there from the start.
  const chart = new Chart(new App(fromNoEnvironment), name in {} ? `resource-${name}` : name, {
    ...defined({ namespace }),
    labels: { [MANAGED_BY_LABEL]: MANAGED_BY },
  });
  composition.compose(chart, resource, context);

  const objects = chart.node.findAll().filter((construct) => ApiObject.isApiObject(construct));
  const nested = objects.find((object) => object.chart !== chart);
  if (nested !== undefined) {
    throw new Error(`${nested.node.path} is in a chart of its own; expected constructs, not charts, in compose`);
  }
  const lost = objects.flatMap(lostPatches);
  if (lost.length > 0) {
    throw new Error(lost.join('; '));
  }
  if (syncWaves) {
    addSyncWaves(chart);
  }
  const faults = chart.node.findAll().flatMap(({ node }) => node.validate().map((fault) => `${node.path}: ${fault}`));
  if (faults.length > 0) {
    throw new Error(faults.join('; '));
  }
  const rendered = new Map(
    objectsInOrder(chart).map((object) => [
      object,
      canonicalManifest(object.toJson(), () => `rendered object ${object.node.path}`),
    ]),
  );
  const dependencies = [...rendered].flatMap(([object, manifest]) => {
    const before = dependenciesOf(object).flatMap((other) => rendered.get(other) ?? []);
    return before.length === 0 ? [] : [[manifest, before] as const];
  });
  return { manifests: [...rendered.values()], dependencies: new Map(dependencies) };
}

/** The resource without what a cluster adds to it, so that compose cannot depend on where it runs. */
function asWritten<R extends Resource>(resource: R): R {
  const { name, namespace, labels, annotations } = resource.metadata;
  const written = {
    ...resource,
    metadata: defined<Resource['metadata']>({ name, namespace, labels, annotations }),
  };
  Reflect.deleteProperty(written, 'status');
  return written;
}

/** The same resource with its keys in order: before, defaults stand behind what the user wrote, in the user's order. */
function sorted<R extends Resource>(resource: R): R {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an equal value of plain JSON has the same type
  return toJsonObject(resource) as unknown as R;
}
