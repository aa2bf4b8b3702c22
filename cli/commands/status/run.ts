import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'yaml';
import { resourceKindOf, type Composition, type Manifest } from '../../../lib/composition';
import { defined } from '../../../lib/composition/objects';
import type { Parsed } from '../../command';
import { compositionsWith } from '../../compositions';
import { ClusterError, InputError, Interrupted, UsageError } from '../../errors';
import { readNamespace } from '../../input/flags';
import { painter, printableJson } from '../../io';
import type { Io } from '../../io';
import { find, findAll, withCluster, type Cluster, type Selection } from '../../cluster/cluster';
import { Snapshot } from '../../cluster/snapshot';
import { lookAt, type SeenResource } from './look';
import { treeText } from './tree';

/** Exit code of --exit-status where a resource is not Ready. */
const NOT_READY = 3;
const INTERVAL_MS = 2000;

interface Options {
  readonly names: readonly string[];
  /** @default - the kubeconfig's */
  readonly namespace?: string;
  readonly allNamespaces: boolean;
  readonly selector?: string;
  readonly format: 'tree' | 'json' | 'yaml';
  readonly watch: boolean;
}

/** Runs `inferno status`. @returns the exit code */
export async function status(parsed: Parsed, io: Io): Promise<number> {
  const options = readOptions(parsed);
  const compositions = await compositionsWith(parsed.values.get('composition'), io);
  const seen = await withCluster(parsed, (cluster) =>
    options.watch ? watch(cluster, compositions, options, io) : show(cluster, compositions, options, io),
  );
  return parsed.switches.has('exit-status') && seen.some(({ isReady }) => !isReady) ? NOT_READY : 0;
}

function readOptions({ values, switches, arguments: names }: Parsed): Options {
  const namespace = values.get('namespace')?.[0];
  if (namespace !== undefined) readNamespace('namespace', namespace);
  const allNamespaces = switches.has('all-namespaces');
  if (allNamespaces && namespace !== undefined)
    throw new UsageError('--namespace and --all-namespaces exclude each other');
  if (allNamespaces && names.length > 0)
    throw new UsageError('a NAME is one in a namespace: leave --all-namespaces out');
  const selector = values.get('selector')?.[0];
  if (selector !== undefined && names.length > 0) throw new UsageError('NAME and --selector exclude each other');
  const output = values.get('output')?.[0];
  const format = output === 'json' || output === 'yaml' ? output : 'tree';
  const isWatching = switches.has('watch');
  if (isWatching && format !== 'tree')
    throw new UsageError(`--watch shows trees, so --output ${format} has no meaning`);
  return defined<Options>({ names, allNamespaces, format, watch: isWatching, namespace, selector });
}

async function show(
  cluster: Cluster,
  compositions: readonly Composition[],
  options: Options,
  io: Io,
): Promise<readonly SeenResource[]> {
  const seen = await look(cluster, compositions, options);
  if (options.format === 'json') io.stdout.write(`${printableJson(JSON.stringify(seen, undefined, 2))}\n`);
  else if (options.format === 'yaml') io.stdout.write(stringify(seen, { lineWidth: 0 }));
  else if (seen.length === 0) io.stderr.write(`${nothing(compositions, cluster, options)}\n`);
  else io.stdout.write(textOf(seen, io));
  return seen;
}

/** On a terminal the screen shows the newest state; elsewhere each resource that has changed is written anew. */
async function watch(cluster: Cluster, compositions: readonly Composition[], options: Options, io: Io): Promise<never> {
  const shown = new Map<string, string>();
  let screen: string | undefined;
  for (;;) {
    if (io.interrupted.aborted) throw new Interrupted();
    // oxlint-disable-next-line no-await-in-loop -- looks again and again
    const seen = await look(cluster, compositions, { ...options, names: options.names });
    if (io.stdout.isTerminal) {
      const text = seen.length === 0 ? `${nothing(compositions, cluster, options)}\n` : textOf(seen, io);
      if (text !== screen) io.stdout.write(`\u001b[H\u001b[2J${text}`);
      screen = text;
    } else {
      for (const resource of seen) {
        const key = `${resource.kind} ${resource.namespace ?? ''}/${resource.name}`;
        const text = textOf([resource], io);
        if (shown.get(key) !== text) io.stdout.write(text);
        shown.set(key, text);
      }
    }
    // oxlint-disable-next-line no-await-in-loop -- looks again and again
    await sleep(INTERVAL_MS, undefined, { signal: io.interrupted }).catch(() => undefined);
  }
}

function textOf(seen: readonly SeenResource[], io: Io): string {
  return treeText(seen, io.stdout.columns ?? 80, painter(io.stdout, io.env));
}

async function look(
  cluster: Cluster,
  compositions: readonly Composition[],
  options: Options,
): Promise<readonly SeenResource[]> {
  const namespace = options.allNamespaces ? undefined : (options.namespace ?? cluster.namespace);
  const missing = new Set(options.names);
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  const seen = await Promise.all(
    compositions.map(async (composition) => {
      const scope = composition.schema.namespaced ? namespace : undefined;
      const resources = await resourcesOf(cluster, composition, scope, options);
      for (const { metadata } of resources) missing.delete(metadata.name);
      if (resources.length === 0) return [];
      const snapshot = await Snapshot.take(cluster, composition, scope);
      return Promise.all(resources.map((resource) => lookAt(composition, resource, snapshot, now)));
    }),
  );
  if (missing.size > 0) {
    const kinds = compositions.map(({ crd }) => crd.spec.names.kind).join(' or ');
    throw new InputError(`there is no ${kinds} ${[...missing].join(', ')} in namespace ${namespace ?? ''}`);
  }
  return seen.flat();
}

async function resourcesOf(
  cluster: Cluster,
  composition: Composition,
  namespace: string | undefined,
  { names, selector }: Options,
): Promise<readonly Manifest[]> {
  const kind = resourceKindOf(composition);
  if (names.length > 0) {
    const found = await Promise.all(names.map((name) => find(cluster, kind, namespace, name)));
    return found.flatMap((resource) => resource ?? []);
  }
  const all = await findAll(cluster, kind, defined<Selection>({ namespace, labelSelector: selector }));
  if (all === undefined) {
    throw new ClusterError(`the cluster has no CustomResourceDefinition ${composition.crd.metadata.name}`);
  }
  return all;
}

function nothing(compositions: readonly Composition[], cluster: Cluster, options: Options): string {
  const kinds = compositions.map(({ crd }) => crd.spec.names.kind).join(' or ');
  const where = options.allNamespaces ? 'the cluster' : `namespace ${options.namespace ?? cluster.namespace}`;
  return `there is no ${kinds} in ${where}`;
}
