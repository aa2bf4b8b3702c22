import type { ChildKind, Manifest } from '../../../lib/composition';
import { fieldsOf, isObject, own, type Fields } from '../../../lib/composition/objects';
import type { Cluster } from '../../cluster/cluster';
import { LAST_APPLIED } from './visible';

/**
 * What the cluster would have after `kubectl apply` of a resource: as a merge with what was applied last where kubectl
 * keeps that in an annotation, else as a server-side apply. Nothing is changed.
 */
export async function dryRunResource(
  { client, transport }: Cluster,
  kind: ChildKind,
  wanted: Manifest,
  live: Manifest | undefined,
  fieldManager: string,
): Promise<Manifest> {
  const options = { fieldManager, dryRun: true };
  const { status: _status, ...intent } = wanted;
  const manifest: Manifest = { ...intent, apiVersion: wanted.apiVersion, kind: wanted.kind, metadata: wanted.metadata };
  if (live === undefined) return client.apply(kind, manifest, { create: true }, options);
  const last = lastApplied(live);
  if (last === undefined) return client.apply(kind, manifest, { uid: live.metadata.uid ?? '' }, options);
  const { pathOf } = require('../../cluster/kubernetes') as typeof import('../../cluster/kubernetes');
  const { name, namespace, uid } = live.metadata;
  const patch = fieldsOf(mergePatch(last, manifest, live));
  const merged = await transport.json({
    method: 'PATCH',
    path: pathOf(kind, namespace, name),
    query: { dryRun: 'All', fieldManager: 'kubectl-client-side-apply', fieldValidation: 'Strict' },
    contentType: 'application/merge-patch+json',
    body: { ...patch, metadata: { ...fieldsOf(patch['metadata']), uid } },
  });
  return { ...fieldsOf(merged), apiVersion: live.apiVersion, kind: live.kind, metadata: metadataOf(merged, live) };
}

function metadataOf(answer: unknown, live: Manifest): Manifest['metadata'] {
  return { ...live.metadata, ...fieldsOf(fieldsOf(answer)['metadata']) };
}

function lastApplied(live: Manifest): Fields | undefined {
  const text = live.metadata.annotations?.[LAST_APPLIED];
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** kubectl's three-way JSON merge patch: what is wanted, and a null for what was applied last and no longer is. */
export function mergePatch(last: Fields, wanted: Fields, live: Fields): Fields {
  const removed = Object.keys(last)
    .filter((key) => !Object.hasOwn(wanted, key) && Object.hasOwn(live, key))
    .map((key) => [key, null]);
  const set = Object.entries(wanted).map(([key, value]) => {
    const [before, now] = [own(last, key), own(live, key)];
    return [key, isObject(value) && isObject(now) ? mergePatch(isObject(before) ? before : {}, value, now) : value];
  });
  return Object.fromEntries([...removed, ...set]);
}
