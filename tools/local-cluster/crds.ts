import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import type { Client, Status } from './client';
import { poll } from './poll';

interface Crd {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
  readonly status?: {
    readonly conditions?:
      readonly { readonly type: string; readonly status: string; readonly message?: string }[] | null;
  };
}

const COLLECTION = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/**
 * Applies the CRDs in YAML or JSON files and waits until they can be used. The API server lets the first creations wait
 * until 2 s after a CRD was established; that time is over when this returns, so that nobody's timing meets it.
 */
export async function installCrds(client: Client, paths: readonly string[]): Promise<void> {
  const crds = paths.flatMap((path) =>
    parseAllDocuments(readFileSync(path, 'utf8')).map((document) => document.toJS() as Crd),
  );
  const fresh = await Promise.all(crds.map((crd) => install(client, crd)));
  if (fresh.includes(true)) await sleep(2000);
}

/** Whether the CRD has been established just now. */
async function install(client: Client, crd: Crd): Promise<boolean> {
  const { name } = crd.metadata;
  const path = `${COLLECTION}/${name}`;
  const before = await client.request<Crd>('GET', path);
  const applied = await client.request<Crd | Status>(
    'PATCH',
    `${path}?fieldManager=install&fieldValidation=Strict&force=true`,
    crd,
  );
  if (applied.status >= 400) {
    const { message } = applied.body as Status;
    throw new Error(`the API server refuses the CRD ${name}: ${message ?? applied.status}`);
  }
  await poll(`the CRD ${name} to be established`, async () => {
    const { body } = await client.request<Crd>('GET', path);
    const conditions = body.status?.conditions ?? [];
    const refused = conditions.find(({ type, status }) => type === 'NonStructuralSchema' && status === 'True');
    if (refused !== undefined) throw new Error(`the CRD ${name} has no structural schema: ${refused.message}`);
    return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
  });
  const { group, names, versions } = crd.spec;
  for (const version of versions.filter(({ served }) => served)) {
    await poll(`${names.plural}.${version.name}.${group} to be served`, async () => {
      const { status } = await client.request('GET', `/apis/${group}/${version.name}/${names.plural}?limit=1`);
      return status === 200;
    });
  }
  return before.status === 404;
}
