import type { Composition, Manifest } from '../../../lib/composition';
import { isManifest } from '../../../lib/composition/manifest';
import type { Parsed } from '../../command';
import { compositionsWith } from '../../compositions';
import { changesOf, type Change } from './changes';
import { unifiedDiff } from './unified';
import { masked } from './visible';
import { Interrupted } from '../../errors';
import { readInputFlags } from '../../input/flags';
import { painter, printable } from '../../io';
import type { Io } from '../../io';
import { withCluster, type Cluster } from '../../cluster/cluster';
import { Snapshot } from '../../cluster/snapshot';
import { writeObject } from '../../output/format';
import { errorLines, warningLines, type Paint } from '../../report';
import { admitInput } from '../../input/admit-input';

/** Exit codes of `inferno diff`, as kubectl's. */
const DIFFERS = 1;
const TROUBLE = 2;

/** Runs `inferno diff`. @returns the exit code */
export async function diff(parsed: Parsed, io: Io): Promise<number> {
  const options = readInputFlags(parsed);
  const compositions = await compositionsWith(parsed.values.get('composition'), io);
  const results = await admitInput(options, compositions, io);
  const paint = painter(io.stderr, io.env);
  io.stderr.write(warningLines(results, paint) + errorLines(results, paint));
  let hasTrouble = results.some(({ errors }) => errors.length > 0);
  const others = results.filter(({ known, errors }) => !known && errors.length === 0).length;
  if (others > 0) {
    io.stderr.write(`${others} ${others === 1 ? 'resource' : 'resources'} of another kind, not compared\n`);
  }

  const wanted = results.flatMap(({ known, errors, resource, composition }) =>
    known && errors.length === 0 && composition !== undefined && isManifest(resource)
      ? [{ resource, composition }]
      : [],
  );
  let differs = false;
  await withCluster(parsed, async (cluster) => {
    const snapshots = new Snapshots(cluster);
    for (const { resource, composition } of wanted) {
      if (io.interrupted.aborted) throw new Interrupted();
      // One after the other: the order is the output's.
      // oxlint-disable-next-line no-await-in-loop
      const { changes, refusals } = await changesOf(cluster, composition, placed(resource, composition, cluster), {
        fieldManager: parsed.values.get('field-manager')?.[0] ?? 'kubectl',
        snapshot: (namespace) => snapshots.of(composition, namespace),
      });
      for (const change of changes) {
        const text = changeText(change, painter(io.stdout, io.env));
        differs ||= text !== '';
        io.stdout.write(text);
      }
      for (const refusal of refusals) {
        hasTrouble = true;
        io.stderr.write(`${paint('red', 'refused:')} ${printable(refusal)}\n`);
      }
    }
  });
  if (hasTrouble) return TROUBLE;
  return differs ? DIFFERS : 0;
}

/** The resource with a namespace, as kubectl would give it one. */
function placed(resource: Manifest, composition: Composition, { namespace }: Cluster): Manifest {
  if (!composition.schema.namespaced || resource.metadata.namespace !== undefined) return resource;
  return { ...resource, metadata: { ...resource.metadata, namespace } };
}

/** Takes each snapshot once. */
class Snapshots {
  readonly #taken = new Map<Composition, Map<string, Promise<Snapshot>>>();

  constructor(private readonly cluster: Cluster) {}

  of(composition: Composition, namespace: string | undefined): Promise<Snapshot> {
    const byNamespace = this.#taken.get(composition) ?? new Map<string, Promise<Snapshot>>();
    this.#taken.set(composition, byNamespace);
    const key = namespace ?? '';
    const snapshot = byNamespace.get(key) ?? Snapshot.take(this.cluster, composition, namespace);
    byNamespace.set(key, snapshot);
    return snapshot;
  }
}

function changeText({ object, before, after }: Change, paint: Paint): string {
  const hunks = unifiedDiff(...(masked(before, after).map(yaml) as [string, string]));
  if (hunks.length === 0) return '';
  const { apiVersion, kind, metadata } = object;
  const name = [apiVersion.replace('/', '.'), kind, metadata.namespace, metadata.name]
    .filter((part) => part !== undefined)
    .join('.');
  const lines = [
    paint('bold', `--- ${before === undefined ? '/dev/null' : `live/${printable(name)}`}`),
    paint('bold', `+++ ${after === undefined ? '/dev/null' : `wanted/${printable(name)}`}`),
    ...hunks.map((line) => painted(printable(line), paint)),
  ];
  return `${lines.join('\n')}\n`;
}

function painted(line: string, paint: Paint): string {
  switch (line[0]) {
    case '-':
      return paint('red', line);
    case '+':
      return paint('green', line);
    case '@':
      return paint('cyan', line);
    default:
      return line;
  }
}

function yaml(object: Manifest | undefined): string {
  return object === undefined ? '' : writeObject(object, 'yaml');
}
