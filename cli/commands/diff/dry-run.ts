import type { ChildKind, Manifest } from '../../../lib/composition';
import type { Cluster } from '../../cluster/cluster';
import { LAST_APPLIED } from './visible';

interface Fields {
  readonly [field: string]: unknown;
}

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
  const patch = record(mergePatch(last, manifest, live));
  const merged = await transport.json({
    method: 'PATCH',
    path: pathOf(kind, namespace, name),
    query: { dryRun: 'All', fieldManager: 'kubectl-client-side-apply', fieldValidation: 'Strict' },
    contentType: 'application/merge-patch+json',
    body: { ...patch, metadata: { ...record(patch['metadata']), uid } },
  });
  return { ...record(merged), apiVersion: live.apiVersion, kind: live.kind, metadata: metadataOf(merged, live) };
}

function metadataOf(answer: unknown, live: Manifest): Manifest['metadata'] {
  return { ...live.metadata, ...record(record(answer)['metadata']) };
}

function lastApplied(live: Manifest): Fields | undefined {
  const text = live.metadata.annotations?.[LAST_APPLIED];
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
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
    return [key, isRecord(value) && isRecord(now) ? mergePatch(isRecord(before) ? before : {}, value, now) : value];
  });
  return Object.fromEntries([...removed, ...set]);
}

function own(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

function record(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
