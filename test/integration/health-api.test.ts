import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { startControlPlane, type ControlPlane } from '../../tools/local-cluster';
import type { Manifest } from '../../lib/composition';
import { record, scenes, type Recorded } from '../health/recorded';
import { judge } from '../health/verdicts';

const path = '/apis/inference.inferno.io/v1alpha1/namespaces/default/inferenceservices';
let cluster: ControlPlane;

beforeAll(async () => {
  cluster = await startControlPlane({ crds: ['crds/inferenceservice.yaml'] });
}, 600_000);
afterAll(() => cluster?.stop());

/** Makes the resource in the API server and gives it the recorded status, as the operator does. */
async function create(
  name: string,
  { resource }: Recorded,
): Promise<{ readonly sent: unknown; readonly stored: Manifest }> {
  const { status, metadata: _, ...rest } = resource;
  const made = await cluster.request<Manifest>('POST', path, { ...rest, metadata: { name } });
  expect(made.status).toBe(201);
  const generation = made.body.metadata.generation ?? 0;
  // the conditions speak of the generation that they were recorded for
  const sent: unknown = JSON.parse(
    JSON.stringify(status).replaceAll('"observedGeneration":7', `"observedGeneration":${generation}`),
  );
  const written = await cluster.request<Manifest>('PUT', `${path}/${name}/status`, { ...made.body, status: sent });
  expect(written.status).toBe(200);
  return { sent, stored: written.body };
}

/** Whether `kubectl wait` is content before the time is up. */
async function isReady(name: string, timeout: string): Promise<boolean> {
  return cluster.kubectl(['wait', `isvc/${name}`, '--for=condition=Ready', `--timeout=${timeout}`]).then(
    () => true,
    (error: Error) => {
      expect(error.message).toContain('timed out waiting for the condition');
      return false;
    },
  );
}

const table = Object.entries(scenes).flatMap(([kind, all]) =>
  Object.entries(all)
    // no API server stores one whose spec is not valid
    .filter(([, { sync }]) => sync?.state !== 'invalid')
    .map(([what, scene], index) => ({ kind, what, scene, name: `${kind}-${index}` })),
);

test.each(table)('the API server keeps the status as it was written where $what', async ({ name, scene }) => {
  const recorded = await record(scene);
  const { sent, stored } = await create(name, recorded);
  expect(stored['status']).toEqual(sent);
  // and so both see the same in the stored object as in the recorded one
  const [one, other] = await judge([recorded.resource, stored]);
  expect(other).toEqual(one);
});

test('a resource that nobody has looked at yet is done for neither, nor for kubectl wait', async () => {
  const { status: _, metadata: __, ...rest } = (await record({})).resource;
  const name = 'unseen';
  expect((await cluster.request('POST', path, { ...rest, metadata: { name } })).status).toBe(201);
  const { body } = await cluster.request<Manifest>('GET', `${path}/${name}`);
  expect(await judge([body])).toMatchObject([{ argo: { status: 'Progressing' }, kstatus: { status: 'InProgress' } }]);
  expect(await isReady(name, '2s')).toBe(false);
});

test('kubectl wait is content with what is ready, and with nothing else', async () => {
  const found = await Promise.all(
    table.map(async ({ name, kind }) => [kind, await isReady(name, kind === 'good' ? '60s' : '2s')] as const),
  );
  expect(found).toEqual(table.map(({ kind }) => [kind, kind === 'good']));
}, 90_000);

test('kubectl wait goes on waiting while the status speaks of an earlier spec', async () => {
  const name = 'changed';
  await create(name, await record({}));
  expect(await isReady(name, '60s')).toBe(true);
  await cluster.kubectl(['patch', `isvc/${name}`, '--type=merge', '-p', '{"spec":{"replicas":{"min":2,"max":4}}}']);
  expect(await isReady(name, '2s')).toBe(false);
}, 90_000);

test.each([
  ['without a namespace, as Argo CD has it', {}],
  ['with one', { namespace: 'argocd' }],
])('the folder argocd puts the script into the ConfigMap of a kustomization, %s', async (_, place) => {
  const folder = mkdtempSync(join(tmpdir(), 'inferno-argocd-'));
  try {
    cpSync('argocd', join(folder, 'argocd'), { recursive: true });
    const cm = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'argocd-cm', ...place },
      data: { url: 'https://a.example' },
    };
    writeFileSync(join(folder, 'cm.yaml'), stringify(cm));
    writeFileSync(join(folder, 'kustomization.yaml'), stringify({ resources: ['cm.yaml'], components: ['argocd'] }));
    const { stdout } = await cluster.kubectl(['kustomize', folder]);
    expect(parse(stdout)).toEqual({
      ...cm,
      data: {
        ...cm.data,
        'resource.customizations.health.inference.inferno.io_InferenceService': readFileSync(
          'argocd/health.lua',
          'utf8',
        ),
      },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
