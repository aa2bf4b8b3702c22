import type { ChildKind, Manifest } from '../../lib/composition';
import type { ControlPlane, Response, Status } from '../../tools/local-cluster';

/** Path of the collection that objects of a kind are in. */
export function collection(kind: ChildKind, namespace: string): string {
  const root = kind.apiVersion.includes('/') ? '/apis' : '/api';
  return `${root}/${kind.apiVersion}/namespaces/${namespace}/${kind.plural}`;
}

/** Applies a manifest server-side as the operator does, with strict field validation. */
export function apply(
  controlPlane: ControlPlane,
  kind: ChildKind,
  manifest: Manifest,
): Promise<Response<Manifest | Status>> {
  const path = `${collection(kind, manifest.metadata.namespace ?? 'default')}/${manifest.metadata.name}`;
  return controlPlane.request('PATCH', `${path}?fieldManager=inferno&fieldValidation=Strict&force=true`, manifest);
}

/** Makes namespaces that are not there yet. */
export async function makeNamespaces(controlPlane: ControlPlane, names: Iterable<string>): Promise<void> {
  const answers = await Promise.all(
    [...names].map((name) =>
      controlPlane.request<Status>('POST', '/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name },
      }),
    ),
  );
  const refused = answers.find(({ status }) => status !== 201 && status !== 409);
  if (refused !== undefined) throw new Error(`a namespace is refused: ${refused.body.message}`);
}
